import type { Client } from '../api/client.js';
import { listMembers, type Member } from '../api/resources/members.js';
import { type Organization, pingOrg } from '../api/resources/orgs.js';
import { DocsError, sentences, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { safeLine } from '../output/text.js';
import type { Settings } from '../settings/settings.js';
import { organization } from '../snapshot/organization.js';
import type { Reading } from '../snapshot/unread.js';
import { nameOf, personOf } from './person.js';

/** What an organization must not lose, each defined once. Pure: they judge what was read. */

/** Whether somebody counts as an admin: a disabled one cannot sign in. */
export function isActiveAdmin({ role, disabled }: { role: unknown; disabled?: unknown }): boolean {
  return role === 'admin' && disabled !== true;
}

/** Who of the admins would still be one. @param lost those who would not */
function adminsLeft<T extends { role: unknown; disabled?: unknown }>(
  admins: readonly T[],
  lost: { has(admin: T): boolean },
): T[] {
  return admins.filter((admin) => isActiveAdmin(admin) && !lost.has(admin));
}

/**
 * What the admins who would be left lack, as a sentence; undefined where one of them is active.
 * @param admins disabled ones included, which the platform may count
 */
export function lastAdminWords<T extends { role: unknown; disabled?: unknown }>(
  admins: readonly T[],
  lost: { has(admin: T): boolean },
): string | undefined {
  if (adminsLeft(admins, lost).length > 0) return undefined;
  return admins.some((admin) => admin.role === 'admin' && !lost.has(admin))
    ? 'Only disabled admins would be left, and none of them can sign in.'
    : 'No admin would be left; the platform does not remove or demote the last one.';
}

/** Whether a team keeps an owner. @param lost owners who leave it, or are none any more */
export function keepsOwner<T>(owners: Iterable<T>, lost: { has(owner: T): boolean }): boolean {
  for (const owner of owners) if (!lost.has(owner)) return true;
  return false;
}

/** Whether a person with this role in a team is its last owner. @param owners how many owners it has */
export function isOnlyOwner(role: string, owners: number): boolean {
  return role === 'owner' && owners === 1;
}

/** Whether somebody could still sign in where only SSO lets in: a linked admin who is not disabled. */
export function hasSsoAdmin(admins: Iterable<{ role: unknown; disabled?: unknown; sso?: unknown }>): boolean {
  for (const admin of admins) if (isActiveAdmin(admin) && admin.sso === true) return true;
  return false;
}

/** By how long members must not have been seen to be inactive, and by which clock. */
export interface Inactivity {
  /** In milliseconds. */
  inactiveMs: number;
  /** By the platform's clock, in milliseconds since the epoch. */
  nowMs: number;
}

/** For members who were never seen, the time since they joined counts. */
export function isInactive(
  { lastSeenAt, joinedAt }: Pick<Member, 'lastSeenAt' | 'joinedAt'>,
  { inactiveMs, nowMs }: Inactivity,
): boolean {
  return nowMs - Date.parse(lastSeenAt ?? joinedAt) >= inactiveMs;
}

/** The part of an email behind the `@`, in lower case. */
export function domainOf(email: string | undefined): string | undefined {
  return email?.split('@').at(-1)?.toLowerCase();
}

/** Whether an email is at one of the domains, in any case of letters; no email is at none. */
export function isAtDomain(email: string | undefined, domains: readonly string[]): boolean {
  const domain = domainOf(email);
  return domains.some((one) => one.toLowerCase() === domain);
}

/** Why members are not removed or demoted, on whichever road. */

/** All reasons, and the error that names the first and holds the others in its details. */
export interface Refusal {
  reasons: readonly string[];
  error: DocsError;
}

/** Why the organization would lose its last admin, were these members not admins; disabled ones do not count. */
export async function lastAdminReason(reading: Reading, members: readonly Member[]): Promise<string[]> {
  const lost = members.filter(({ role }) => role === 'admin');
  if (lost.length === 0) return [];
  const ids = new Set(lost.map(({ id }) => id));
  for await (const admin of organization(reading).administrators())
    if (adminsLeft([admin], { has: ({ id }) => ids.has(id) }).length > 0) return [];
  return [lastAdminSentence(lost)];
}

/** As `lastAdminReason`, where all admins are known. @param lost those of them who would be none any more */
export function lastAdminReasons(admins: readonly Member[], lost: readonly Member[]): string[] {
  const left = adminsLeft(admins, new Set(lost));
  return lost.length === 0 || left.length > 0 ? [] : [lastAdminSentence(lost)];
}

function lastAdminSentence(lost: readonly Member[]): string {
  const are = lost.length === 1 ? 'is the last admin' : 'are the last admins';
  const names = lost.map(calledMember).join(' and ');
  return `${names} ${are} of the organization; make another member an admin first.`;
}

/** Why a member who owns the token, or may own it, is not touched. */
export function ownerReasons(
  owner: TokenOwner,
  members: readonly Member[],
  organization: Pick<Organization, 'permissions'> = {},
): string[] {
  const why =
    owner.is === 'known'
      ? 'owns the token in use; another admin has to do this.'
      : `may own the token in use: ${owner.why}.`;
  return members
    .filter((member) => mayOwnToken(owner, member, organization))
    .map((member) => `${calledMember(member)} ${why}`);
}

export function calledMember(member: Member): string {
  return safeLine(nameOf(personOf(member)));
}

/** @returns with a DocsError usage `refused`; undefined where there are no reasons */
export function refusal(reasons: readonly string[]): Refusal | undefined {
  const [first] = reasons;
  if (first === undefined) return undefined;
  const more = reasons.length > 1 ? [`This is one of ${reasons.length} reasons`] : [];
  const details = { reasons: [...reasons] };
  return {
    reasons,
    error: usageError('refused', sentences(first, 'Nothing was changed', ...more), { details }),
  };
}

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

/**
 * The id of the member whose token it is: as sign-in found it, else as a ping shows it. That changes when the member was
 * last seen, so a dry run and a saved plan send none.
 * @returns else why it cannot be told; without a reason where no ping was sent
 * @throws DocsError as `findTokenOwner`
 */
export async function tokenOwnerId(
  { io, settings, globals, savePlan }: Caller,
  { client, organizationId }: Pick<Reading, 'client' | 'organizationId'>,
): Promise<{ id: string } | { id?: undefined; why?: string }> {
  const { findCredential } = await import('../settings/credentials.js');
  const stored = (await findCredential(io, settings))?.member;
  if (stored !== undefined) return { id: stored.id };
  if (globals.dryRun === true || savePlan !== undefined) return {};
  const owner = await findTokenOwner(client, organizationId);
  return owner.is === 'known' ? { id: owner.member.id } : { why: owner.why };
}

/** Who asks, of a session. */
interface Caller {
  io: Io;
  settings: Settings;
  globals: { dryRun?: boolean };
  savePlan?: string;
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
function mayOwnToken(
  owner: TokenOwner,
  member: Member,
  { permissions }: Pick<Organization, 'permissions'>,
): boolean {
  if (owner.is === 'known') return owner.member.id === member.id;
  if (owner.is === 'one of') return owner.members.some(({ id }) => id === member.id);
  return permissions?.admin !== true || member.role === 'admin';
}
