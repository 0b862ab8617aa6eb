import type { Member } from '../api/resources/members.js';
import type { Organization } from '../api/resources/orgs.js';
import { type DocsError, usageError } from '../base/errors.js';
import { safeLine } from '../output/safe-text.js';
import { organization } from '../snapshot/organization.js';
import type { Reading } from '../snapshot/unread.js';
import { adminsLeft } from './guards.js';
import { nameOf, personOf } from './person.js';
import { mayOwnToken, type TokenOwner } from './read/token-owner.js';

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
  return [lastAdminWords(lost)];
}

/** As `lastAdminReason`, where all admins are known. @param lost those of them who would be none any more */
export function lastAdminReasons(admins: readonly Member[], lost: readonly Member[]): string[] {
  const left = adminsLeft(admins, new Set(lost));
  return lost.length === 0 || left.length > 0 ? [] : [lastAdminWords(lost)];
}

function lastAdminWords(lost: readonly Member[]): string {
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
  const more = reasons.length > 1 ? ` This is one of ${reasons.length} reasons.` : '';
  const details = { reasons: [...reasons] };
  return { reasons, error: usageError('refused', `${first} Nothing was changed.${more}`, { details }) };
}
