import { getSpace, type Space } from '../../../api/resources/spaces.js';
import { readAll } from '../../../jobs/in-order.js';
import { isIn, type Shard } from '../../../shards/shard.js';
import { allSpaces, type Listed, type Order } from '../../../snapshot/spaces.js';
import { type Reading, type Unread, unlessNotFound, unreadOf } from '../../../snapshot/unread.js';

export type FoundSpaces = Listed<Space> & {
  orders: Order[];
  /** Ids of all that were found, those of other parts, too. */
  all: string[];
};

/**
 * Every space that can be found, once and by id. A space that an earlier run found and no list has now is
 * asked for: an administrator who could access it may have left. Those not found are gone only if nothing
 * is unread.
 * @param known spaces of an earlier run
 * @param shard only those of this part
 */
export async function findSpaces(
  reading: Reading,
  known: readonly { id: string; title: string }[],
  shard?: Shard,
): Promise<FoundSpaces> {
  const { spaces, unread, orders } = await allSpaces(reading, (space) => space);
  const listed = new Set(spaces.map(({ id }) => id));
  const others = known.filter(({ id }) => !listed.has(id));
  for (const found of await readAll(reading, others, (other) => lookFor(reading, other))) {
    if (found === undefined) continue;
    if ('error' in found) unread.push(found);
    else spaces.push(found);
  }
  const sorted = spaces.sort((a, b) => (a.id < b.id ? -1 : 1));
  const own = sorted.filter(({ id }) => isIn(shard, id));
  return { spaces: own, unread, orders, all: sorted.map(({ id }) => id) };
}

/** The space, if it still is in the organization, or why that is not known. */
async function lookFor(
  { client, organizationId, signal }: Reading,
  { id, title }: { id: string; title: string },
): Promise<Space | Unread | undefined> {
  try {
    const space = await client.call(getSpace, { path: { spaceId: id } }).catch(unlessNotFound);
    const there = space?.organization === organizationId && space.deletedAt === undefined;
    return there ? space : undefined;
  } catch (cause) {
    return unreadOf(cause, signal, { kind: 'space', id, title });
  }
}
