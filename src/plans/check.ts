import fs from 'node:fs';
import { join } from 'node:path';
import { type DocsError, sentences, systemCode, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isRunning, ownProcess, type WorkingProcess } from '../base/lock.js';
import { readOwnFile } from '../base/own-files.js';
import { isObject, jsonIn } from '../base/values.js';
import { createWholeSync, writeAtomicallySync } from '../base/write-file.js';
import { environmentIssues, referencesIn } from '../jobs/environment.js';
import { JobFolder } from '../jobs/job-folder.js';
import { journalFailure } from '../jobs/journal-file.js';
import { counted } from '../output/text.js';
import type { Plan } from './plan.js';
import { guardCode } from './schema.js';

export { guardCode } from './schema.js';

/**
 * Which plans were applied: a file for each in the folder of jobs, `plan-<id>.<n>`, which `jobs prune` leaves
 * alone. A process claims a plan before it creates its job, and then writes the job's name into its claim. A claim
 * without a job whose process is dead holds nothing, unless a journal names the plan: then its job was created and
 * only the name is missing. Otherwise the plan may be claimed anew, as `<n + 1>`: of several that try at once the
 * file system lets one through.
 */

interface Claim extends WorkingProcess {
  plan: string;
  /** ISO 8601. */
  at: string;
  job?: string;
}

interface PlanClaim {
  /** Records the job that applies the plan. Call it once the job has its journal. */
  begun(job: string): void;
  /** Gives the plan back: nothing was sent, and it has no job. */
  release(): void;
}

/** A process of another machine that has no job after this long has none, in milliseconds. */
const elsewhereMs = 3_600_000;

/** How long to wait for the name of a job that another process is creating, in milliseconds. */
const patienceMs = 2000;
const pauseMs = 50;

/**
 * Claims a plan for this process.
 * @throws DocsError usage `plan_applied`, which names the job; local-io `journal_unwritable`
 */
export async function claimPlan(io: Io, plan: string): Promise<PlanClaim> {
  const folder = new JobFolder(io);
  folder.make();
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const found = latest(folder, plan);
    const job = found && jobOf(io, folder, found.claim);
    const holds = found !== undefined && (job !== undefined || isAtWork(io, found.claim));
    if (holds && (job !== undefined || waitedMs >= patienceMs))
      throw refusal(reasonsOf(plan, found.claim, { job, folder }));
    if (!holds) {
      const own = take(io, folder, plan, (found?.turn ?? 0) + 1);
      if (own !== undefined) return own;
    }
    // Another process is about to name its job, or was faster.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The claims of this account that name the job which applied their plan. */
export function claimedPlans(io: Io): { plan: string; job: string }[] {
  const { path } = new JobFolder(io);
  return namesIn(path).flatMap((name) => {
    const { job } = (claimName.test(name) && claimIn(join(path, name))) || {};
    const [, plan = ''] = claimName.exec(name) ?? [];
    return job === undefined ? [] : [{ plan, job }];
  });
}

/** Why a plan must not be applied again; empty where it was not. */
export function refuseApplied(io: Io, plan: string): Reason[] {
  const folder = new JobFolder(io);
  const found = latest(folder, plan);
  if (found === undefined) return [];
  const job = jobOf(io, folder, found.claim);
  return job === undefined && !isAtWork(io, found.claim) ? [] : reasonsOf(plan, found.claim, { job, folder });
}

/** The job that applies a plan, or applied it; undefined where there is none on this machine. */
export function jobOfPlan(io: Io, plan: string): string | undefined {
  const folder = new JobFolder(io);
  const found = latest(folder, plan);
  return found && jobOf(io, folder, found.claim);
}

function reasonsOf(
  plan: string,
  { at, pid }: Claim,
  { job, folder }: { job: string | undefined; folder: JobFolder },
): Reason[] {
  if (job === undefined) {
    const message = `The plan ${plan} is being applied by another docs process (pid ${pid}).`;
    return [{ code: 'plan_applied', message, hint: 'docs jobs list' }];
  }
  const message = `The plan ${plan} was applied at ${at} by job ${job}; a plan is applied once.`;
  // A journal may be pruned; the audit chain keeps what its job did.
  const isKept = folder.entries().some((entry) => entry.job === job);
  const hint = isKept ? `docs jobs show ${job}` : `docs audit list --job ${job}`;
  return [{ code: 'plan_applied', message, hint }];
}

/** The job of a claim. Where its process ended before it could write it down, the journals tell. */
function jobOf(io: Io, folder: JobFolder, claim: Claim): string | undefined {
  return claim.job ?? (isAtWork(io, claim) ? undefined : folder.withPlan(claim.plan));
}

function isAtWork(io: Io, claim: Claim): boolean {
  if (!isRunning(claim)) return false;
  return claim.host === ownProcess().host || io.now() - Date.parse(claim.at) < elsewhereMs;
}

function latest(folder: JobFolder, plan: string): { claim: Claim; turn: number } | undefined {
  const turns = namesIn(folder.path).flatMap((name) => {
    const [, id, turn] = claimName.exec(name) ?? [];
    return id === plan ? [Number(turn)] : [];
  });
  for (const turn of turns.sort((a, b) => b - a)) {
    const claim = claimIn(join(folder.path, nameOf(plan, turn)));
    if (claim !== undefined) return { claim, turn };
  }
  return undefined;
}

const claimName = /^plan-(p-[0-9a-f]+)\.(\d+)$/;

function nameOf(plan: string, turn: number): string {
  return `plan-${plan}.${turn}`;
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return [];
    throw cause;
  }
}

/** undefined where it has just been released. A file that is no claim counts as one without a process. */
function claimIn(path: string): Claim | undefined {
  const bytes = readOwnFile(path);
  if (bytes === undefined) return undefined;
  const value = jsonIn(bytes.toString('utf8')) as Claim | undefined;
  if (isObject(value)) return value;
  // Written whole or not at all; somebody else put it there.
  return { plan: '', at: '', pid: 0, started: '', host: '' };
}

function take(io: Io, folder: JobFolder, plan: string, turn: number): PlanClaim | undefined {
  const path = join(folder.path, nameOf(plan, turn));
  const claim: Claim = { plan, at: new Date(io.now()).toISOString(), ...ownProcess() };
  if (!onDisk(io, path, () => createWholeSync(path, lineOf(claim)))) return undefined;
  return {
    begun: (job) => onDisk(io, path, () => writeAtomicallySync(path, [lineOf({ ...claim, job })])),
    release: () => fs.rmSync(path, { force: true }),
  };
}

function lineOf(claim: Claim): string {
  return `${JSON.stringify(claim)}\n`;
}

function onDisk<T>(io: Io, path: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    throw journalFailure(io, path, cause);
  }
}

/** Why a plan must not be applied: a sentence for each guard. */
export function brokenGuards({ operations }: Pick<Plan, 'operations'>): string[] {
  return operations.flatMap(({ finding }) => (finding?.code === guardCode ? [finding.message] : []));
}

/** Why `docs apply` refuses a plan that would break guards; undefined where it would break none. */
export function refusedText(plan: Pick<Plan, 'operations'>): string | undefined {
  const reasons = brokenGuards(plan);
  const [first] = reasons;
  if (first === undefined) return undefined;
  const why = reasons.length === 1 ? first : `${reasons.length} guards would be broken (see Findings).`;
  return `"docs apply" refuses this plan: ${why}`;
}

/**
 * Refuses a plan that would break guards, with all of them at once; nothing was sent.
 * @throws DocsError usage `guarded`, with `details.reasons`
 */
export function refuseGuarded(plan: Pick<Plan, 'operations'>): void {
  const reasons = brokenGuards(plan);
  if (reasons.length > 0) throw guarded(reasons);
}

function guarded(reasons: readonly string[]): DocsError {
  const [first] = reasons;
  const isOne = reasons.length === 1;
  const message = isOne
    ? sentences(first ?? '', 'Nothing was changed')
    : `${reasons.length} guards would be broken; nothing was changed`;
  return usageError(guardCode, message, {
    hint: 'docs help org-as-code',
    ...(!isOne && { lines: reasons }),
    details: { reasons: [...reasons] },
  });
}

/** Why a plan is refused, the gravest first; the first one that holds is the code of the error. */
const reasonCodes = [
  'plan_applied',
  'plan_edited',
  'plan_misdescribed',
  'plan_foreign',
  'plan_version',
  'plan_expired',
  'plan_unapproved',
  'plan_self_approved',
  'plan_policy_changed',
  'env_unset',
  'env_changed',
] as const;
type ReasonCode = (typeof reasonCodes)[number];

export interface Reason {
  code: ReasonCode;
  /** A sentence. */
  message: string;
  /** One command to run next. */
  hint: string;
}

/** All reasons as one error (exit 2): nothing was sent. @param reasons at least one */
export function refusal(reasons: readonly Reason[]): DocsError {
  const sorted = [...reasons].sort((a, b) => reasonCodes.indexOf(a.code) - reasonCodes.indexOf(b.code));
  const [first = { code: 'plan_edited', message: '', hint: '' }] = sorted;
  const reasonTexts = sorted.map((one) => one.message);
  // An error begins with a small letter; a reason alone is a sentence.
  const message = sentences(...reasonTexts, 'Nothing was sent').replace(/^The\b/, 'the');
  return usageError(first.code, message, {
    hint: first.hint,
    details: { reasons: sorted.map(({ code, message: why, hint }) => ({ code, message: why, hint })) },
  });
}

/** How old a plan may be unless told otherwise, in milliseconds. */
export const defaultMaxAgeMs = 86_400_000;

/** A plan of a clock that runs ahead by this much is one of the future, in milliseconds. */
export const clockDoubtMs = 5 * 60_000;

/** What is known of a plan that is about to be approved. */
interface ApprovalFacts {
  maxAgeMs?: number | undefined;
  /** What is wrong with its file: of `loadPlan`. */
  reasons?: readonly Reason[];
  /** Whether a job of it can be resumed: the plan is applied already, and its age no longer matters. */
  begun?: boolean;
}

/** Where a plan is about to be applied. */
export interface CheckFacts extends ApprovalFacts {
  /** As in the header of a journal. */
  origin: string;
  profile: string;
  organization?: string | undefined;
  /** How it is named in commands: its path. */
  path?: string;
}

/**
 * Refuses a plan that must not be applied here and now, or, for approving it, that could not be applied anywhere as far as
 * this machine can tell. All reasons are told at once; nothing was sent.
 * @throws DocsError usage: `plan_applied`, `plan_edited`, `plan_misdescribed`, `plan_version`, `plan_expired`, and of a plan
 *   to apply `plan_foreign`, `env_unset`, `env_changed`, whichever comes first; `details.reasons` lists all
 */
export function checkPlan(io: Io, plan: Plan, facts: CheckFacts | ApprovalFacts): void {
  const { reasons: given = [], begun = false } = facts;
  const applied = begun ? [] : refuseApplied(io, String(plan.id));
  const all = [...applied, ...given.filter(({ code }) => code !== 'plan_applied' || applied.length === 0)];
  // Of another version, nothing else of it is understood.
  const isRead = !begun && !given.some(({ code }) => code === 'plan_version');
  if (isRead && 'origin' in facts) all.push(...foreign(plan, facts), ...variables(io, plan));
  if (isRead) all.push(...expired(io, plan, facts));
  if (all.length > 0) throw refusal(all);
}

/** Why a plan was made for somewhere else: one reason for all that differs; empty where it was made for here. */
export function foreign(plan: Plan, facts: CheckFacts): Reason[] {
  const pairs = [
    ['organization', plan.organization, facts.organization],
    ['platform', plan.origin, facts.origin],
    ['profile', plan.profile, facts.profile],
  ] as const;
  const differing = pairs.filter(
    ([what, its, own]) => its !== own && !(what === 'organization' && its === undefined),
  );
  if (differing.length === 0) return [];
  const told = differing.map(([what, its, own]) => `${what} ${its}, not ${own ?? 'none'}`).join('; ');
  return [{ code: 'plan_foreign', message: `The plan was made for ${told}.`, hint: 'docs config list' }];
}

function expired(io: Io, plan: Plan, { maxAgeMs = defaultMaxAgeMs }: Pick<CheckFacts, 'maxAgeMs'>): Reason[] {
  const ageMs = io.now() - Date.parse(plan.madeAt);
  const hint = 'docs apply --help';
  if (ageMs < -clockDoubtMs || Number.isNaN(ageMs)) {
    const message = `The plan was made at ${plan.madeAt}, which is in the future by the clock of this machine.`;
    return [{ code: 'plan_expired', message, hint: 'date' }];
  }
  if (ageMs <= maxAgeMs) return [];
  const message = `The plan was made ${ageText(ageMs)} ago; --older-than allows ${ageText(maxAgeMs)}.`;
  return [{ code: 'plan_expired', message, hint }];
}

/** A span of time in words: `90 seconds`, `3 hours`. */
export function ageText(ms: number): string {
  if (ms < 120_000) return counted(Math.round(ms / 1000), 'second');
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function variables(io: Io, { operations }: Plan): Reason[] {
  const { unset, changed } = environmentIssues(
    io.env,
    operations.flatMap(({ request }) => referencesIn(request?.body)),
  );
  const reason = (code: 'env_unset' | 'env_changed', names: readonly string[], how: string): Reason[] => {
    const [first] = names;
    if (first === undefined) return [];
    const message = `Environment ${names.length === 1 ? 'variable' : 'variables'} ${names.join(', ')} ${how}.`;
    return [{ code, message, hint: code === 'env_unset' ? `printenv ${first}` : 'docs plan' }];
  };
  return [
    ...reason('env_unset', unset, `${unset.length === 1 ? 'is' : 'are'} not set`),
    ...reason('env_changed', changed, 'changed after the plan was made'),
  ];
}
