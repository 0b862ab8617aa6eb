import type { Client } from '../../api/client.js';
import type { SentRequest } from '../../api/resources/index.js';
import { usageError } from '../../base/errors.js';
import { safeLine } from '../../output/text.js';
import type { PlanImpact } from '../../plans/plan.js';
import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { askText, askYes, confirmChosen } from '../resolve/prompts.js';
import type { PlannedCall } from './assemble.js';
import { cautionOf, cautionOfRequest, looksAgain } from './caution.js';
import { exposedBy, exposedByRequest, tellExposed } from './exposed.js';
import { foretellDeletion, foretellPlan, lookSeconds, warnOfImpact, warnOfRequest } from './foretell.js';
import { foresee, undoSummary } from './preview.js';

/** A change of more items than this is confirmed, whatever it does. */
const manyItems = 20;

/**
 * Asks before a change that cannot be undone, before one of more than 20 items, and where the guard of the
 * command sees a risk: yes or no for what is easily mended; else the number of items is typed, or the title of
 * the only one (DESIGN, "What a person meets").
 * @returns whether somebody was asked
 * @throws usage error where the answer is no, `--yes` is missing, or the guard refuses; nothing was sent
 */
export async function confirmChange(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
  what: string,
): Promise<boolean> {
  const [first] = calls;
  if (first === undefined) return false;
  const { interactive, globals, printer } = session;
  const many = calls.length > 1;
  const harmless = command.danger === 'read' || command.danger === 'change';
  const grave = !harmless || calls.length > manyItems;
  if (grave && !globals.yes && !interactive) throw notAsked(what);
  const caution = await cautionOf(session, client, command, calls);
  const { needsYes, question = what } = caution;
  const exposed = caution.exposes ? [] : await exposedBy(session, client, calls);
  const risks = [...caution.risks, ...exposed];
  const risky = caution.risks.length > 0 ? needsYes || interactive : exposed.length > 0 && interactive;
  if ((!grave && !risky) || globals.yes) {
    tellExposed(session, exposed);
    return false;
  }
  if (!interactive) throw notAsked(what, risks);
  if (many) printer.note(undoSummary(await foresee(session, calls)));
  if (risks.length > 0) printer.warn(risks.join('\n'));
  let agreed: boolean;
  const typesTitle = command.danger === 'type-title' && !many;
  if (!typesTitle) await warnOfImpact(session, client, calls);
  if (many && !harmless) {
    const typed = await askText(session, `${what}. Type ${calls.length} to go on:`);
    agreed = typed.trim() === String(calls.length);
  } else if (!typesTitle) agreed = await askYes(session, `${question}?`);
  else agreed = await typedTitle(session, await client(), command, first, what);
  if (!agreed) throw notConfirmed();
  if (looksAgain(command)) await cautionOf(session, client, command, calls);
  return true;
}

/**
 * Asks before a change that cannot be undone to what was chosen from a list, where Enter alone takes the first.
 * @throws usage `not_confirmed`
 */
export async function confirmLasting(
  session: Session,
  calls: readonly PlannedCall[],
  what: string,
): Promise<void> {
  const forecasts = await foresee(session, calls);
  if (forecasts.some(({ undo }) => undo === 'none')) await confirmChosen(session, what, 'sent');
}

/** The title or the id must be typed, so that the wrong one is noticed; what goes with it is shown before. */
async function typedTitle(
  session: Session,
  client: Client,
  command: Command,
  call: PlannedCall,
  what: string,
): Promise<boolean> {
  const look = { seconds: lookSeconds.asking };
  const { title, lines } = await foretellDeletion(session, client, command, call, look);
  const { id } = call;
  const shown = safeLine(title);
  const named = what.includes(`(${id})`) ? what : what.replace(id, () => `${shown} (${id})`);
  session.printer.warn([named, ...lines.map((line) => `  ${line}`)].join('\n'));
  const typed = await askText(session, 'Type the title or the id to go on:');
  return [title, shown, id].includes(typed) || typed.trim() === shown.trim();
}

/**
 * What a confirmation would tell of changes that become a plan: what the guard sees, what goes with a deletion, and
 * what all of them would break elsewhere.
 * @throws DocsError why they are refused, as `cautionOf`
 */
export async function risksOf(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
): Promise<{ risks: string[]; impact: PlanImpact | null }> {
  const { risks } = await cautionOf(session, client, command, calls);
  const { lines, impact = null } = await foretellPlan(session, client, command, calls);
  return { risks: [...risks, ...lines], impact };
}

/**
 * What the guard sees of a request, and what it exposes; nothing of one that a policy will deny as it is sent.
 * @throws DocsError why it is refused
 */
export async function toldOfRequest(session: Session, request: SentRequest): Promise<string[]> {
  const { gate } = session;
  if (gate !== undefined) {
    const { operationAt } = await import('../../api/resources/index.js');
    const known = operationAt(request);
    if (known !== undefined && (await gate.verdict(known)).is !== 'allow') return [];
  }
  const { risks, exposes } = await cautionOfRequest(session, request);
  return [...risks, ...(exposes ? [] : await exposedByRequest(session, request))];
}

/** `docs api` asks before a DELETE, and on a terminal before what widens exposure: it cannot know what other requests do. */
export async function confirmRequest(session: Session, request: SentRequest): Promise<void> {
  const isDeletion = request.method === 'DELETE';
  const what = `${request.method} ${request.path}`;
  if (isDeletion && !session.globals.yes && !session.interactive) throw notAsked(what);
  const told = request.method === 'GET' ? [] : await toldOfRequest(session, request);
  tellExposed(session, told);
  const isAsked = isDeletion || (told.length > 0 && session.interactive);
  if (!isAsked || session.globals.yes) return;
  if (isDeletion) await warnOfRequest(session, request);
  if (!(await askYes(session, `${what}?`))) throw notConfirmed();
}

function notConfirmed(): Error {
  return usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

/** Nobody can be asked, so `--yes` is needed. */
export function notAsked(what: string, risks: readonly string[] = []): Error {
  const why = risks.map((risk) => `${risk} `).join('');
  const way = 'Add --yes to go ahead; --dry-run shows what would be sent.';
  return usageError(
    'not_confirmed',
    `${why}${what}: confirmation required, and prompts are off here. ${way}`,
  );
}
