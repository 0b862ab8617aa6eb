import { type Reading, type Unread, unreadOf } from '../reading/reading.js';

/** All items of a list. @throws as it does */
export async function itemsOf<T>(list: AsyncIterable<T>): Promise<T[]> {
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
