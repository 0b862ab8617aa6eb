import type { Client } from '../../api/client.js';
import { changesIn, type PlannedChange } from '../../jobs/journal.js';
import { safeLine } from '../../output/text.js';
import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { askText, askYes, confirmChosen, notConfirmed } from '../resolve/prompts.js';
import { asking, foretellDeletion, warnOfImpact } from './foretell.js';
import { type AnyProposal, type Connect, changed, looksFor } from './guard.js';
import { foresee, undoSummary } from './preview.js';
import type { Question, Warnings } from './proposal.js';

/** The question before changes, with what to know for its answer. */

/** @param left what is still to be told @throws DocsError usage `not_confirmed` */
export async function askAbout(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
  left: Warnings,
): Promise<void> {
  const { printer } = session;
  const { question, steps } = proposal;
  const foreseen = question.forecasts ?? (steps.length > 1 ? await foresee(session, changesIn(steps)) : []);
  if (foreseen.length > 0) printer.note(undoSummary(foreseen));
  const told = [...left.risks, ...left.exposed];
  if (told.length > 0) printer.warn(told.join('\n'));
  // The title is asked for with all that goes with it.
  if (question.typed !== 'title' && looksFor(proposal, 'question', 'impact'))
    await warnOfImpact(session, connect, changed(proposal));
  if (await isAgreed(session, connect, proposal, left.question ?? question.what)) return;
  throw notConfirmed(question.refused ?? 'sent');
}

async function isAgreed(
  session: Session,
  connect: Connect,
  { by, question: { typed, what }, steps }: AnyProposal,
  question: string,
): Promise<boolean> {
  if (typed === undefined) return askYes(session, `${question}?`);
  const [call] = changesIn(steps);
  if (typed === 'title' && by !== undefined && call !== undefined)
    return typedTitle(session, await connect(), { command: by, call, what });
  const answer = await askText(session, `${what}. Type ${typed} to go on:`);
  return answer.trim() === String(typed);
}

/**
 * Asks before a change that cannot be undone to what was chosen from a list, where Enter alone takes the first.
 * @throws usage `not_confirmed`
 */
export async function confirmLasting(session: Session, { steps, question }: AnyProposal): Promise<void> {
  const foreseen = await foresee(session, changesIn(steps));
  if (foreseen.some(({ undo }) => undo === 'none')) await confirmChosen(session, question.what, 'sent');
}

/** The title or the id must be typed, so that the wrong one is noticed; what goes with it is shown before. */
async function typedTitle(
  session: Session,
  client: Client,
  { command, call, what }: { command: Command; call: PlannedChange; what: Question['what'] },
): Promise<boolean> {
  const { title, lines } = await foretellDeletion(session, client, command, call, asking);
  const { id } = call;
  const shown = safeLine(title);
  const named = what.includes(`(${id})`) ? what : what.replace(id, () => `${shown} (${id})`);
  session.printer.warn([named, ...lines.map((line) => `  ${line}`)].join('\n'));
  const typed = await askText(session, 'Type the title or the id to go on:');
  return [title, shown, id].includes(typed) || typed.trim() === shown.trim();
}
