import {
  type Collection,
  createCollection,
  deleteCollection,
  listCollections,
  moveCollection,
  updateCollection,
} from '../../api/resources/collections.js';
import type { Kind, LiveReading } from '../kind.js';
import type { LiveItem } from '../model.js';
import { fieldsFrom, liveItem } from './declare.js';

const fields = fieldsFrom(updateCollection, {
  title: {},
  description: {},
  defaultLevel: { nullAs: 'none' },
});
const name = 'collections';

export const collections: Kind = {
  name,
  one: 'collection',
  spot: { file: 'library.yaml', list: 'library', marker: 'collection', children: 'contents' },
  parents: ['root', 'collections'],
  key: 'own',
  parameter: 'collectionId',
  fields,
  reads: [listCollections],
  list: listInTree,
  create: {
    op: createCollection,
    sends: ['parent'],
    more: ({ parent }, { idOf }) => (parent === undefined ? {} : { parent: idOf(parent) }),
  },
  update: updateCollection,
  remove: deleteCollection,
  order: {
    op: moveCollection,
    with: ['collections'],
    neighbour: (kind, collection) => (kind === name ? { type: 'collection', collection } : undefined),
    parent: (parent) => ({ parent }),
  },
};

/** Each with its parent, whichever of them the platform lists first. */
async function* listInTree({ client, organizationId }: LiveReading): AsyncGenerator<LiveItem> {
  const all = new Map<string, Collection>();
  for await (const one of client.call(listCollections, { path: { organizationId }, query: { nested: true } }))
    all.set(one.id, one);
  const items = new Map<string, LiveItem>();
  const counts = new Map<LiveItem | undefined, number>();
  const itemOf = (one: Collection): LiveItem => {
    const known = items.get(one.id);
    if (known !== undefined) return known;
    const above = all.get(one.parent ?? '');
    const parent = above && itemOf(above);
    const index = counts.get(parent) ?? 0;
    counts.set(parent, index + 1);
    const item = liveItem({ name, fields }, { ...one }, { index, ...(parent && { parent }) });
    items.set(one.id, item);
    return item;
  };
  for (const one of all.values()) itemOf(one);
  yield* items.values();
}
