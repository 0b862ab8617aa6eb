import { header } from './columns.js';
import { isKnownField } from './fields.js';
import type { View } from './printer.js';

/** The path that a name means: itself, that of the column with this header, or the only one that ends in it. */
export function pathNamed(name: string, { columns, fields, open = [] }: View): string | undefined {
  if (columns.some(({ path }) => path === name) || isKnownField(name, fields, open)) return name;
  const words = name.toLowerCase().replaceAll('-', ' ');
  const headed = columns.filter(({ path, label }) => (label ?? header(path)).toLowerCase() === words);
  if (headed.length === 1) return headed[0]?.path;
  const ending = fields.filter((path) => path.endsWith(`.${name}`));
  return ending.length === 1 ? ending[0] : undefined;
}
