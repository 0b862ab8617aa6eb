import { isObject } from '../../../base/values.js';
import type { Order } from '../../../snapshot/spaces.js';
import { jsonLines } from '../folder/json-files.js';
import type { FileEntry } from '../folder/manifest.js';
import type { FoundSpaces } from './find-spaces.js';
import type { Gathering } from './gathering.js';

/** The order of the spaces in each collection; that of collections is the order of `collections.json`. */

export function isOrders({ kind }: FileEntry): boolean {
  return kind === 'orders';
}

/**
 * Writes `orders.json`, a line for each collection, from lists that a run has read to find spaces. Of a collection
 * whose list could not be read, the line of the last run stays.
 */
export async function writeOrders(gathering: Gathering, { orders, unread }: FoundSpaces): Promise<void> {
  const { organizationId: id } = gathering.reading;
  if (unread.some(({ kind }) => kind === 'collections')) {
    const old = gathering.last(isOrders);
    if (old !== undefined && (await gathering.keep(isOrders))) gathering.older.add('orders');
    return;
  }
  const missed = new Set(unread.filter(({ kind }) => kind === 'collection').map((one) => one.id));
  const all = [...orders];
  if (missed.size > 0)
    for await (const line of gathering.lastItems(isOrders))
      if (isOrder(line) && missed.has(line.collection)) {
        all.push(line);
        gathering.older.add('orders');
      }
  all.sort((a, b) => (a.collection < b.collection ? -1 : 1));
  await gathering.write('orders.json', jsonLines(each(all)), { kind: 'orders', id });
}

export function isOrder(value: unknown): value is Order {
  return isObject(value) && typeof value.collection === 'string' && Array.isArray(value.items);
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
