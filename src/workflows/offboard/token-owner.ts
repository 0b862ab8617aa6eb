import type { Client } from '../../api/client.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import { type Organization, pingOrg } from '../../api/resources/orgs.js';
import { DocsError } from '../../errors.js';

/**
 * Whose the token in use is. The platform has no read that tells; but a ping moves the time at which its
 * caller was last seen, and nothing else. Somebody else may be seen in the same moment, so where two
 * were, it is done again.
 */

export type TokenOwner =
  | { is: 'known'; member: Member }
  /** Each of them was seen at every ping. */
  | { is: 'one of'; members: readonly Member[]; why: string }
  | { is: 'unknown'; why: string };

/** How many of those last seen are compared, and how often. */
const compared = 50;
const rounds = 3;

/** Finds the owner, by one to three pings. @throws DocsError where the platform is out of reach */
export async function findTokenOwner(client: Client, organizationId: string): Promise<TokenOwner> {
  const path = { organizationId };
  let seen = await lastSeen(client, organizationId);
  let left: Member[] | undefined;
  for (let round = 0; round < rounds && left?.length !== 1; round++) {
    const refusal = await ping(client, path);
    if (refusal !== undefined) return { is: 'unknown', why: refusal };
    const now = await lastSeen(client, organizationId);
    const moved = [...now.values()].filter(({ id, lastSeenAt }) => seen.get(id)?.lastSeenAt !== lastSeenAt);
    const before = left;
    left = before === undefined ? moved : moved.filter(({ id }) => before.some((other) => other.id === id));
    if (left.length === 0 && round + 1 < rounds) left = undefined;
    else if (left.length === 0) return { is: 'unknown', why: 'a ping did not show as anybody being seen' };
    seen = now;
  }
  const [only] = left ?? [];
  if (only !== undefined && left?.length === 1) return { is: 'known', member: only };
  return { is: 'one of', members: left ?? [], why: 'several members were active at that very moment' };
}

async function lastSeen(client: Client, organizationId: string): Promise<Map<string, Member>> {
  const query = { sort: 'lastSeenAt', order: 'desc' } as const;
  const seen = new Map<string, Member>();
  for await (const member of client.call(
    listMembers,
    { path: { organizationId }, query },
    { most: compared },
  ))
    seen.set(member.id, member);
  return seen;
}

/** @returns why it does not tell; undefined where it was sent */
async function ping(client: Client, path: { organizationId: string }): Promise<string | undefined> {
  try {
    await client.call(pingOrg, { path });
    return undefined;
  } catch (cause) {
    // It may have been answered, and the answer lost: the next look tells, and the next ping.
    if (cause instanceof DocsError && ['unknown-outcome', 'server-error'].includes(cause.kind))
      return undefined;
    const told = ['forbidden', 'not-found', 'refused', 'bad-response'];
    if (!(cause instanceof DocsError) || !told.includes(cause.kind)) throw cause;
    return `the ping that would tell failed: ${cause.message.replace(/\.$/, '')}`;
  }
}

/**
 * Whether a member may be the owner of the token. Where nobody knows, it can be any admin: only an admin
 * can do what is asked, and where the platform says that the token is one's, it is nobody else's.
 */
export function mayOwnToken(owner: TokenOwner, member: Member, { permissions }: Organization): boolean {
  if (owner.is === 'known') return owner.member.id === member.id;
  if (owner.is === 'one of') return owner.members.some(({ id }) => id === member.id);
  return permissions?.admin !== true || member.role === 'admin';
}
