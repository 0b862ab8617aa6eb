import { usageError } from '../../base/errors.js';
import { colorLevel, writeStandardError } from '../../output/terminal.js';
import { counted } from '../../output/text.js';
import type { Plan } from '../../plans/plan.js';
import { changesSomething } from '../../plans/show/summary.js';
import { type PlanLook, planText } from '../../plans/show/text.js';
import type { Session } from '../declare/session.js';
import { askText, askYes } from '../resolve/prompts.js';
import { notAsked } from './confirm.js';
import { warnReader } from './output-flags.js';

/** What is asked before a plan is applied. */

/** How the picture looks beside width and colour. */
export type Look = Pick<PlanLook, 'full' | 'made' | 'file'>;

/** Refuses a plan that nobody can be asked about, before anything is read. @throws usage `not_confirmed` */
export function refuseUnasked({ globals, interactive }: Session, plan: Plan): void {
  if (!globals.yes && !globals.dryRun && !interactive) throw notAsked(whatOf(plan));
}

/**
 * Shows a plan on a terminal and asks: yes or no where all of it can be undone, else its number of changes is typed.
 * @param risks those of the plan, and what was found since
 * @throws DocsError usage `not_confirmed`: nothing was sent
 */
export async function confirmPlan(
  session: Session,
  plan: Plan,
  risks: readonly string[],
  look: Look,
): Promise<void> {
  const { printer, globals } = session;
  if (!globals.yes) showPlan(session, plan, look);
  // The picture tells the risks of the plan.
  const told = globals.yes ? [] : plan.risks;
  const more = risks.filter((risk) => !told.includes(risk));
  if (globals.yes) return warnReader(session, more);
  if (more.length > 0) printer.warn(more.join('\n'));
  const changes = changesOf(plan);
  const what = whatOf(plan);
  let agreed: boolean;
  if (changes.some(({ undo }) => undo === 'none')) {
    const count = String(changes.length);
    agreed = (await askText(session, `${what}. Type ${count} to go on:`)).trim() === count;
  } else agreed = await askYes(session, `${what}?`);
  if (!agreed) throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

/** The picture of a plan, on standard error: standard output is for what comes of it. */
export function showPlan({ io, globals }: Session, plan: Plan, look: Look): void {
  const colour = colorLevel(io, globals, 'stderr') > 0;
  writeStandardError(io, `${planText(plan, { columns: io.stderr.columns || 80, colour, ...look })}\n`);
}

function whatOf(plan: Plan): string {
  return `Apply ${counted(changesOf(plan).length, 'change')}`;
}

function changesOf({ operations }: Plan) {
  return operations.filter(changesSomething);
}
