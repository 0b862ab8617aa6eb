import { callOne } from '../../api/call-loose.js';
import type { Client } from '../../api/client.js';
import { usageError } from '../../errors.js';
import { startProgress } from '../../output/progress.js';
import { safeLine } from '../../output/safe-text.js';
import type { Command } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { askText, askYes } from '../resolve/prompts.js';
import type { PlannedCall } from './assemble.js';
import { forecastOf, undoSummary } from './preview.js';

type Resource = Readonly<Record<string, unknown>>;

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
  const agreed = await ask(session, client, command, calls, what);
  if (!agreed) throw usageError('not_confirmed', 'Not confirmed; nothing was sent.');
}

/** Yes or no for what is easily mended; else the number of items is typed, or the title of the only one. */
async function ask(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
  what: string,
): Promise<boolean> {
  const [only] = calls;
  const harmless = command.danger === 'change';
  if (calls.length > 1 && !harmless) {
    const typed = await askText(session, `${what}. Type ${calls.length} to go on:`);
    return typed.trim() === String(calls.length);
  }
  const typesTitle = command.danger === 'type-title' && calls.length === 1 && only !== undefined;
  return typesTitle ? typedTitle(session, await client(), command, only, what) : askYes(session, `${what}?`);
}

/** The title or the id must be typed, so that the wrong one is noticed; what goes with it is said before. */
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
      : ((await callOne(client, { op: read, input: { path: { ...call.input.path } } })) as Resource);
  const title = typeof resource.title === 'string' ? resource.title : call.id;
  const shown = safeLine(title);
  const { consequencesOf } = await import('./consequences.js');
  const { io, globals, printer } = session;
  const progress = startProgress(io, { text: 'Looking at what goes with it', quiet: globals.quiet ?? false });
  const lines = await consequencesOf({ session, client, call, resource }).finally(() => progress.stop());
  const named = what.includes(`(${call.id})`) ? what : what.replace(call.id, () => `${shown} (${call.id})`);
  printer.warn([named, ...lines.map((line) => `  ${line}`)].join('\n'));
  const typed = await askText(session, 'Type the title or the id to go on:');
  return [title, shown, call.id].includes(typed) || typed.trim() === shown.trim();
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
