import { type Client, type PreparedRequest, prepare } from '../../api/client.js';
import type { SentRequest } from '../../api/resources/index.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Change } from '../../jobs/change.js';
import type { PlannedChange } from '../../jobs/outlook.js';
import { isRefusal, readsOf } from '../../jobs/reads.js';
import type { Forecast } from '../../jobs/rule.js';
import type { View } from '../../output/printer.js';
import { safeLine } from '../../output/text.js';
import type { PlanImpact } from '../../plans/plan.js';
import type { Caution, Changes, Command, Guard } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { exposedBy, exposedByRequest, tellExposed } from './exposed.js';

// What asks and foretells is loaded as it is used: most changes are sent without.

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
  calls: readonly Change[],
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
  const typesTitle = command.danger === 'type-title' && !many;
  if (!typesTitle) await (await import('./foretell.js')).warnOfImpact(session, client, calls);
  const { askToGoOn } = await import('../resolve/prompts.js');
  if (many && !harmless) {
    const count = String(calls.length);
    await askToGoOn(session, `${what}. Type ${count} to go on:`, 'sent', [count]);
  } else if (!typesTitle) await askToGoOn(session, `${question}?`, 'sent');
  else await askForTitle(session, await client(), command, first, what);
  if (looksAgain(command)) await cautionOf(session, client, command, calls);
  return true;
}

/**
 * Asks before a change that cannot be undone to what was chosen from a list, where Enter alone takes the first.
 * @throws usage `not_confirmed`
 */
export async function confirmLasting(
  session: Session,
  calls: readonly Change[],
  what: string,
): Promise<void> {
  const forecasts = await foresee(session, calls);
  if (!forecasts.some(({ undo }) => undo === 'none')) return;
  await (await import('../resolve/prompts.js')).confirmChosen(session, what, 'sent');
}

/** The title or the id must be typed, so that the wrong one is noticed; what goes with it is shown before. */
async function askForTitle(
  session: Session,
  client: Client,
  command: Command,
  call: Change,
  what: string,
): Promise<void> {
  const [{ foretellDeletion, lookSeconds }, { askText, notConfirmed }] = await Promise.all([
    import('./foretell.js'),
    import('../resolve/prompts.js'),
  ]);
  const look = { seconds: lookSeconds.asking };
  const { title, lines } = await foretellDeletion(session, client, command, call, look);
  const { id } = call;
  const shown = safeLine(title);
  const named = what.includes(`(${id})`) ? what : what.replace(id, () => `${shown} (${id})`);
  session.printer.warn([named, ...lines.map((line) => `  ${line}`)].join('\n'));
  const typed = await askText(session, 'Type the title or the id to go on:');
  if (![title, shown, id].includes(typed) && typed.trim() !== shown.trim()) throw notConfirmed('sent');
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
  calls: readonly Change[],
): Promise<{ risks: string[]; impact: PlanImpact | null }> {
  const { risks } = await cautionOf(session, client, command, calls);
  const { foretellPlan } = await import('./foretell.js');
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
  if (isDeletion) await (await import('./foretell.js')).warnOfRequest(session, request);
  await (await import('../resolve/prompts.js')).askToGoOn(session, `${what}?`, 'sent');
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

/**
 * Asks the guard of a command about the changes to come, in a run and in a dry run. Changes of members have one guard,
 * whatever sends them: a command, rows, a plan, an undo, `docs api`.
 */

const nothing: Caution = { risks: [], needsYes: false };

/** By id: to load their declarations here would slow down other changes. */
const memberChanges: readonly string[] = ['members.update', 'members.delete'];

/** The guard of a command, else that of the operations that are called. */
async function guardOf(command: Command | undefined, calls: Changes['calls']): Promise<Guard | undefined> {
  const own = await command?.spec?.guard?.();
  if (own !== undefined || !calls.some(({ op }) => memberChanges.includes(op.id))) return own;
  return (await import('./member-guard.js')).guardMembers;
}

/**
 * What the guard of a command sees; undefined: no command made these changes. Where the platform refuses what it reads, nothing: the change is sent, and
 * its own answer decides, unless a flag asks for what could not be read.
 * @throws DocsError why the changes are refused; as `Client.call`: nothing was sent
 */
export async function cautionOf(
  session: Session,
  client: () => Promise<Client>,
  command: Command | undefined,
  calls: Changes['calls'],
): Promise<Caution> {
  const guard = await guardOf(command, calls);
  if (guard === undefined || calls.length === 0) return nothing;
  try {
    return await guard({ session, client: await client(), calls });
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const { kind, code, message, failure } = cause;
    if ((isRefusal(cause) || kind === 'not-found') && !hasFlags(calls)) return nothing;
    throw new DocsError(kind, code, message, { ...failure, outcome: 'not-sent' });
  }
}

/** The same for a request as it goes out: of `docs api`. */
export async function cautionOfRequest(session: Session, request: SentRequest): Promise<Caution> {
  const { operationAt } = await import('../../api/resources/index.js');
  const known = operationAt(request);
  const client = () => session.client({ timeoutPerRequest: true });
  return known === undefined ? nothing : cautionOf(session, client, undefined, [known]);
}

function hasFlags(calls: Changes['calls']): boolean {
  return calls.some(({ flags }) => flags !== undefined);
}

/** Whether the guard of a command is asked again, right before its changes are sent. */
export function looksAgain({ spec }: Command): boolean {
  return spec?.guard !== undefined && spec.guardFlags !== undefined;
}

/** `--dry-run`: prints the requests; then what the guard sees, and what they would break elsewhere. @throws DocsError why they are refused */
export async function previewGuarded(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly Change[],
  many: boolean,
): Promise<void> {
  // What undo can do and what the guard sees may rest on the same list. A real run reads it anew: the guard
  // finds the owner of the token by how the list differs before and after a ping.
  const [{ rememberingClient }, { warnOfImpact }] = await Promise.all([
    import('../../snapshot/organization.js'),
    import('./foretell.js'),
  ]);
  let reading: Promise<Client> | undefined;
  const remembering = (): Promise<Client> => {
    reading ??= client().then(rememberingClient);
    return reading;
  };
  await preview({ ...session, client: remembering }, calls, many);
  try {
    const { risks, exposes } = await cautionOf(session, remembering, command, calls);
    const exposed = exposes ? [] : await exposedBy(session, remembering, calls);
    if (risks.length + exposed.length > 0) session.printer.warn([...risks, ...exposed].join('\n'));
  } catch (cause) {
    const decided =
      !(cause instanceof DocsError) ||
      ['usage', 'interrupted', 'terminated'].includes(cause.kind) ||
      hasFlags(calls);
    if (decided) throw cause;
    session.printer.warn(`Could not check whether this would be refused: ${cause.message}`);
  }
  await warnOfImpact(session, remembering, calls);
}

/**
 * `--dry-run`: prints the exact requests, without the token, and sends none. One is printed as it would go
 * out, or as an object; each of many is a line, or with `--json` an object, with what undo will be able to do.
 * @param many whether they are those of a job of many items
 */
export async function preview(
  session: Session,
  calls: readonly PlannedChange[],
  many = calls.length > 1,
): Promise<void> {
  const { withState } = await import('../../jobs/outlook.js');
  const reads = async () => readsOf(await session.client({ timeoutPerRequest: true }));
  const foreseen = await foresee(
    session,
    many ? calls : await Promise.all(calls.map((call) => withState(reads, call))),
  );
  if (many) return previewMany(session, calls, foreseen);
  const [call] = calls as readonly [PlannedChange];
  const [forecast] = foreseen as [Forecast];
  const request = prepare(call.op, call.input);
  const printer = session.printer.whole();
  await (printsObject(session) ? printer.value(request) : printer.text(await asSent(request)));
  const undo = `Undo: ${undoWords(forecast)}.`;
  session.printer.note(`Dry run: the request is shown above; nothing was sent. ${undo}`);
}

/** Whether a request is printed as an object. */
function printsObject({ settings, globals }: Session): boolean {
  return globals.jq !== undefined || !['table', 'id', undefined].includes(settings.output?.value);
}

async function asSent({ method, path, body }: PreparedRequest): Promise<string> {
  const { stringify } = await import('../../output/json.js');
  return `${method} ${path}\n${body === undefined ? '' : `${stringify(body, 2)}\n`}`;
}

/** What undo will be able to do about each request; a few depend on the state before it, which is read. */
async function foresee(session: Session, calls: readonly PlannedChange[]): Promise<Forecast[]> {
  const { forecasts, needsSurvey, surveyed } = await import('../../jobs/outlook.js');
  if (!needsSurvey(calls)) return forecasts(calls);
  const client = await session.client({ timeoutPerRequest: true });
  return forecasts(await surveyed(readsOf(client), calls));
}

/** `exact`, or `best effort: <why>`, or `none: <why>`. */
function undoWords({ undo, why }: Forecast): string {
  return `${undo.replace('-', ' ')}${why === undefined ? '' : `: ${why}`}`;
}

const view: View = {
  columns: [{ path: 'method' }, { path: 'path' }, { path: 'body' }, { path: 'undo' }, { path: 'why' }],
  fields: ['method', 'path', 'body', 'undo', 'why'],
  open: ['body'],
};

async function previewMany(
  session: Session,
  calls: readonly PlannedChange[],
  foreseen: readonly Forecast[],
): Promise<void> {
  const { settings, globals } = session;
  const printer = session.printer.whole();
  const requests = calls.map(({ op, input }, at) => ({
    ...prepare(op, input),
    ...(foreseen[at] as Forecast),
  }));
  const [first] = requests;
  if (first !== undefined && !printsObject(session) && session.io.stdout.isTTY) {
    printer.note(`The first of ${requests.length}:\n${await asSent(first)}`);
  }
  if (globals.jq !== undefined) await printer.value(requests);
  else if (settings.output?.value === 'json') for (const request of requests) await printer.value(request);
  else if (settings.output?.value === 'id') await printer.list(calls, { columns: [], fields: ['id'] });
  else await printer.list(requests, view);
  const these = requests.length === 1 ? 'the request is' : `the ${requests.length} requests are`;
  printer.note(`Dry run: ${these} shown above; nothing was sent. ${undoSummary(requests)}`);
}

/** `Undo: 40 exact, 2 none (the reason).` */
export function undoSummary(forecasts: readonly Forecast[]): string {
  const counts = new Map<string, number>();
  for (const { undo, why } of forecasts) {
    const words = `${undo.replace('-', ' ')}${why === undefined ? '' : ` (${why})`}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const parts = [...counts].map(([words, count]) => (counts.size === 1 ? words : `${count} ${words}`));
  return parts.length === 0 ? '' : `Undo: ${parts.join(', ')}.`;
}
