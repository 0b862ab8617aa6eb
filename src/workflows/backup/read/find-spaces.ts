import { listMembers } from '../../../api/resources/members.js';
import type { Space } from '../../../api/resources/spaces.js';
import { type Reading, unreadOf } from '../../reading/reading.js';
import { type Listed, sourcesOf, spacesOf } from '../../reading/spaces.js';

/**
 * Every space that can be found, once and by id: collections and sites hold most, and the lists of spaces
 * that some administrators can access hold the rest. If a list is unread, a space that was not found may
 * still exist.
 * @param admins ids of administrators whose lists of spaces are looked at
 */
export async function findSpaces(reading: Reading, admins: readonly string[]): Promise<Listed<Space>> {
  const { signal, organizationId } = reading;
  const unread: Listed<Space>['unread'] = [];
  const sources = await sourcesOf(reading).catch((cause: unknown) => {
    unread.push(unreadOf(cause, signal, { kind: 'list-of-spaces', id: organizationId }));
    return [];
  });
  const all = [...sources, ...admins.map((id) => ({ kind: 'member' as const, id }))];
  const listed = await spacesOf(reading, all, (space) => space);
  const found = new Map(listed.flatMap(({ spaces }) => spaces).map((space) => [space.id, space]));
  unread.push(...listed.flatMap((one) => one.unread));
  return { spaces: [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), unread };
}

/** How many administrators are asked for their spaces; one would do if each sees all. */
export const mostAdmins = 3;

export async function adminsOf({ client, organizationId }: Reading): Promise<string[]> {
  const input = { path: { organizationId }, query: { role: 'admin' as const } };
  const admins: string[] = [];
  for await (const { id } of client.call(listMembers, input, { most: mostAdmins })) admins.push(id);
  return admins;
}
