import { isObject } from '../is-object.js';
import type { From } from './plan.js';

/**
 * What stands for ids that earlier operations make. In the file they are objects (`{"$from": "o3", "path": "id"}`);
 * in paths, in journals and wherever an id must be a text they are `{o3.id}`.
 */

/** Where a value names what an earlier operation makes. */
export interface Named extends From {
  /** The keys of its place in the value. */
  into: readonly string[];
}

/** A `From`, or that of a draft, whose operation is named by an index. */
export function isFrom(value: unknown): value is { $from: string | number; path: string } {
  return (
    isObject(value) &&
    (typeof value.$from === 'string' || typeof value.$from === 'number') &&
    typeof value.path === 'string'
  );
}

export function placeholder({ $from, path }: From): string {
  return `{${$from}.${path}}`;
}

/** All places of a value that name what an earlier operation makes. */
export function namedIn(value: unknown, into: readonly string[] = []): Named[] {
  if (isFrom(value)) return [{ $from: String(value.$from), path: value.path, into }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => namedIn(part, [...into, key]));
}

/** A copy of a value with each `From` replaced; what has none stays the same object. */
export function replaced(
  value: unknown,
  by: (from: { $from: string | number; path: string }) => unknown,
): unknown {
  if (isFrom(value)) return by(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => replaced(item, by));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, replaced(part, by)] as const);
  return entries.every(([key, part]) => part === value[key]) ? value : Object.fromEntries(entries);
}

/** A value in which what earlier operations make is named by texts. */
export function withPlaceholders<T>(value: T): T {
  return replaced(value, ({ $from, path }) => placeholder({ $from: String($from), path })) as T;
}

const written = /^\{(o\d+)\.([\w.-]+)\}$/;

/** Whether a text stands for an id that an operation makes. */
export function isPlaceholder(text: string): boolean {
  return written.test(text);
}

/** The way back. @param isMaker whether an operation is one whose ids the value may name */
export function withFroms(value: unknown, isMaker: (operation: string) => boolean): unknown {
  if (typeof value === 'string') {
    const [, $from, path] = written.exec(value) ?? [];
    return $from !== undefined && path !== undefined && isMaker($from) ? { $from, path } : value;
  }
  if (Array.isArray(value)) return value.map((item) => withFroms(item, isMaker));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withFroms(part, isMaker)]));
}

/** A path as a request has it, in which `{o3.id}` is not encoded. */
export function shownPath(path: string): string {
  return path.replace(/%7B(o\d+\.[\w.-]+)%7D/g, '{$1}');
}
