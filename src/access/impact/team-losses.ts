import type { Member } from '../../api/resources/members.js';
import { readAll } from '../../jobs/in-order.js';
import { defaultLevelOf } from '../levels.js';
import { readPerson } from '../read/people.js';
import { readStructure } from '../read/structure.js';
import { roleChangeOf } from '../what-if/changes.js';
import type { Findings } from './findings.js';

/**
 * What people may lose with their team: every role that the levels do not explain may be a grant to it. None of
 * these losses is certain, since no operation tells to whom a grant was given.
 */
export async function tellTeamLosses(found: Findings, members: readonly Member[]): Promise<void> {
  if (members.length === 0) return;
  const { reading } = found;
  const structure = await readStructure(reading);
  found.unknown.push(...structure.unread);
  const all = await readAll(reading, members, (member) => readPerson(reading, member));
  for (const { member, spaces, unread } of all) {
    found.unknown.push(...unread);
    const person = { id: member.id, ...(member.user.email !== undefined && { email: member.user.email }) };
    for (const { space, role } of spaces ?? []) {
      const level = defaultLevelOf({ ...space, object: 'space' }, structure.collections);
      const place = { space: { id: space.id, title: space.title }, before: level, after: level };
      const change = roleChangeOf({ person, organizationRole: member.role, role }, place, {
        lostGrant: 'admin',
      });
      if (change !== undefined && change !== 'unknown') found.people.push(change);
    }
  }
}
