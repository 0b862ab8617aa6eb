import { callOne } from '../../api/call-loose.js';
import type { Client } from '../../api/client.js';
import { DocsError, usageError } from '../../errors.js';
import { isRefusal } from '../../jobs/request.js';
import { startProgress } from '../../output/progress.js';
import { safeLine } from '../../output/safe-text.js';
import type { Command } from '../declare/command.js';
import type { Consequence, Deletion } from '../declare/consequence.js';
import type { Session } from '../declare/session.js';
import { askText, askYes } from '../resolve/prompts.js';
import type { PlannedCall } from './assemble.js';
import { cautionOf } from './caution.js';
import { foresee, undoSummary } from './preview.js';

/** A change of more items than this is confirmed, whatever it does. */
const manyItems = 20;

/**
 * Asks before a change that cannot be undone, before one of more than 20 items, and where the guard of the
 * command sees a risk: yes or no for what is easily mended; else the number of items is typed, or the title of
 * the only one (DESIGN, "What a person meets").
 * @throws usage error where the answer is no, `--yes` is missing, or the guard refuses; nothing was sent
 */
export async function confirmChange(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
  what: string,
): Promise<void> {
  const [first] = calls;
  if (first === undefined) return;
  const { interactive, globals, printer } = session;
  const many = calls.length > 1;
  const harmless = command.danger === 'read' || command.danger === 'change';
  const grave = !harmless || calls.length > manyItems;
  if (grave && !globals.yes && !interactive) throw notAsked(what);
  const { risks, needsYes, question = what } = await cautionOf(session, client, command, calls);
  const risky = risks.length > 0 && (needsYes || interactive);
  if ((!grave && !risky) || globals.yes) return;
  if (!interactive) throw notAsked(what, risks);
  if (many) printer.note(undoSummary(await foresee(session, calls)));
  if (risks.length > 0) printer.warn(risks.join('\n'));
  let agreed: boolean;
  if (many && !harmless) {
    const typed = await askText(session, `${what}. Type ${calls.length} to go on:`);
    agreed = typed.trim() === String(calls.length);
  } else if (many || command.danger !== 'type-title') agreed = await askYes(session, `${question}?`);
  else agreed = await typedTitle(session, await client(), command, first, what);
  if (!agreed) throw notConfirmed();
}

/** The title or the id must be typed, so that the wrong one is noticed; what goes with it is shown before. */
async function typedTitle(
  session: Session,
  client: Client,
  command: Command,
  call: PlannedCall,
  what: string,
): Promise<boolean> {
  const { title, lines } = await affectedBy(session, client, command, call);
  const { id } = call;
  const shown = safeLine(title);
  const named = what.includes(`(${id})`) ? what : what.replace(id, () => `${shown} (${id})`);
  session.printer.warn([named, ...lines.map((line) => `  ${line}`)].join('\n'));
  const typed = await askText(session, 'Type the title or the id to go on:');
  return [title, shown, id].includes(typed) || typed.trim() === shown.trim();
}

/** The title of what is to be deleted, and what goes with it. */
async function affectedBy(
  session: Session,
  client: Client,
  { spec }: Command,
  { id, input }: PlannedCall,
): Promise<{ title: string; lines: string[] }> {
  const read = spec?.titleFrom;
  const answer = read && (await callOne(client, { op: read, input: { path: { ...input.path } } }));
  const resource = (answer ?? {}) as Deletion['resource'];
  const { io, globals } = session;
  const text = 'Looking up what would be affected';
  const progress = startProgress(io, { text, quiet: globals.quiet ?? false });
  const deletion: Deletion = { session, client, id, resource };
  const lines = await consequencesOf((await spec?.consequences?.()) ?? [], deletion).finally(progress.stop);
  return { title: typeof resource.title === 'string' ? resource.title : id, lines };
}

/**
 * What a confirmation would tell of changes that become a plan: what the guard sees, and what goes with a deletion.
 * @throws DocsError why they are refused, as `cautionOf`
 */
export async function risksOf(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
): Promise<string[]> {
  const { risks } = await cautionOf(session, client, command, calls);
  const [only, ...others] = calls;
  if (command.danger !== 'type-title' || only === undefined || others.length > 0) return [...risks];
  try {
    return [...risks, ...(await affectedBy(session, await client(), command, only)).lines];
  } catch (cause) {
    // The plan itself says that it does not exist.
    const gone = cause instanceof DocsError && (cause.kind === 'not-found' || isRefusal(cause));
    if (!gone) throw cause;
    return [...risks];
  }
}

/** The consequences at once, in their order; a failure to look one up takes its place. */
async function consequencesOf(consequences: readonly Consequence[], deletion: Deletion): Promise<string[]> {
  const found = consequences.map((consequence) =>
    consequence(deletion).catch((cause: unknown) => {
      if (!(cause instanceof DocsError) || cause.kind === 'interrupted') throw cause;
      return `Could not check: ${cause.message}`;
    }),
  );
  return (await Promise.all(found)).filter((line) => line !== undefined);
}

/** `docs api` asks before a DELETE only: it cannot know what other requests do. */
export async function confirmRequest(
  session: Session,
  request: { method: string; path: string },
): Promise<void> {
  if (request.method !== 'DELETE' || session.globals.yes) return;
  const what = `${request.method} ${request.path}`;
  if (!session.interactive) throw notAsked(what);
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
