import fs from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isRunning, ownProcess, type WorkingProcess } from '../base/lock.js';
import { readOwnFile } from '../base/own-files.js';
import { isObject } from '../base/values.js';
import { createWholeSync, writeAtomicallySync } from '../base/write-file.js';
import { JobFolder } from '../jobs/job-folder.js';
import { journalFailure } from '../jobs/journal-file.js';
import { type Reason, refusal } from './reasons.js';

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

export interface PlanClaim {
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
      throw refusal(reasonsOf(plan, found.claim, job));
    if (!holds) {
      const own = take(io, folder, plan, (found?.turn ?? 0) + 1);
      if (own !== undefined) return own;
    }
    // Another process is about to name its job, or was faster.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Why a plan must not be applied again; empty where it was not. */
export function refuseApplied(io: Io, plan: string): Reason[] {
  const folder = new JobFolder(io);
  const found = latest(folder, plan);
  if (found === undefined) return [];
  const job = jobOf(io, folder, found.claim);
  return job === undefined && !isAtWork(io, found.claim) ? [] : reasonsOf(plan, found.claim, job);
}

/** The job that applies a plan, or applied it; undefined where there is none on this machine. */
export function jobOfPlan(io: Io, plan: string): string | undefined {
  const folder = new JobFolder(io);
  const found = latest(folder, plan);
  return found && jobOf(io, folder, found.claim);
}

function reasonsOf(plan: string, { at, pid }: Claim, job: string | undefined): Reason[] {
  if (job === undefined) {
    const message = `The plan ${plan} is being applied by another docs process (pid ${pid}).`;
    return [{ code: 'plan_applied', message, hint: 'docs jobs list' }];
  }
  const message = `The plan ${plan} was applied at ${at} by job ${job}; a plan is applied once.`;
  return [{ code: 'plan_applied', message, hint: `docs jobs show ${job}` }];
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
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isObject(value)) return value as unknown as Claim;
  } catch {
    // Written whole or not at all; somebody else put it there.
  }
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
