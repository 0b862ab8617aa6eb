import type { Client } from '../api/client.js';
import { usageError } from '../errors.js';
import type { PlannedCall } from './assemble.js';
import type { Command } from './command.js';
import { forecastOf, undoSummary } from './preview.js';
import { askText, askYes } from './prompts.js';
import type { Session } from './session.js';

/** A change of more items than this asks first, whatever it does. */
const manyItems = 20;

/**
 * Asks before a change that cannot be undone, and before one of more than 20 items. Where nobody can be
 * asked, `--yes` is needed (DESIGN, "What a person meets").
 * @throws usage error where the answer is no, or `--yes` is missing; nothing was sent
 */
export async function confirmChange(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
  what: string,
): Promise<void> {
  const harmless = command.danger === 'read' || command.danger === 'change';
  if ((harmless && calls.length <= manyItems) || session.globals.yes || calls.length === 0) return;
  if (!session.interactive) {
    throw notAsked(what);
  }
  if (calls.length > 1) session.printer.note(undoSummary(calls.map(forecastOf)));
  const agreed =
    command.danger === 'type-title' && calls.length === 1
      ? await typedTitle(session, await client(), command, calls[0] as PlannedCall, what)
      : await askYes(session, `${what}?`);
  if (!agreed) throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

/** The title or the id must be typed, so that the wrong one is noticed. */
async function typedTitle(
  session: Session,
  client: Client,
  command: Command,
  call: PlannedCall,
  what: string,
): Promise<boolean> {
  const read = command.spec?.titleFrom;
  const resource =
    read === undefined
      ? {}
      : ((await client.call(read, { path: { ...call.input.path } })) as Record<string, unknown>);
  const title = typeof resource.title === 'string' ? resource.title : call.id;
  const typed = await askText(session, `${what}. Type the title (${title}) or the id to go on:`);
  return typed === title || typed === call.id;
}

/** `docs api` asks before a DELETE only: of other requests it cannot know what they undo. */
export async function confirmRequest(
  session: Session,
  request: { method: string; path: string },
): Promise<void> {
  if (request.method !== 'DELETE' || session.globals.yes) return;
  const what = `${request.method} ${request.path}`;
  if (!session.interactive) throw notAsked(what);
  if (!(await askYes(session, `${what}?`)))
    throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

/** Nobody can be asked, so `--yes` is needed. */
export function notAsked(what: string): Error {
  const message = `${what}: this needs a yes, and nobody can be asked here. Add --yes; --dry-run shows what would be sent.`;
  return usageError('not_confirmed', message);
}
