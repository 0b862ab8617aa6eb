import { calledMember, lastAdminReason, ownerReasons } from '../../access/member-refusals.js';
import { findTokenOwner } from '../../access/read/token-owner.js';
import { type Member, updateMember } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { usageError } from '../../base/errors.js';
import { requestFor } from '../../jobs/request.js';
import type { Mistake } from '../../jobs/rows.js';
import { type Step, stepOf } from '../../jobs/step.js';
import { safeLine } from '../../output/safe-text.js';
import type { Reading } from '../../snapshot/unread.js';
import { readTeams } from '../offboard/holdings.js';
import { lookUp } from '../offboard/people.js';
import { type Leaving, planLeaving } from '../offboard/plan.js';
import { reasonsAgainst } from '../offboard/refusals.js';
import type { Action } from '../offboard/report.js';
import type { Decided, Misplaced } from './decisions.js';

/** A decision about a member as it is now. */
export interface Standing extends Decided {
  member: Member;
}

export interface Compared {
  standing: Standing[];
  mistakes: Mistake[];
  /** Members who are kept, and whose role changed since the review. */
  warnings: Mistake[];
}

/** Compares the decisions with the platform. @param found the mistakes in the file itself */
export async function compare(
  reading: Reading,
  decided: readonly Decided[],
  found: readonly Misplaced[],
): Promise<Compared> {
  const mistakes = [...found];
  const warnings: Mistake[] = [];
  const standing: Standing[] = [];
  const lines = new Map<string, number>();
  const names = decided.map(({ name }) => name);
  for (const [at, { name, member, wrong }] of (await lookUp(reading, names)).entries()) {
    const one = decided[at] as Decided;
    const mistaken = (message: string, place = one.place) =>
      mistakes.push({ index: one.index, ...place, message });
    if (member === undefined) {
      mistaken(wrong?.message ?? '', { ...one.place, ...name.place });
      continue;
    }
    const first = lines.get(member.id);
    lines.set(member.id, first ?? one.place.line);
    const changed = changedSince(one, member);
    if (first !== undefined)
      mistaken(`Duplicate decision for ${calledMember(member)}; the first is in line ${first}.`);
    else if (changed !== undefined && one.decision.is !== 'keep') mistaken(`${changed} Review it again.`);
    else {
      if (changed !== undefined) warnings.push({ ...one.place, message: changed });
      standing.push({ ...one, member });
    }
  }
  const ordered = mistakes.sort((a, b) => a.index - b.index).map(({ index: _, ...mistake }) => mistake);
  return { standing, mistakes: ordered, warnings };
}

/** A role that changed to the one decided on needs no second review. */
function changedSince({ decision, reviewedRole }: Decided, member: Member): string | undefined {
  if (reviewedRole === undefined || reviewedRole === member.role) return undefined;
  if (decision.is === 'role' && decision.role === member.role) return undefined;
  const [was, is] = [reviewedRole ?? 'guest', member.role ?? 'guest'];
  return `The role of ${calledMember(member)} changed from ${safeLine(was)} to ${safeLine(is)} since the review.`;
}

export function isChange({ decision, member }: Standing): boolean {
  if (decision.is === 'role') return decision.role !== member.role;
  return decision.is === 'remove';
}

export interface ReviewPlan {
  steps: Step[];
  actions: ReadonlyMap<string, Action[]>;
  reasons: string[];
}

/**
 * Turns the decisions of a review into requests: role changes, then removals.
 * @param options.heir id or email of the new owner of teams that would have none
 * @param options.pings whether pings may be sent to find the owner of the token
 * @param options.self id of the owner of the token, where sign-in found that out
 * @throws DocsError usage `bad_people` where there is no such heir; as `Client.call`
 */
export async function planChanges(
  reading: Reading,
  changes: readonly Standing[],
  { heir, pings, self }: { heir: string | undefined; pings: boolean; self?: string | undefined },
): Promise<ReviewPlan> {
  const { client, organizationId } = reading;
  const removed = changes.filter(({ decision }) => decision.is === 'remove').map(({ member }) => member);
  const held = await readTeams(reading, removed);
  const leaving: Leaving = { organizationId, ...held, heir: await heirOf(reading, heir) };
  const lost = changes.filter(({ decision }) => !(decision.is === 'role' && decision.role === 'admin'));
  const members = ({ member }: Standing) => member;
  const lastAdmin = await lastAdminReason(reading, lost.map(members));
  const organization = await client.call(getOrg, { path: { organizationId } });
  const reasons = reasonsAgainst(leaving, organization, lastAdmin);
  const own = changes.map(members).find(({ id }) => id === self);
  if (pings || own !== undefined) {
    const owner = own
      ? ({ is: 'known', member: own } as const)
      : await findTokenOwner(client, organizationId);
    reasons.push(...ownerReasons(owner, changes.map(members), organization));
  }
  const steps: Step[] = [];
  for (const { decision, member } of changes) {
    if (decision.is !== 'role') continue;
    const path = { organizationId, userId: member.id };
    const request = requestFor(updateMember, path, { role: decision.role });
    steps.push(stepOf(request, steps.length, { expect: { role: member.role } }));
  }
  const plan = planLeaving(leaving, steps.length);
  return { steps: [...steps, ...plan.steps], actions: plan.actions, reasons };
}

async function heirOf(reading: Reading, text: string | undefined): Promise<Member | undefined> {
  if (text === undefined) return undefined;
  const [looked] = await lookUp(reading, [{ text }]);
  if (looked?.member !== undefined) return looked.member;
  const message = `--reassign-teams-to: ${looked?.wrong?.message ?? ''}`;
  throw usageError('bad_people', message, { hint: 'docs members list' });
}
