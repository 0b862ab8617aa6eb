import {
  type Collection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
} from '../../api/resources/collections.js';
import { listSpaceFields } from '../../api/resources/custom-fields.js';
import type { Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/sequence.js';
import { counted } from '../../output/text.js';
import { type DefaultLevel, defaultLevelOf, isInside } from '../levels.js';
import type { LevelChange } from '../role-changes.js';
import { type Findings, pendingRequests, specsUsed } from './findings.js';
import { tellLost, tellRoleChanges } from './people.js';
import { type PagesOf, pageReader, publicAddresses, tellLinks } from './published.js';
import type { Affected, ImpactQuestion } from './shapes.js';
import { nothingGone, sitesShowing, tellGone } from './sites.js';

/** Spaces that are deleted; spaces and collections that get another parent: moved, or left behind by a collection. */

/** The collections of the organization by id. */
type Collections = ReadonlyMap<string, Collection>;

/** @throws DocsError if one of the things cannot be read */
export async function moveContents(found: Findings, { things, to }: ImpactQuestion): Promise<void> {
  const { client } = found.reading;
  const named = (object: Affected['object']) => things.filter((thing) => thing.object === object);
  const spaces = await found.read<Space>(named('space'));
  const moved = await found.read<Collection>(named('collection'));
  const parent = to?.parent;
  // Without a parent only the order changes, which nothing rests on.
  if (parent === undefined) return;
  const collections = await allCollections(found);
  if (collections === undefined) return;
  if (parent !== null) {
    const target = collections.get(parent);
    const { title } = target ?? (await client.call(getCollection, { path: { collectionId: parent } }));
    found.target = { id: parent, title };
  }
  for (const one of moved)
    if (parent !== null && isInside(collections, parent, [one.id]))
      found.depends('clash', one, 'It cannot move into itself or into a collection inside it.', true);
  const parents = new Map([...spaces, ...moved].map(({ id }) => [id, parent ?? undefined]));
  await tellLevels(found, { collections, parents, spaces, roots: moved });
}

/**
 * What deleted collections leave behind: their spaces and collections move to the parent.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteCollections(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const gone = await found.read<Collection>(things);
  found.limitedUndo(deleteCollection);
  if (!found.wants('dependents', 'people')) return;
  const collections = await allCollections(found);
  if (collections === undefined) return;
  const goneIds = new Set(gone.map(({ id }) => id));
  // If the platform shows collections that are in each other, their contents move to the top level.
  const next = (id: string | undefined): string | undefined => {
    const left = new Set(goneIds);
    let now = id;
    while (now !== undefined && left.delete(now)) now = collections.get(now)?.parent;
    return now !== undefined && goneIds.has(now) ? undefined : now;
  };
  const isChild = ({ id, parent = '' }: Collection) => !goneIds.has(id) && goneIds.has(parent);
  const children = [...collections.values()].filter(isChild);
  const spaces = (await readAll(found.reading, gone, (one) => spacesOf(found, one))).flat();
  const parents = new Map([...spaces, ...children].map(({ id, parent }) => [id, next(parent)]));
  for (const one of [...children, ...spaces]) {
    const parent = parents.get(one.id);
    const isTop = parent === undefined;
    const to = isTop ? 'the top level' : `collection ${collections.get(parent)?.title ?? parent}`;
    const isHidden = isTop && one.object === 'space' && one.visibility === 'in-collection';
    const hidden = isHidden ? ', which cannot keep the visibility in-collection' : '';
    found.depends('moved', one, `The ${one.object} moves to ${to}${hidden}.`);
  }
  await tellLevels(found, { collections, parents, spaces, roots: children });
}

async function allCollections(found: Findings): Promise<Collections | undefined> {
  const all = await found.own('collections', found.organization.collections());
  return all && new Map(all.map((one) => [one.id, one]));
}

async function spacesOf(found: Findings, { id, title }: Collection): Promise<Space[]> {
  const list = found.reading.client.call(listCollectionSpaces, { path: { collectionId: id } });
  return (await found.items({ kind: 'collection', id, title }, list)) ?? [];
}

interface Relocation {
  collections: Collections;
  /** The new parent by id, of what gets one; undefined is the top level. */
  parents: ReadonlyMap<string, string | undefined>;
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
  const rootIds = roots.map(({ id }) => id);
  const within = [...collections.values()].filter(({ id }) => isInside(collections, id, rootIds));
  const inner = await readAll(found.reading, within, (one) => spacesOf(found, one));
  const placed = <T extends { id: string; parent?: string }>(one: T): T =>
    parents.has(one.id) ? { ...one, parent: parents.get(one.id) } : one;
  const after = new Map([...collections].map(([id, one]) => [id, placed(one)]));
  const all = new Map([...spaces, ...inner.flat()].map((space) => [space.id, space]));
  const changes = [...all.values()].map((space): LevelChange => {
    const { id, title } = space;
    const next = placed(space);
    return {
      space: { id, title },
      before: defaultLevelOf(space, collections),
      after: leavesCollections(space, next) ? { known: false, missing: id } : defaultLevelOf(next, after),
    };
  });
  await tellRoleChanges(
    found,
    changes.filter((one) => !isSameLevel(one.before, one.after)),
  );
}

/** `in-collection` is for spaces in a collection: what such a space inherits at the top, the platform does not tell. */
function leavesCollections({ visibility, defaultLevel }: Space, after: Space): boolean {
  return visibility === 'in-collection' && defaultLevel === 'inherit' && after.parent === undefined;
}

function isSameLevel(one: DefaultLevel, other: LevelChange['after']): boolean {
  return one.known && other !== 'gone' && other.known && one.reaches === other.reaches;
}

/**
 * What goes with deleted spaces.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteSpaces(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const { reading } = found;
  const spaces = await found.read<Space>(things);
  const gone = { ...nothingGone, spaces: new Set(spaces.map(({ id }) => id)) };
  const pagesOf = pageReader(found);
  const all = found.wants('urls', 'links', 'dependents') ? await sitesShowing(found, [...gone.spaces]) : [];
  const own = await readAll(reading, spaces, (space) => publicAddresses(found, space, pagesOf));
  const addresses = await tellGone(found, all, gone, pagesOf, own.flat());
  if (found.wants('dependents')) await tellContents(found, spaces, pagesOf);
  if (found.wants('links')) await tellLinks(found, { spaces: gone.spaces, ...addresses });
  if (found.wants('people')) await tellLost(found, spaces);
  found.irreversible.push(
    'A deleted space can be restored for 7 days; then it is permanently deleted, with its content, comments and change requests.',
  );
}

async function tellContents(found: Findings, spaces: readonly Space[], pagesOf: PagesOf): Promise<void> {
  await readAll(found.reading, spaces, async ({ id, title, changeRequestsOpen, changeRequestsDraft }) => {
    const counts = { open: changeRequestsOpen, draft: changeRequestsDraft };
    for (const { number, status, ...one } of await pendingRequests(found, { id, title, ...counts })) {
      const what = `Change request #${number} of ${title} (${status}) goes with the space.`;
      found.depends('change-request', { id: one.id, title: one.subject }, what);
    }
  });
  await readAll(found.reading, spaces, (space) => tellValues(found, space));
  await tellSpecs(found, spaces, pagesOf);
  for (const space of spaces) {
    if (space.gitSync === undefined) continue;
    const { repoName, url } = space.gitSync;
    found.depends(
      'integration',
      space,
      `Its synchronization with ${repoName ?? url ?? 'a Git repository'} ends.`,
    );
  }
}

async function tellValues(found: Findings, { id, title }: Space): Promise<void> {
  const { client } = found.reading;
  const what = { kind: 'custom-fields', id, title };
  const entries = await found.attempt(what, () => client.call(listSpaceFields, { path: { spaceId: id } }));
  for (const { customField, value } of entries ?? []) {
    const field = { id: customField.id, title: customField.title ?? customField.name };
    if (value !== undefined)
      found.depends('field-value', field, `The value of ${title} goes with the space.`);
  }
}

/** The specs that pages of these spaces are made from; the specs stay. */
async function tellSpecs(found: Findings, spaces: readonly Space[], pagesOf: PagesOf): Promise<void> {
  const uses = await specsUsed(found, spaces, pagesOf);
  if (uses.size === 0) return;
  const specs = await found.own('openapi-specs', found.organization.openApiSpecs());
  for (const [id, count] of uses) {
    const title = specs?.find((spec) => spec.id === id || spec.slug === id)?.slug ?? id;
    const go = count === 1 ? 'goes' : 'go';
    found.depends(
      'spec',
      { id, title },
      `${counted(count, 'page')} made from it ${go} with the space; the spec stays.`,
    );
  }
}
