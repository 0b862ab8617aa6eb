import type { AnyOperation } from './operation.js';

/** What follows from an operation without its schemas. */

/** The names in braces in a path, in order. */
export function pathParameters(path: string): string[] {
  return path.split('{').slice(1).map(nameBefore);
}

/** A path with a value for each name in braces. */
export function filledPath(path: string, valueIn: (name: string) => string): string {
  const [first = '', ...others] = path.split('{');
  return first + others.map((part) => valueIn(nameBefore(part)) + part.slice(part.indexOf('}') + 1)).join('');
}

function nameBefore(part: string): string {
  return part.slice(0, part.indexOf('}'));
}

/** Statuses that count as success: 204 and 205 are interchangeable, as are 200 and 201 of an upsert. */
export function successStatuses(op: AnyOperation): readonly number[] {
  if (op.returns.kind === 'none') return [204, 205];
  return typeof op.success === 'number' ? [op.success] : op.success;
}
