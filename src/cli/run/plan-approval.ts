import { DocsError } from '../../errors.js';
import { requestsOf } from '../../jobs/step.js';
import { defaultMaxAgeMs } from '../../plans/check.js';
import type { Plan } from '../../plans/plan.js';
import { stepsOf } from '../../plans/steps.js';
import type { ApprovalStanding, PlanFile } from '../../policy/approval/standing.js';
import type { Asking } from '../../policy/gate.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';

/** The approvals that the policies in force want for a plan (AGENTS-AND-POLICY.md, "Approval"). */

/** The policies that want an approval of a plan; none where no policy is in force. */
export async function askingOf({ gate }: Session, plan: Plan): Promise<readonly Asking[]> {
  return gate === undefined ? [] : gate.asking(requestsOf(stepsOf(plan)), plan.command);
}

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
  const asking = await askingOf(session, plan);
  const [first] = asking;
  if (first === undefined) return undefined;
  if (file === undefined) throw wantsFile(session, first);
  const { standingOf } = await import('../../policy/approval/standing.js');
  return standingOf(session.io, plan, asking, { file, maxAgeMs });
}

interface ApprovalFacts {
  maxAgeMs?: number | undefined;
  /** Why the plan is not as it was made. */
  reasons?: readonly { code: string }[];
}

function wantsFile({ globals, io }: Session, { by }: Asking): DocsError {
  const message = `${by.file}:${by.line} (${by.rule}) wants an approved plan, and this one was made now; nothing was sent.`;
  return new DocsError('forbidden', 'policy_denied', message, {
    outcome: 'not-sent',
    hint: atPlace('docs plan --save-plan plan.json', globals, io.platform),
    details: { file: by.file, line: by.line, rule: by.rule },
  });
}
