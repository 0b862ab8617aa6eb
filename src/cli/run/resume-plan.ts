import { dirname } from 'node:path';
import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Job, PlanLine, PlanSource } from '../../jobs/journal.js';
import { canonical } from '../../jobs/state.js';
import { restOf } from '../../jobs/step.js';
import { foreign, jobOfPlan, type Reason, refusal } from '../../plans/check.js';
import { type Loaded, loadPlan } from '../../plans/file.js';
import type { Plan } from '../../plans/plan.js';
import { stepsOf } from '../../plans/steps.js';
import { planFile, standingOf } from '../../policy/approval/standing.js';
import type { Gate } from '../../policy/policy.js';
import type { Session } from '../declare/session.js';
import { originOf } from './session-job.js';

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
  const { planFile: source } = job.header;
  const found = await planOf(session, job, source);
  if ('code' in found) return passUnapproved(resuming, () => refusal([found]));
  const { plan, bytes } = found;
  const asking = await gate.asking(plan);
  if (asking.length === 0) return passUnapproved(resuming, (denial) => denial);
  const asPlanned = async (read: Job): Promise<boolean> => {
    const why = differing(session, plan, read);
    if (why === undefined) return true;
    await passUnapproved({ ...resuming, job: read }, (denial) => withWhy(denial, read, why));
    return false;
  };
  if (!(await asPlanned(job))) return async () => {};
  const file = planFile(session.io, source?.path ?? '', bytes);
  // Whether the approval was valid when the job began cannot be proven: it must be now.
  const { reasons } = await standingOf(session.io, plan, asking, {
    file,
    maxAgeMs: Number.POSITIVE_INFINITY,
  });
  const all = [...elsewhere(session, plan), ...reasons];
  if (all.length > 0) throw refusal(all);
  await gate.job(restOf(job), { command: plan.command, approved: true });
  return async (again) => {
    await asPlanned(again);
  };
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
    const message = `${about}. ${cause.message} Put the plan and its approvals back to resume the job.`;
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
  const steps = stepsOf(plan);
  if (heads[0] !== heads[1] || items.length !== steps.length)
    return `The journal of job ${job} differs from the approved plan ${plan.id}.`;
  const at = items.findIndex((item, index) => {
    const step = steps[index];
    return step === undefined || planned(item.plan) !== planned(step.record.plan);
  });
  return at < 0 ? undefined : `Item ${at} of job ${job} differs from the approved plan ${plan.id}.`;
}

/** All of a line but the entry of the lock before it, which the plan does not know. */
function planned({ lock, ...line }: PlanLine): string {
  return canonical({ ...line, lock: lock && { item: lock.item, to: lock.to } });
}

/** The denial of a request that no approval covers, with the reason why not. */
function withWhy({ kind, code, message, failure }: DocsError, { header }: Job, why: string): DocsError {
  return new DocsError(kind, code, `${message} ${why}`, { ...failure, hint: `docs jobs show ${header.job}` });
}

/** An approved plan is applied where it was made for, whatever the journal says. */
function elsewhere(session: Session, plan: Plan): Reason[] {
  const { settings } = session;
  const organization = settings.org?.value ?? plan.organization;
  return foreign(plan, { origin: originOf(session), profile: settings.profile.value, organization });
}
