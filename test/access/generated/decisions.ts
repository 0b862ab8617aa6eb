import { createChangeRequest, mergeChangeRequest } from '../../../src/api/resources/change-requests.js';
import { createComment } from '../../../src/api/resources/comments.js';
import { duplicateSpace, getSpace, updateSpace } from '../../../src/api/resources/spaces.js';
import { type Role, roles } from '../../../src/api/shapes.js';
import type { AccessOrganization } from './organization.js';
import type { Platform } from './platform.js';
import { personId, spaceId } from './state.js';

/**
 * The role of a person in a space as the sandbox decides it on requests with that person's token. The role is
 * checked before the body, so a body that is wrong shows what is allowed and changes nothing: 400 rather than
 * 403. That a right body is accepted as well, `decisions.test.ts` shows.
 */

const wrong = { body: { nothing: 'of this kind' } };

/** One request for each role, which that role is the lowest to be allowed. */
const probes: Record<Role, (platform: Platform, user: string, space: string) => Promise<number>> = {
  read: (platform, user, space) => platform.status(user, getSpace, { path: { spaceId: space } }),
  comment: (platform, user, space) =>
    platform.status(user, createComment, { path: { spaceId: space }, ...wrong }),
  edit: (platform, user, space) =>
    platform.status(user, createChangeRequest, { path: { spaceId: space }, ...wrong }),
  review: (platform, user, space) =>
    platform.status(user, mergeChangeRequest, {
      path: { spaceId: space, changeRequestId: 'none' },
      ...wrong,
    }),
  create: (platform, user, space) =>
    platform.status(user, duplicateSpace, { path: { spaceId: space }, ...wrong }),
  admin: (platform, user, space) =>
    platform.status(user, updateSpace, { path: { spaceId: space }, ...wrong }),
};

/**
 * Looked for among the roles from low to high: each allows what the lower ones do, as `decisions.test.ts` shows.
 * @throws Error if an answer is neither that of a role nor a refusal
 */
export async function decidedRole(platform: Platform, user: string, space: string): Promise<Role | null> {
  const read = await probes.read(platform, user, space);
  if (read === 404) return null;
  if (read !== 200) throw new Error(`GET of a space answered ${read}.`);
  let above = roles.toReversed().slice(1);
  let held: Role = 'read';
  for (let role = middleOf(above); role !== undefined; role = middleOf(above)) {
    const at = above.indexOf(role);
    const status = await probes[role](platform, user, space);
    if (status !== 400 && status !== 403) throw new Error(`The request for ${role} answered ${status}.`);
    if (status === 400) held = role;
    above = status === 400 ? above.slice(at + 1) : above.slice(0, at);
  }
  return held;
}

const middleOf = (some: readonly Role[]) => some[Math.floor(some.length / 2)];

/** The decided roles of every person in every space that is not deleted, by `<person> <space>`. */
export async function decidedRoles(
  platform: Platform,
  { people, spaces }: AccessOrganization,
): Promise<Map<string, Role | null>> {
  const decided = new Map<string, Role | null>();
  for (const [space, { deleted }] of spaces.entries()) {
    if (deleted) continue;
    for (const person of people.keys()) {
      const [user, id] = [personId(person), spaceId(space)];
      decided.set(pair(user, id), await decidedRole(platform, user, id));
    }
  }
  return decided;
}

export const pair = (user: string, space: string): string => `${user} ${space}`;
