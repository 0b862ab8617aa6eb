import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { savedText } from '../../cli/run/save-plan.js';
import { counted } from '../../output/text.js';
import { refusedText } from '../../plans/check.js';
import { sends } from '../../plans/operation.js';
import type { Plan } from '../../plans/plan.js';
import { isConflict, summaryOf } from '../../plans/show/summary.js';
import { dirWords, type planAspects } from '../shared/organization-files.js';

/** How `docs plan` and `docs plan drift` end: exit code, and what to run next. */

export interface EndsBy {
  /** The words of the command: `plan`. */
  command: string;
  /** Whether it exits 17 if there is anything in the plan. */
  exitCode: boolean;
}

export async function endingOf(
  session: Session,
  input: ManualInput,
  plan: Plan,
  { command, exitCode }: EndsBy,
): Promise<{ failure?: DocsError; note?: string | undefined } | undefined> {
  const { savePlan } = session;
  if (savePlan !== undefined) session.printer.note(await savedText(session, plan, savePlan));
  if (plan.operations.length === 0) return undefined;
  if (command === 'plan' && plan.operations.some(sends)) notePreviewed(session);
  if (exitCode || fails(plan, input)) return { failure: foundSomething(session, plan, input, command) };
  return { note: savePlan === undefined ? await nextNote(session, plan, input) : undefined };
}

/** What a plan of a folder shows, `docs apply` would make. */
function notePreviewed({ previewed, savePlan, line }: Session): void {
  const words = ['apply', ...line.slice(line.indexOf('plan') + 1)];
  previewed?.push({ shown: savePlan === undefined ? '--dry-run' : '--save-plan', words });
}

/** Whether `--fail-on` names something that the plan has. */
function fails({ operations }: Plan, { options: { failOn } }: ManualInput): boolean {
  const asked = [failOn ?? []].flat();
  return operations.some((one) => asked.includes(aspectOf(one)));
}

function aspectOf(operation: Plan['operations'][number]): (typeof planAspects)[number] {
  if (operation.action === 'drift') return 'drift';
  if (operation.action !== 'finding') return 'change';
  return isConflict(operation) ? 'conflict' : 'finding';
}

function foundSomething(session: Session, plan: Plan, input: ManualInput, command: string): DocsError {
  const isDrift = command === 'plan drift';
  const code = isDrift ? 'drift_found' : 'changes_found';
  const isOld = plan.operations.some(({ finding }) => finding?.code === 'unwatched');
  const pull = `docs pull${isOld ? '' : ' --only drift'}${dirWords(session, input)}`;
  const hint = isDrift ? pull : undefined;
  const message = isDrift ? driftFound(plan) : `changes found: ${summaryOf(plan)}`;
  return new DocsError('findings', code, message, {
    outcome: 'not-sent',
    ...(hint !== undefined && { hint }),
  });
}

/** `drift found: 2 changes made by hand`, and what else `docs plan drift` shows. */
function driftFound({ operations, ...head }: Plan): string {
  const drift = operations.filter(({ action }) => action === 'drift');
  const others = operations.filter(({ action }) => action !== 'drift');
  const rest = others.length === 0 ? '' : summaryOf({ ...head, operations: others });
  if (drift.length === 0) return `drift found: ${rest}`;
  return `drift found: ${counted(drift.length, 'change')} made by hand${rest === '' ? '' : `; ${rest}`}`;
}

/** What to run next, where there is something to apply. */
async function nextNote(session: Session, plan: Plan, input: ManualInput): Promise<string | undefined> {
  const { operations } = plan;
  const sent = operations.filter(sends);
  if (sent.length === 0) return undefined;
  const { io, globals } = session;
  const refused = refusedText({ operations });
  if (refused !== undefined) return refused;
  const dir = dirWords(session, input);
  const here = (command: string) => atPlace(command, globals, io.platform);
  const apply = here(`docs apply${choiceWords(session, input)}${dir}`);
  const keep = `"${here(`docs pull --only drift${dir}`)}" keeps it in the files instead.`;
  const drift = sent.filter(({ action }) => action === 'drift').length;
  const reverts = `reverts changes made by hand; ${keep}`;
  const asking = (await session.gate?.asking(plan)) ?? [];
  const save = here(`docs plan --save-plan plan.json${choiceWords(session, input)}${dir}`);
  const saves = `The policy requires an approval of these changes: "${save}" saves them for it.`;
  const also = drift === 0 ? '' : ` It also ${reverts}`;
  if (asking.length > 0) return drift === 0 ? saves : `${saves} The plan ${reverts}`;
  const makes = `"${apply}" makes these changes; --save-plan keeps them for approval.`;
  return drift === sent.length ? `"${apply}" ${reverts}` : makes + also;
}

/** `--prune` and `--take`, as they were typed. */
function choiceWords({ io }: Session, { options }: ManualInput): string {
  const takes = [options.take ?? []].flat().map((take) => ` --take ${shellWord(String(take), io.platform)}`);
  return `${options.prune === true ? ' --prune' : ''}${takes.join('')}`;
}
