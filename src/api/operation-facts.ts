import type { AnyOperation } from './operation.js';

/** What follows from an operation without its schemas. */

/** The names in braces in a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Statuses that count as success: 204 and 205 are interchangeable, as are 200 and 201 of an upsert. */
export function successStatuses(op: AnyOperation): readonly number[] {
  if (op.returns.kind === 'none') return [204, 205];
  return typeof op.success === 'number' ? [op.success] : op.success;
}
