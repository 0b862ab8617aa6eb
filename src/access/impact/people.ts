import { listMemberSpaces, listMembers } from '../../api/resources/members.js';
import { readEach } from '../../jobs/in-order.js';
import { defined } from '../../defined.js';
import { type Held, type LevelChange, roleChanges } from '../what-if-changes.js';
import { allOf, type Findings } from './findings.js';

/** People whose role changes: who has one is told by the spaces of each member, a request for each. */

/** Tells everybody who has a role in spaces that go. */
export function tellLost(found: Findings, spaces: readonly { id: string; title: string }[]): Promise<void> {
  const unknown = { known: false, missing: '' } as const;
  const changes = spaces.map(({ id, title }) => ({ space: { id, title }, before: unknown, after: 'gone' as const }));
  return tellRoleChanges(found, changes);
}

/** Tells the people whose role changes with the level of spaces, or with the spaces themselves. */
export async function tellRoleChanges(found: Findings, changes: readonly LevelChange[]): Promise<void> {
  if (changes.length === 0) return;
  const held = await heldIn(found, new Set(changes.map(({ space }) => space.id)));
  if (held === undefined) return;
  for (const change of changes) {
    const told = roleChanges(change, held.get(change.space.id) ?? []);
    found.people.push(...told.changes);
    for (const { id, email } of told.unknown) {
      // A member whose spaces were not read is told once, by the read that failed.
      if (found.unknown.some((one) => one.kind === 'member' && one.id === id)) continue;
      found.cannotTell({ kind: 'member', id, ...defined({ title: email }) }, 'role_unknown', 'The role is not known.');
    }
  }
}

/** Everybody with their role in each of these spaces; undefined where the members could not be listed. */
async function heldIn(
  found: Findings,
  spaces: ReadonlySet<string>,
): Promise<Map<string, Held[]> | undefined> {
  const { reading } = found;
  const { client, organizationId } = reading;
  const held = new Map([...spaces].map((id): [string, Held[]] => [id, []]));
  const path = { organizationId };
  const members = await found.attempt({ kind: 'members', id: organizationId }, () =>
    allOf(client.call(listMembers, { path })),
  );
  if (members === undefined) return undefined;
  const read = readEach(reading, members, async ({ id, role, user }) => {
    const person = { id, ...defined({ email: user.email }) };
    const what = { kind: 'member', id, title: user.displayName };
    const list = await found.attempt(what, () =>
      allOf(client.call(listMemberSpaces, { path: { organizationId, userId: id } })),
    );
    const roles = list && new Map(list.map(({ permission, space }) => [space.id, permission]));
    return { person, organizationRole: role, roles };
  });
  for await (const { person, organizationRole, roles } of read)
    for (const [id, list] of held)
      list.push({ person, organizationRole, role: roles === undefined ? 'unknown' : (roles.get(id) ?? null) });
  return held;
}
