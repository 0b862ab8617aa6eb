import { roles as allRoles, type Role } from '../api/shapes.js';
import { Buckets } from '../files/buckets.js';
import type { Reading } from '../snapshot/unread.js';
import { type Weighed, weigh } from './layers.js';
import { rankOf } from './levels.js';
import { openTeams, type PersonAccess, readPeople, type Teams } from './people.js';
import { type Holder, type KnownRole, refOf, resourceRef, type Tally } from './person.js';
import type { LevelledSpace, Structure } from './structure.js';

/** Everybody with a role in some spaces. */

export interface WhoRequest {
  spaces: readonly LevelledSpace[];
  /** By id: those around the spaces, as far as they could be read. */
  collections: Structure['collections'];
  /** Only these effective roles; all where there are none. What is unknown is always given. */
  roles?: readonly Role[];
  /** Rows that are printed: reading ends once more than these are known to come first. */
  most?: number | undefined;
  /** Called with the number of people read so far. */
  onRead?(people: number): void;
}

/**
 * Reads everybody, and gives those with a role, space by space in the order asked for, the highest role first and
 * the unknown last. Reads no further than `most` needs. Memory does not grow with the number of members: many rows wait in temporary files.
 * @throws DocsError where the members cannot be listed, or a temporary file cannot be written (exit 13)
 */
export async function* holdersOf(
  reading: Reading,
  request: WhoRequest,
  tally: Tally,
): AsyncGenerator<Holder[]> {
  const buckets = new Buckets<Holder>();
  try {
    const people = new Holders(reading, request, tally);
    let count = 0;
    let first = 0;
    const { most = Number.POSITIVE_INFINITY } = request;
    for await (const window of readPeople(reading, { onMisfit: (unread) => tally.fail(...unread) })) {
      for (const person of window)
        for (const [bucket, holder] of await people.of(person)) {
          if (bucket === firstBucket(request)) first += 1;
          await buckets.add(bucket, holder);
        }
      count += window.length;
      request.onRead?.(count);
      if (first > most) break;
    }
    await people.end();
    yield* buckets.items();
  } finally {
    await buckets.remove();
  }
}

/** Buckets of a space: unknown is 0, so it comes last. */
export const ranks = 7;

/** Whose rows come before all others: those of the highest role asked for, in the first space. */
export function firstBucket({ roles = [] }: WhoRequest): number {
  return ranks - Math.max(...(roles.length > 0 ? roles : allRoles).map(rankOf));
}

export class Holders {
  readonly #reading: Reading;
  readonly #request: WhoRequest;
  readonly #tally: Tally;
  #teams: Promise<Teams> | undefined;
  /** How many failures of the teams are in the tally. */
  #told = 0;

  constructor(reading: Reading, request: WhoRequest, tally: Tally) {
    this.#reading = reading;
    this.#request = request;
    this.#tally = tally;
  }

  async of(person: PersonAccess): Promise<[bucket: number, Holder][]> {
    const { spaces, roles = [] } = this.#request;
    const own = new Map(person.spaces?.map(({ space, role }) => [space.id, role]));
    const found: [number, Holder][] = [];
    this.#tally.fail(...person.unread);
    for (const [index, place] of spaces.entries()) {
      const role: KnownRole = person.spaces === undefined ? 'unknown' : (own.get(place.id) ?? null);
      if (role === null || (role !== 'unknown' && roles.length > 0 && !roles.includes(role))) continue;
      const holder = await this.#holder(person, place, role);
      this.#tally.rows += 1;
      if (holder.via === 'unknown') this.#tally.unknown += 1;
      found.push([(index + 1) * ranks - (role === 'unknown' ? 0 : rankOf(role)), holder]);
    }
    return found;
  }

  async #holder({ member }: PersonAccess, place: LevelledSpace, role: KnownRole): Promise<Holder> {
    const { collections } = this.#request;
    const at = { ...place, object: 'space' as const };
    const weighed: Weighed = weigh({ organizationRole: member.role, place: at, collections, role });
    const teams = weighed.reason === 'granted' ? await this.#teamsOf(member) : [];
    return { person: refOf(member), space: resourceRef(place), role, via: weighed.reason, teams };
  }

  /** Teams are read once somebody has a role that only a grant explains. */
  async #teamsOf(member: PersonAccess['member']): Promise<Holder['teams']> {
    this.#teams ??= openTeams(this.#reading);
    const { teams, unread } = await (await this.#teams).of(member);
    this.#tally.fail(...unread);
    await this.end();
    return teams.map(resourceRef);
  }

  /** Tells what could not be read of teams: where each person's are read, more fails later. */
  async end(): Promise<void> {
    const unread = (await this.#teams)?.unread ?? [];
    this.#tally.fail(...unread.slice(this.#told));
    this.#told = unread.length;
  }
}
