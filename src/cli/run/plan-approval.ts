import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DocsError, sentences } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { JobChange } from '../../jobs/change.js';
import { changesIn, type Job, type PlanSource, plannedLine } from '../../jobs/journal.js';
import { doubtOfMade } from '../../jobs/made-check.js';
import { restOf } from '../../jobs/outlook.js';
import { readsOf } from '../../jobs/reads.js';
import { loadRules } from '../../jobs/rule-book.js';
import { canonical } from '../../jobs/state.js';
import { defaultMaxAgeMs, foreign, jobOfPlan, type Reason, refusal } from '../../plans/check.js';
import { type Loaded, loadPlan } from '../../plans/file.js';
import { itemsOf } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import type { ApprovalsOfPlan } from '../../plans/show/summary.js';
import type { ApprovalStanding, PlanFile } from '../../policy/approval/standing.js';
import type { Asking, Gate } from '../../policy/policy.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { originOf } from './origin.js';
import type { UsedUp } from './proposal.js';

/** The approvals that the policies in force want for a plan (AGENTS-AND-POLICY.md, "Approval"). */

/** What approvals verify against; undefined without policies, which loads nothing. */
export async function savedFile(
  { gate, io }: Session,
  path: string,
  bytes: Uint8Array,
): Promise<PlanFile | undefined> {
  if (gate === undefined) return undefined;
  return (await import('../../policy/approval/standing.js')).planFile(io, path, bytes);
}

/**
 * Who approved a plan that is about to be applied, and what is missing; undefined where no policy asks.
 * @param file that it was read from; a plan without one can have no approval
 * @param facts.maxAgeMs of `--older-than`
 * @throws DocsError forbidden `policy_denied` where a plan that was made now needs an approval
 */
export async function approvalOf(
  session: Session,
  plan: Plan,
  file: PlanFile | undefined,
  { maxAgeMs = defaultMaxAgeMs, reasons = [] }: ApprovalFacts,
): Promise<ApprovalStanding | undefined> {
  // Nothing of it is to be trusted, or even understood.
  if (session.gate === undefined || reasons.length > 0) return undefined;
  const asking = await session.gate.asking(plan);
  const [first] = asking;
  if (first === undefined) return undefined;
  if (file === undefined) throw await wantsFile(session, plan, first);
  const { standingOf } = await import('../../policy/approval/standing.js');
  const { refuseUsed } = await import('../../policy/approval/used.js');
  const found = await standingOf(session.io, plan, asking, { file, maxAgeMs });
  const policies = asking.map(({ policy }) => policy);
  const used = refuseUsed(session.io, policies, { plan, nonces: found.nonces });
  return { ...found, reasons: [...used, ...found.reasons] };
}

/** What applying a plan uses up of its approvals. */
export function usedUpOf(
  { io }: Session,
  plan: Plan,
  { policies: asking, nonces }: Pick<ApprovalStanding, 'policies' | 'nonces'>,
): UsedUp {
  const policies = asking.map(({ policy }) => policy);
  const load = () => import('../../policy/approval/used.js');
  return {
    use: async (job) => (await load()).useApprovals(io, policies, { plan, nonces, job }),
    giveBack: async (job) => (await load()).giveBack(io, policies, { plan, nonces, job }),
  };
}

interface ApprovalFacts {
  maxAgeMs?: number | undefined;
  /** Why the plan is not as it was made. */
  reasons?: readonly { code: string }[];
}

/** The denial of the gate, which records it, with the way to a plan that can be approved. */
async function wantsFile({ gate, globals, io }: Session, plan: Plan, { by }: Asking): Promise<DocsError> {
  const { file, line, rule } = by;
  const own = `policy denies docs apply: it requires an approved plan (${JSON.stringify(rule)}, ${file}:${line}); nothing was sent`;
  const denied = await gate?.job(changesIn(itemsOf(plan)), { command: plan.command }).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (denied !== undefined && !(denied instanceof DocsError && denied.code === 'policy_denied')) throw denied;
  const hint = atPlace('docs plan --save-plan plan.json', globals, io.platform);
  const details = denied?.failure.details ?? { file, line, rule, verdict: 'ask' };
  return new DocsError('forbidden', 'policy_denied', denied?.message ?? own, {
    outcome: 'not-sent',
    hint,
    details,
  });
}

/**
 * Who approved a plan and what is missing, to be shown with it; undefined where no policy asks and nobody approved.
 * Only a policy that takes a merge for an approval makes this ask its remote.
 * @param of.path of its file, as typed
 * @param of.edited whether the plan is not as it was made, so that no approval holds
 */
export async function approvalsOf(
  session: Session,
  plan: Plan,
  of: { path: string; bytes: Uint8Array; edited: boolean },
): Promise<ApprovalsOfPlan | undefined> {
  const { io, gate } = session;
  const path = resolve(io.cwd, of.path);
  // An edited plan may name operations that do not exist.
  const asking = of.edited || gate === undefined ? [] : await gate.asking(plan);
  if (asking.length === 0 && !existsSync(`${path}.approvals`)) return undefined;
  const { parseApprovals, readApprovals } = await import('../../policy/approval/approvals.js');
  const { all } = parseApprovals(readApprovals(path));
  if (asking.length === 0 && all.length === 0) return undefined;
  const { planFile, standingOf } = await import('../../policy/approval/standing.js');
  const file = planFile(io, of.path, of.bytes);
  const { policies, by, reasons } = await standingOf(io, plan, asking, { file, maxAgeMs: defaultMaxAgeMs });
  const given = all.map(({ email, when, host, key }, at) => {
    const each = policies.flatMap(({ judged }) => judged[at] ?? []);
    const holds = each.length === 0 ? null : each.some(({ is }) => is === 'holds');
    const why = holds === false ? each.find((one) => one.why !== '')?.why : undefined;
    return { email, when, host, key, holds, ...defined({ why }) };
  });
  const approved = asking.length === 0 ? null : reasons.length === 0;
  return { approved, by, given, missing: reasons.map(({ message }) => message) };
}

/**
 * Resuming a job that applies a plan, under policies: the journal proves no approval, so the plan and its approvals
 * are read again, and the journal must hold what the plan says (docs/decisions/021-approval.md).
 */

interface Resuming {
  job: Job;
  gate: Gate;
}

/**
 * Holds what is left of a job against the policies, with the approvals that its plan has now.
 * @returns refuses the journal if it differs from the approved plan when it is read again
 * @throws DocsError forbidden `policy_denied`, also where the journal differs from the approved plan; usage
 *   `plan_unapproved`, `plan_policy_changed`, `plan_edited`, `plan_foreign`, …, all reasons at once
 */
export async function passPlan(session: Session, resuming: Resuming): Promise<(job: Job) => Promise<void>> {
  const { job, gate } = resuming;
  const loaded = await planOf(session, job, job.header.planFile);
  if ('code' in loaded) return passUnapproved(resuming, () => refusal([loaded]));
  const { plan } = loaded;
  const asking = await gate.asking(plan);
  if (asking.length === 0) return passUnapproved(resuming, (denial) => denial);
  const asPlanned = async (read: Job): Promise<boolean> => {
    const why = differing(session, plan, read);
    if (why === undefined) return true;
    const hint = `docs jobs show ${read.header.job}`;
    const withWhy = (denial: DocsError) => denial.changed({ hint }, sentences(denial.message, why));
    await passUnapproved({ ...resuming, job: read }, withWhy);
    return false;
  };
  if (!(await asPlanned(job))) return async () => {};
  const found = await standingNow(session, job, loaded, asking);
  if (found.reasons.length > 0) throw refusal(found.reasons);
  const { job: name } = job.header;
  await gate.job(restOf(job), { command: plan.command, approved: true });
  return async (again) => {
    if (!(await asPlanned(again))) return;
    const doubt = await doubtIn(session, plan, again);
    if (doubt !== undefined) {
      const hint = `docs jobs show ${name}`;
      const withWhy = (denial: DocsError) => denial.changed({ hint }, sentences(denial.message, doubt));
      await passUnapproved({ ...resuming, job: again }, withWhy);
    }
    await usedUpOf(session, plan, found).use(name);
  };
}

/** What `passPlan` finds of the approvals, for a job that is not resumed; undefined where none is needed, or none helps. */
export async function approvalOfJob(
  session: Session,
  { job, gate }: Resuming,
): Promise<ApprovalStanding | undefined> {
  const loaded = await planOf(session, job, job.header.planFile);
  if ('code' in loaded) return undefined;
  const asking = await gate.asking(loaded.plan);
  if (asking.length === 0 || differing(session, loaded.plan, job) !== undefined) return undefined;
  return standingNow(session, job, loaded, asking);
}

/** The approvals of a plan for what is left of its job, with every reason against it. */
async function standingNow(
  session: Session,
  { header: { job, planFile: source } }: Job,
  { plan, bytes }: Loaded,
  asking: readonly Asking[],
): Promise<ApprovalStanding> {
  const [{ planFile, standingOf }, { refuseUsed }] = await Promise.all([
    import('../../policy/approval/standing.js'),
    import('../../policy/approval/used.js'),
  ]);
  const file = planFile(session.io, source?.path ?? '', bytes);
  // Whether the approval was valid when the job began cannot be proven: it must be now.
  const found = await standingOf(session.io, plan, asking, { file, maxAgeMs: Number.POSITIVE_INFINITY });
  const policies = asking.map(({ policy }) => policy);
  const used = refuseUsed(session.io, policies, { plan, nonces: found.nonces, job });
  return { ...found, reasons: [...used, ...elsewhere(session, plan), ...found.reasons] };
}

/** Where no approval helps, or none is needed. @param denied what is thrown in place of a denial for lack of one */
async function passUnapproved(
  { job, gate }: Resuming,
  denied: (denial: DocsError) => DocsError,
): Promise<() => Promise<void>> {
  try {
    await gate.job(restOf(job), { command: job.header.command });
  } catch (cause) {
    const asks = cause instanceof DocsError && cause.failure.details?.verdict === 'ask';
    throw asks ? denied(cause) : cause;
  }
  return async () => {};
}

/** The plan of a job as its file has it now, or why that is not the plan. @throws what is a bug */
async function planOf(
  { io }: Session,
  { header }: Job,
  { path, hash }: PlanSource = { path: '', hash: '' },
): Promise<Loaded | Reason> {
  const about = `Job ${header.job} applies plan ${header.plan}, which requires an approval`;
  let loaded: Loaded;
  try {
    loaded = await loadPlan(io, path);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const message = sentences(about, cause.message, 'Put the plan and its approvals back to resume the job');
    return { code: 'plan_unapproved', message, hint: `ls -l ${shellWord(dirname(path), io.platform)}` };
  }
  const { plan, reasons } = loaded;
  const [edited] = reasons;
  if (edited !== undefined) return edited;
  if (plan.id === header.plan && plan.hash === hash) return loaded;
  const message = `${about}, and ${path} now holds another plan, ${plan.id}.`;
  return { code: 'plan_edited', message, hint: `docs plan show ${shellWord(path, io.platform)}` };
}

/** Why a job is not that of a plan, as a sentence; undefined where every request is as planned. */
function differing({ io }: Session, plan: Plan, { header, items }: Job): string | undefined {
  const { command, undoes, evidence, job } = header;
  const owner = jobOfPlan(io, plan.id);
  if (owner !== job)
    return `Plan ${plan.id} was not applied by this job${owner === undefined ? '' : ` but by ${owner}`}.`;
  const heads = [{ command, undoes, evidence }, plan].map((one) =>
    canonical([one.command, one.undoes ?? null, one.evidence ?? null]),
  );
  const steps = itemsOf(plan);
  if (heads[0] !== heads[1] || items.length !== steps.length)
    return `The journal of job ${job} differs from the approved plan ${plan.id}.`;
  const at = items.findIndex((item, index) => {
    const step = steps[index];
    return step === undefined || planned(item.change) !== planned(step.change);
  });
  return at < 0 ? undefined : `Item ${at} of job ${job} differs from the approved plan ${plan.id}.`;
}

/** All of a line but the entry of the lock before it, which the plan does not know. */
function planned(change: JobChange): string {
  const { lock, ...line } = plannedLine(change);
  return canonical({ ...line, lock: lock && { item: lock.item, to: lock.to } });
}

/** Why an id that the job made is not believed. Reads only what later requests take. */
async function doubtIn(session: Session, plan: Plan, { items }: Job): Promise<string | undefined> {
  const client = await session.client();
  const rules = await loadRules(items.map(({ change }) => change.op.id));
  const sinceMs = () => {
    const nowMs = session.io.now();
    return Date.parse(plan.madeAt) + (client.platformNowMs ?? nowMs) - nowMs;
  };
  return doubtOfMade(items, { reads: readsOf(client), rules, sinceMs });
}

/** An approved plan is applied where it was made for, whatever the journal says. */
function elsewhere(session: Session, plan: Plan): Reason[] {
  const { settings } = session;
  const organization = settings.org?.value ?? plan.organization;
  return foreign(plan, { origin: originOf(session), profile: settings.profile.value, organization });
}
