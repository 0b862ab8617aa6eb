import type { Client } from '../api/client.js';
import { getMember, listMembers, type Member } from '../api/resources/members.js';
import type { Organization } from '../api/resources/orgs.js';
import type { Role } from '../api/shapes.js';
import { DocsError } from '../base/errors.js';
import type { Response } from '../sandbox/server/respond.js';

/** Whether the platform itself refused to answer, with a status that a command is to see as it is. */
export function isRefusal(error: unknown): error is DocsError {
  return error instanceof DocsError && (error.failure.status ?? 0) >= 400;
}

/** Whether there is nothing to read, or nothing for this token. */
export function isHidden(error: unknown): boolean {
  return isRefusal(error) && [403, 404].includes(error.failure.status ?? 0);
}

/**
 * What a copy answers where the platform could not be read: what the platform refused it refuses in the same words,
 * and otherwise it says why, with a status that tells that nothing was done.
 * @throws what is not an error of the platform
 */
export function unread(error: unknown): Response {
  if (isRefusal(error)) throw error;
  if (!(error instanceof DocsError) || error.kind === 'bug') throw error;
  const { path } = error.failure;
  const message = `the copy could not read ${path?.split('?', 1)[0] ?? 'what this needs'} of the platform: ${error.message}`;
  return {
    status: 503,
    headers: { 'retry-after': '1' },
    body: JSON.stringify({ error: { code: 503, message } }),
  };
}

/** The answer; undefined if it is hidden from the token. */
export async function orHidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}

/** The id of the person who acts in the copy if no member can be named. */
const unnamed = 'token-owner';

/** The role of the token in an organization, from what it may do there; null for a guest. */
export function toldRole({ permissions }: Organization): Role | null {
  if (permissions?.admin === true) return 'admin';
  if (permissions?.createContent === true) return 'create';
  return permissions?.listMembers === false ? null : 'read';
}

/** Who acts in a copy. */
export interface Caller {
  member: Member;
  /** Whether the member owns the token, rather than stands in for its owner. */
  isOwner: boolean;
}

/**
 * Finds who acts in a copy: the owner of the token where sign-in recorded them, else the first member with the role
 * of the token. Nothing but a ping would tell more, and a ping is a write.
 * @param recorded id of the owner, if it is known
 * @throws DocsError as the client, but for what is hidden from the token
 */
export async function findCaller(client: Client, org: Organization, recorded?: string): Promise<Caller> {
  const owner = recorded === undefined ? undefined : await memberOf(client, org, recorded);
  if (owner !== undefined) return { member: owner, isOwner: true };
  const role = toldRole(org);
  const found = await membersWith(client, org, role);
  const [first] = found;
  if (first !== undefined) return { member: first, isOwner: found.length === 1 };
  return { member: stranger(unnamed, role, org.createdAt), isOwner: false };
}

/** What a copy that does not know the owner says of who acts in it. */
export function callerGap({ member, isOwner }: Caller): string | undefined {
  if (isOwner) return undefined;
  const { displayName, email } = member.user;
  const who = member.id === unnamed ? 'a stand-in' : `${displayName} (${email ?? member.id})`;
  return `The copy acts as ${who}, since it does not know who owns the token; docs auth login records that.`;
}

function memberOf(client: Client, org: Organization, userId: string): Promise<Member | undefined> {
  return orHidden(() => client.call(getMember, { path: { organizationId: org.id, userId } }));
}

/** Two members with a role: enough to know whether there is only one. */
async function membersWith(client: Client, org: Organization, role: Role | null): Promise<Member[]> {
  const query = { role: role ?? ('guest' as const), order: 'asc' as const };
  const found: Member[] = [];
  try {
    const path = { organizationId: org.id };
    for await (const member of client.call(listMembers, { path, query }, { most: 2 }))
      if (member.role === role) found.push(member);
  } catch (error) {
    if (!isHidden(error)) throw error;
  }
  return found;
}

/** A member of whom only the role is known. */
export function stranger(
  id: string,
  role: Role | null,
  joinedAt: string,
  called: object = { displayName: 'Owner of the token', email: `${id}@unknown.invalid` },
): Member {
  return {
    object: 'member',
    ...{ id, role, joinedAt, user: { object: 'user', id, ...called } },
    ...{ disabled: false, sso: false, spaces: 0, teams: 0 },
  } as Member;
}
