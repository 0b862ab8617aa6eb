import type { LooseInput } from '../../api/client.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
  transferCollection,
  updateCollection,
} from '../../api/resources/collections.js';
import { moveSpace } from '../../api/resources/spaces.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Part, Rules } from '../rule.js';
import type { State } from '../state.js';
import { creates, deletes, likeness, picked, sets } from './builders.js';
import { moved, transferred } from './moved.js';
import { ordersBy, placeFields, positionBack, standingOf } from './order.js';

const fields = ['title', 'description', 'parent', 'defaultLevel'];

export const collections: Rules = {
  [createCollection.id]: creates({
    remove: deleteCollection,
    left: (answer) => ({ ...picked(answer, fields), spaces: [], collections: [] }),
    lookup: likeness(listCollections, 'title'),
  }),
  [updateCollection.id]: sets(updateCollection, { get: getCollection }),
  [deleteCollection.id]: deletes({
    read: readContents,
    why: 'the collection is recreated with what it contained, but with a new id and maybe elsewhere among spaces, and spaces that it made visible may stay private',
    again,
    inOrder: true,
    passing: [...placeFields, 'visibility', 'levels'],
  }),
  [moveCollection.id]: moved(moveCollection, {
    read: async (reads, input) => (await readPlace(reads, input))?.place ?? null,
    orders: readOrders,
    why: 'the platform does not show its place among spaces',
  }),
  [transferCollection.id]: transferred(transferCollection, {
    read: async (reads, input) => (await readPlace(reads, input))?.place ?? null,
    why: 'the permissions and field values of its spaces, their places on sites, and its place among spaces are lost',
    further: ({ parent, ...place }, { path }) => {
      const position = positionBack(place);
      if (!parent && !position) return [];
      const body = { parent: parent ?? null, ...(position && { position }) };
      return [{ request: requestFor(moveCollection, path, body) }];
    },
  }),
};

interface Found {
  collection: Resource;
  /** All collections of its organization. */
  all: Resource[];
  place: Record<string, unknown>;
}

/** Two reads: the list shows the neighbours. */
async function readPlace(reads: Reads, { path = {} }: LooseInput): Promise<Found | null> {
  const collection = await reads.one(getCollection, requestFor(getCollection, path).input);
  if (collection === null) return null;
  const org = { organizationId: String(collection.organization) };
  const all = (await reads.all(listCollections, requestFor(listCollections, org).input)) ?? [];
  const parent = collection.parent ?? null;
  const siblings = all
    .filter((one) => (one.parent ?? null) === parent)
    .map(({ id }) => ({ type: 'collection', collection: String(id) }));
  const standing = standingOf(siblings, (one) => one.collection === path.collectionId);
  return { collection, all, place: { parent, organization: collection.organization, ...standing } };
}

/** The order of the collections in each collection, and at the top. */
async function readOrders(reads: Reads, input: LooseInput): Promise<readonly (readonly string[])[]> {
  const found = await readPlace(reads, input);
  return ordersBy(found?.all ?? [], ({ parent }) => parent);
}

/** The collection, its place and what it contains; deleting it may change its spaces, too. */
async function readContents(reads: Reads, input: LooseInput): Promise<State> {
  const found = await readPlace(reads, input);
  if (found === null) return null;
  const { collection, all, place } = found;
  const inside = requestFor(listCollectionSpaces, input.path).input;
  const spaces = (await reads.all(listCollectionSpaces, inside)) ?? [];
  const visibility = Object.fromEntries(spaces.map((space) => [space.id, space.visibility ?? null]));
  const levels = Object.fromEntries(spaces.map((space) => [space.id, space.defaultLevel ?? null]));
  const ids = (items: readonly Resource[]) => items.map(({ id }) => String(id));
  return {
    ...picked(collection, fields),
    ...place,
    collections: ids(all.filter(({ parent }) => parent === input.path?.collectionId)),
    spaces: ids(spaces),
    visibility,
    levels,
  };
}

/** Contents are put in one after the other, each as the last. */
function again(before: Resource, { path = {} }: LooseInput): Part[] {
  const { title, description, defaultLevel, organization } = before;
  const parent = before.parent ?? null;
  const body = { title, ...(parent !== null && { parent }) };
  const settings = { defaultLevel: defaultLevel ?? null, ...(description !== null && { description }) };
  const position = positionBack(before);
  const into = { parent: path.collectionId };
  const contained = (key: 'collections' | 'spaces') => (before[key] ?? []) as string[];
  return [
    { request: requestFor(createCollection, { organizationId: String(organization) }, body) },
    { request: requestFor(updateCollection, path, settings) },
    ...(position ? [{ request: requestFor(moveCollection, path, { position }) }] : []),
    ...contained('collections').map((collectionId) => ({
      request: requestFor(moveCollection, { collectionId }, into),
      expect: { parent },
    })),
    ...contained('spaces').map((spaceId) => ({
      request: requestFor(moveSpace, { spaceId }, into),
      expect: { parent },
    })),
  ];
}
