import { usageError } from '../../base/errors.js';
import type { Applying } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import {
  type AnyProposal,
  applyingOf,
  type Connect,
  lookAt,
  looksAgain,
  type Precautions,
  tellExposed,
} from './guard.js';
import type { Warnings } from './proposal.js';

/** What stands between a proposal and its first request: its guard, and whether somebody is asked. */

/** Nobody can be asked, so `--yes` is needed. */
export function notAsked(what: string, risks: readonly string[] = []): Error {
  const why = risks.map((risk) => `${risk} `).join('');
  const way = 'Add --yes to go ahead; --dry-run shows what would be sent.';
  return usageError(
    'not_confirmed',
    `${why}${what}: confirmation required, and prompts are off here. ${way}`,
  );
}

/**
 * Looks at changes right before they are sent, and asks where they are grave or a risk is seen: yes or no for what is
 * easily mended; else the number of items is typed, or the title of the only one.
 * @param concurrency requests under way at once
 * @returns what happens beside the changes
 * @throws DocsError usage `not_confirmed`; why the guard refuses them: nothing was sent
 */
export async function agree(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
  concurrency: number,
): Promise<Applying> {
  const { by, question, tell } = proposal;
  const { globals, interactive } = session;
  const isRefused = question.isGrave && !globals.yes && !interactive;
  if (isRefused && tell === undefined) throw notAsked(question.what);
  const look = await lookAt(session, connect, proposal, 'question');
  const applying = await applyingOf(session, connect, proposal, concurrency);
  const isAsked = await ask(session, connect, proposal, look);
  if (isAsked && by !== undefined && looksAgain(by)) await lookAt(session, connect, proposal, 'again');
  if (!isAsked && question.isChosen) await (await import('./question.js')).confirmLasting(session, proposal);
  return applying;
}

/** Asks where the changes are grave, or where a risk is seen. @returns whether somebody was asked */
async function ask(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
  { caution, exposed }: Precautions,
): Promise<boolean> {
  const { interactive, globals } = session;
  const { question, tell } = proposal;
  const { risks, needsYes } = caution;
  const seen: Warnings = { risks, exposed, question: caution.question };
  const left = tell === undefined ? seen : tell(seen, interactive && !globals.yes);
  const isRisky = risks.length > 0 ? needsYes || interactive : exposed.length > 0 && interactive;
  if (globals.yes || !(question.isGrave || isRisky)) {
    tellExposed(session, left.exposed);
    return false;
  }
  if (!interactive) throw notAsked(question.what, [...left.risks, ...left.exposed]);
  // Loaded here: most changes are sent without a question.
  await (await import('./question.js')).askAbout(session, connect, proposal, left);
  return true;
}
