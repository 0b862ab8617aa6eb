import { usageError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { defined } from '../base/values.js';
import { header } from './columns.js';
import type { View } from './printer.js';

/** Segments to keep, in order; an empty map keeps the whole value. */
type Selection = Map<string, Selection>;

/**
 * The value at a dotted path, or an array of values where the path goes through one. Only own keys count:
 * `constructor` and `__proto__` are names like any other.
 */
export function valueAt(value: unknown, path: string): unknown {
  return follow(value, path.split('.'), 0);
}

function follow(value: unknown, segments: readonly string[], from: number): unknown {
  const segment = segments[from];
  if (segment === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((element) => follow(element, segments, from)).filter((found) => found !== undefined);
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return undefined;
  return follow((value as Record<string, unknown>)[segment], segments, from + 1);
}

/** The function that keeps only some fields, in this order: `id,user.email` gives `{id, user: {email}}`. */
export function picker(paths: readonly string[]): (item: unknown) => unknown {
  const selection: Selection = new Map();
  for (const path of paths) select(selection, path.split('.'));
  return (item) => pick(item, selection);
}

function select(selection: Selection, segments: readonly string[]): void {
  let level = selection;
  for (const segment of segments) {
    const known = level.get(segment);
    if (known?.size === 0) return; // the whole of it is kept already
    const next: Selection = known ?? new Map();
    level.set(segment, next);
    level = next;
  }
  level.clear();
}

function pick(value: unknown, selection: Selection): unknown {
  if (selection.size === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => pick(element, selection));
  const picked: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of selection) {
    if (Object.hasOwn(value, key)) picked[key] = pick((value as Record<string, unknown>)[key], inner);
  }
  return picked;
}

/** Whether some fields are added to those of the view, or dropped: `+email`, `-joined`. */
export function isRelative(fields: readonly string[]): boolean {
  return fields.some((field) => /^[+-][^-]/.test(field));
}

/** Checks `--fields` against paths and open prefixes. @throws `unknown_field` (exit 2), with the known ones */
export function checkFields(
  fields: readonly string[],
  known: readonly string[],
  open: readonly string[],
  flag = '--fields',
): void {
  const unknown = fields.filter((field) => !isKnownField(field, known, open));
  if (unknown.length === 0) return;
  const names = unknown.map((field) => `"${field}"`).join(', ');
  const field = unknown.length === 1 ? 'field' : 'fields';
  const meant = unknown.map((name) => meantField(name, known)).filter((path) => path !== undefined);
  const suggestion = meant.length === 0 ? '' : ` Did you mean ${meant.join(', ')}?`;
  const message = `Unknown ${field} ${names} in ${flag}.${suggestion} Known fields: ${known.join(', ')}.`;
  throw usageError('unknown_field', message, { details: defined({ unknown, known, nearest: meant[0] }) });
}

/** The only path that ends in the typed field (`user.email` for `email`), or the nearest by spelling. */
function meantField(field: string, known: readonly string[]): string | undefined {
  const [inside, ...others] = known.filter((path) => path.endsWith(`.${field}`));
  return others.length === 0 && inside !== undefined ? inside : nearest(field, known);
}

/** Whether a dotted path is one of a resource: see `checkFields`. */
export function isKnownField(field: string, known: readonly string[], open: readonly string[]): boolean {
  if (field.split('.').some((segment) => segment === '')) return false;
  return (
    known.some((path) => path === field || path.startsWith(`${field}.`)) ||
    open.some((prefix) => prefix === '' || field === prefix || field.startsWith(`${prefix}.`))
  );
}

/** The path that a name means: itself, that of the column with this header, or the only one that ends in it. */
export function pathNamed(name: string, { columns, fields, open = [] }: View): string | undefined {
  if (columns.some(({ path }) => path === name) || isKnownField(name, fields, open)) return name;
  const words = name.toLowerCase().replaceAll('-', ' ');
  const headed = columns.filter(({ path, label }) => (label ?? header(path)).toLowerCase() === words);
  if (headed.length === 1) return headed[0]?.path;
  const ending = fields.filter((path) => path.endsWith(`.${name}`));
  return ending.length === 1 ? ending[0] : undefined;
}
