import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import type { Change } from '../../jobs/change.js';
import { changesIn, type PlannedChange } from '../../jobs/journal.js';
import { isRefusal, readsOf } from '../../jobs/reads.js';
import { loadRules } from '../../jobs/rule-book.js';
import type { State } from '../../jobs/state.js';
import { counted, safeLine } from '../../output/text.js';
import type { Applying, Caution, Changes, Command, Guard } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { warnReader } from './output.js';
import type { Aspect, Proposal } from './proposal.js';

/** What changes widen: told in dry runs, asked about on a terminal, and warned of elsewhere. */

/** Beyond this number, changes are not read first, and sentences are counted instead of shown. */
const most = 20;

/**
 * What changes expose, as sentences. Where somebody reads them before anything is sent, a field that is as wide
 * already exposes nothing.
 */
async function exposedBy(
  session: Session,
  client: () => Promise<Client>,
  calls: readonly Change[],
): Promise<string[]> {
  if (calls.every(({ op }) => op.exposes === undefined)) return [];
  const { exposuresOf } = await import('../../jobs/exposure.js');
  const exposing = calls.filter((call) => exposuresOf({ ...call, name: call.id }).length > 0);
  const { globals, interactive } = session;
  const isRead = globals.dryRun === true || (interactive && globals.yes !== true);
  const reads = isRead && exposing.length <= most;
  const states = reads ? await Promise.all(exposing.map((call) => stateOf(client, call))) : [];
  const all = exposing.flatMap((call, at) =>
    exposuresOf({ ...call, name: call.id, before: states[at] ?? undefined }).map(safeLine),
  );
  const left = all.length - most;
  return left <= 0 ? all : [...all.slice(0, most), `${counted(left, 'further change')} of this kind.`];
}

/** undefined where it cannot be read: the change itself will tell. */
async function stateOf(client: () => Promise<Client>, { op, input }: Change): Promise<State | undefined> {
  try {
    const rules = await loadRules([op.id]);
    return await rules.ruleOf(op).read?.(readsOf(await client()), input);
  } catch (cause) {
    const ends = !(cause instanceof DocsError) || ['interrupted', 'terminated'].includes(cause.kind);
    if (ends) throw cause;
    return undefined;
  }
}

/** Tells it before a question, and where a person reads what is sent without one. */
export function tellExposed(session: Session, exposed: readonly string[]): void {
  const { interactive, globals, printer } = session;
  if (!interactive || globals.yes) warnReader(session, exposed);
  else if (exposed.length > 0) printer.warn(exposed.join('\n'));
}

/**
 * Asks the guard of a command about the changes to come, in a run and in a dry run.
 */

/** Connects to the platform at its first use. */
export type Connect = () => Promise<Client>;

/** The proposal of any command: what it prints at its end does not matter here. */
export type AnyProposal = Proposal<unknown>;

/** What is looked at of a proposal. */
type LookedAt = Pick<AnyProposal, 'steps' | 'by' | 'looks'>;

/** What is seen of changes before they are sent. */
export interface Precautions {
  caution: Caution;
  exposed: readonly string[];
}

/** What its command does beside the changes, once it has looked at them again. @throws DocsError why they are refused */
export async function applyingOf(
  session: Session,
  connect: Connect,
  { applies, steps, evidence }: Pick<AnyProposal, 'applies' | 'steps' | 'evidence'>,
  concurrency: number,
): Promise<Applying> {
  if (applies === undefined || steps.length === 0) return {};
  const calls = changesIn(steps);
  return applies({ session, client: await connect(), calls, concurrency, evidence });
}

const nothing: Caution = { risks: [], needsYes: false };

/**
 * By operation, what guards it whatever sends it: a command, rows, a plan, an undo, `docs api`. By id: to load their
 * declarations here would slow down other changes.
 */
export const guardedAlways = {
  'members.update': async () => (await import('./member-guard.js')).guardMembers,
  'members.delete': async () => (await import('./member-guard.js')).guardMembers,
  'members.link-sso': async () => (await import('./link-guard.js')).guardLinks,
} as const satisfies Readonly<Record<string, () => Promise<Guard>>>;

type Calls = Changes['calls'];

/** The guards of changes, each with those that it is for: of the command, and of what is guarded always. */
async function guardsOf(command: Command | undefined, calls: Calls): Promise<readonly [Guard, Calls][]> {
  const found: [Guard, Calls][] = [];
  const guard = await command?.spec?.guard?.();
  const named = [command?.spec?.operation ?? []].flat().map(({ id }) => id);
  const own = calls.filter(({ op }) => named.includes(op.id));
  if (guard !== undefined && own.length > 0) found.push([guard, own]);
  const isHere = (id: string) => calls.some(({ op }) => op.id === id) && !looksItself(command, id);
  const loaders = Object.entries(guardedAlways).filter(([id]) => isHere(id));
  for (const always of new Set(await Promise.all(loaders.map(([, load]) => load()))))
    found.push([always, calls]);
  return found;
}

/** Whether a command looks at such changes again by itself, as a whole, right before they are sent. */
function looksItself(command: Command | undefined, id: string): boolean {
  const isLink = id === 'members.link-sso';
  return isLink && command?.applies !== undefined && command.operations.some((op) => op.id === id);
}

/** Whether an aspect is looked up: all are, but where the proposal says otherwise. */
export function looksFor({ looks }: LookedAt, when: 'plan' | 'dryRun' | 'question', aspect: Aspect): boolean {
  return looks?.[when]?.includes(aspect) ?? true;
}

/** What a proposal changes; a request that completes another one is not looked at by itself. */
export function changed({ steps }: LookedAt): PlannedChange[] {
  return changesIn(steps.filter(({ change }) => change.partOf === undefined));
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
): Promise<Precautions> {
  const isAgain = when === 'again';
  const guards = isAgain || looksFor(proposal, when, 'guard');
  const caution = guards
    ? await cautionOf(session, connect, proposal.by, changesIn(proposal.steps))
    : nothing;
  const tells = !isAgain && when !== 'plan' && looksFor(proposal, when, 'exposure');
  const exposed = caution.exposes || !tells ? [] : await exposedBy(session, connect, changed(proposal));
  return { caution, exposed };
}

/**
 * What the guard of a command sees, and that of members. Where the platform refuses what it reads,
 * nothing: the change is sent, and its own answer decides, unless a flag asks for what could not be read.
 */
async function cautionOf(
  session: Session,
  connect: Connect,
  command: Command | undefined,
  calls: Calls,
): Promise<Caution> {
  if (calls.length === 0) return nothing;
  const guards = await guardsOf(command, calls);
  const each: Caution[] = [];
  for (const [guard, own] of guards) each.push(await seenBy(guard, session, connect, own));
  const [only] = each;
  return each.length === 1 && only !== undefined ? only : allOf(each);
}

async function seenBy(guard: Guard, session: Session, connect: Connect, calls: Calls): Promise<Caution> {
  try {
    return await guard({ session, client: await connect(), calls });
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    if ((isRefusal(cause) || cause.kind === 'not-found') && !hasFlags(calls)) return nothing;
    throw cause.changed({ outcome: 'not-sent' });
  }
}

function allOf(each: readonly Caution[]): Caution {
  return {
    risks: each.flatMap(({ risks }) => risks),
    needsYes: each.some(({ needsYes }) => needsYes),
    ...(each.some(({ exposes }) => exposes === true) && { exposes: true }),
  };
}

export function hasFlags(calls: Changes['calls']): boolean {
  return calls.some(({ flags }) => flags !== undefined);
}

/** Whether the guard of a command is asked again, right before its changes are sent. */
export function looksAgain({ spec }: Command): boolean {
  return spec?.guard !== undefined && spec.guardFlags !== undefined;
}
