import { sameEmail } from '../../base/name.js';
import { ageText, clockDoubtMs } from '../../plans/check.js';
import { hashOfPlan } from '../../plans/file.js';
import type { Plan } from '../../plans/plan.js';
import { fingerprintOf } from '../../signing/keys.js';
import { namespaces } from '../../signing/namespaces.js';
import { publicPartOf } from '../../signing/signer.js';
import { isSignatureOf, parseSignature } from '../../signing/ssh-signature.js';
import type { Policy } from '../policy.js';
import { type Approval, statementBytes } from './approval.js';
import { parseApprovals } from './approvals-file.js';

/** Whether the approvals of a plan hold under a policy. Pure. */

/** What an approval comes to under one policy. */
export type Standing =
  | 'holds'
  | 'other-plan'
  | 'unnamed-key'
  | 'bad-signature'
  | 'expired'
  | 'other-policy'
  /** The policy wants the plan rehearsed, and it does not say that it was. */
  | 'not-rehearsed'
  /** Of the one who made the plan. */
  | 'maker'
  /** It holds, but the maker is unknown, and it is the only one. */
  | 'alone';

export interface Judged {
  approval: Approval;
  is: Standing;
  /** Why it does not count, as the end of a sentence; empty where it holds. */
  why: string;
}

export interface Age {
  nowMs: number;
  /** Of `--max-age`, in milliseconds; the smaller of this and of what the policy allows counts. */
  maxAgeMs: number;
}

/** What the approvals of a plan come to under one policy. */
export interface Verified {
  /** Emails of those whose approval holds, each once; empty: the plan is not approved. */
  by: readonly string[];
  /** Every approval in the file, in its order. */
  judged: readonly Judged[];
  /** Lines that are not approvals. */
  unreadable: number;
}

/**
 * Whether a plan is approved under a policy by keys that it names.
 * @param text of the approvals file; anything
 * @param policy one that names keys
 */
export function verifyApprovals(plan: Plan, text: string, policy: Policy, age: Age): Verified {
  const { all, unreadable } = parseApprovals(text);
  const hash = hashOfPlan(plan);
  const named = keysOf(policy);
  const each = all.map((approval): Judged => {
    const [is, why] = judge(plan, approval, { hash, named, policy, age });
    return { approval, is, why };
  });
  const holding = each.filter(({ is }) => is === 'holds').map(({ approval }) => approval);
  if (isKnown(plan) || areTwo(holding)) return { by: emailsOf(holding), judged: each, unreadable };
  const why = 'it is not known who made the plan, and a second person must approve it, too';
  const judged = each.map((one) => (one.is === 'holds' ? { ...one, is: 'alone' as const, why } : one));
  return { by: [], judged, unreadable };
}

/** A key as a policy names it. */
interface NamedKey {
  email: string;
  blob: Buffer;
}

/** The keys that a policy names, in binary form. */
export function keysOf({ approve }: Policy): NamedKey[] {
  return (approve?.by ?? []).flatMap(({ email, key }) => {
    const blob = publicPartOf(key);
    return blob === undefined ? [] : [{ email, blob }];
  });
}

interface Against {
  /** Of the plan. */
  hash: string;
  named: readonly NamedKey[];
  policy: Policy;
  age: Age;
}

function judge(
  plan: Plan,
  approval: Approval,
  { hash, named, policy, age }: Against,
): readonly [Standing, string] {
  if (approval.hash !== hash || approval.plan !== plan.id)
    return ['other-plan', 'it is of another plan, or of another version of this one'];
  const own = named.filter(({ blob }) => fingerprintOf(blob) === approval.key);
  const [key] = own.filter(({ email }) => sameEmail(email, approval.email));
  if (key === undefined)
    return ['unnamed-key', `${policy.file} does not name this key for ${approval.email}`];
  // Only with keys that the policy names is anything verified.
  const signature = parseSignature(approval.signature);
  const isTheirs =
    signature?.publicKey.equals(key.blob) === true &&
    isSignatureOf(signature, namespaces.approval, statementBytes(approval));
  if (!isTheirs) return ['bad-signature', 'it was changed after it was signed'];
  const late = expiry(approval, policy, age);
  if (late !== undefined) return ['expired', late];
  if (!approval.policies.includes(policy.hash))
    return ['other-policy', `it was given under another version of ${policy.file}`];
  if (policy.approve?.rehearse === true && approval.rehearsed !== true)
    return ['not-rehearsed', `the plan was not rehearsed for it, as ${policy.file} requires`];
  // A key that the policy names for several emails is that of one person.
  if (own.some(({ email }) => isMaker(plan, email)))
    return ['maker', `${approval.email} made the plan, and somebody else must approve it`];
  return ['holds', ''];
}

function expiry({ when }: Approval, { approve }: Policy, { nowMs, maxAgeMs }: Age): string | undefined {
  const ageMs = nowMs - Date.parse(when);
  if (ageMs < -clockDoubtMs) return `its time, ${when}, is in the future by the clock of this machine`;
  const mostMs = Math.min(approve?.validMs ?? 0, maxAgeMs);
  return ageMs > mostMs ? `it was given ${ageText(ageMs)} ago, and counts for ${ageText(mostMs)}` : undefined;
}

/** Whether it can be told that somebody else made a plan. */
export function isKnown({ by }: Plan): boolean {
  return by !== 'unknown' && by.email !== undefined;
}

/** Whether somebody made a plan, as far as it says. */
export function isMaker({ by }: Plan, email: string): boolean {
  return by !== 'unknown' && (sameEmail(email, by.email) || sameEmail(email, by.id));
}

/** Whether two different people are among them: with different emails, and different keys. */
function areTwo(approvals: readonly Approval[]): boolean {
  return approvals.some((one) =>
    approvals.some((other) => !sameEmail(one.email, other.email) && one.key !== other.key),
  );
}

function emailsOf(approvals: readonly Approval[]): string[] {
  return [...new Set(approvals.map(({ email }) => email))];
}
