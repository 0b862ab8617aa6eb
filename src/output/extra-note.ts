import { plainText } from './cells.js';
import { header } from './columns.js';
import { safeLine } from './safe-text.js';

/** What comes with a list, in a line: `{stats: {total: 120, broken: {total: 3}}}` is `total 120, broken 3`. */
export function extraNote(extra: Record<string, unknown>): string {
  const leaves = (value: unknown, path: readonly string[]): string[] => {
    if (typeof value !== 'object' || value === null) return [`${named(path)} ${plainText(value)}`];
    return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]));
  };
  return safeLine(leaves(extra, []).join(', '));
}

/** The name of a number, without its envelope; a total is named after what it is in. */
function named([envelope = '', ...path]: readonly string[]): string {
  const own = path.length > 1 && path.at(-1) === 'total' ? path.slice(0, -1) : path;
  const words = own.length === 0 ? [envelope] : own;
  return words.map((word) => header(word).toLowerCase()).join(' ');
}
