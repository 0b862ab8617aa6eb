import { DocsError } from '../base/errors.js';
import { isObject } from '../base/values.js';
import { type Reading, type Unread, unreadOf } from '../reading/reading.js';

/** All items of a list. @throws as it does */
export async function allItems<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/**
 * As many items of a list as can be read, and why there are no more.
 * @param what names the list where it fails
 * @throws as `readFailure`
 */
export async function readPartly<T>(
  list: AsyncIterable<T>,
  { signal }: Pick<Reading, 'signal'>,
  what: Omit<Unread, 'error'>,
): Promise<{ items: T[]; unread: Unread[] }> {
  const items: T[] = [];
  try {
    for await (const item of list) items.push(item);
    return { items, unread: [] };
  } catch (cause) {
    return { items, unread: [unreadOf(cause, signal, what)] };
  }
}

/** Whether an answer can be told from others of its kind; whatever else it lacks. */
export function hasId(value: unknown): value is { id: string } {
  return isObject(value) && typeof value.id === 'string' && value.id !== '';
}

export function itemWithoutId(noun: string): DocsError {
  const message = `The platform listed a ${noun} without an id.`;
  return new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done', hint: 'docs doctor' });
}
