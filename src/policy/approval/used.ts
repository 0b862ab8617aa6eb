import { join } from 'node:path';
import { type Static, Type } from '../../api/type.js';
import { readJson } from '../../api/validate.js';
import type { Io } from '../../base/io.js';
import { type Reason, refusal } from '../../plans/check.js';
import type { Plan } from '../../plans/plan.js';
import { LedgerFile, placeOf } from '../place.js';
import type { Policy } from '../policy.js';

/**
 * Which approvals were used: `approvals.jsonl` in the place of the policy that asked for them. A claim of `plans/check.ts`
 * can be removed by whoever applies a plan, and an undo makes what the plan rests on true again; this file is only ever
 * appended to, so an administrator can make it one that nobody can shorten. Of two lines for one approval the first
 * counts, without a lock.
 */

const Line = Type.Object({
  is: Type.Union([Type.Literal('used'), Type.Literal('given-back')]),
  plan: Type.String(),
  /** Of the plan. */
  hash: Type.String(),
  nonces: Type.Array(Type.String()),
  job: Type.String(),
  at: Type.String({ description: 'ISO 8601' }),
});
type Line = Static<typeof Line>;

/** What a job uses. */
export interface Use {
  plan: Pick<Plan, 'id' | 'hash'>;
  /** Of the approvals that hold. */
  nonces: readonly string[];
  job: string;
}

const fileName = 'approvals.jsonl';

/** The files of policies, each once. */
function pathsOf(io: Io, policies: readonly Policy[]): string[] {
  return [...new Set(policies.map((policy) => join(placeOf(io, policy), fileName)))];
}

/**
 * Why a plan must not be applied again under its approvals; empty where no other job used them.
 * @param use.job the one that goes on; none: a new one
 * @throws DocsError configuration `unsafe_path`; local-io `approvals_unusable`
 */
export function refuseUsed(
  io: Io,
  policies: readonly Policy[],
  { plan, nonces = [], job }: Pick<Use, 'plan'> & { [name in 'nonces' | 'job']?: Use[name] | undefined },
): Reason[] {
  for (const path of pathsOf(io, policies)) {
    const first = firstUse(linesIn(io, path), { plan, nonces });
    if (first !== undefined && first.job !== job) return [usedReason(plan.id, first)];
  }
  return [];
}

/**
 * Uses approvals up, before the first request. A job that goes on has used them already.
 * @throws DocsError usage `plan_applied` where another job was first; local-io `approvals_unusable`
 */
export async function useApprovals(io: Io, policies: readonly Policy[], use: Use): Promise<void> {
  for (const path of pathsOf(io, policies)) {
    const own = linesIn(io, path).filter(({ is, job }) => is === 'used' && job === use.job);
    const isOwn = own.length > 0 && use.nonces.every((one) => own.some(({ nonces }) => nonces.includes(one)));
    if (!isOwn) await append(io, path, lineOf(io, 'used', use));
    const first = firstUse(linesIn(io, path), use);
    if (first !== undefined && first.job === use.job) continue;
    await giveBack(io, policies, use);
    if (first === undefined) throw ledgerAt(io, path).unusable('it does not keep written data');
    throw refusal([usedReason(use.plan.id, first)]);
  }
}

/** Gives back what a job did not need: it changed nothing. */
export async function giveBack(io: Io, policies: readonly Policy[], use: Use): Promise<void> {
  for (const path of pathsOf(io, policies))
    if (linesIn(io, path).some(({ job }) => job === use.job))
      await append(io, path, lineOf(io, 'given-back', use));
}

/** The first job that used a plan or one of its approvals, and did not give them back. */
function firstUse(lines: readonly Line[], { plan, nonces }: Pick<Use, 'plan' | 'nonces'>): Line | undefined {
  const back = new Set(lines.flatMap(({ is, job }) => (is === 'given-back' ? [job] : [])));
  return lines.find(
    (line) =>
      line.is === 'used' &&
      !back.has(line.job) &&
      (line.hash === plan.hash || line.nonces.some((nonce) => nonces.includes(nonce))),
  );
}

function usedReason(plan: string, { job, at }: Line): Reason {
  const message = `The plan ${plan} was applied at ${at} by job ${job}; an approval is valid for one apply.`;
  return { code: 'plan_applied', message, hint: `docs jobs show ${job}` };
}

function lineOf(io: Io, is: Line['is'], { plan, nonces, job }: Use): Line {
  return {
    is,
    plan: plan.id,
    hash: plan.hash,
    nonces: [...nonces],
    job,
    at: new Date(io.now()).toISOString(),
  };
}

/** What is no line of ours counts for nothing, and hides nothing. */
function linesIn(io: Io, path: string): Line[] {
  const text = ledgerAt(io, path).read().toString('utf8');
  return text.split('\n').flatMap((line) => readJson(Line, line) ?? []);
}

function append(io: Io, path: string, line: Line): Promise<void> {
  const ledger = ledgerAt(io, path);
  ledger.makePlace();
  // A line that was torn before it spoils nothing.
  return ledger.append(`\n${JSON.stringify(line)}\n`);
}

function ledgerAt(io: Io, path: string): LedgerFile {
  return new LedgerFile(io, path, { name: 'approvals', code: 'approvals_unusable' });
}
