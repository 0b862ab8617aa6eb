import fc from 'fast-check';
import type { WhatIfRow } from '../../../src/access/person.js';
import { openWhatIf, type Proposal, type WhatIf } from '../../../src/access/what-if.js';
import { updateCollection } from '../../../src/api/resources/collections.js';
import { deleteTeamMember, updateMember } from '../../../src/api/resources/members.js';
import { updateSpace } from '../../../src/api/resources/spaces.js';
import { deleteTeam } from '../../../src/api/resources/teams.js';
import { type Role, roles } from '../../../src/api/shapes.js';
import type { AccessOrganization, Level } from './organization.js';
import type { Fault, Platform } from './platform.js';
import { collectionId, orgId, personId, spaceId, teamId } from './state.js';

/** Proposals for random organizations, what `what-if` says of them, and their being carried out. */

/** Numbers are taken round what there is. */
export interface DrawnChange {
  what: 'role' | 'space' | 'collection' | 'leave' | 'delete-team';
  at: number;
  other: number;
  role: Role | null;
  level: Level;
}

export const drawnChanges: fc.Arbitrary<DrawnChange[]> = fc.array(
  fc.record({
    what: fc.constantFrom('role', 'space', 'collection', 'leave', 'leave', 'delete-team'),
    at: fc.nat(40),
    other: fc.nat(40),
    role: fc.constantFrom(...roles, null),
    level: fc.constantFrom<Level>(...roles, 'inherit', null),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The changes as a proposal; undefined where there is nothing for any of them. */
export function proposalOf(org: AccessOrganization, drawn: readonly DrawnChange[]): Proposal | undefined {
  const changed = new Map<string, Role | null>();
  const levels = new Map<string, string | null>();
  const left = new Map<string, Set<string>>();
  const deleted = new Set<string>();
  for (const { what, at, other, role, level } of drawn) {
    if (what === 'role') changed.set(personId(at % org.people.length), role);
    const space = at % org.spaces.length;
    if (what === 'space' && org.spaces[space]?.deleted === false) levels.set(spaceId(space), level);
    if (what === 'collection' && org.collections.length > 0)
      levels.set(collectionId(at % org.collections.length), level);
    if (org.teams.length === 0) continue;
    const team = at % org.teams.length;
    if (what === 'delete-team') deleted.add(teamId(team));
    const members = org.teams[team] ?? [];
    const member = members[other % Math.max(1, members.length)];
    if (what !== 'leave' || member === undefined) continue;
    const person = personId(member.person % org.people.length);
    left.set(person, new Set([...(left.get(person) ?? []), teamId(team)]));
  }
  const size = changed.size + levels.size + left.size + deleted.size;
  return size === 0 ? undefined : { roles: changed, levels, left, deleted };
}

/** What `what-if` says, all at once. */
export async function answered(
  platform: Platform,
  proposal: Proposal,
  { user = personId(0), fault }: { user?: string; fault?: Fault } = {},
): Promise<{ rows: WhatIfRow[]; asked: WhatIf }> {
  const client = platform.client(user, fault);
  const reading = { client, organizationId: orgId, concurrency: 2, signal: new AbortController().signal };
  const asked = await openWhatIf(reading, proposal);
  const rows: WhatIfRow[] = [];
  for await (const some of asked.rows()) rows.push(...some);
  return { rows, asked };
}

/**
 * Makes the changes, by requests of the first administrator.
 * @returns false where the platform refuses to be left without an administrator
 */
export async function carryOut(platform: Platform, proposal: Proposal): Promise<boolean> {
  const admin = personId(0);
  const path = { organizationId: orgId };
  for (const [id, defaultLevel] of proposal.levels) {
    const body = { body: { defaultLevel } } as { body: { defaultLevel: Role | 'inherit' | null } };
    const space = await platform.status(admin, updateSpace, { path: { spaceId: id }, ...body });
    if (space === 404)
      await platform.client(admin).call(updateCollection, { path: { collectionId: id }, ...body });
  }
  for (const [userId, teams] of proposal.left)
    for (const team of teams)
      await platform.client(admin).call(deleteTeamMember, { path: { ...path, teamId: team, userId } });
  for (const team of proposal.deleted)
    await platform.client(admin).call(deleteTeam, { path: { ...path, teamId: team } });
  // Who makes the changes gives up their own role last.
  const inOrder = [...proposal.roles].sort(
    ([one], [other]) => Number(one === admin) - Number(other === admin),
  );
  for (const [userId, role] of inOrder)
    if ((await platform.status(admin, updateMember, { path: { ...path, userId }, body: { role } })) !== 200)
      return false;
  return true;
}
