import { getCollection, listCollectionSpaces, transferCollection } from '../../api/resources/collections.js';
import { listMembers } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { getSpace, type Space, transferSpace } from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { DocsError, usageError } from '../../base/errors.js';
import { requestFor } from '../../jobs/change.js';
import { type JobItem, jobItem } from '../../jobs/journal.js';
import { readAll } from '../../jobs/sequence.js';
import { organization } from '../../snapshot/organization.js';
import { allItems, type Reading, readPartly, type Unread } from '../../snapshot/unread.js';
import { type DefaultLevel, defaultLevelOf, type Levelled } from '../levels.js';
import type { Findings } from './findings.js';
import type { Affected } from './shapes.js';

/**
 * What goes to another organization: spaces one by one, and collections with everything in them; the two
 * organizations, as far as the token may read them; and the requests of the transfer.
 */

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
  const other = things.find(({ object }) => object !== 'space' && object !== 'collection');
  if (other !== undefined) throw notTransferable(other.object);
  const once = [...new Map(things.map((one) => [one.id, one])).values()];
  const named = await readAll(reading, once, (thing) => readNamed(reading, thing));
  const collections = await readCollections(reading, named);
  const within = withinOf(named, collections);
  const tops = named.filter(({ id, parent, object }) =>
    object === 'collection' ? within.get(id) === id : !within.has(parent ?? ''),
  );
  const spaces = new Map(
    tops.flatMap((one) => (one.object === 'space' ? [[one.id, movedSpace(one, one.id)]] : [])),
  );
  const unknown: Unread[] = [];
  const listed = await readAll(reading, [...within], async ([id, top]) => {
    const list = reading.client.call(listCollectionSpaces, { path: { collectionId: id } });
    const { items, unread } = await readPartly(list, reading, { kind: 'collection', id });
    unknown.push(...unread);
    return items.map((space) => movedSpace(space, top));
  });
  for (const space of listed.flat()) spaces.set(space.id, space);
  return {
    things: tops.map(({ object, id, title }) => ({ object, id, title })),
    spaces: [...spaces.values()],
    collections,
    within,
    unknown,
  };
}

type Named = Awaited<ReturnType<typeof readNamed>>;

async function readNamed({ client, organizationId }: Reading, { object, id }: Affected) {
  const found =
    object === 'space'
      ? await client.call(getSpace, { path: { spaceId: id } })
      : await client.call(getCollection, { path: { collectionId: id } });
  if (found.organization === organizationId) return { ...found, id };
  const message = `${object} ${id} belongs to organization ${found.organization}, not ${organizationId}; nothing was changed`;
  throw usageError('wrong_org', message, { hint: 'docs orgs list' });
}

function movedSpace(space: Space, top: string): MovedSpace {
  const { id, title, parent, visibility, defaultLevel, gitSync } = space;
  return {
    ...{ id, title, parent, visibility, defaultLevel, with: top },
    changeRequests: space.changeRequestsOpen + space.changeRequestsDraft,
    gitSync: gitSync && (gitSync.repoName ?? gitSync.url ?? ''),
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
  const going = new Set(named.filter(({ object }) => object === 'collection').map(({ id }) => id));
  const found = new Map<string, string>();
  for (const id of new Set([...going, ...collections.keys()])) {
    const seen = new Set<string>();
    for (
      let at: string | undefined = id;
      at !== undefined && !seen.has(at);
      at = collections.get(at)?.parent
    ) {
      seen.add(at);
      if (going.has(at)) found.set(id, at);
    }
  }
  return found;
}

function notTransferable(object: string) {
  const message = `a ${object.replaceAll('-', ' ')} cannot be transferred; only spaces and collections can`;
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

export interface Side {
  id: string;
  name: string;
  /** Whether the token is an administrator there; undefined where nothing tells. */
  admin: boolean | undefined;
}

export interface Sides {
  from: Side;
  to: Side;
}

/**
 * Reads both organizations. A transfer requires the role admin in both.
 * @throws DocsError usage `same_organization`; not-found where the token does not see the target
 */
export async function readSides(found: Findings, target: string): Promise<Sides> {
  const from = found.reading.organizationId;
  const hint = 'docs orgs list';
  if (from === target) {
    const message = `--to-org names ${target}, where they are already; nothing was changed`;
    throw usageError('same_organization', message, { hint });
  }
  const [own, to] = await Promise.all([readSide(found, from), readSide(found, target)]);
  if (to !== undefined) return { from: own ?? { id: from, name: from, admin: undefined }, to };
  const message = `organization ${target} not found, or not visible to this token; nothing was changed`;
  throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint });
}

async function readSide(found: Findings, id: string): Promise<Side | undefined> {
  try {
    const { title, permissions } = await found.reading.client.call(getOrg, { path: { organizationId: id } });
    const unsure = 'The platform does not show whether this token belongs to an admin there.';
    if (permissions?.admin === undefined)
      found.cannotTell({ kind: 'organization', id, title }, 'role_unknown', unsure);
    return { id, name: title, admin: permissions?.admin };
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return undefined;
    throw cause;
  }
}

/** The roles of all members of the target by id, null for guests; undefined where they could not be read. */
export function readTargetMembers(
  found: Findings,
  { id, name }: Side,
): Promise<Map<string, Role | null> | undefined> {
  return found.attempt({ kind: 'members', id, title: name }, async () => {
    const roles = new Map<string, Role | null>();
    const listing = found.reading.client.call(listMembers, { path: { organizationId: id } });
    for await (const member of listing) roles.set(member.id, member.role);
    return roles;
  });
}

/**
 * The requests of a transfer, one for each thing that was named, in that order: spaces one at a time, a collection
 * with everything in it at once. Only so do its spaces keep their collection, and the levels they have by it.
 * Each expects its thing where it was when the impact was read.
 */
export function transferSteps({ things, spaces, collections }: Moved, from: string, to: string): JobItem[] {
  const spaceById = new Map(spaces.map((space) => [space.id, space]));
  return things.map(({ object, id }, item) => {
    const body = { organization: to };
    if (object === 'collection') {
      const expect = { organization: from, parent: collections.get(id)?.parent ?? null };
      return jobItem({ ...requestFor(transferCollection, { collectionId: id }, body), expect }, item);
    }
    const { parent = null, visibility, defaultLevel } = spaceById.get(id) ?? {};
    const expect = { organization: from, parent, visibility, defaultLevel };
    return jobItem({ ...requestFor(transferSpace, { spaceId: id }, body), expect }, item);
  });
}
