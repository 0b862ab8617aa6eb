import type { LooseInput } from '../../api/client.js';
import { operationsIn } from '../../api/operation.js';
import * as collectionsApi from '../../api/resources/collections.js';
import * as customFieldsApi from '../../api/resources/custom-fields.js';
import * as spacesApi from '../../api/resources/spaces.js';
import { nameKey } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import { type Change, requestFor } from '../change.js';
import { listAt, type Reads, type Resource, readAt, unlessRefused } from '../reads.js';
import type { PastChange } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  type Family,
  moved,
  movedBack,
  neighboursOf,
  ordersBy,
  picked,
  placeFields,
  positionBack,
  type RuleTable,
  reverts,
  sureness,
  transferred,
} from './builders.js';
import { spaceFields } from './plain.js';
import { type FieldEntry, valuesByName } from './shown.js';

/** Spaces with the values of their fields, and collections. */

const collectionFields = ['title', 'description', 'parent', 'defaultLevel'];

const noUnset = 'a number, boolean, date, URL or choice that was not set before cannot be removed';

const rules: RuleTable = {
  'spaces.duplicate': creates({ left: spaceFields, shows: copiesOf }),
  'spaces.move': moved({
    read: readPlace,
    orders: readOrders,
    why: 'the platform does not show the order at the top level and among collections',
  }),
  'spaces.transfer': transferred({
    read: readHome,
    why: 'its own permissions, its places on sites, and its place among collections are lost',
    further: homeAgain,
  }),
  'space-fields.set': reverts({
    forecast: (_, before) => sureness(before && !Object.values(before).includes(null) ? undefined : noUnset),
    read: readValues,
    wanted: values,
    back: valuesBack,
  }),

  'collections.create': creates({
    left: (answer) => ({ ...picked(answer, collectionFields), spaces: [], collections: [] }),
    lookup: 'title',
  }),
  'collections.delete': deletes(
    { read: readContents },
    'the collection is recreated with its contents, but with a new id and maybe elsewhere among spaces, and spaces that it made visible may stay private',
    { again: collectionAgain, inOrder: true, passing: [...placeFields, 'visibility', 'levels'] },
  ),
  'collections.move': moved({
    read: async (reads, input) => (await readCollection(reads, input))?.place ?? null,
    orders: async (reads, input) =>
      ordersBy((await readCollection(reads, input))?.all ?? [], ({ parent }) => parent),
    why: 'the platform does not show its place among spaces',
  }),
  'collections.transfer': transferred({
    read: async (reads, input) => (await readCollection(reads, input))?.place ?? null,
    why: 'the permissions and field values of its spaces, their places on sites, and its place among spaces are lost',
    further: ({ parent, ...place }, { path }) => {
      const position = positionBack(place);
      if (!parent && !position) return [];
      const body = { parent: parent ?? null, ...(position && { position }) };
      return [requestFor(collectionsApi.moveCollection, path, body)];
    },
  }),
};

export const spaces: Family = { operations: operationsIn(spacesApi, customFieldsApi, collectionsApi), rules };

/** Two reads: the list of the collection shows the neighbours. */
async function readPlace(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const space = await readAt(reads, spacesApi.getSpace, path);
  if (space === null) return null;
  const place = picked(space, ['parent', 'visibility', 'defaultLevel']);
  if (typeof place.parent !== 'string') return place;
  const siblings = await listAt(reads, collectionsApi.listCollectionSpaces, { collectionId: place.parent });
  const named = siblings.map(({ id }) => ({ type: 'space', space: String(id) }));
  return { ...place, ...neighboursOf(named, (one) => one.space === path.spaceId) };
}

/** The order of the spaces in the collection where a space is, and in the one where it goes. */
async function readOrders(reads: Reads, input: LooseInput): Promise<readonly (readonly string[])[]> {
  const space = await readAt(reads, spacesApi.getSpace, input.path);
  const parents = new Set([space?.parent, bodyOf(input).parent].filter((id) => typeof id === 'string'));
  const orders: string[][] = [];
  for (const collectionId of parents)
    orders.push(
      (await listAt(reads, collectionsApi.listCollectionSpaces, { collectionId })).map(({ id }) =>
        String(id),
      ),
    );
  return orders;
}

/** Where a space is, and the values of its fields, which another organization may lack. */
async function readHome(reads: Reads, input: LooseInput): Promise<State> {
  const space = await readAt(reads, spacesApi.getSpace, input.path);
  if (space === null) return null;
  const values = await allValues(reads, input);
  return {
    ...picked(space, ['organization']),
    ...(await readPlace(reads, input)),
    ...(values && { values }),
  };
}

function homeAgain({ parent, values, ...place }: Resource, { path }: LooseInput): Change[] {
  const position = positionBack(place);
  const body = { parent, ...(position && { position }) };
  const kept = Object.entries((values ?? {}) as object).filter(([, value]) => value !== null);
  const fields = Object.fromEntries(kept.map(([name, value]) => [name, { value }]));
  return [
    ...(parent ? [requestFor(spacesApi.moveSpace, path, body)] : []),
    ...(kept.length > 0 ? [requestFor(customFieldsApi.setSpaceFields, path, { values: fields })] : []),
  ];
}

function values(input: LooseInput): Record<string, unknown> {
  const asked = (bodyOf(input).values ?? {}) as Record<string, { value: unknown }>;
  return Object.fromEntries(Object.entries(asked).map(([name, { value }]) => [name, value]));
}

async function readValues(reads: Reads, input: LooseInput): Promise<State> {
  const known = await allValues(reads, input);
  return known && picked(known, Object.keys(values(input)));
}

/** The values of all fields; null where there is no such space. */
async function allValues(reads: Reads, { path }: LooseInput): Promise<State> {
  const entries = (await readAt(reads, customFieldsApi.listSpaceFields, path)) as
    | readonly FieldEntry[]
    | null;
  return entries && valuesByName(entries);
}

function valuesBack(before: Resource, { input }: PastChange) {
  const kept = Object.entries(before).filter(([, value]) => value !== null);
  const lost = Object.keys(before).filter((name) => before[name] === null);
  const why = `${lost.join(', ')} had no value before, and the platform cannot clear it`;
  if (kept.length === 0) return { undo: 'none', why } as const;
  const body = { values: Object.fromEntries(kept.map(([name, value]) => [name, { value }])) };
  const asked = values(input);
  const expect = Object.fromEntries(kept.map(([name]) => [name, asked[name]]));
  const request = requestFor(customFieldsApi.setSpaceFields, input.path, body);
  return { ...sureness(lost.length === 0 ? undefined : why), request, expect };
}

/** Where the copy of a space appears: among the spaces of its collection, or among those of administrators. */

/** How many administrators are asked for their spaces; one would do if each sees all. */
const mostAdmins = 3;

/** What a title of the platform holds; it may cut off the end of what it puts together. */
const longestTitle = 50;

/**
 * The spaces that may be copies of a space: at its level, and titled as the platform titles a copy.
 * @param when before the duplication, the lists of administrators are not read: each space shows when it was created
 * @returns null where no list shows them
 */
async function copiesOf(
  reads: Reads,
  { path }: LooseInput,
  when: 'before' | 'after',
): Promise<Resource[] | null> {
  const space = await readAt(reads, spacesApi.getSpace, path);
  if (space === null) return null;
  const { parent = null } = space;
  const all = await spacesAround(reads, space, when);
  const isCopy = (one: Resource) =>
    one.id !== space.id && (one.parent ?? null) === parent && isTitled(one, space);
  return all === null ? null : all.filter(isCopy);
}

/** The spaces of the collection of a space; of one in no collection, those that administrators can access. */
async function spacesAround(
  reads: Reads,
  { parent, organization }: Resource,
  when: 'before' | 'after',
): Promise<Resource[] | null> {
  if (typeof parent !== 'string')
    return when === 'after' ? spacesOfAdmins(reads, String(organization)) : null;
  return listAt(reads, collectionsApi.listCollectionSpaces, { collectionId: parent });
}

/** `Copy of Guides`, `Guides (copy)`, `Guides 2`, or `Guides` itself. */
function isTitled({ title }: Resource, { title: original }: Resource): boolean {
  const [own, other] = [nameKey(String(title)), nameKey(String(original))];
  if (own === nameKey(`copy of ${original}`.slice(0, longestTitle))) return true;
  const rest = own.replace(/^copy of /, '');
  return (
    rest.startsWith(other) && /^(?: *[-(]? *(?:copy|\d+)(?: \d+)? *\)?)?$/.test(rest.slice(other.length))
  );
}

/** The platform lists spaces outside of collections only as those of members. */
async function spacesOfAdmins(reads: Reads, organizationId: string): Promise<Resource[] | null> {
  const { listMembers, listMemberSpaces } = await import('../../api/resources/members.js');
  const { input } = requestFor(listMembers, { organizationId });
  const members = await unlessRefused(() => reads.all(listMembers, { ...input, query: { role: 'admin' } }));
  // The platform may ignore the filter.
  const admins = (members ?? []).filter(({ role }) => role === 'admin').slice(0, mostAdmins);
  const found = new Map<unknown, Resource>();
  let isRead = false;
  for (const { id } of admins) {
    const own = requestFor(listMemberSpaces, { organizationId, userId: String(id) }).input;
    const items = await unlessRefused(() => reads.all(listMemberSpaces, own));
    isRead ||= (items ?? null) !== null;
    for (const { space } of items ?? []) if (isObject(space)) found.set(space.id, space);
  }
  return isRead ? [...found.values()] : null;
}

interface PlacedCollection {
  collection: Resource;
  /** All collections of its organization. */
  all: Resource[];
  place: Record<string, unknown>;
}

/** Two reads: the list shows the neighbours. */
async function readCollection(reads: Reads, { path = {} }: LooseInput): Promise<PlacedCollection | null> {
  const collection = await readAt(reads, collectionsApi.getCollection, path);
  if (collection === null) return null;
  const org = { organizationId: String(collection.organization) };
  const all = await listAt(reads, collectionsApi.listCollections, org);
  const parent = collection.parent ?? null;
  const siblings = all
    .filter((one) => (one.parent ?? null) === parent)
    .map(({ id }) => ({ type: 'collection', collection: String(id) }));
  const standing = neighboursOf(siblings, (one) => one.collection === path.collectionId);
  return { collection, all, place: { parent, organization: collection.organization, ...standing } };
}

/** The collection, its place and what it contains; deleting it may change its spaces, too. */
async function readContents(reads: Reads, input: LooseInput): Promise<State> {
  const found = await readCollection(reads, input);
  if (found === null) return null;
  const { collection, all, place } = found;
  const spaces = await listAt(reads, collectionsApi.listCollectionSpaces, input.path);
  const visibility = Object.fromEntries(spaces.map((space) => [space.id, space.visibility ?? null]));
  const levels = Object.fromEntries(spaces.map((space) => [space.id, space.defaultLevel ?? null]));
  const ids = (items: readonly Resource[]) => items.map(({ id }) => String(id));
  return {
    ...picked(collection, collectionFields),
    ...place,
    collections: ids(all.filter(({ parent }) => parent === input.path?.collectionId)),
    spaces: ids(spaces),
    visibility,
    levels,
  };
}

/** Contents are put in one after the other, each as the last. */
function collectionAgain(before: Resource, { path = {} }: LooseInput): Change[] {
  const { title, description, defaultLevel, organization } = before;
  const parent = before.parent ?? null;
  const body = { title, ...(parent !== null && { parent }) };
  const settings = { defaultLevel: defaultLevel ?? null, ...(description !== null && { description }) };
  const into = { parent: path.collectionId };
  const contained = (key: 'collections' | 'spaces') => (before[key] ?? []) as string[];
  return [
    requestFor(collectionsApi.createCollection, { organizationId: String(organization) }, body),
    requestFor(collectionsApi.updateCollection, path, settings),
    ...movedBack(collectionsApi.moveCollection, path, before),
    ...contained('collections').map((collectionId) => ({
      ...requestFor(collectionsApi.moveCollection, { collectionId }, into),
      expect: { parent },
    })),
    ...contained('spaces').map((spaceId) => ({
      ...requestFor(spacesApi.moveSpace, { spaceId }, into),
      expect: { parent },
    })),
  ];
}
