import { getCollection } from '../api/resources/collections.js';
import { getSpace } from '../api/resources/spaces.js';
import type { Role } from '../api/shapes.js';
import { readAll } from '../jobs/sequence.js';
import { isIn, type Shard } from '../shards/shard.js';
import type { Reading, Unread } from '../snapshot/unread.js';
import { isInside } from './levels.js';
import { type PersonAccess, readPeople } from './people.js';
import {
  type KnownRole,
  type MatrixRow,
  type Pair,
  type ResourceRef,
  refOf,
  resourceRef,
  type Tally,
} from './person.js';
import {
  about,
  type LevelledSpace,
  placeOf,
  readParents,
  readStructure,
  type Structure,
} from './structure.js';

/** People by spaces. */

export interface MatrixRequest {
  /** The columns. */
  spaces: readonly ResourceRef[];
  /** Whether these are to be all spaces: one that turns up in somebody's list is then added. */
  whole: boolean;
  /** Only these effective roles, `none` among them; all where there are none. What is unknown is always given. */
  roles?: readonly (Role | 'none')[];
  /** Only people of this part. */
  shard?: Shard | undefined;
}

/** The spaces that were asked for; nothing at all is the whole organization. */
export interface MatrixScope {
  spaces: readonly string[];
  /** With the collections inside them. */
  collections: readonly string[];
}

/** The columns of a matrix, with what the reasons for a role depend on, as far as it was read. */
export interface MatrixSpaces extends Pick<MatrixRequest, 'spaces' | 'whole'> {
  /** The same spaces, with their levels. */
  places: LevelledSpace[];
  /** By id: those around the spaces. */
  collections: Structure['collections'];
}

/**
 * The columns of a matrix; what could not be read of them is in the tally.
 * @throws DocsError where a space or collection that was named cannot be read
 */
export async function spacesIn(
  reading: Reading,
  { spaces, collections }: MatrixScope,
  tally: Tally,
): Promise<MatrixSpaces> {
  const named = await namedSpaces(reading, spaces, tally);
  const whole = spaces.length + collections.length === 0;
  if (!whole && collections.length === 0) return columnsOf(named.spaces, named.collections, whole);
  const structure = await readStructure(reading);
  tally.fail(...missedSpaces(structure, whole));
  for (const collectionId of collections)
    if (!structure.collections.has(collectionId))
      await reading.client.call(getCollection, { path: { collectionId } }, about('collection', collectionId));
  const inside = [...structure.spaces.values()].filter(
    ({ parent }) => whole || isInside(structure.collections, parent, collections),
  );
  const all = new Map([...named.spaces, ...inside].map((space) => [space.id, space]));
  const around = new Map([...named.collections, ...structure.collections]);
  return columnsOf([...all.values()], around, whole);
}

export function columnsOf(
  places: LevelledSpace[],
  collections: Structure['collections'],
  whole: boolean,
): MatrixSpaces {
  return { spaces: places.map(resourceRef), whole, places, collections };
}

/**
 * The failures for which a space may be missing. An admin has access to every space, so where the lists of admins
 * were read, only a space that a site shows and none of them has is missing.
 */
export function missedSpaces({ unread, spaces }: Structure, whole: boolean): Unread[] {
  if (!whole || unread.some(({ kind }) => kind === 'administrators' || kind === 'member')) return unread;
  const titles = new Set([...spaces.values()].map(({ title }) => title));
  return unread.filter(({ kind, title = '' }) => kind === 'site-space' && !titles.has(title));
}

/** The rows of a matrix; memory does not grow with the number of members. */
export class Matrix {
  /** Spaces that turned up in lists of members alone: rows before have no cell for them. */
  readonly late = new Map<string, LevelledSpace>();
  /** How many were given out. */
  people = 0;
  readonly #request: MatrixRequest;
  readonly #tally: Tally;
  readonly #known: ReadonlySet<string>;

  constructor(request: MatrixRequest, tally: Tally) {
    this.#known = new Set(request.spaces.map(({ id }) => id));
    this.#request = request;
    this.#tally = tally;
  }

  /** @throws DocsError where the members cannot be listed */
  async *rows(reading: Reading): AsyncGenerator<MatrixRow[]> {
    const { shard } = this.#request;
    const only = ({ id }: { id: string }) => isIn(shard, id);
    const onMisfit = (unread: readonly Unread[]) => this.#tally.fail(...unread);
    for await (const window of readPeople(reading, { onMisfit, only })) {
      const rows = window.map((person) => this.#row(person)).filter(({ cells }) => cells.length > 0);
      this.people += rows.length;
      if (rows.length > 0) yield rows;
    }
  }

  #row(person: PersonAccess): MatrixRow {
    const { member } = person;
    this.#tally.fail(...person.unread);
    const roles = new Map(person.spaces?.map(({ space, role }) => [space.id, role]));
    if (this.#request.whole) this.#addLate(person);
    const cells = [...this.#request.spaces, ...[...this.late.values()].map(resourceRef)]
      .map((space): MatrixRow['cells'][number] => ({
        space,
        role: person.spaces === undefined ? 'unknown' : (roles.get(space.id) ?? null),
      }))
      .filter(({ role }) => this.#isWanted(role));
    this.#tally.rows += cells.length;
    this.#tally.unknown += person.spaces === undefined ? cells.length : 0;
    return { person: refOf(member), organizationRole: member.role, cells };
  }

  #addLate({ spaces = [] }: PersonAccess): void {
    for (const { space } of spaces)
      if (!this.#known.has(space.id) && !this.late.has(space.id)) this.late.set(space.id, space);
  }

  #isWanted(role: KnownRole): boolean {
    const { roles = [] } = this.#request;
    return roles.length === 0 || role === 'unknown' || roles.includes(role ?? 'none');
  }
}

/** One row for each pair. */
export function pairsOf({ person, cells }: MatrixRow): Pair[] {
  return cells.map(({ space, role }) => ({ person, space, role }));
}

/**
 * Spaces by id, with the collections around them; what could not be read of these is in the tally.
 * @throws DocsError where one of the spaces cannot be read
 */
export async function namedSpaces(
  reading: Reading,
  ids: readonly string[],
  tally: Tally,
): Promise<{ spaces: LevelledSpace[]; collections: Structure['collections'] }> {
  const around: Structure = { collections: new Map(), spaces: new Map(), unread: [] };
  const spaces = await readAll(reading, [...new Set(ids)], async (spaceId) =>
    placeOf(await reading.client.call(getSpace, { path: { spaceId } }, about('space', spaceId))),
  );
  await readParents(reading, around, spaces);
  tally.fail(...around.unread);
  return { spaces, collections: around.collections };
}
