import { defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { applyPlan } from '../../cli/run/apply-plan.js';
import type { FindImpact } from '../../cli/run/impact.js';
import { leftError, printUnsent } from '../../cli/run/job-results.js';
import { planDrafts, planFacts } from '../../cli/run/make-plan.js';
import { readsOf } from '../../jobs/reads.js';
import { safeLine } from '../../output/text.js';
import type { Draft, Plan, PlanNote } from '../../plans/plan.js';
import { rememberingClient } from '../../snapshot/organization.js';
import { printPlan } from './print-plan.js';

/** The road of every command that finds out what to do and does it: a plan, shown, saved or applied as a job. */

/** What a command found to do. */
export interface DraftProposal {
  /** Its words, without ids and flags. */
  command: string;
  /** In the order in which they are sent; see `Draft` for ids that earlier ones make. */
  drafts: readonly Draft[];
  organization?: string;
  /** Title of the organization. */
  title?: string;
  /** What to know before it starts, as sentences. */
  risks?: readonly string[];
  /** What readers should know although nothing is planned for it. */
  notes?: readonly PlanNote[];
  /** What the changes break, where that is not what their requests tell one by one. */
  impact?: FindImpact;
  /** The sentence where nothing is to be sent. */
  nothing: string;
  /** What to do once the changes are agreed to, before the first is sent; also where they are saved as a plan. */
  agreed?: () => Promise<void>;
}

/**
 * Shows a proposal (`--dry-run`), saves it (`--save-plan`), or asks and applies it as one job.
 * @param groups all commands, as `run` gets them
 * @returns whether it was applied
 * @throws DocsError as `applyPlan`; partial `left_over` where a draft is a finding
 */
export async function propose(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
  proposal: DraftProposal,
): Promise<boolean> {
  const plan = await planOf(session, proposal);
  return applyPlan(session, plan, input, {
    groups,
    agreed: proposal.agreed,
    show: () => showMade(session, plan, input),
    tellNothing: () => tellNothing(session, plan, proposal.nothing),
  });
}

/** `--dry-run` of a plan that was made now. */
export async function showMade(session: Session, plan: Plan, input: ManualInput): Promise<void> {
  await printPlan(session, plan, input);
  session.printer.note('Dry run: nothing was sent.');
}

/** On standard output the empty result of its format, on standard error why; the same in a pipe. */
async function tellNothing(session: Session, plan: Plan, nothing: string): Promise<void> {
  await printUnsent(session, plan);
  const left = leftError(session, plan, 0);
  // What is left would belie it.
  if (left === undefined) session.printer.note(nothing);
  for (const { item, message, hint = '' } of plan.notes ?? [])
    session.printer.note(safeLine(`${item}: ${message} ${hint}`.trimEnd()));
  if (left !== undefined) throw left;
}

/** Makes the plan. Sends nothing but reads. */
async function planOf(session: Session, proposal: DraftProposal): Promise<Plan> {
  const { command, organization, title, impact: found } = proposal;
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const facts = await planFacts(session, command, defined({ organization, title }));
  return planDrafts(session, readsOf(rememberingClient(client)), facts, { ...proposal, found });
}
