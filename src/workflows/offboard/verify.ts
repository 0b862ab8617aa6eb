import { getMember } from '../../api/resources/members.js';
import { DocsError } from '../../errors.js';
import { readFailure } from '../../jobs/unread.js';
import { each, type OwnedTeam, type Reading, readTeam } from './holdings.js';
import type { After, Leaver, Unseen } from './report.js';

/** How it stands afterwards, by reading again: what the platform says, not what was sent. */

/** @param nowMs milliseconds since the epoch, by the clock of the run */
export async function readAfter(
  reading: Reading,
  people: readonly Leaver[],
  nowMs: () => number,
): Promise<Map<string, After>> {
  const teams = new Map(
    people.flatMap(({ before }) => before.teams.map(({ id, title }) => [id, { id, title }])),
  );
  const found = new Map<string, OwnedTeam | Unseen>();
  for await (const [id, team] of each(
    reading,
    [...teams.values()],
    async (one) => [one.id, await readTeam(reading, one)] as const,
  ))
    found.set(id, team);
  const after = new Map<string, After>();
  for await (const [id, member] of each(
    reading,
    people,
    async ({ user }) => [user.id, await isMember(reading, user.id)] as const,
  )) {
    const own = people.find(({ user }) => user.id === id)?.before.teams ?? [];
    const told = own.map(({ id: team, title }) => ({ id: team, title, ...standing(found.get(team), id) }));
    after.set(id, { at: new Date(nowMs()).toISOString(), member, teams: told });
  }
  return after;
}

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

/** A team that is gone has nobody in it. */
function standing(
  team: OwnedTeam | Unseen | undefined,
  userId: string,
): Pick<After['teams'][number], 'member' | 'owners'> {
  if (team !== undefined && 'roles' in team) return { member: team.roles.has(userId), owners: team.owners };
  const gone = team?.error.status === 404 || team?.error.status === 410;
  return { member: gone ? false : null, owners: [] };
}

/** Whether everything was done, and shows. */
export function isComplete({ actions, after, before }: Leaver): boolean {
  const done = actions.every(({ status }) => status === 'ok');
  const out = after?.member === false && after.teams.every(({ member }) => member === false);
  const owned = actions.every(({ does, team, to }) => {
    if (does !== 'hand over team') return true;
    return after?.teams.find(({ id }) => id === team?.id)?.owners.some(({ id }) => id === to?.id) ?? false;
  });
  return done && out && owned && after.teams.length === before.teams.length;
}
