import type { Client } from '../../api/client.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import { type Organization, pingOrg } from '../../api/resources/orgs.js';
import { DocsError } from '../../base/errors.js';

export type TokenOwner =
  | { is: 'known'; member: Member }
  /** Each of them was active at every ping. */
  | { is: 'one of'; members: readonly Member[]; why: string }
  | { is: 'unknown'; why: string };

/** How many of the members seen last are compared. */
const compared = 50;
/** Pings at most. */
const rounds = 3;

/**
 * Finds the owner of the token in use. The platform has no operation for it, but a ping updates the
 * caller's lastSeenAt, and nothing else. Other members may be active at the same moment: then it is repeated.
 * @throws DocsError where the platform cannot be reached
 */
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
    else if (left.length === 0)
      return { is: 'unknown', why: 'a ping did not change when any member was last seen' };
    seen = now;
  }
  const [only] = left ?? [];
  if (only !== undefined && left?.length === 1) return { is: 'known', member: only };
  return { is: 'one of', members: left ?? [], why: 'several members were active at the same moment' };
}

async function lastSeen(client: Client, organizationId: string): Promise<Map<string, Member>> {
  const query = { sort: 'lastSeenAt', order: 'desc' } as const;
  const seen = new Map<string, Member>();
  const input = { path: { organizationId }, query };
  for await (const member of client.call(listMembers, input, { most: compared })) seen.set(member.id, member);
  return seen;
}

/** @returns why it tells nothing; undefined where it was sent */
async function ping(client: Client, path: { organizationId: string }): Promise<string | undefined> {
  try {
    await client.call(pingOrg, { path });
    return undefined;
  } catch (cause) {
    // It may have been processed although the answer was lost: the next read shows it.
    if (cause instanceof DocsError && ['unknown-outcome', 'server-error'].includes(cause.kind))
      return undefined;
    const told = ['forbidden', 'not-found', 'refused', 'bad-response'];
    if (!(cause instanceof DocsError) || !told.includes(cause.kind)) throw cause;
    return `the ping that identifies its owner failed: ${cause.message.replace(/\.$/, '')}`;
  }
}

/**
 * Whether a member may be the owner of the token. If the owner is unknown, only admins may be, provided that
 * the platform says that the token has that role.
 */
export function mayOwnToken(
  owner: TokenOwner,
  member: Member,
  { permissions }: Pick<Organization, 'permissions'>,
): boolean {
  if (owner.is === 'known') return owner.member.id === member.id;
  if (owner.is === 'one of') return owner.members.some(({ id }) => id === member.id);
  return permissions?.admin !== true || member.role === 'admin';
}
