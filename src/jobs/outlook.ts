import { type LooseInput, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { DocsError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { isFromEnvironment, sealedBack, sealedForecast } from './environment.js';
import type { Covered, LockLine } from './journal.js';
import type { PlannedRequest, Reads } from './request.js';
import type { Forecast, Rule } from './rule.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

/** A change that is planned. */
export interface PlannedChange extends PlannedRequest {
  /** Its index in the job; default: its place. */
  item?: number;
  after?: readonly number[] | undefined;
  /** The state before it, where it is known. */
  before?: State | undefined;
  /** Of a creation: what later changes call what it makes. */
  makes?: string | undefined;
}

/** What undo will be able to do about each change of a job that is not sent yet. */
export function forecasts(changes: readonly PlannedChange[]): Forecast[] {
  const considered = changes.map(({ before, makes, ...change }, at) => {
    const own = forecastOf(change.op, change.input, before);
    const removal = makes === undefined ? undefined : removalOf(change, makes);
    return { ...change, item: change.item ?? at, own, ...defined({ removal }) };
  });
  return dependent(withCovered(considered)).map(({ forecast }) => forecast);
}

/** The path of the request that deletes what a creation makes. */
function removalOf({ op, input }: PlannedRequest, id: string): string | undefined {
  const { makes, back } = ruleOf(op);
  const found = makes && back?.({ input, before: undefined, answer: { [makes.key]: id } });
  return found && found.undo !== 'none' ? pathOf(found.request) : undefined;
}

/** What undo will be able to do about one change alone: what its rule will say, where the state before it is known. */
export function forecastOf(op: AnyOperation, input: LooseInput, before: State | undefined): Forecast {
  const rule = ruleOf(op);
  const plain = rule.forecast(input, before);
  if (rule.creates || plain.undo === 'none' || !isWhole(rule, input, before))
    return sealedForecast(op, input, plain);
  const { undo, why } = sealedBack(rule, { input, before, answer: undefined });
  // A condition of an exact undo is not in the way back.
  const told = undo === 'exact' && plain.undo === 'exact' ? plain.why : why;
  return { undo, ...defined({ why: told }) };
}

/** Whether a state holds all that a way back is made from: a survey, or what a plan foresees, may know a part. */
function isWhole(rule: Rule, input: LooseInput, before: State | undefined): before is State {
  if (before === undefined || rule.back === undefined) return false;
  // Most changes of what does not exist are refused, so they leave nothing to undo.
  if (before === null) return rule.back({ input, before, answer: undefined }).undo !== 'none';
  const wanted = Object.keys(rule.wanted?.(input, before) ?? {});
  return (
    Object.values(before).every((value) => value !== undefined) && wanted.every((field) => field in before)
  );
}

/** Whether forecasts of these changes depend on the state before them. */
export function needsSurvey(changes: readonly PlannedChange[]): boolean {
  return changes.some(({ op, before }) => before === undefined && ruleOf(op).survey !== undefined);
}

/** The changes with the states that their forecasts depend on; without them where they cannot be read. */
export async function surveyed(reads: Reads, changes: readonly PlannedChange[]): Promise<PlannedChange[]> {
  const found = new Map<PlannedChange, State | undefined>();
  const open = changes.filter(({ before }) => before === undefined);
  for (const op of new Set(open.map((change) => change.op))) {
    const own = open.filter((change) => change.op === op);
    const states = await statesOf(reads, op, own);
    for (const [at, change] of own.entries()) found.set(change, states[at]);
  }
  return changes.map((change) => ({ ...change, before: change.before ?? found.get(change) }));
}

/**
 * A single change with the state before it, where its forecast depends on what was not set before, and reads show that. The
 * forecast is then that of a plan.
 * @param reads may fail, where nobody is signed in: the request alone then has to do
 */
export async function withState(reads: () => Promise<Reads>, change: PlannedChange): Promise<PlannedChange> {
  const { op, input, before } = change;
  const { read } = ruleOf(op);
  if (before !== undefined || read === undefined || !dependsOnUnset(change)) return change;
  return { ...change, before: await unlessFailed(async () => read(await reads(), input), undefined) };
}

/** Whether undo could do less if none of the fields had been set before. */
function dependsOnUnset({ op, input }: PlannedRequest): boolean {
  const fields = Object.keys(ruleOf(op).wanted?.(input, undefined) ?? {});
  if (fields.length === 0) return false;
  const unset = Object.fromEntries(fields.map((field) => [field, null]));
  return forecastOf(op, input, unset).undo !== forecastOf(op, input, undefined).undo;
}

async function statesOf(reads: Reads, op: AnyOperation, changes: readonly PlannedChange[]) {
  const inputs = changes.map(({ input }) => input);
  return unlessFailed(async () => (await ruleOf(op).survey?.(reads, inputs)) ?? [], []);
}

/** What a read shows; `otherwise` where it fails, since forecasts do without it. @throws where a signal ended it */
async function unlessFailed<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const ends = cause instanceof DocsError && ['interrupted', 'terminated'].includes(cause.kind);
    if (ends || !(cause instanceof DocsError)) throw cause;
    return otherwise;
  }
}

/** A change among those of a job, and what undo could do about it alone. */
export interface Considered extends PlannedRequest {
  /** Its index in the job. */
  item: number;
  /** Indexes of the items that had to come first. */
  after?: readonly number[] | undefined;
  /** Index of the item that it completes. */
  partOf?: number | undefined;
  own: Forecast;
  /** It was refused, so nothing depends on it. */
  refused?: boolean;
}

interface Outlook<T> {
  forecast: Forecast;
  /** The change that cannot be undone, on which this one depends. */
  by?: T;
}

/**
 * What undo can do about each change of a job. What depends on a change that cannot be undone cannot be
 * undone either: the changes that had to come before it, and those of what it removed.
 * @param present indexes of removals whose resource exists again
 * @returns in the same order
 */
export function dependent<T extends Considered>(
  changes: readonly T[],
  present: ReadonlySet<number> = new Set(),
): Outlook<T>[] {
  const lost = (change: T) => change.own.undo === 'none' && !change.refused && !present.has(change.item);
  const waiting = followersOf(changes);
  const removals = removalsOf(changes.filter(lost));
  const known = new Map<T, T | undefined>();
  const obstacle = (change: T): T | undefined => {
    if (known.has(change)) return known.get(change);
    known.set(change, undefined); // Changes that wait for each other do not stop each other.
    const next = [...(waiting.get(change.item) ?? []), ...removedWith(change, removals)];
    const found = lost(change) ? change : next.map(obstacle).find((one) => one !== undefined);
    known.set(change, found);
    return found;
  };
  return changes.map((change) => {
    const by = change.own.undo === 'none' ? undefined : obstacle(change);
    if (by === undefined) return { forecast: change.own };
    return { forecast: { undo: 'none', why: `it depends on ${by.id}: ${by.own.why}` }, by };
  });
}

/** By item, the changes that had to wait for it. A part of a change is undone with it. */
function followersOf<T extends Considered>(changes: readonly T[]): ReadonlyMap<number, T[]> {
  const found = new Map<number, T[]>();
  for (const change of changes) {
    if (change.refused) continue;
    for (const item of change.after ?? []) {
      if (item !== change.partOf) found.set(item, [...(found.get(item) ?? []), change]);
    }
  }
  return found;
}

/** The removals by the path of what they removed. */
function removalsOf<T extends Considered>(changes: readonly T[]): ReadonlyMap<string, T> {
  const deletions = changes.filter(({ op }) => op.method === 'DELETE');
  return new Map(deletions.map((change) => [pathOf(change), change]));
}

/** The removals of what a change is about, of what contains it, and of what its rule names. */
function removedWith<T extends Considered>(change: T, removals: ReadonlyMap<string, T>): T[] {
  if (removals.size === 0) return [];
  const needed = [change, ...(ruleOf(change.op).needs?.(change.input) ?? [])].map(pathOf);
  const paths = new Set(needed.flatMap(withParents));
  return [...paths].flatMap((path) => {
    const removal = removals.get(path);
    return removal === undefined || removal === change ? [] : removal;
  });
}

/** `/v1/orgs/o/teams/t` → `/v1`, `/v1/orgs`, … */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

/** The path of a request, without the host. */
export function pathOf({ op, input }: Pick<PlannedRequest, 'op' | 'input'>): string {
  return prepare(op, { path: input.path ?? {} }).path;
}

/**
 * Changes of what their own job created: deleting it undoes them. Those that have an exact undo of their own keep
 * it, since each request of an undo looks whether somebody changed the thing since.
 */

/** A change, and of a creation the path of the request that deletes what it made. */
type Changed = Considered & { removal?: string };

/** The undo of a change. */
interface Undone {
  index: number;
  change: Considered;
  request?: PlannedRequest;
  expect?: State | undefined;
  lock?: LockLine;
  covers?: readonly Covered[];
}

/** The forecasts of changes, in any order, where deleting what the job creates undoes some. */
export function withCovered<T extends Changed>(changes: readonly T[]): T[] {
  const covers = coversOf(changes);
  return changes.map((change) => {
    const own: Forecast = { undo: 'exact' };
    return covers.has(change) ? { ...change, own } : change;
  });
}

/** The undo of a job without what its deletions undo. @param items from the last change to the first */
export function withoutCovered<T extends Undone>(items: readonly T[]): T[] {
  const byChange = new Map(items.map((item) => [changedBy(item), item]));
  const covers = coversOf([...byChange.keys()]);
  if (covers.size === 0) return [...items];
  const covered = new Map<number, T[]>();
  for (const [change, creation] of covers) {
    const item = byChange.get(change);
    if (item) covered.set(creation.item, [item, ...(covered.get(creation.item) ?? [])]);
  }
  const isCovered = new Set([...covered.values()].flat());
  const left = items.filter((item) => !isCovered.has(item));
  return left.map((item) => covering(item, covered.get(item.index) ?? []));
}

function changedBy({ change, request }: Undone): Changed {
  return { ...change, ...(request && ruleOf(change.op).creates && { removal: pathOf(request) }) };
}

/** The creation that covers each change, the outermost one. */
function coversOf<T extends Changed>(changes: readonly T[]): ReadonlyMap<T, T> {
  const creations = new Map<string, T>();
  for (const change of changes)
    if (change.removal !== undefined && change.own.undo !== 'none' && !change.refused)
      creations.set(change.removal, change);
  const found = new Map<T, T>();
  if (creations.size === 0) return found;
  for (const change of changes) {
    if (change.own.undo === 'exact') continue;
    const creation = pathsTo(subjectOf(change)).flatMap((path) => creations.get(path) ?? [])[0];
    if (creation !== undefined && creation !== change) found.set(change, creation);
  }
  return found;
}

/** The path of what a change is about. */
function subjectOf({ op, input, id }: Considered): string {
  return pathOf(ruleOf(op).about?.(input) ?? { op, input, id });
}

/** `/v1/orgs/o` → `/v1`, `/v1/orgs`, `/v1/orgs/o` */
function pathsTo(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 2).join('/'));
}

/** A deletion, with what it undoes beside the creation, in the order of the job. */
function covering<T extends Undone>(item: T, covered: readonly T[]): T {
  if (covered.length === 0) return item;
  const more = covered.flatMap(({ index, lock, covers = [] }) => [
    { item: index, ...(lock && { lock }) } satisfies Covered,
    ...covers,
  ]);
  const expect = covered.reduce<State | undefined>(
    (state, { change }) => stateAfter(state, change, item.request && pathOf(item.request)),
    item.expect,
  );
  return { ...item, expect, covers: [...(item.covers ?? []), ...more] };
}

/** What the deletion must find: the creation as a change left it; undefined where the change is not so simple. */
function stateAfter(
  state: State | undefined,
  change: Considered,
  removal: string | undefined,
): State | undefined {
  const { op, input } = change;
  const rule = ruleOf(op);
  if (!state || rule.inOrder) return state;
  if (subjectOf(change) !== removal) return undefined;
  const wanted = rule.wanted?.(input, undefined) ?? {};
  const known = Object.entries(state).map(([field, value]) => [
    field,
    field in wanted ? wanted[field] : value,
  ]);
  return Object.fromEntries(known.filter(([, value]) => !isFromEnvironment(value)));
}
