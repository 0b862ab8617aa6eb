import type { Role } from '../../../api/shapes.js';
import { counted } from '../../../output/counted.js';
import { type DefaultLevel, roleByLevels } from '../../levels.js';
import { nameOf, personOf } from '../../person.js';
import { type PersonAccess, readPeople } from '../../read/people.js';
import { openTeams } from '../../read/teams.js';
import { grantBounds, type Held, roleChangeOf } from '../../what-if/changes.js';
import type { Dependent, RoleChange } from '../change.js';
import type { Findings } from '../findings.js';
import { levelAfter, levelBefore, type Moved, type MovedSpace } from './moved.js';
import { readTargetMembers, type Side } from './organizations.js';

/*
 * Who loses and gains access. Grants to teams do not go along, nor do those to people who are not members of the
 * target; a grant of a member of both is kept. No operation shows which of the two a grant is.
 */

/** A space with its levels before and after. */
interface Place {
  space: MovedSpace;
  before: DefaultLevel;
  after: DefaultLevel;
}

/** Whose role is looked at, and what becomes of them. */
interface Subject extends Pick<Held, 'person' | 'organizationRole'> {
  /** What the person is called. */
  name: string;
  /** Their role in the target; undefined for who is not a member. */
  there: Role | null | undefined;
  /** Whether a grant may come from a team of theirs. */
  inTeams: boolean;
}

/** Reads the members of both organizations and tells whose roles change. */
export async function findPeople(found: Findings, moved: Moved, target: Side): Promise<void> {
  const there = await readTargetMembers(found, target);
  const places = moved.spaces.map((space) => ({
    space,
    before: levelBefore(space, moved),
    after: levelAfter(space, moved),
  }));
  for (const { before, after, space } of places)
    for (const level of new Set([before, after])) if (!level.known) tellLevel(found, space, level.missing);
  if (there === undefined) return;
  const here = new Set<string>();
  const teams = await openTeams(found.reading);
  await found.attempt({ kind: 'members', id: found.reading.organizationId }, async () => {
    for await (const window of readPeople(found.reading, { teams })) {
      for (const access of window) {
        here.add(access.member.id);
        tellPerson(found, places, access, there, target);
      }
    }
  });
  found.unknown.push(...teams.unread);
  if (found.wants('dependents')) found.dependents.push(...newReaders(places, here, there, target));
}

function tellLevel(found: Findings, { id, title }: MovedSpace, missing: string): void {
  const message = `Its default level cannot be told: collection ${missing} could not be read.`;
  found.cannotTell({ kind: 'space', id, title }, 'level_unknown', message);
}

function tellPerson(
  found: Findings,
  places: readonly Place[],
  { member, spaces, partial, teams, unread }: PersonAccess,
  there: ReadonlyMap<string, Role | null>,
  target: Side,
): void {
  const { id, email } = personOf(member);
  const subject: Subject = {
    person: { id, ...(email !== undefined && { email }) },
    name: nameOf(personOf(member)),
    organizationRole: member.role,
    there: there.get(member.id),
    inTeams: teams === undefined || !teams.known || teams.teams.length > 0,
  };
  found.unknown.push(...unread);
  const roles = new Map((spaces ?? partial ?? []).map(({ space, role }) => [space.id, role]));
  for (const place of places) {
    const role = roles.get(place.space.id) ?? (spaces === undefined ? ('unknown' as const) : null);
    if (role === 'unknown') found.unknownRole(subject.person, place.space);
    const { change, grant } = judge(place, { ...subject, role }, target.name);
    if (change !== undefined && found.wants('people')) found.people.push(change);
    if (grant !== undefined && found.wants('dependents')) found.dependents.push(grant);
  }
}

/** What becomes of the role and of the grant of one person in one space. A role that is not known is not judged. */
export function judge(
  { space: { id, title }, before, after }: Place,
  held: Subject & Pick<Held, 'role'>,
  target: string,
): { change?: RoleChange; grant?: Dependent } {
  const { role, there, inTeams, name } = held;
  if (role === 'unknown') return {};
  const space = { id, title };
  const leaves = there === undefined;
  const change = leaves
    ? roleChangeOf(held, { space, before, after: 'gone' })
    : roleChangeOf(
        held,
        { space, before, after },
        { organizationRole: there, lostGrant: inTeams ? 'admin' : undefined },
      );
  const { least } = grantBounds(held, before);
  const loses = least !== null && (leaves || inTeams);
  const why = leaves
    ? `is lost: they are not a member of ${target}`
    : 'is lost if it comes from a team: teams do not go along';
  const what = `The ${least} grant of ${name} ${why}.`;
  return {
    ...(change !== undefined && change !== 'unknown' && !isSame(change) && { change }),
    ...(loses && { grant: { kind: 'grant', id: `${id}/${held.person.id}`, title, what } }),
  };
}

/** Who had nothing, and has nothing for sure afterwards, is not affected. */
function isSame({ from, to, most }: RoleChange): boolean {
  return from === to && most === undefined;
}

/** Members of the target alone, who get a role by the default level of a space. */
function newReaders(
  places: readonly Place[],
  here: ReadonlySet<string>,
  there: ReadonlyMap<string, Role | null>,
  target: Side,
): Dependent[] {
  const strangers = [...there].filter(([id]) => !here.has(id)).map(([, role]) => role);
  return places.flatMap(({ space: { id, title }, after }): Dependent[] => {
    const gained = strangers.filter((role) => (roleByLevels(role, after) ?? null) !== null).length;
    if (gained === 0) return [];
    const what = `${counted(gained, 'member')} of ${target.name} who cannot read it today will be able to.`;
    return [{ kind: 'access', id, title, what }];
  });
}
