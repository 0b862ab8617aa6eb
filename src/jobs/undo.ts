import { type Client, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { defined, groupBy, isObject } from '../base/values.js';
import {
  type Change,
  type Covered,
  changeId,
  changeIndex,
  findReferences,
  type JobChange,
  type LockChange,
  mayRefer,
  type Restores,
  referTo,
  requestFor,
  shownChange,
} from './change.js';
import { sealedBack, sealedFields, sealedState } from './environment.js';
import { type Job, type JobItem, jobItem, plannedLine } from './journal.js';
import { filled, idOf, type Made, madeBy } from './made.js';
import {
  type Considered,
  coversOf,
  dependent,
  forecastOf,
  forecastsOf,
  pathOf,
  stateAfter,
  withHiddenGroups,
} from './outlook.js';
import { certainReadsOf, onceEach, type Reads, unlessRefused } from './reads.js';
import type { Forecast, PastChange, WayBack } from './rule.js';
import { readAll } from './sequence.js';
import { difference, matches, type State } from './state.js';
import { allRules, ruleOf } from './undo-rules.js';

/** What undo can do about one change of a job, and the requests that do it. */
export interface Undoing extends Forecast {
  index: number;
  id: string;
  /**
   * In order; none where it cannot be undone. The first expects the state that the job left, the others do what it cannot
   * restore, and the last has the read that shows what was restored.
   */
  requests: readonly Change[];
  /** The id under which the first request creates anew what the job deleted. */
  remakes?: string;
  /** What it does to the lock: the entry as it was before the change. */
  lock?: LockChange;
  /** Further items of the job that it undoes, too. */
  covers?: readonly Covered[];
  /** The same, were it not for the change that it depends on. */
  free?: Undoing;
  /** What it undoes. */
  change: Considered;
}

/**
 * Plans the undo of everything that was, or may have been, sent and was not refused. Several changes of
 * one resource become one request.
 * @param undone indexes of items that another job has undone
 * @param nowMs milliseconds since the epoch; some changes can be undone for a limited time
 */
export function planUndo(job: Job, undone: ReadonlySet<number>, nowMs: number): Undoing[] {
  const items = job.items.filter((record) => mayHaveEffect(record) && !undone.has(record.change.item));
  const made = madeBy(job.items, allRules);
  const own = merged(items, made)
    .reverse()
    .map((item) => undoing(item, nowMs));
  const changes = withHiddenGroups(own.map(({ change }) => change));
  return withDependence(withoutCovered(withForecasts(own, changes)));
}

/** The same with the forecasts of all changes together. @param changes of the items, in their order */
function withForecasts(items: readonly Undoing[], changes: readonly Considered[]): Undoing[] {
  return items.map((item, at) => {
    const change = changes[at] ?? item.change;
    const { undo, why } = change.own;
    if (change === item.change || undo === 'none') return item;
    const requests = item.requests.map(({ restores, expect, ...request }) => ({
      ...request,
      expect: expect && withoutHidden(expect, change.hidden),
      ...(restores && { restores: { ...restores, undo, why } }),
    }));
    return { ...item, ...change.own, change, requests };
  });
}

/** A state without neighbours that no read shows beside it. @param hidden ids of groups without sections */
function withoutHidden(state: NonNullable<State>, hidden: ReadonlySet<string> = new Set()): State {
  const shows = (neighbour: unknown) => !isObject(neighbour) || !hidden.has(String(neighbour.id));
  return Object.fromEntries(Object.entries(state).filter(([, value]) => shows(value)));
}

/** Whether a request that changes something was, or may have been, sent and was not refused. */
function mayHaveEffect({ state, sent, change }: JobItem): boolean {
  return sent && ['ok', 'started', 'unknown'].includes(state) && change.proves === undefined;
}

/** @param present indexes of removals whose resource exists again */
function withDependence(items: readonly Undoing[], present?: ReadonlySet<number>): Undoing[] {
  const free = items.map((item) => item.free ?? item);
  const outlooks = dependent(
    free.map(({ change }) => change),
    present,
  );
  return free.map((item, at) => {
    const { by, forecast } = outlooks[at] as (typeof outlooks)[number];
    if (by === undefined) return item;
    const { index, id, change } = item;
    return { index, id, change, ...forecast, requests: [], free: item };
  });
}

/** What undo can do about an item of a job, and the id of what it was about, or made. */
export interface Outlook extends Forecast {
  id: string;
}

/** The outlook for each item of a job, whatever became of it. */
export function outlooks({ items }: Job, nowMs: number): Outlook[] {
  const made = madeBy(items, allRules);
  const all = forecastsOf(
    items.map((record): Considered => {
      if (mayHaveEffect(record)) return undoing(mergedOne(record, made), nowMs).change;
      const change = consideredOf(record, made);
      const own = forecastOf(change.op, change.input, shownChange(record.change).expect ?? record.before);
      return { ...change, own, before: record.before, refused: record.state === 'failed' };
    }),
  );
  return items.map(({ change, answer }, at) => {
    return { ...(all[at] as Forecast), id: idOf(change, answer, made, allRules) };
  });
}

/** The undo of a job without what its deletions undo. @param items from the last change to the first */
function withoutCovered(items: readonly Undoing[]): readonly Undoing[] {
  const covers = coversOf(items.map(({ change }) => change));
  if (covers.size === 0) return items;
  const covered = new Map<number, Undoing[]>();
  for (const item of items) {
    const creation = covers.get(item.change)?.item;
    if (creation !== undefined) covered.set(creation, [item, ...(covered.get(creation) ?? [])]);
  }
  const left = items.filter(({ change }) => !covers.has(change));
  return left.map((item) => covering(item, covered.get(item.index) ?? []));
}

/** A deletion, with what it undoes beside the creation, in the order of the job. */
function covering(item: Undoing, covered: readonly Undoing[]): Undoing {
  if (covered.length === 0) return item;
  const more = covered.flatMap(({ index, lock, covers = [] }) => [
    { item: index, ...(lock && { lock }) } satisfies Covered,
    ...covers,
  ]);
  const [first, ...others] = item.requests;
  const expect = covered.reduce<State | undefined>(
    (state, { change }) => stateAfter(state, change, item.change.removal),
    first?.expect,
  );
  const requests = first === undefined ? [] : [{ ...first, expect }, ...others];
  return { ...item, requests, covers: [...(item.covers ?? []), ...more] };
}

function undoing({ record, op, change, isCompleted, lock, joined }: Merged, nowMs: number): Undoing {
  const rule = ruleOf(op);
  const { item: index, after, partOf } = record.change;
  // Where an earlier item made it, the id that it has now.
  const isOwn = !mayRefer(record.change) || findReferences(plannedLine(record.change)).length === 0;
  const id = isOwn ? record.change.id : requestFor(op, change.input.path).id;
  const made = (change.answer as { id?: unknown } | undefined)?.id;
  const named = { index, id: rule.creates && typeof made === 'string' ? made : id };
  const back = wayBack({ record, op, change }, nowMs);
  const { undo, why } = back;
  const own: Forecast = { undo, ...(why !== undefined && { why }) };
  const { input, before } = change;
  const considered: Considered = { op, input, before, id: named.id, item: index, after, partOf, own };
  const shared = {
    ...{ ...named, ...own, change: considered },
    ...(lock && { lock: { item: lock.item, from: lock.to, to: lock.from ?? null } }),
    ...(joined.length > 0 && { covers: joined.map((item) => ({ item })) }),
  };
  if (back.undo === 'none') return { ...shared, requests: [] };
  if (rule.creates) considered.removal = pathOf(back.request);
  const remakes = remadeId(op, change, back.request);
  const requests = requestsOf(back, {
    first: { id: named.id, undoes: index, expect: isCompleted ? undefined : back.expect },
    sealed: [...sealedFields(change, rule).keys()],
    restores: restoresOf(named.id, op, change, back),
  });
  return { ...shared, requests, ...(remakes !== undefined && { remakes }) };
}

/** The requests of a way back. @param first what the first one undoes @param sealed fields from the environment */
function requestsOf(
  { request, further = [] }: WayBack,
  { first, sealed, restores }: { first: Partial<Change>; sealed: readonly string[]; restores: Restores },
): Change[] {
  const parts: Change[] = [{ ...request, ...first }, ...further];
  return parts.map((part, at) => ({
    ...part,
    ...(sealed.length > 0 && { sealed }),
    ...(at === further.length && { restores }),
  }));
}

function wayBack(
  { record, op, change }: Pick<Merged, 'record' | 'op' | 'change'>,
  nowMs: number,
): WayBack | (Forecast & { undo: 'none' }) {
  const rule = ruleOf(op);
  const forecast = rule.forecast(change.input, change.before);
  if (rule.back === undefined) return { undo: 'none', why: forecast.why ?? 'the API cannot undo it' };
  const late = tooLate(record, rule.withinMs, nowMs);
  if (late !== undefined) return { undo: 'none', why: late };
  const back = sealedBack(rule, change);
  // A condition of an exact undo is the same before and after the change.
  const condition = back.undo === 'exact' && forecast.undo === 'exact' ? forecast.why : undefined;
  return condition === undefined ? back : { ...back, why: condition };
}

/**
 * The read after an undo: the same as before the change, or else the one that shows the effect of the
 * request that undoes it.
 */
function restoresOf(id: string, op: AnyOperation, change: PastChange, back: WayBack): Restores {
  const { undo, why, request, expect } = back;
  const said = { id, undo, ...(why !== undefined && undo !== 'exact' && { why }) };
  const state = back.restores ?? change.before;
  if (ruleOf(op).read !== undefined && state !== undefined)
    return { op: op.id, input: change.input, state, ...said };
  const rule = ruleOf(request.op);
  const wanted = rule.read && rule.wanted?.(request.input, expect);
  return { op: request.op.id, input: request.input, ...(wanted !== undefined && { state: wanted }), ...said };
}

/** The old id of a deleted resource that a request creates anew with another one. */
function remadeId(op: AnyOperation, { input }: PastChange, request: Change): string | undefined {
  const { makes } = ruleOf(request.op);
  return op.method === 'DELETE' && makes?.key === 'id' ? requestFor(op, input.path).id : undefined;
}

/** Elapsed time is measured by this machine's clock alone: the platform's may differ. */
function tooLate({ at }: JobItem, withinMs: number | undefined, nowMs: number): string | undefined {
  const doneMs = Date.parse(at ?? '');
  if (withinMs === undefined || !(nowMs > doneMs + withinMs)) return undefined;
  return `it could only be restored until ${new Date(doneMs + withinMs).toISOString()}`;
}

/** A change, or several changes of one resource as one. */
interface Merged {
  /** The last one. */
  record: JobItem;
  op: AnyOperation;
  change: PastChange;
  /** Whether further items complete it. */
  isCompleted: boolean;
  lock?: LockChange | undefined;
  /** Indexes of the items that are one with it. */
  joined: readonly number[];
}

/** Where the last change of a resource stands. */
interface Last {
  key: string;
  item: number;
}

/**
 * The changes, in the order of the last of each. Two changes of one resource are one, unless something of its kind
 * was changed between them: names that change places go through a temporary one, and back the same way.
 */
function merged(items: readonly JobItem[], made: Made): Merged[] {
  const found = new Map<string, Merged>();
  const completed = new Set(items.map(({ change }) => change.partOf));
  const last = new Map<string, Last>();
  const lastOfKind = new Map<string, string>();
  for (const [at, record] of items.entries()) {
    const one = { ...mergedOne(record, made), isCompleted: completed.has(record.change.item) };
    const { creates, inOrder } = ruleOf(one.op);
    const resource = `${one.op.id} ${prepare(one.op, { path: one.change.input.path ?? {} }).path}`;
    const kind = one.op.id.slice(0, one.op.id.indexOf('.'));
    const before = creates || inOrder || lastOfKind.get(kind) !== resource ? undefined : last.get(resource);
    const isNext = before && !record.change.after?.some((item) => item > before.item);
    const key = isNext ? before.key : `${resource} ${at}`;
    const earlier = found.get(key);
    found.delete(key); // A map keeps insertion order; the last change decides it.
    found.set(key, earlier === undefined ? one : { ...one, ...bothOf(earlier, one) });
    last.set(resource, { key, item: record.change.item });
    lastOfKind.set(kind, resource);
  }
  return [...found.values()];
}

function mergedOne(record: JobItem, made: Made): Merged {
  const { op, input, lock } = consideredOf(record, made);
  const change = { input, before: record.before, answer: record.answer };
  return { record, op, change, isCompleted: false, lock, joined: [] };
}

/** Two changes of one resource as one. */
function bothOf(earlier: Merged, later: Merged): Pick<Merged, 'change' | 'lock' | 'joined'> {
  const { lock = earlier.lock } = later;
  const from = earlier.lock === undefined ? lock?.from : earlier.lock.from;
  return {
    change: bothChanges(earlier.change, later.change),
    lock: lock && { ...lock, from: from ?? null },
    joined: [...earlier.joined, earlier.record.change.item],
  };
}

function bothChanges(earlier: PastChange, later: PastChange): PastChange {
  const body = { ...(earlier.input.body as object), ...(later.input.body as object) };
  const input = later.input.body === undefined ? later.input : { ...later.input, body };
  const before = earlier.before === null ? null : { ...later.before, ...earlier.before };
  return { input, before, answer: later.answer };
}

/** An item with the ids that earlier items made. */
function consideredOf({ change }: JobItem, made: Made): JobChange {
  return filled(change, made) ?? shownChange(change);
}

/**
 * Indexes of the items of a job that other jobs have undone, unless those jobs were undone themselves.
 * @param jobs all jobs that undo others
 */
export function undoneItems(job: string, jobs: readonly Job[]): Set<number> {
  const undone = new Set<number>();
  for (const other of jobs) {
    if (other.header.undoes !== job) continue;
    const again = undoneItems(other.header.job, jobs);
    for (const { change, state } of other.items) {
      if (state !== 'ok' || change.undoes === undefined || again.has(change.item)) continue;
      undone.add(change.undoes);
      for (const { item } of change.covers ?? []) undone.add(item);
    }
  }
  return undone;
}

/** What the platform says about an undo before it is sent. */

/** Eight reads at a time. */
const pace = { concurrency: 8 };

/**
 * What can be undone now: a removed resource may exist again, and the platform may refuse
 * what was possible before.
 * @throws DocsError where the platform is out of reach
 */
export async function appraise(client: Client, items: readonly Undoing[]): Promise<Undoing[]> {
  const reads = onceEach(certainReadsOf(client));
  const own = items.map(({ free, ...item }) => free ?? item);
  const blocked = items.some(({ free }) => free !== undefined);
  const removals = blocked
    ? own.filter(({ undo, change }) => undo === 'none' && change.op.method === 'DELETE')
    : [];
  const exists = await readAll(pace, removals, ({ change: { op, input } }) =>
    unlessRefused(async () => (await ruleOf(op).read?.(reads, input)) ?? null),
  );
  const present = removals.flatMap(({ index }, at) => (exists[at] ? index : []));
  const now = await readAll(pace, own, (item) => withObstacle(reads, item));
  return withDependence(now, new Set(present));
}

async function withObstacle(reads: Reads, item: Undoing): Promise<Undoing> {
  const { requests, index, id, change } = item;
  const [request] = requests;
  const look = request && ruleOf(request.op).obstacle;
  if (request === undefined || look === undefined) return item;
  const why = await unlessRefused(() => look(reads, request.input));
  if (why === undefined) return item;
  const own = { undo: 'none', why } as const;
  return { index, id, ...own, requests: [], change: { ...change, own } };
}

export type CurrentState =
  /** As the job left it: it can be undone. */
  | { now: 'as left' }
  /** As it was before the job: nothing to do. */
  | { now: 'back' }
  | { now: 'changed'; how: string }
  | { now: 'not known' };

/** Reads the current states. @throws DocsError where the platform is out of reach */
export function readStandings(client: Client, items: readonly Undoing[]): Promise<CurrentState[]> {
  return readAll(pace, items, (item) => standingOf(certainReadsOf(client), item));
}

async function standingOf(reads: Reads, { requests: [request] }: Undoing): Promise<CurrentState> {
  const rule = request && ruleOf(request.op);
  const unknown = { now: 'not known' } as const;
  if (request === undefined || rule?.read === undefined) return unknown;
  const found = await unlessRefused(async () => ({ state: await rule.read?.(reads, request.input) }));
  if (found?.state === undefined) return unknown;
  const state = sealedState(found.state);
  const { expect } = request;
  const wanted = rule.wanted?.(request.input, state);
  if (wanted !== undefined && matches(state, wanted)) return { now: 'back' };
  if (expect === undefined || matches(state, expect)) return { now: 'as left' };
  return { now: 'changed', how: difference(state, expect) };
}

/** The requests of an undo, in the order in which they are sent. */

interface UndoSteps {
  steps: JobItem[];
  /** What cannot be undone, each with its index among all items. */
  leftOut: { index: number; item: Undoing }[];
}

/** @param items from the last change to the first */
export function undoSteps(job: Job, items: readonly Undoing[]): UndoSteps {
  const { steps, leftOut }: UndoSteps = { steps: [], leftOut: [] };
  const followers = followersIn(job);
  const placed = new Map<number, number[]>();
  /** The change that creates a resource anew, by the old id. */
  const remade = new Map<string, string>();
  for (const item of items) {
    const { index, requests, remakes, lock, covers = [] } = item;
    const first = steps.length + leftOut.length;
    if (requests.length === 0) leftOut.push({ index: first, item });
    else if (remakes !== undefined) remade.set(remakes, changeId(first));
    // An item is undone after all items that depended on it.
    const undone = [index, ...covers.map((covered) => covered.item)];
    const after = undone.flatMap((one) => followers.get(one) ?? []).flatMap((one) => placed.get(one) ?? []);
    for (const [at, request] of requests.entries()) {
      const part =
        at === 0 ? { after, ...(covers.length > 0 && { covers }) } : { after: [first], partOf: first };
      const change = { ...request, ...part, ...(at === requests.length - 1 && { lock }) };
      steps.push(stepOf(change, first + at, remade));
    }
    const own = requests.map((_, at) => first + at);
    for (const one of undone) placed.set(one, own);
  }
  return { steps, leftOut };
}

/** By item of a job, the items that had to wait for it. */
function followersIn({ items }: Job): ReadonlyMap<number, number[]> {
  const pairs = items.flatMap(({ change }) =>
    (change.after ?? []).map((item) => [item, change.item] as const),
  );
  const found = groupBy(pairs, ([item]) => item);
  return new Map([...found].map(([item, some]) => [item, some.map(([, follower]) => follower)]));
}

function stepOf(change: Change, item: number, remade: ReadonlyMap<string, string>): JobItem {
  const { op, id, input, ...own } = remade.size === 0 ? change : referring(change, item, remade);
  const { undoes, expect, sealed, covers, partOf, restores, lock } = own;
  const makers = findReferences([input, expect, covers, restores, lock]);
  const awaited = new Set([...(own.after ?? []), ...makers.map(({ $from }) => changeIndex($from))]);
  awaited.delete(item);
  // It finds fields as they are read where the request sets them from the environment.
  const found = expect && sealedState(expect, sealedFields({ input }, ruleOf(op)));
  const line = defined({ undoes, expect: found, sealed, covers, partOf, restores, lock });
  return jobItem({ op, id, input, ...line, ...(awaited.size > 0 && { after: [...awaited] }) }, item);
}

/**
 * With references where a request, the read after it or the lock names a resource by its old id that a request
 * creates anew. Of its own new id only the read and the lock know.
 */
function referring(change: Change, item: number, remade: ReadonlyMap<string, string>): Change {
  const { input, expect, restores, lock, covers } = change;
  const maker = (id: string) => remade.get(id);
  const other = (id: string) => (maker(id) === changeId(item) ? undefined : maker(id));
  const read = restores && referTo(maker, defined({ input: restores.input, state: restores.state }));
  return {
    ...change,
    ...referTo(other, { input, expect }),
    ...referTo(maker, { lock, covers }),
    restores: restores && { ...restores, ...read },
  };
}

/**
 * The records of a job that are left, where the last request of an undo is done and others are not: the last
 * of those reads what is restored.
 */
export function withReads(left: readonly JobItem[], all: readonly JobItem[]): JobItem[] {
  const isLeft = new Set(left);
  const done = all.filter((record) => record.change.restores !== undefined && !isLeft.has(record));
  const heirs = new Map(
    done.flatMap(({ change }) => {
      const heir = left.findLast((record) => isOfOneUndo(record.change, change));
      return heir === undefined ? [] : [[heir, change] as const];
    }),
  );
  return left.map((record) => {
    const from = heirs.get(record);
    if (from === undefined) return record;
    return { ...record, change: { ...record.change, ...defined({ restores: from.restores }) } };
  });
}

function isOfOneUndo(a: JobChange, b: JobChange): boolean {
  return (a.partOf ?? a.item) === (b.partOf ?? b.item);
}
