import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { requestsOf } from '../../jobs/step.js';
import { defaultMaxAgeMs } from '../../plans/check.js';
import type { Plan } from '../../plans/plan.js';
import type { ApprovalsOfPlan } from '../../plans/show/approvals.js';
import { stepsOf } from '../../plans/steps.js';
import type { ApprovalStanding, PlanFile } from '../../policy/approval/standing.js';
import type { Asking } from '../../policy/policy.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';

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
 * @param facts.maxAgeMs of `--max-age`
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
  return standingOf(session.io, plan, asking, { file, maxAgeMs });
}

interface ApprovalFacts {
  maxAgeMs?: number | undefined;
  /** Why the plan is not as it was made. */
  reasons?: readonly { code: string }[];
}

/** The denial of the gate, which records it, with the way to a plan that can be approved. */
async function wantsFile({ gate, globals, io }: Session, plan: Plan, { by }: Asking): Promise<DocsError> {
  const { file, line, rule } = by;
  const own = `Policy denies docs apply: it requires an approved plan (${JSON.stringify(rule)}, ${file}:${line}); nothing was sent.`;
  const denied = await gate?.job(requestsOf(stepsOf(plan)), { command: plan.command }).then(
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
