import { readTeam, type TeamMembers } from '../../access/read/teams.js';
import { getMember } from '../../api/resources/members.js';
import { DocsError } from '../../base/errors.js';
import { readAll } from '../../jobs/in-order.js';
import { type Reading, readFailure, type Unread } from '../../reading/reading.js';
import type { After, Leaver } from './report.js';

/** Reads members and teams again. @returns the leavers with what the platform says now */
export async function verify(
  reading: Reading,
  people: readonly Leaver[],
  nowMs: () => number,
): Promise<Leaver[]> {
  const teams = new Map(people.flatMap(({ before }) => before.teams.map((team) => [team.id, team])));
  const found = new Map(
    await readAll(reading, [...teams.values()], async (team) => [team.id, await readTeam(reading, team)]),
  );
  return readAll(reading, people, async (leaver) => {
    const { user, before } = leaver;
    const member = await isMember(reading, user.id);
    const told = before.teams.map(({ id, title }) => ({ id, title, ...standing(found.get(id), user.id) }));
    return { ...leaver, after: { at: new Date(nowMs()).toISOString(), member, teams: told } };
  });
}

/** @returns null where it cannot be read */
async function isMember(
  { client, organizationId, signal }: Reading,
  userId: string,
): Promise<boolean | null> {
  try {
    await client.call(getMember, { path: { organizationId, userId } });
    return true;
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return false;
    readFailure(cause, signal);
    return null;
  }
}

/** A deleted team has no members. */
function standing(
  team: TeamMembers | Unread | undefined,
  userId: string,
): Pick<After['teams'][number], 'member' | 'owners'> {
  if (team !== undefined && 'roles' in team) return { member: team.roles.has(userId), owners: team.owners };
  const status = team?.error.failure.status;
  const gone = status === 404 || status === 410;
  return { member: gone ? false : null, owners: [] };
}

/** Whether everything was done, and reading again shows it. */
export function isComplete({ actions, after, before }: Leaver): boolean {
  const done = actions.every(({ status }) => status === 'ok');
  const out = after?.member === false && after.teams.every(({ member }) => member === false);
  const owned = actions.every(({ does, team, to }) => {
    if (does !== 'hand over team') return true;
    return after?.teams.find(({ id }) => id === team?.id)?.owners.some(({ id }) => id === to?.id) ?? false;
  });
  return done && out && owned && after.teams.length === before.teams.length;
}
