import type { Client } from '../../api/client.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import type { Organization } from '../../api/resources/orgs.js';
import type { Role } from '../../api/shapes.js';
import { isHidden } from './platform-refusal.js';

/** The id of the person who acts in the copy if no member can be named. */
const unnamed = 'token-owner';

/** The role of the token in an organization, from what it may do there; null for a guest. */
export function toldRole({ permissions }: Organization): Role | null {
  if (permissions?.admin === true) return 'admin';
  if (permissions?.createContent === true) return 'create';
  return permissions?.listMembers === false ? null : 'read';
}

/**
 * The member who acts in a copy: the first with the role of the token. The owner of a token can only be found by a
 * ping, which is a write.
 */
export async function findCaller(client: Client, org: Organization): Promise<Member> {
  const role = toldRole(org);
  const query = { role: role ?? ('guest' as const), order: 'asc' as const };
  try {
    const path = { organizationId: org.id };
    for await (const member of client.call(listMembers, { path, query }, { most: 1 }))
      if (member.role === role) return member;
  } catch (error) {
    if (!isHidden(error)) throw error;
  }
  return stranger(unnamed, role, org.createdAt);
}

/** A member of whom only the role is known. */
export function stranger(id: string, role: Role | null, joinedAt: string): Member {
  const user = { id, displayName: 'Owner of the token', email: `${id}@unknown.invalid` };
  return {
    object: 'member',
    ...{ id, role, joinedAt, user: { object: 'user', ...user } },
    ...{ disabled: false, sso: false, spaces: 0, teams: 0 },
  } as Member;
}
