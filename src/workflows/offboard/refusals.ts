import type { Client } from '../../api/client.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import type { Organization } from '../../api/resources/orgs.js';
import type { Session } from '../../cli/declare/session.js';
import { type DocsError, usageError } from '../../errors.js';
import { safeLine } from '../../output/safe-text.js';
import { type Holdings, personOf } from './holdings.js';
import { type Leaving, ownerless } from './plan.js';
import { nameOf } from './report.js';
import { mayOwnToken, type TokenOwner } from './token-owner.js';

/** What is not done, however much it is asked for. All reasons are told at once. */

/** Everybody who is to lose the role admin, or the organization. */
export interface AdminsLost {
  organizationId: string;
  /** Members who are removed, or get a lesser role. */
  members: readonly Member[];
}

/** Whether an admin would be left. One that is disabled cannot administer anything. */
export async function lastAdminReason(
  client: Client,
  { organizationId, members }: AdminsLost,
): Promise<string | undefined> {
  const lost = members.filter(({ role }) => role === 'admin');
  if (lost.length === 0) return undefined;
  const ids = new Set(lost.map(({ id }) => id));
  const query = { role: 'admin' };
  for await (const { id, disabled } of client.call(listMembers, { path: { organizationId }, query }))
    if (!ids.has(id) && !disabled) return undefined;
  const names = lost.map(calledMember).join(' and ');
  return `${names} ${lost.length === 1 ? 'is the last admin' : 'are the last admins'} of the organization: make somebody else one first.`;
}

/** Whether a member is, or may be, who runs this. */
export function ownerReason(
  owner: TokenOwner,
  member: Member,
  organization: Organization,
): string | undefined {
  if (!mayOwnToken(owner, member, organization)) return undefined;
  if (owner.is === 'known') return `${calledMember(member)} owns the token in use: that is you.`;
  return `${calledMember(member)} may own the token in use, and so be you: ${owner.why}.`;
}

/** Whether the platform says that the token is no admin's: then most requests would be refused half way. */
export function roleReason({ permissions }: Organization): string | undefined {
  if (permissions?.admin !== false) return undefined;
  return 'The token in use may not administer the organization: this needs the role admin.';
}

/** Why nobody can take over what they were asked to. */
export function heirReasons({ holdings, heir }: Pick<Leaving, 'holdings' | 'heir'>): string[] {
  if (heir === undefined) return [];
  const leaves = holdings.some(({ member }) => member.id === heir.id);
  return [
    ...(leaves ? [`${calledMember(heir)} cannot take over teams: they are offboarded, too.`] : []),
    ...(heir.disabled ? [`${calledMember(heir)} cannot take over teams: the member is disabled.`] : []),
  ];
}

/** Teams that would be without an owner, where nobody was named to take over. */
export function ownerlessReasons(leaving: Leaving): string[] {
  if (leaving.heir !== undefined) return [];
  return ownerless(leaving).map(({ title, owners }) => {
    const names = owners.map((owner) => safeLine(nameOf(owner))).join(' and ');
    const only = owners.length === 1 ? 'is the only owner' : 'are the only owners';
    return `${names} ${only} of team ${safeLine(title)}: name who takes over with --reassign-teams-to.`;
  });
}

/** Without the teams, or the other owners of one, nobody knows what would be left behind. */
export function unknownTeamsReasons(holdings: readonly Holdings[]): string[] {
  return holdings.flatMap(({ member, teams, teamsKnown, unseen }) => {
    if (!teamsKnown) return [`The teams of ${calledMember(member)} cannot be read.`];
    const hidden = teams.filter(({ id, role }) => role === 'owner' && unseen.some((one) => one.id === id));
    return hidden.map(
      ({ title }) =>
        `Whether ${calledMember(member)} is the only owner of team ${safeLine(title)} cannot be read.`,
    );
  });
}

export function calledMember(member: Member): string {
  return safeLine(nameOf(personOf(member)));
}

/** @throws DocsError usage `refused`, where there is any reason */
export function refuse({ printer, settings }: Session, reasons: readonly string[]): void {
  const [first] = reasons;
  if (first === undefined) return;
  const isJson = ['json', 'ndjson'].includes(settings.output?.value ?? '');
  if (!isJson && reasons.length > 1) for (const reason of reasons) printer.warn(reason);
  throw refusal(reasons);
}

function refusal(reasons: readonly string[]): DocsError {
  const more = reasons.length > 1 ? ` There are ${reasons.length} reasons, all told.` : '';
  return usageError('refused', `${reasons[0]} Nothing was changed.${more}`, {
    details: { reasons: [...reasons] },
  });
}
