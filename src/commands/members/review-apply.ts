import { calledMember, refusal } from '../../access/member-refusals.js';
import type { Command, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { confirmChange, preview } from '../../cli/run/confirm.js';
import { readRowsFile } from '../../cli/run/gather.js';
import { checkResults } from '../../cli/run/job-results.js';
import { noteSaid, refuse, warnReader } from '../../cli/run/output.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { sendListed } from '../../cli/run/runner.js';
import type { Source } from '../../jobs/journal.js';
import { mistakeWords } from '../../jobs/rows.js';
import { requestsOf, type Step } from '../../jobs/step.js';
import { counted } from '../../output/counted.js';
import { findCredential } from '../../settings/credentials.js';
import { decisionsIn } from '../../workflows/access-review/decisions.js';
import {
  type Compared,
  compare,
  isChange,
  planChanges,
  type ReviewPlan,
  type Standing,
} from '../../workflows/access-review/plan.js';
import { badRows } from '../../workflows/offboard/people.js';
import { actionWords } from './offboard-print.js';

/**
 * `docs members review --apply`: carries out the decisions of a review as one job.
 * @throws DocsError usage `bad_rows` where a row no longer fits the platform, `refused`; partial where not
 *   all was done
 */
export async function applyReview(session: Session, command: Command, input: ManualInput): Promise<void> {
  const { printer, globals } = session;
  const { apply, reassignTeamsTo: heir, skipInvalid } = input.options;
  const { rows, source } = await readRowsFile(session, String(apply), '--apply');
  const { decided, mistakes, undecided } = decisionsIn(rows);
  const plans = session.savePlan !== undefined;
  if (!globals.dryRun && !plans) await checkResults(session);
  const reading = await readingOf(session, input);
  const compared = await compare(reading, decided, mistakes);
  tellMistakes(session, compared, skipInvalid === true);
  const changes = compared.standing.filter(isChange);
  const kept = compared.standing.length - changes.length;
  if (kept > 0) printer.note(`${counted(kept, 'member')} unchanged.`);
  if (undecided > 0) printer.note(`${counted(undecided, 'row')} without a decision skipped.`);
  if (changes.length === 0 && !plans) return printer.note('No changes to apply.');
  const pings = !globals.dryRun && !plans;
  // A ping tells for sure; without one, what sign-in found is all there is.
  const self = plans ? (await findCredential(session.io, session.settings))?.member?.id : undefined;
  const options = { heir: typeof heir === 'string' ? heir : undefined, pings, self };
  const plan = await planChanges(reading, changes, options);
  refuse(session, refusal(plan.reasons));
  const calls = requestsOf(plan.steps);
  if (plans) return saveReview(session, changes, plan);
  if (globals.dryRun) return preview(session, calls, true);
  if (session.interactive && !globals.yes) printer.warn(changeLines(changes, plan).join('\n'));
  const danger = changes.some(({ decision }) => decision.is === 'remove') ? 'confirm' : 'change';
  const what = `Apply the review: ${counted(changes.length, 'decision')}, ${counted(calls.length, 'request')}`;
  await confirmChange(session, () => session.client(), { ...command, danger }, calls, what);
  await carryOut(session, input, plan.steps, source);
}

/** `--save-plan`: what each decision comes to is a risk, since the requests name ids. */
async function saveReview(session: Session, changes: readonly Standing[], plan: ReviewPlan): Promise<void> {
  const { savePlan } = await import('../../cli/run/save-plan.js');
  const titles = Object.fromEntries(changes.map(({ member }) => [member.id, calledMember(member)]));
  const risks = changeLines(changes, plan).map((line) => `${line.trim()}.`);
  await savePlan(session, { command: 'members review', steps: plan.steps, risks, titles });
}

function tellMistakes(session: Session, { mistakes, warnings }: Compared, skips: boolean): void {
  for (const warning of warnings) session.printer.warn(mistakeWords(warning));
  if (mistakes.length === 0) return;
  warnReader(session, mistakes.map(mistakeWords));
  if (!skips) throw badRows(mistakes);
  session.printer.note(`${counted(mistakes.length, 'invalid row')} skipped.`);
}

function changeLines(changes: readonly Standing[], { actions }: ReviewPlan): string[] {
  return changes.flatMap(({ decision, member }) => {
    const name = `  ${calledMember(member)}`;
    if (decision.is === 'role') return `${name}: ${member.role ?? 'guest'} to ${decision.role ?? 'guest'}`;
    return (actions.get(member.id) ?? []).map((action) => `${name}: ${actionWords(action)}`);
  });
}

async function carryOut(
  session: Session,
  input: ManualInput,
  steps: readonly Step[],
  source: Source | undefined,
): Promise<void> {
  const again = input.options.again === true;
  const sending = { command: 'members review', steps, again, ...(source !== undefined && { source }) };
  const { job } = await sendListed(session, input, sending, { doing: 'Applying' });
  const undoes = job !== undefined && session.settings.rehearsal === undefined;
  const back = !undoes ? '' : ` docs undo ${job} undoes what can be undone.`;
  await noteSaid(session, `Applied the review: ${counted(steps.length, 'request')} sent.${back}`);
}
