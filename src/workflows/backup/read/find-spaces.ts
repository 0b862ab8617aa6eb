import { listMembers } from '../../../api/resources/members.js';
import type { Space } from '../../../api/resources/spaces.js';
import { runInOrder } from '../../../jobs/in-order.js';
import { allSources, type Reading, type SpaceSource, spacesOf } from '../../../jobs/space-sources.js';
import { type Unread, unreadOf } from '../../../jobs/unread.js';

/**
 * Every space that can be found. The platform has no list of all spaces: collections and sites hold most,
 * and the lists of spaces that some administrators can access hold the rest.
 */

export interface FoundSpaces {
  /** Each once, by id. */
  spaces: Space[];
  /** What could not be listed. If there is any, a space that was not found may still exist. */
  unread: Unread[];
}

/** @param admins ids of administrators whose lists of spaces are looked at */
export async function findSpaces(reading: Reading, admins: readonly string[]): Promise<FoundSpaces> {
  const unread: Unread[] = [];
  const listed = await allSources(reading).catch((cause: unknown) => {
    unread.push(unreadOf(cause, reading.signal, { kind: 'list-of-spaces', id: reading.organization }));
    return [];
  });
  const sources: SpaceSource[] = [...listed, ...admins.map((id) => ({ kind: 'member' as const, id }))];
  const found = new Map<string, Space>();
  const list = (index: number) => spacesOf(reading, sources[index] as SpaceSource, (space) => space);
  for await (const { spaces, unread: missed } of runInOrder(sources.length, list, reading)) {
    for (const space of spaces) found.set(space.id, space);
    unread.push(...missed);
  }
  return { spaces: [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), unread };
}

/** How many administrators are asked for their spaces; one would do if each sees all. */
export const mostAdmins = 3;

/** Ids of administrators, whose lists of spaces are read. */
export async function adminsOf({
  client,
  organization: organizationId,
}: Pick<Reading, 'client' | 'organization'>): Promise<string[]> {
  const query = { role: 'admin' };
  const admins: string[] = [];
  for await (const { id } of client.call(
    listMembers,
    { path: { organizationId }, query },
    { most: mostAdmins },
  ))
    admins.push(id);
  return admins;
}
