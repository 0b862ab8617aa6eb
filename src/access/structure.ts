import { type Collection, getCollection } from '../api/resources/collections.js';
import type { Space } from '../api/resources/spaces.js';
import type { Subject } from '../api/transport.js';
import { readAll } from '../jobs/sequence.js';
import { organization } from '../snapshot/organization.js';
import { allSpaces } from '../snapshot/spaces.js';
import { type Reading, readPartly, type Unread, unreadOf } from '../snapshot/unread.js';
import type { Levelled } from './levels.js';

/** The collections and spaces of an organization with their levels: as many entries as there are of them. */

/** A space, by what access to it depends on. */
export interface LevelledSpace extends Levelled {
  visibility: Space['visibility'];
}

export interface Structure {
  /** By id: those listed, and those that only a space or another collection names. */
  collections: Map<string, Levelled>;
  /** By id: every space that was found. A space that only a person's list has comes in by `addSpace`. */
  spaces: Map<string, LevelledSpace>;
  /** What could not be read; a space or collection that is in none of the others may be in it. */
  unread: Unread[];
}

/**
 * Reads all collections and every space that can be found: in collections, in sites, and in the lists of some
 * administrators. One request for each page of each of these lists.
 * @returns with what could not be read in `unread`
 * @throws DocsError where the token is refused or the run was interrupted
 */
export async function readStructure(reading: Reading): Promise<Structure> {
  const whole = organization(reading);
  const found = await allSpaces(reading, placeOf, whole);
  // The list was read to find the spaces, which has said where it failed.
  const listed = await readPartly(whole.collections(), reading, {
    kind: 'collections',
    id: reading.organizationId,
  });
  const structure: Structure = {
    collections: new Map(listed.items.map((collection) => [collection.id, levelled(collection)])),
    spaces: new Map(found.spaces.map((space) => [space.id, space])),
    unread: found.unread,
  };
  await readParents(reading, structure);
  return structure;
}

/**
 * Adds a space that turned up elsewhere, such as in a person's list, with the collections around it.
 * @returns the space; as it was read first where it is known
 * @throws DocsError as `readStructure`
 */
export async function addSpace(
  reading: Reading,
  structure: Structure,
  space: LevelledSpace,
): Promise<LevelledSpace> {
  const known = structure.spaces.get(space.id);
  if (known !== undefined) return known;
  structure.spaces.set(space.id, space);
  await readParents(reading, structure, [space]);
  return space;
}

/** What is kept of a space. */
export function placeOf(space: Space): LevelledSpace {
  return { ...levelled(space), visibility: space.visibility };
}

export function levelled({ id, title, parent, defaultLevel }: Space | Collection): Levelled {
  return { id, title, defaultLevel, ...(parent !== undefined && { parent }) };
}

/** Reads the collections that are named and not listed, one by one; each is asked for once. */
export async function readParents(
  reading: Reading,
  { collections, spaces, unread }: Structure,
  from: Iterable<Levelled> = [...collections.values(), ...spaces.values()],
): Promise<void> {
  const asked = new Set(unread.flatMap(({ kind, id }) => (kind === 'parent-collection' ? [id] : [])));
  let open = from;
  for (;;) {
    const missing = new Set<string>();
    for (const { parent } of open)
      if (parent !== undefined && !collections.has(parent) && !asked.has(parent)) missing.add(parent);
    if (missing.size === 0) return;
    // Whatever the answer calls itself.
    for (const id of missing) asked.add(id);
    const found: Levelled[] = [];
    for (const one of await readAll(reading, [...missing], (id) => readCollection(reading, id))) {
      if ('error' in one) unread.push(one);
      else found.push(one);
    }
    for (const one of found) collections.set(one.id, one);
    open = found;
  }
}

async function readCollection({ client, signal }: Reading, id: string): Promise<Levelled | Unread> {
  try {
    return levelled(await client.call(getCollection, { path: { collectionId: id } }));
  } catch (cause) {
    return unreadOf(cause, signal, { kind: 'parent-collection', id });
  }
}

/** What a read of something that a person named is about: where it is not found, the error names its list. */
export function about(noun: 'space' | 'collection' | 'site' | 'member', id: string): { subject: Subject } {
  return { subject: { what: `${noun} ${id}`, listCommand: `docs ${noun}s list` } };
}
