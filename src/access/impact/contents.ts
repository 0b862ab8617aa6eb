import { listChangeRequests } from '../../api/resources/change-requests.js';
import {
  type Collection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
} from '../../api/resources/collections.js';
import { listSpaceFields } from '../../api/resources/custom-fields.js';
import { getSpace, type Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/text.js';
import { type DefaultLevel, defaultLevelOf, type Levelled } from '../levels.js';
import type { LevelChange } from '../role-changes.js';
import type { Affected, Findings, ImpactQuestion } from './findings.js';
import { tellLost, tellRoleChanges } from './people.js';
import { type PagesOf, pageReader, publicAddresses, tellLinks } from './published.js';
import { nothingGone, sitesShowing, tellGone } from './sites.js';

/** Spaces and collections that get another place: moved, or left behind by a deleted collection. */

/** The collections of the organization by id; undefined where they could not be read. */
type Collections = ReadonlyMap<string, Collection>;

/** The new parent by id, of what gets one; undefined is the top level. */
type Parents = ReadonlyMap<string, string | undefined>;

/** @throws DocsError if one of the things cannot be read */
export async function moveContents(found: Findings, { things, to }: ImpactQuestion): Promise<void> {
  const { client } = found.reading;
  const named = (object: Affected['object']) => things.filter((thing) => thing.object === object);
  const spaces = await readAll(found.reading, named('space'), ({ id }) =>
    client.call(getSpace, { path: { spaceId: id } }),
  );
  const moved = await readAll(found.reading, named('collection'), ({ id }) =>
    client.call(getCollection, { path: { collectionId: id } }),
  );
  for (const { id, title } of spaces) found.thing({ object: 'space', id }, title);
  for (const { id, title } of moved) found.thing({ object: 'collection', id }, title);
  const parent = to?.parent;
  // Without a parent only the order changes, which nothing rests on.
  if (parent === undefined) return;
  const collections = await readCollections(found);
  if (collections === undefined) return;
  const target = parent ?? undefined;
  if (target !== undefined) {
    const { title } =
      collections.get(target) ?? (await client.call(getCollection, { path: { collectionId: target } }));
    found.target = { id: target, title };
  }
  tellCircles(found, moved, collections, target);
  const parents = new Map([...spaces, ...moved].map(({ id }) => [id, target] as const));
  await tellLevels(found, { collections, parents, spaces, roots: moved });
}

/**
 * What deleted collections leave behind: their spaces and collections move to the parent.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteCollections(found: Findings, things: readonly Affected[]): Promise<void> {
  const { client } = found.reading;
  const gone = await readAll(found.reading, things, ({ id }) =>
    client.call(getCollection, { path: { collectionId: id } }),
  );
  for (const { id, title } of gone) found.thing({ object: 'collection', id }, title);
  found.limitedUndo(deleteCollection);
  if (!found.wants('dependents', 'people')) return;
  const collections = await readCollections(found);
  if (collections === undefined) return;
  const goneIds = new Set(gone.map(({ id }) => id));
  // If the platform shows collections that are in each other, their contents move to the top level.
  const next = (id: string | undefined): string | undefined => {
    const left = new Set(goneIds);
    let now = id;
    while (now !== undefined && left.delete(now)) now = collections.get(now)?.parent;
    return now !== undefined && goneIds.has(now) ? undefined : now;
  };
  const children = [...collections.values()].filter(
    ({ id, parent }) => !goneIds.has(id) && goneIds.has(parent ?? ''),
  );
  const spaces = (await readAll(found.reading, gone, (one) => spacesOf(found, one))).flat();
  const parents = new Map([...spaces, ...children].map(({ id, parent }) => [id, next(parent)] as const));
  for (const one of [...children, ...spaces]) tellMoved(found, one, parents.get(one.id), collections);
  await tellLevels(found, { collections, parents, spaces, roots: children });
}

async function readCollections(found: Findings): Promise<Collections | undefined> {
  const what = { kind: 'collections', id: found.reading.organizationId };
  const all = await found.items(what, found.organization.collections());
  return all && new Map(all.map((one) => [one.id, one]));
}

async function spacesOf(found: Findings, { id, title }: Collection): Promise<Space[]> {
  const list = found.reading.client.call(listCollectionSpaces, { path: { collectionId: id } });
  return (await found.items({ kind: 'collection', id, title }, list)) ?? [];
}

function tellMoved(
  found: Findings,
  one: Space | Collection,
  parent: string | undefined,
  collections: Collections,
): void {
  const { id, title, object } = one;
  const to =
    parent === undefined ? 'the top level' : `collection ${collections.get(parent)?.title ?? parent}`;
  const hidden =
    parent === undefined && object === 'space' && one.visibility === 'in-collection'
      ? ', where it cannot stay visible as in-collection'
      : '';
  found.dependents.push({ kind: 'moved', id, title, what: `The ${object} moves to ${to}${hidden}.` });
}

function tellCircles(
  found: Findings,
  moved: readonly Collection[],
  collections: Collections,
  target: string | undefined,
): void {
  for (const { id, title } of moved) {
    if (target === undefined || !isWithin(collections, target, id)) continue;
    const what = 'It cannot move into itself or into a collection inside it.';
    found.dependents.push({ kind: 'clash', id, title, what, refused: true });
  }
}

function isWithin(collections: Collections, id: string, outer: string): boolean {
  const seen = new Set<string>();
  for (
    let now: string | undefined = id;
    now !== undefined && !seen.has(now);
    now = collections.get(now)?.parent
  ) {
    if (now === outer) return true;
    seen.add(now);
  }
  return false;
}

interface Relocation {
  collections: Collections;
  parents: Parents;
  /** Spaces that get another parent. */
  spaces: readonly Space[];
  /** Collections that get another parent: what is inside inherits through them. */
  roots: readonly Collection[];
}

/** Tells the people whose role changes because spaces inherit another level. */
async function tellLevels(
  found: Findings,
  { collections, parents, spaces, roots }: Relocation,
): Promise<void> {
  if (!found.wants('people')) return;
  const isInside = ({ id }: Collection) => roots.some((root) => isWithin(collections, id, root.id));
  const inner = await readAll(found.reading, [...collections.values()].filter(isInside), (one) =>
    spacesOf(found, one),
  );
  const placed = <T extends { id: string; parent?: string | undefined }>(one: T): T =>
    parents.has(one.id) ? { ...one, parent: parents.get(one.id) } : one;
  const after = new Map([...collections].map(([id, one]) => [id, placed(one)]));
  const all = new Map([...spaces, ...inner.flat()].map((space) => [space.id, space]));
  const changes = [...all.values()].flatMap((space): LevelChange[] => {
    const change = {
      space: { id: space.id, title: space.title },
      before: levelIn(space, collections),
      after: leavesCollections(space, placed(space)) ? notTold(space) : levelIn(placed(space), after),
    };
    return isSame(change.before, change.after) ? [] : [change];
  });
  await tellRoleChanges(found, changes);
}

function levelIn(space: Space, collections: ReadonlyMap<string, Levelled>): DefaultLevel {
  return defaultLevelOf({ ...space, object: 'space' }, collections);
}

/** `in-collection` is for spaces in a collection: what such a space inherits at the top, the platform does not tell. */
function leavesCollections(before: Space, after: Space): boolean {
  const { visibility, defaultLevel } = before;
  return visibility === 'in-collection' && defaultLevel === 'inherit' && after.parent === undefined;
}

function notTold({ id }: Space): DefaultLevel {
  return { known: false, missing: id };
}

function isSame(one: DefaultLevel, other: DefaultLevel): boolean {
  return one.known && other.known && one.reaches === other.reaches;
}

/**
 * What goes with deleted spaces.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteSpaces(found: Findings, things: readonly Affected[]): Promise<void> {
  const { reading } = found;
  const spaces = await readAll(reading, things, ({ id }) =>
    reading.client.call(getSpace, { path: { spaceId: id } }),
  );
  for (const { id, title } of spaces) found.thing({ object: 'space', id }, title);
  const gone = { ...nothingGone, spaces: new Set(spaces.map(({ id }) => id)) };
  const pagesOf = pageReader(found);
  const all = found.wants('urls', 'links', 'dependents') ? await sitesShowing(found, [...gone.spaces]) : [];
  const own = await readAll(reading, spaces, (space) => publicAddresses(found, space, pagesOf));
  const addresses = await tellGone(found, all, gone, pagesOf, own.flat());
  if (found.wants('dependents')) await tellContents(found, spaces, pagesOf);
  if (found.wants('links')) await tellLinks(found, { spaces: gone.spaces, ...addresses });
  if (found.wants('people')) await tellLost(found, spaces);
  found.irreversible.push(
    'A deleted space can be restored for 7 days; then it is gone for good, with its content, comments and change requests.',
  );
}

async function tellContents(found: Findings, spaces: readonly Space[], pagesOf: PagesOf): Promise<void> {
  await readAll(found.reading, spaces, (space) => tellChangeRequests(found, space));
  await readAll(found.reading, spaces, (space) => tellValues(found, space));
  await tellSpecs(found, spaces, pagesOf);
  for (const { id, title, gitSync } of spaces) {
    if (gitSync === undefined) continue;
    const what = `Its synchronization with ${gitSync.repoName ?? gitSync.url ?? 'a Git repository'} ends.`;
    found.dependents.push({ kind: 'integration', id, title, what });
  }
}

const pending = ['open', 'draft'] as const;

async function tellChangeRequests(found: Findings, space: Space): Promise<void> {
  const counts = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
  const { client } = found.reading;
  const path = { spaceId: space.id };
  for (const status of pending) {
    if (counts[status] === 0) continue;
    const what = { kind: `${status}-change-requests`, id: space.id, title: space.title };
    const list = await found.items(what, client.call(listChangeRequests, { path, query: { status } }));
    for (const { id, subject, number, ...request } of list ?? [])
      if (request.status === status)
        found.dependents.push({
          kind: 'change-request',
          id,
          title: subject,
          what: `Change request #${number} of ${space.title} (${status}) goes with the space.`,
        });
  }
}

async function tellValues(found: Findings, { id, title }: Space): Promise<void> {
  const { client } = found.reading;
  const what = { kind: 'custom-fields', id, title };
  const entries = await found.attempt(what, () => client.call(listSpaceFields, { path: { spaceId: id } }));
  for (const { customField, value } of entries ?? [])
    if (value !== undefined)
      found.dependents.push({
        kind: 'field-value',
        id: customField.id,
        title: customField.title ?? customField.name,
        what: `The value of ${title} goes with the space.`,
      });
}

/** The specs that pages of these spaces are made from; the specs stay. */
async function tellSpecs(found: Findings, spaces: readonly Space[], pagesOf: PagesOf): Promise<void> {
  const uses = new Map<string, number>();
  const lists = await readAll(found.reading, spaces, ({ id }) => pagesOf(id));
  for (const page of lists.flatMap((list) => list ?? [])) {
    const spec = page.computed?.dependencies?.spec?.ref.spec;
    if (spec !== undefined) uses.set(spec, (uses.get(spec) ?? 0) + 1);
  }
  if (uses.size === 0) return;
  const what = { kind: 'openapi-specs', id: found.reading.organizationId };
  const specs = await found.items(what, found.organization.openApiSpecs());
  for (const [id, count] of uses) {
    const title = specs?.find((spec) => spec.id === id || spec.slug === id)?.slug ?? id;
    const what = `${counted(count, 'page')} made from it go with the space; the spec stays.`;
    found.dependents.push({
      kind: 'spec',
      id,
      title,
      what: count === 1 ? what.replace(' go ', ' goes ') : what,
    });
  }
}
