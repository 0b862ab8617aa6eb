import {
  getMember,
  listMemberSpaces,
  listMembers,
  type Member,
  type RoleFilter,
} from '../../api/resources/members.js';
import type { Space } from '../../api/resources/spaces.js';
import type { Role } from '../../api/shapes.js';
import { readAll, readEach } from '../../jobs/in-order.js';
import { misfitsOf } from '../../snapshot/checked-client.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import { placeOf, type SpacePlace } from './structure.js';
import type { Teams, TeamsOf } from './teams.js';

/**
 * Reads the members of an organization with what they can access. Only a window of them is held at a time, so
 * memory does not grow with their number.
 */

/** A space with the role that somebody has in it. */
export interface SpaceRole<S = SpacePlace> {
  space: S;
  role: Role;
}

export interface PersonAccess {
  member: Member;
  /** Every space that they can access; undefined where that could not be read. */
  spaces: SpaceRole[] | undefined;
  /** Where `spaces` is undefined: those found before the read failed, which are not all. */
  partial?: SpaceRole[];
  /** Undefined where teams were not asked for. */
  teams: TeamsOf | undefined;
  /** What could not be read of this person; what all miss is in `Teams.unread`. */
  unread: Unread[];
}

export interface People {
  /** Only members with one of these roles; all where there are none. */
  roles?: readonly RoleFilter[];
  /** Only these members; one request each. Not beside `roles`. */
  ids?: readonly string[];
  /** Which of them are read any further; all where it is not given. */
  only?(member: Member): boolean;
  /** Told of members whose answer lacks what is declared; without it, the list fails after the last other one. */
  onMisfit?(unread: readonly Unread[]): void;
  /** Where teams are to be told, too: as `openTeams`. */
  teams?: Teams;
}

/** How many members are in a window, as a multiple of the concurrency. */
const ahead = 8;

/**
 * Members with the spaces they can access, a window of them at a time: one request for each page of members, and one
 * for each page of a person's spaces.
 * @returns windows, none of them empty; each member once, unless thousands moved in the list while it was read
 * @throws DocsError where the members cannot be listed, or one of `ids` is not a member; where the token is
 *   refused or the run was interrupted
 */
export async function* readPeople(reading: Reading, people: People = {}): AsyncGenerator<PersonAccess[]> {
  for await (const members of windowsOf(membersOf(reading, people), reading.concurrency * ahead))
    yield await readAll(reading, members, (member) => readPerson(reading, member, people.teams));
}

/** One member with the spaces and, where `teams` are given, the teams. @throws DocsError as `readFailure` */
export async function readPerson(reading: Reading, member: Member, teams?: Teams): Promise<PersonAccess> {
  const own = await teams?.of(member);
  const { spaces, unread } = await readSpacesOf(reading, member, placeOf);
  const failed = [...(own?.unread ?? []), ...(unread === undefined ? [] : [unread])];
  const told = unread === undefined ? { spaces } : { spaces: undefined, partial: spaces };
  return { member, ...told, teams: own, unread: failed };
}

/**
 * The spaces that a member can access.
 * @param keep what is kept of a space
 * @returns where a page failed, what was found before it with the failure
 * @throws DocsError as `readFailure`
 */
export async function readSpacesOf<S>(
  { client, organizationId, signal }: Reading,
  { id, user }: Member,
  keep: (space: Space) => S,
): Promise<{ spaces: SpaceRole<S>[]; unread?: Unread }> {
  const spaces: SpaceRole<S>[] = [];
  try {
    const listing = client.call(listMemberSpaces, { path: { organizationId, userId: id } });
    for await (const { permission, space } of listing) spaces.push({ space: keep(space), role: permission });
    return { spaces };
  } catch (cause) {
    return {
      spaces,
      unread: unreadOf(cause, signal, { kind: 'member-spaces', id, title: user.email ?? id }),
    };
  }
}

async function* membersOf(reading: Reading, people: People): AsyncGenerator<Member> {
  const { ids, roles = [], only = () => true } = people;
  const { client, organizationId } = reading;
  const seen = new Recent();
  if (ids !== undefined) {
    const read = (userId: string) => client.call(getMember, { path: { organizationId, userId } });
    for await (const member of readEach(reading, [...new Set(ids)], read)) if (only(member)) yield member;
    return;
  }
  for (const role of roles.length === 0 ? [undefined] : new Set(roles)) {
    const query = role === undefined ? {} : { role };
    const listing = client.call(listMembers, { path: { organizationId }, query });
    for await (const member of unlessMisfits(listing, people)) {
      const wanted = only(member);
      if (seen.isNew(member.id) && wanted) yield member;
    }
  }
}

/** The members that can be used; the others are reported. @throws every other failure */
async function* unlessMisfits(
  members: AsyncIterable<Member>,
  { onMisfit }: Pick<People, 'onMisfit'>,
): AsyncGenerator<Member> {
  try {
    yield* members;
  } catch (cause) {
    const misfits = misfitsOf(cause, 'member');
    if (misfits === undefined || onMisfit === undefined) throw cause;
    onMisfit(misfits);
  }
}

/** The ids seen last. A list that changes while it is read repeats what is near the end of a page. */
class Recent {
  readonly #most = 10_000;
  #now = new Set<string>();
  #before = new Set<string>();

  /** Whether an id is none of the last ones; from now on it is. */
  isNew(id: string): boolean {
    if (this.#now.has(id) || this.#before.has(id)) return false;
    this.#now.add(id);
    if (this.#now.size === this.#most) [this.#before, this.#now] = [this.#now, new Set()];
    return true;
  }
}

async function* windowsOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let window: T[] = [];
  try {
    for await (const item of items) {
      window.push(item);
      if (window.length < size) continue;
      yield window;
      window = [];
    }
  } catch (cause) {
    if (window.length > 0) yield window;
    throw cause;
  }
  if (window.length > 0) yield window;
}
