import { resolve } from 'node:path';
import type { Io } from '../../base/io.js';
import { shellWord } from '../../base/shell-word.js';
import { changesIn } from '../../jobs/journal.js';
import { forecasts } from '../../jobs/outlook.js';
import { ageText, type Reason } from '../../plans/check.js';
import { itemsOf, sends } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import { decide, subjectOf } from '../decide.js';
import type { Asked, Asking, CommandTable, Policy, Subject } from '../policy.js';
import { requestText } from '../request-text.js';
import { type ApprovalState, type Judged, nonceOf, readApprovals, verifyApprovals } from './approvals.js';
import { findMerged, type MergedPlan } from './merged-plan.js';

/** Whether a plan is approved under every policy that asks for it, and what is missing. */

/** A plan's file. */
export interface PlanFile extends MergedPlan {
  /** As it was typed. */
  path: string;
}

/** @param path as typed */
export function planFile({ cwd }: Pick<Io, 'cwd'>, path: string, bytes: Uint8Array): PlanFile {
  return { path, file: resolve(cwd, path), bytes };
}

/** What one policy asks for and gets. */
interface PolicyApprovals extends Asking {
  /** Who approved: emails, or `git:<commit>`; empty: nobody whose approval holds. */
  approvedBy: readonly string[];
  /** Every approval in the file. */
  judged: readonly Judged[];
  /** Why it is not approved; empty where it is. */
  reasons: readonly Reason[];
}

export interface ApprovalStanding {
  policies: readonly PolicyApprovals[];
  /** Who approved, under any of them; each once. */
  by: readonly string[];
  /** Of the approvals that hold: what applying uses up. */
  nonces: readonly string[];
  /** What is missing under all of them. */
  reasons: readonly Reason[];
}

/**
 * @param asking the policies whose `ask` covers a request of the plan
 * @param maxAgeMs of `--older-than`, in milliseconds
 * @throws DocsError interrupted; as `readApprovals`
 */
export async function standingOf(
  io: Io,
  plan: Plan,
  asking: readonly Asking[],
  { file, maxAgeMs }: { file: PlanFile; maxAgeMs: number },
): Promise<ApprovalStanding> {
  const age = { nowMs: io.now(), maxAgeMs };
  const text = readApprovals(file.file);
  const policies: PolicyApprovals[] = [];
  for (const one of asking) {
    const { approve } = one.policy;
    const byKeys = verifyApprovals(plan, text, one.policy, age);
    const byMerge = approve?.git && byKeys.by.length === 0 ? await merged(io, plan, one, { file, age }) : [];
    const approvedBy = [...byKeys.by, ...(typeof byMerge === 'string' ? [byMerge] : [])];
    const missing = typeof byMerge === 'string' ? [] : byMerge;
    const byKey =
      approve?.git !== undefined && approve.by === undefined
        ? []
        : unapproved(io, plan, one, byKeys.judged, file);
    const reasons = approvedBy.length > 0 ? [] : [...byKey, ...missing];
    policies.push({ ...one, approvedBy, judged: byKeys.judged, reasons });
  }
  const by = [...new Set(policies.flatMap(({ approvedBy }) => approvedBy))];
  const holding = policies.flatMap(({ judged }) => judged.filter(({ is }) => is === 'holds'));
  const nonces = [...new Set(holding.map(({ approval }) => nonceOf(approval)))];
  return { policies, by, nonces, reasons: policies.flatMap(({ reasons }) => reasons) };
}

/** `git:<commit>`, or what is missing. */
async function merged(
  io: Io,
  plan: Plan,
  { policy }: Asking,
  { file, age }: { file: PlanFile; age: { nowMs: number; maxAgeMs: number } },
): Promise<string | readonly Reason[]> {
  const { git, validMs = 0 } = policy.approve ?? {};
  if (git === undefined) return [];
  const found = await findMerged(io, file, git);
  if ('why' in found) {
    const wants = `${policy.file} requires the plan on branch ${git.branch} of ${git.remote}.`;
    return [{ code: 'plan_unapproved', message: `${found.why} ${wants}`, hint: found.hint }];
  }
  // When it was merged cannot be told for sure; it was not before it was made.
  const mostMs = Math.min(validMs, age.maxAgeMs);
  const ageMs = age.nowMs - Date.parse(plan.madeAt);
  if (ageMs <= mostMs) return `git:${found.commit}`;
  const message = `The plan was made ${ageText(ageMs)} ago; merged, it counts for ${ageText(mostMs)}.`;
  return [{ code: 'plan_unapproved', message, hint: 'docs plan --help' }];
}

/** Standings that have a code of their own. */
const codes: Partial<Record<ApprovalState, Reason['code']>> = {
  maker: 'plan_self_approved',
  alone: 'plan_self_approved',
  'other-policy': 'plan_policy_changed',
};

function unapproved(
  io: Io,
  plan: Plan,
  { policy, by }: Asking,
  judged: readonly Judged[],
  { path }: PlanFile,
): Reason[] {
  const wanted = `${by.file}:${by.line} (${JSON.stringify(by.rule)}) requires an approval`;
  const people = [...new Set((policy.approve?.by ?? []).map(({ email }) => email))];
  const hint = `docs plan approve ${shellWord(path, io.platform)}`;
  if (policy.approve === undefined) {
    const message = `${wanted} but names no one who may give it.`;
    return [{ code: 'plan_unapproved', message, hint: `docs plan show ${shellWord(path, io.platform)}` }];
  }
  const who = people.length === 0 ? '' : ` by ${people.join(' or ')}`;
  if (judged.length === 0)
    return [
      { code: 'plan_unapproved', message: `The plan ${plan.id} is not approved: ${wanted}${who}.`, hint },
    ];
  const told = new Map<Reason['code'], string>();
  for (const { approval, is, why } of judged) {
    const code = codes[is] ?? 'plan_unapproved';
    const text = `The approval of ${approval.email} does not count: ${why}.`;
    told.set(code, told.has(code) ? `${told.get(code)} ${text}` : text);
  }
  return [...told].map(([code, text]) => ({ code, message: `${text} ${wanted}${who}.`, hint }));
}

/**
 * The policies that want an approval of a plan: those with a rule of `ask` that covers one of its requests. Who may
 * give it says `approve`, which by itself asks for nothing.
 *
 * What a plan says of itself is taken only where it asks for more: the command that made it, and whether it can be undone.
 * Reads nothing, so that a plan can be approved and shown offline; a gate, which does, asks for no more than this.
 * @param owner the command that made the plan as a whole, where there still is one
 */
export function policiesThatAsk(
  policies: readonly Policy[],
  plan: Plan,
  table: CommandTable,
  owner?: Subject,
): readonly Asking[] {
  const told = plan.operations.filter(sends).map(({ undo }) => undo);
  const requests = changesIn(itemsOf(plan));
  const foreseen = forecasts(requests);
  const own = requests.map((request, at) => ({
    what: () => requestText(request),
    subjects: [plan.command, 'apply'].flatMap((command) => [
      subjectOf(request, table, { command }),
      subjectOf(request, table, { command, undo: foreseen[at]?.undo ?? 'none' }),
      subjectOf(request, table, { command, undo: told[at] ?? 'none' }),
    ]),
  }));
  const whole = { what: () => `docs ${plan.command}`, subjects: owner === undefined ? [] : [owner] };
  const all = own.length === 0 ? [] : [whole, ...own];
  return policies.flatMap((policy) => {
    const { value, done } = askedBy(policy, all).next();
    return done === true ? [] : [{ policy, by: value.by, asked: () => [...askedBy(policy, all)] }];
  });
}

/** What a policy asks about, one after another: the first is often enough. */
function* askedBy(
  policy: Policy,
  all: readonly { what(): string; subjects: readonly Subject[] }[],
): Generator<Asked, undefined> {
  for (const { what, subjects } of all) {
    const verdict = subjects.map((subject) => decide([policy], subject)).find(({ is }) => is === 'ask');
    if (verdict?.is === 'ask') yield { what: what(), by: verdict.by };
  }
  return undefined;
}
