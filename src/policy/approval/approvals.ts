import fs from 'node:fs';
import { type Static, Type } from '../../api/type.js';
import { readJson } from '../../api/validate.js';
import { onDisk, onDiskSync } from '../../base/errors.js';
import { appendTo } from '../../base/log-file.js';
import { sameEmail } from '../../base/name.js';
import { openOwnFile } from '../../base/own-files.js';
import { canonical } from '../../jobs/state.js';
import { ageText, clockDoubtMs } from '../../plans/check.js';
import { hashOfPlan } from '../../plans/hash.js';
import type { Plan } from '../../plans/plan.js';
import { fingerprintOf } from '../../signing/keys.js';
import { publicPartOf } from '../../signing/signer.js';
import { isSignatureOf, namespaces, parseSignature } from '../../signing/ssh-signature.js';
import type { Policy } from '../policy.js';

/** Version 1 had no nonce. */
export const approvalVersion = 2;

/**
 * One approval: somebody says about exactly one plan that it may be applied, under the policies that name their key.
 * It is a line of `<plan>.approvals`.
 */
const Approval = Type.Object(
  {
    approval: Type.Union([Type.Literal(1), Type.Literal(approvalVersion)], {
      description: 'Version of the format',
    }),
    nonce: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{32}$', description: 'What it is used up by, once' }),
    ),
    plan: Type.String({ description: 'Id of the plan' }),
    hash: Type.String({ description: 'Hash of the plan' }),
    email: Type.String({ description: 'As the policy has it' }),
    when: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$', format: 'date-time' }),
    host: Type.String({ description: 'The machine that it was given on' }),
    policies: Type.Array(Type.String(), {
      description: 'Hashes of the policies that name the key for this email',
    }),
    rehearsed: Type.Optional(
      Type.Literal(true, {
        description:
          'Whether its giver saw the plan rehearsed, without a failure, on a copy of the organization',
      }),
    ),
    key: Type.String({ description: 'SHA256:…' }),
    signature: Type.String({
      description: 'As ssh-keygen -Y sign makes it, over the canonical JSON of all else',
    }),
  },
  { additionalProperties: false },
);
export type Approval = Static<typeof Approval>;

/** What is signed. */
export type Statement = Omit<Approval, 'signature'>;

/** What an approval is used up by. One of version 1 has the hash of its plan for it. */
export function nonceOf({ nonce, hash }: Pick<Approval, 'nonce' | 'hash'>): string {
  return nonce ?? hash;
}

export function statementBytes({ signature: _, ...statement }: Statement & { signature?: string }): Buffer {
  return Buffer.from(canonical(statement));
}

/** Whether the approvals of a plan hold under a policy. Pure. */

/** What an approval comes to under one policy. */
export type ApprovalState =
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
  is: ApprovalState;
  /** Why it does not count, as the end of a sentence; empty where it holds. */
  why: string;
}

interface Age {
  nowMs: number;
  /** Of `--older-than`, in milliseconds; the smaller of this and of what the policy allows counts. */
  maxAgeMs: number;
}

/** What the approvals of a plan come to under one policy. */
interface Verified {
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
): readonly [ApprovalState, string] {
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
  if (own.some(({ email }) => isOwnPlan(plan, policy, email)))
    return ['maker', `${approval.email} made the plan, and someone else must approve it`];
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
function isMaker({ by }: Plan, email: string): boolean {
  return by !== 'unknown' && (sameEmail(email, by.email) || sameEmail(email, by.id));
}

/**
 * Whether somebody may not approve a plan because it is theirs: what their agent made through MCP, they may unless
 * `fourEyes` is set. That the environment names an agent counts for nothing, since whoever runs docs chooses it.
 */
export function isOwnPlan(plan: Plan, { approve }: Policy, email: string): boolean {
  const isAgents = plan.by !== 'unknown' && plan.by.via === 'mcp';
  return isMaker(plan, email) && (approve?.fourEyes === true || !isAgents);
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

/** The approvals of a plan: `<plan>.approvals`, one JSON object a line, added and never changed. */

/** Further bytes are not read: a thousand approvals are about 900 KB. */
const largest = 1024 * 1024;
/** A longer line is no approval, in characters: one of an RSA key of 16,384 bits has 6,000. */
const longestLine = 16 * 1024;

/** What an approvals file holds. */
interface Approvals {
  all: readonly Approval[];
  /** Lines that are not approvals: torn, of a later version, or something else. */
  unreadable: number;
}

export function approvalsPath(plan: string): string {
  return `${plan}.approvals`;
}

/**
 * @param plan path of the plan, absolute
 * @returns the text; empty where nobody has approved
 * @throws DocsError configuration `unsafe_path`; local-io
 */
export function readApprovals(plan: string): string {
  const path = approvalsPath(plan);
  return onDiskSync(`cannot read ${path}`, () => {
    const fd = openOwnFile(path);
    if (fd === undefined) return '';
    try {
      const bytes = Buffer.alloc(Math.min(fs.fstatSync(fd).size, largest));
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, 0)).toString('utf8');
    } finally {
      fs.closeSync(fd);
    }
  });
}

/**
 * Adds an approval, by one write at the end of the file: of two that are given at once both stay. The line begins
 * with a line break, so that one that was torn before it spoils nothing.
 * @param plan path of the plan, absolute
 * @throws DocsError configuration `unsafe_path`; local-io
 */
export async function addApproval(plan: string, approval: Approval): Promise<void> {
  const path = approvalsPath(plan);
  const append = (log: number) => {
    const { size } = fs.fstatSync(log);
    fs.writeFileSync(log, `${size === 0 ? '' : '\n'}${JSON.stringify(approval)}\n`);
  };
  await onDisk(`cannot write ${path}`, () => appendTo(path, append));
}

/** Reads approvals, whatever the text is. */
export function parseApprovals(text: string): Approvals {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const short = lines.filter(({ length }) => length <= longestLine);
  const all = short.flatMap((line) => readJson(Approval, line) ?? []);
  return { all, unreadable: lines.length - all.length };
}
