import type { LooseInput } from '../../api/client.js';
import { listCollectionSpaces } from '../../api/resources/collections.js';
import { listMemberSpaces, listMembers } from '../../api/resources/members.js';
import { getSpace } from '../../api/resources/spaces.js';
import { nameKey } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import { isRefusal, type Reads, type Resource, requestFor } from '../request.js';

/** Where the copy of a space appears: among the spaces of its collection, or among those of administrators. */

/** How many administrators are asked for their spaces; one would do if each sees all. */
const mostAdmins = 3;

/** What a title of the platform holds; it may cut off the end of what it puts together. */
const longestTitle = 50;

/**
 * The spaces that may be copies of a space: at its level, and titled as the platform titles a copy.
 * @param when before the duplication, the lists of administrators are not read: each space shows when it was created
 * @returns null where no list shows them
 */
export async function copiesOf(
  reads: Reads,
  { path }: LooseInput,
  when: 'before' | 'after',
): Promise<Resource[] | null> {
  const space = await reads.one(getSpace, requestFor(getSpace, path).input);
  if (space === null) return null;
  const { parent = null } = space;
  const all = await spacesAround(reads, space, when);
  const isCopy = (one: Resource) =>
    one.id !== space.id && (one.parent ?? null) === parent && isTitled(one, space);
  return all === null ? null : all.filter(isCopy);
}

/** The spaces of the collection of a space; of one in no collection, those that administrators can access. */
async function spacesAround(
  reads: Reads,
  { parent, organization }: Resource,
  when: 'before' | 'after',
): Promise<Resource[] | null> {
  if (typeof parent !== 'string')
    return when === 'after' ? spacesOfAdmins(reads, String(organization)) : null;
  const { input } = requestFor(listCollectionSpaces, { collectionId: parent });
  return (await reads.all(listCollectionSpaces, input)) ?? [];
}

/** `Copy of Guides`, `Guides (copy)`, `Guides 2`, or `Guides` itself. */
function isTitled({ title }: Resource, { title: original }: Resource): boolean {
  const [own, other] = [nameKey(String(title)), nameKey(String(original))];
  if (own === nameKey(`copy of ${original}`.slice(0, longestTitle))) return true;
  const rest = own.replace(/^copy of /, '');
  return (
    rest.startsWith(other) && /^(?: *[-(]? *(?:copy|\d+)(?: \d+)? *\)?)?$/.test(rest.slice(other.length))
  );
}

/** The platform lists spaces outside of collections only as those of members. */
async function spacesOfAdmins(reads: Reads, organizationId: string): Promise<Resource[] | null> {
  const { input } = requestFor(listMembers, { organizationId });
  const members = await unlessRefused(() => reads.all(listMembers, { ...input, query: { role: 'admin' } }));
  // The platform may ignore the filter.
  const admins = (members ?? []).filter(({ role }) => role === 'admin').slice(0, mostAdmins);
  const found = new Map<unknown, Resource>();
  let isRead = false;
  for (const { id } of admins) {
    const own = requestFor(listMemberSpaces, { organizationId, userId: String(id) }).input;
    const items = await unlessRefused(() => reads.all(listMemberSpaces, own));
    isRead ||= items !== null;
    for (const { space } of items ?? []) if (isObject(space)) found.set(space.id, space);
  }
  return isRead ? [...found.values()] : null;
}

/** Null where the token may not see it. */
async function unlessRefused<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (cause) {
    if (isRefusal(cause)) return null;
    throw cause;
  }
}
