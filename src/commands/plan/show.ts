import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { approvalsOf } from '../../cli/run/plan-approval.js';
import { refuseApplied } from '../../plans/applied.js';
import { loadPlan } from '../../plans/file.js';
import { refusedText } from '../../plans/guards.js';
import type { Plan } from '../../plans/plan.js';
import { refusal } from '../../plans/reasons.js';
import { reportPage } from '../report-page.js';
import { checkPrinting, fileOf, printPlan, writePage } from './print.js';

/** `docs plan show`: a plan from its file. Sends nothing, and needs neither settings nor the platform. */

/**
 * Shows a plan; of one that was edited, it warns.
 * @throws DocsError usage `plan_version`, `plan_misdescribed`, `not_a_plan`; local-io
 */
export async function showPlan(session: Session, input: ManualInput): Promise<void> {
  await checkPrinting(session);
  const page = await reportPage(session, input);
  const file = String(input.args.file);
  const { plan, reasons, untrue, bytes } = await loadPlan(session.io, file);
  if (reasons.some(({ code }) => code === 'plan_version')) throw refusal(reasons);
  if (untrue.length > 0) throw refusal(untrue);
  const approval = await approvalsOf(session, plan, {
    path: file,
    bytes,
    edited: reasons.length > 0,
  });
  const unfit = reasons.map(({ message }) => `${message} It cannot be applied.`);
  const around = { reasons: unfit, ...defined({ approval, file: plan.lock && fileOf }) };
  const look = { full: input.options.full === true, made: true };
  await printPlan(session, plan, look, approval).finally(() => writePage(page, plan, around));
  for (const sentence of unfit) session.printer.warn(sentence);
  const wanting = approval?.approved === false;
  const standing = standingOf(session, plan, file, { edited: reasons.length > 0, wanting });
  if (standing !== undefined) session.printer.note(standing);
}

/** Whether a plan was applied on this machine, and what to run next. */
function standingOf(
  session: Session,
  plan: Plan,
  file: string,
  { edited, wanting }: { edited: boolean; wanting: boolean },
): string | undefined {
  const { io } = session;
  const at = (command: string) => atPlace(command, placeOf(session, plan), io.platform);
  const [applied] = refuseApplied(io, plan.id);
  if (applied !== undefined) return `${applied.message} See "${at(applied.hint)}".`;
  if (edited) return undefined;
  if (!plan.operations.some(({ request }) => request !== undefined))
    return 'Nothing in this plan can be applied.';
  const refused = refusedText(plan);
  if (refused !== undefined) return refused;
  if (wanting)
    return `Not applied on this machine; to approve it, run "${at(`docs approve ${shellWord(file, io.platform)}`)}".`;
  return `Not applied on this machine; "${at(`docs apply ${shellWord(file, io.platform)}`)}" applies it.`;
}

/** The flags that say where a plan belongs, where the session says something else. */
function placeOf({ globals, settings }: Session, { profile }: Plan): Parameters<typeof atPlace>[1] {
  if (profile === 'sandbox') return { ...globals, sandbox: true };
  return profile === settings.profile.value ? globals : { ...globals, profile };
}
