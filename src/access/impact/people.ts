import { defined } from '../../base/values.js';
import { type PersonAccess, readPeople } from '../read/people.js';
import { type LevelChange, roleChanges } from '../what-if/changes.js';
import { roleInOf } from '../what-if/teams.js';
import type { Findings } from './findings.js';

/** People whose role changes. Who has one is in the spaces of each member, a request for each. */

/** Tells everybody who has a role in spaces that go. */
export function tellLost(found: Findings, spaces: readonly { id: string; title: string }[]): Promise<void> {
  // The level does not matter where nothing is left to have a role in.
  const before = { known: false, missing: '' } as const;
  return tellRoleChanges(
    found,
    spaces.map(({ id, title }) => ({ space: { id, title }, before, after: 'gone' })),
  );
}

/** Tells the people whose role changes with the level of spaces, or with the spaces themselves. */
export async function tellRoleChanges(found: Findings, changes: readonly LevelChange[]): Promise<void> {
  if (changes.length === 0) return;
  const { reading } = found;
  await found.attempt({ kind: 'members', id: reading.organizationId }, async () => {
    for await (const people of readPeople(reading)) tellWindow(found, changes, people);
  });
}

function tellWindow(found: Findings, changes: readonly LevelChange[], people: readonly PersonAccess[]): void {
  found.unknown.push(...people.flatMap(({ unread }) => unread));
  const known = people.map((one) => ({
    person: { id: one.member.id, ...defined({ email: one.member.user.email }) },
    organizationRole: one.member.role,
    roleIn: roleInOf(one),
  }));
  for (const change of changes) {
    const held = known.map(({ roleIn, ...one }) => ({ ...one, role: roleIn(change.space.id) }));
    const { changes: told, unknown } = roleChanges(change, held);
    found.people.push(...told);
    for (const person of unknown) found.unknownRole(person, change.space);
  }
}
