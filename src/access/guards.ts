import type { Member } from '../api/resources/members.js';

/** What an organization must not lose, each defined once. Pure: they judge what was read. */

/** Whether somebody counts as an admin: a disabled one cannot sign in. */
export function isActiveAdmin({ role, disabled }: { role: unknown; disabled?: unknown }): boolean {
  return role === 'admin' && disabled !== true;
}

/** Who of the admins would still be one. @param lost those who would not */
export function adminsLeft<T extends { role: unknown; disabled?: unknown }>(
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
