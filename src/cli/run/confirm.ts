import { type Client, type PreparedRequest, prepare } from '../../api/client.js';
import { DocsError, usageError } from '../../base/errors.js';
import { forecasts, needsSurvey, type PlannedChange, surveyed, withState } from '../../jobs/outlook.js';
import { isRefusal, readsOf } from '../../jobs/request.js';
import type { Forecast } from '../../jobs/rule.js';
import { requestsOf } from '../../jobs/step.js';
import { stringify } from '../../output/json.js';
import type { View } from '../../output/printer.js';
import { safeLine } from '../../output/text.js';
import { rememberingClient } from '../../snapshot/organization.js';
import type { Applying, Caution, Changes, Command, Guard } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { askText, askYes, confirmChosen } from '../resolve/prompts.js';
import { exposedBy, tellExposed } from './exposed.js';
import { foretellDeletion, lookSeconds, warnOfImpact } from './foretell.js';
import type { Aspect, Proposal, Question } from './proposal.js';

/** What stands between a proposal and its first request: guard, dry run, question. */

/** Connects to the platform at its first use. */
type Connect = () => Promise<Client>;

/** The proposal of any command: what it prints at its end does not matter here. */
type AnyProposal = Proposal<unknown>;

/** What is looked at of a proposal. */
type LookedAt = Pick<AnyProposal, 'steps' | 'by' | 'looks'>;

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
  if (!isAsked && question.isChosen) await confirmLasting(session, proposal);
  return applying;
}

/** What its command does beside the changes, once it has looked at them again. @throws DocsError why they are refused */
export async function applyingOf(
  session: Session,
  connect: Connect,
  { applies, steps, evidence }: Pick<AnyProposal, 'applies' | 'steps' | 'evidence'>,
  concurrency: number,
): Promise<Applying> {
  if (applies === undefined || steps.length === 0) return {};
  const calls = requestsOf(steps);
  return applies({ session, client: await connect(), calls, concurrency, evidence });
}

/** What is seen of changes before they are sent. */
interface Look {
  caution: Caution;
  exposed: readonly string[];
}

/** @returns whether somebody was asked */
async function ask(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
  { caution, exposed }: Look,
): Promise<boolean> {
  const { interactive, globals, printer } = session;
  const { question, steps, tell } = proposal;
  const { risks, needsYes } = caution;
  const seen = { risks, exposed, question: caution.question };
  const left = tell === undefined ? seen : tell(seen, interactive && !globals.yes);
  const told = [...left.risks, ...left.exposed];
  const isRisky = risks.length > 0 ? needsYes || interactive : exposed.length > 0 && interactive;
  if (globals.yes || !(question.isGrave || isRisky)) {
    tellExposed(session, left.exposed);
    return false;
  }
  if (!interactive) throw notAsked(question.what, told);
  const undo = undoSummary(
    question.forecasts ?? (steps.length > 1 ? await foresee(session, requestsOf(steps)) : []),
  );
  if (undo !== '') printer.note(undo);
  if (told.length > 0) printer.warn(told.join('\n'));
  // The title is asked for with all that goes with it.
  if (question.typed !== 'title' && looksFor(proposal, 'question', 'impact'))
    await warnOfImpact(session, connect, changed(proposal));
  if (await isAgreed(session, connect, proposal, left.question ?? question.what)) return true;
  throw usageError('not_confirmed', `Not confirmed; nothing was ${question.refused ?? 'sent'}.`);
}

async function isAgreed(
  session: Session,
  connect: Connect,
  { by, question: { typed, what }, steps }: AnyProposal,
  question: string,
): Promise<boolean> {
  if (typed === undefined) return askYes(session, `${question}?`);
  const [call] = requestsOf(steps);
  if (typed === 'title' && by !== undefined && call !== undefined)
    return typedTitle(session, await connect(), { command: by, call, what });
  const answer = await askText(session, `${what}. Type ${typed} to go on:`);
  return answer.trim() === String(typed);
}

/**
 * Asks before a change that cannot be undone to what was chosen from a list, where Enter alone takes the first.
 * @throws usage `not_confirmed`
 */
async function confirmLasting(session: Session, { steps, question }: AnyProposal): Promise<void> {
  const foreseen = await foresee(session, requestsOf(steps));
  if (foreseen.some(({ undo }) => undo === 'none')) await confirmChosen(session, question.what, 'sent');
}

/** The title or the id must be typed, so that the wrong one is noticed; what goes with it is shown before. */
async function typedTitle(
  session: Session,
  client: Client,
  { command, call, what }: { command: Command; call: PlannedChange; what: Question['what'] },
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

/** Whether an aspect is looked up: all are, but where the proposal says otherwise. */
function looksFor({ looks }: LookedAt, when: 'plan' | 'dryRun' | 'question', aspect: Aspect): boolean {
  return looks?.[when]?.includes(aspect) ?? true;
}

/** What a proposal changes; a request that completes another one is not looked at by itself. */
function changed({ steps }: LookedAt): PlannedChange[] {
  return requestsOf(steps.filter(({ record }) => record.plan.partOf === undefined));
}

/**
 * What the guard sees, and what the changes expose. A plan tells what they expose by itself.
 * @param when `again`: right before they are sent, where only the guard refuses
 * @throws DocsError why the changes are refused; as `Client.call`: nothing was sent
 */
export async function lookAt(
  session: Session,
  connect: Connect,
  proposal: LookedAt,
  when: 'plan' | 'dryRun' | 'question' | 'again',
): Promise<Look> {
  const isAgain = when === 'again';
  const guards = isAgain || looksFor(proposal, when, 'guard');
  const caution = guards
    ? await cautionOf(session, connect, proposal.by, requestsOf(proposal.steps))
    : nothing;
  const tells = !isAgain && when !== 'plan' && looksFor(proposal, when, 'exposure');
  const exposed = caution.exposes || !tells ? [] : await exposedBy(session, connect, changed(proposal));
  return { caution, exposed };
}

/**
 * What the guard of a command sees; undefined: no command made these changes. Where the platform refuses what it reads,
 * nothing: the change is sent, and its own answer decides, unless a flag asks for what could not be read.
 */
async function cautionOf(
  session: Session,
  connect: Connect,
  command: Command | undefined,
  calls: Changes['calls'],
): Promise<Caution> {
  const guard = await guardOf(command, calls);
  if (guard === undefined || calls.length === 0) return nothing;
  try {
    return await guard({ session, client: await connect(), calls });
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const { kind, code, message, failure } = cause;
    if ((isRefusal(cause) || kind === 'not-found') && !hasFlags(calls)) return nothing;
    throw new DocsError(kind, code, message, { ...failure, outcome: 'not-sent' });
  }
}

function hasFlags(calls: Changes['calls']): boolean {
  return calls.some(({ flags }) => flags !== undefined);
}

/** Whether the guard of a command is asked again, right before its changes are sent. */
export function looksAgain({ spec }: Command): boolean {
  return spec?.guard !== undefined && spec.guardFlags !== undefined;
}

/**
 * `--dry-run`: shows the requests, or what the proposal shows in their place; then what the guard sees, and what they
 * would break elsewhere. @throws DocsError why they are refused
 */
export async function previewProposal(
  session: Session,
  connect: Connect,
  proposal: AnyProposal,
): Promise<void> {
  // What undo can do and what the guard sees may rest on the same list. A real run reads it anew: the guard
  // finds the owner of the token by how the list differs before and after a ping.
  let reading: Promise<Client> | undefined;
  const remembering = (): Promise<Client> => {
    reading ??= connect().then(rememberingClient);
    return reading;
  };
  const calls = requestsOf(proposal.steps);
  if (proposal.show !== undefined) await proposal.show();
  else await preview({ ...session, client: remembering }, calls, proposal.isSingle !== true);
  try {
    const { caution, exposed } = await lookAt(session, remembering, proposal, 'dryRun');
    const told = [...caution.risks, ...exposed];
    if (told.length > 0) session.printer.warn(told.join('\n'));
  } catch (cause) {
    const decided =
      !(cause instanceof DocsError) ||
      ['usage', 'interrupted', 'terminated'].includes(cause.kind) ||
      hasFlags(calls);
    if (decided) throw cause;
    session.printer.warn(`Could not check whether this would be refused: ${cause.message}`);
  }
  if (looksFor(proposal, 'dryRun', 'impact')) await warnOfImpact(session, remembering, changed(proposal));
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
  await (printsObject(session) ? printer.value(request) : printer.text(asSent(request)));
  const undo = `Undo: ${undoWords(forecast)}.`;
  session.printer.note(`Dry run: the request is shown above; nothing was sent. ${undo}`);
}

/** Whether a request is printed as an object. */
function printsObject({ settings, globals }: Session): boolean {
  return globals.jq !== undefined || !['table', 'id', undefined].includes(settings.output?.value);
}

function asSent({ method, path, body }: PreparedRequest): string {
  return `${method} ${path}\n${body === undefined ? '' : `${stringify(body, 2)}\n`}`;
}

/** What undo will be able to do about each request; a few depend on the state before it, which is read. */
async function foresee(session: Session, calls: readonly PlannedChange[]): Promise<Forecast[]> {
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
    printer.note(`The first of ${requests.length}:\n${asSent(first)}`);
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
