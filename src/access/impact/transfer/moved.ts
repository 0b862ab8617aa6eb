import { type Collection, getCollection, listCollectionSpaces } from '../../../api/resources/collections.js';
import { getSpace, type Space } from '../../../api/resources/spaces.js';
import { usageError } from '../../../base/errors.js';
import { readAll } from '../../../jobs/in-order.js';
import { organization } from '../../../snapshot/organization.js';
import { allItems, type Reading, readPartly, type Unread } from '../../../snapshot/unread.js';
import { type DefaultLevel, defaultLevelOf, type Levelled } from '../../levels.js';
import type { Affected } from '../change.js';

/** What goes to another organization: spaces one by one, and collections with everything in them. */

/** A space that goes, as it is now. */
export interface MovedSpace extends Levelled {
  visibility: string;
  /** The id of the named thing that it goes with: its own, or that of a collection. */
  with: string;
  gitSync?: string;
  /** Change requests that are open or drafts. */
  changeRequests: number;
}

export interface Moved {
  /** What is transferred by a request of its own, in the order in which it was named. */
  things: (Affected & { object: 'space' | 'collection'; title: string })[];
  spaces: MovedSpace[];
  /** All collections of the organization that was left, by id. */
  collections: ReadonlyMap<string, Levelled>;
  /** The collections that go, by id, each with the one that was named. */
  within: ReadonlyMap<string, string>;
  /** Lists of spaces that could not be read: what is in them goes, too. */
  unknown: Unread[];
}

/**
 * Reads what goes. A space or collection inside a named collection goes with that one.
 * @param things spaces and collections; anything else is refused
 * @throws DocsError usage `not_transferable`, `wrong_org`; not-found where one of them does not exist
 */
export async function readMoved(reading: Reading, things: readonly Affected[]): Promise<Moved> {
  for (const { object } of things)
    if (object !== 'space' && object !== 'collection') throw notTransferable(object);
  const named = await readAll(reading, [...new Map(things.map((one) => [one.id, one])).values()], (thing) =>
    readNamed(reading, thing),
  );
  const collections = await readCollections(reading, named);
  const within = withinOf(named, collections);
  const tops = named.filter(({ id, parent, object }) => {
    const around = object === 'collection' ? within.get(id) !== id : within.has(parent ?? '');
    return !around;
  });
  const spaces = new Map(tops.flatMap(({ space }) => (space === undefined ? [] : [[space.id, space]])));
  const unknown: Unread[] = [];
  const listed = await readAll(reading, [...within], ([id, top]) => spacesIn(reading, id, top, unknown));
  for (const space of listed.flat()) spaces.set(space.id, space);
  return {
    things: tops.map(({ object, id, title }) => ({ object, id, title })),
    spaces: [...spaces.values()],
    collections,
    within,
    unknown,
  };
}

interface Named {
  object: 'space' | 'collection';
  id: string;
  title: string;
  parent: string | undefined;
  space?: MovedSpace;
}

async function readNamed({ client, organizationId }: Reading, { object, id }: Affected): Promise<Named> {
  const found: Space | Collection =
    object === 'space'
      ? await client.call(getSpace, { path: { spaceId: id } })
      : await client.call(getCollection, { path: { collectionId: id } });
  const { title, parent, organization } = found;
  if (organization !== organizationId) {
    const message = `${object} ${id} belongs to organization ${organization}, not ${organizationId}; nothing was changed.`;
    throw usageError('wrong_org', message, { hint: 'docs orgs list' });
  }
  if (found.object === 'collection') return { object: 'collection', id, title, parent };
  return { object: 'space', id, title, parent, space: movedSpace(found, id) };
}

function movedSpace(space: Space, top: string): MovedSpace {
  const { id, title, parent, visibility, defaultLevel, gitSync } = space;
  return {
    ...{ id, title, parent, visibility, defaultLevel, with: top },
    changeRequests: space.changeRequestsOpen + space.changeRequestsDraft,
    ...(gitSync && { gitSync: gitSync.repoName ?? gitSync.url ?? '' }),
  };
}

/** The levels of spaces depend on the collections around them, so their list is read where there are any. */
async function readCollections(reading: Reading, named: readonly Named[]): Promise<Map<string, Levelled>> {
  if (named.every(({ object, parent }) => object === 'space' && parent === undefined)) return new Map();
  const all = await allItems(organization(reading).collections());
  return new Map(all.map(({ id, title, parent, defaultLevel }) => [id, { id, title, parent, defaultLevel }]));
}

/** The collections that go, each with the outermost named one around it. */
function withinOf(named: readonly Named[], collections: ReadonlyMap<string, Levelled>): Map<string, string> {
  const wanted = new Set(named.flatMap(({ object, id }) => (object === 'collection' ? [id] : [])));
  const all = new Set([...wanted, ...collections.keys()]);
  const found = new Map<string, string>();
  for (const id of all) {
    const seen = new Set<string>();
    let top: string | undefined;
    for (
      let at: string | undefined = id;
      at !== undefined && !seen.has(at);
      at = collections.get(at)?.parent
    ) {
      seen.add(at);
      if (wanted.has(at)) top = at;
    }
    if (top !== undefined) found.set(id, top);
  }
  return found;
}

async function spacesIn(reading: Reading, id: string, top: string, unknown: Unread[]): Promise<MovedSpace[]> {
  const list = reading.client.call(listCollectionSpaces, { path: { collectionId: id } });
  const { items, unread } = await readPartly(list, reading, { kind: 'collection', id });
  unknown.push(...unread);
  return items.map((space) => movedSpace(space, top));
}

function notTransferable(object: string) {
  const message = `A ${object.replaceAll('-', ' ')} cannot be transferred; only spaces and collections can.`;
  return usageError('not_transferable', message, { hint: 'docs impact transfer --help' });
}

/** The visibility after the transfer: a space outside of collections cannot be visible as its collection is. */
export function visibilityAfter(space: MovedSpace): string {
  return space.id === space.with && space.visibility === 'in-collection' ? 'private' : space.visibility;
}

/** What the default level of a space gives today. */
export function levelBefore(space: MovedSpace, { collections }: Moved): DefaultLevel {
  return defaultLevelOf({ ...space, object: 'space' }, collections);
}

/** What the default level of a space gives after the transfer; what is named goes to the top level. */
export function levelAfter(space: MovedSpace, { collections, within }: Moved): DefaultLevel {
  const own = { ...space, object: 'space' as const, visibility: visibilityAfter(space) };
  if (space.id === space.with) return defaultLevelOf({ ...own, parent: undefined }, collections);
  const moved = new Map(
    [...collections].map(([id, one]) => [id, within.get(id) === id ? { ...one, parent: undefined } : one]),
  );
  return defaultLevelOf(own, moved);
}
