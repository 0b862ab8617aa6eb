import { prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { type Considered, dependent } from './dependence.js';
import { filled, type Made, madeBy } from './filled.js';
import type { ItemRecord, Job, LockLine, Restores } from './journal.js';
import { operationOf } from './operation-of.js';
import { type PlannedRequest, requestFor } from './request.js';
import type { Change, Forecast, Part, Sureness, WayBack } from './rule.js';
import { sealedBack, sealedForecast } from './sealed-undo.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

export interface Undoing {
  index: number;
  id: string;
  undo: Sureness;
  /** Why it is not exact, what it takes, or why it is not possible. */
  why?: string;
  /** undefined where it cannot be undone. */
  request?: PlannedRequest;
  /** The state that the job left; undefined where no read shows it. */
  expect?: State | undefined;
  /** What the first request cannot restore, in order. */
  further?: readonly Part[];
  /** The read that shows what was restored. */
  restores?: Restores;
  /** The id under which a request creates anew what the job deleted. */
  remakes?: string;
  /** What it does to the lock: the entry as it was before the change. */
  lock?: LockLine;
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
  const items = job.items.filter((record) => mayHaveEffect(record) && !undone.has(record.plan.item));
  const made = madeBy(job.items);
  const own = merged(items, made)
    .reverse()
    .map((item) => undoing(item, nowMs));
  return withDependence(own);
}

/** Whether a request was, or may have been, sent and was not refused. */
function mayHaveEffect({ state, sent }: ItemRecord): boolean {
  return sent && ['ok', 'started', 'unknown'].includes(state);
}

/** @param present indexes of removals whose resource exists again */
export function withDependence(items: readonly Undoing[], present?: ReadonlySet<number>): Undoing[] {
  const free = items.map((item) => item.free ?? item);
  const outlooks = dependent(
    free.map(({ change }) => change),
    present,
  );
  return free.map((item, at) => {
    const { by, forecast } = outlooks[at] as (typeof outlooks)[number];
    if (by === undefined) return item;
    const { index, id, change } = item;
    return { index, id, change, ...forecast, free: item };
  });
}

/** What undo can do about each item of a job, whatever became of it. */
export function outlooks({ items }: Job, nowMs: number): Forecast[] {
  const made = madeBy(items);
  const changes = items.map((record): Considered => {
    if (mayHaveEffect(record)) return undoing(mergedOne(record, made), nowMs).change;
    const change = consideredOf(record, made);
    const plain = ruleOf(change.op).forecast(change.input, record.plan.expect ?? record.before);
    const own = sealedForecast(change.op, change.input, plain);
    return { ...change, own, refused: record.state === 'failed' };
  });
  return dependent(changes).map(({ forecast }) => forecast);
}

/** A change, or several changes of one resource as one. */
interface Merged {
  record: ItemRecord;
  op: AnyOperation;
  change: Change;
  /** Whether further items complete it. */
  isCompleted: boolean;
  lock?: LockLine | undefined;
}

function merged(items: readonly ItemRecord[], made: Made): Merged[] {
  const found = new Map<string, Merged>();
  const completed = new Set(items.map(({ plan }) => plan.partOf));
  for (const [at, record] of items.entries()) {
    const one = { ...mergedOne(record, made), isCompleted: completed.has(record.plan.item) };
    const { creates, inOrder } = ruleOf(one.op);
    const path = prepare(one.op, { path: one.change.input.path ?? {} }).path;
    const key = creates || inOrder ? String(at) : `${one.op.id} ${path}`;
    const earlier = found.get(key);
    found.delete(key); // A map keeps insertion order; the last change decides it.
    found.set(key, earlier === undefined ? one : { ...one, ...bothOf(earlier, one) });
  }
  return [...found.values()];
}

function mergedOne(record: ItemRecord, made: Made): Merged {
  const { op, input } = consideredOf(record, made);
  const { lock } = filled(record.plan, made) ?? record.plan;
  const change = { input, before: record.before, answer: record.answer };
  return { record, op, change, isCompleted: false, lock };
}

/** Two changes of one resource as one. */
function bothOf(earlier: Merged, later: Merged): Pick<Merged, 'change' | 'lock'> {
  const { lock = earlier.lock } = later;
  const from = earlier.lock === undefined ? lock?.from : earlier.lock.from;
  return { change: joined(earlier.change, later.change), lock: lock && { ...lock, from: from ?? null } };
}

/** An item with the ids that earlier items made. */
function consideredOf({ plan }: ItemRecord, made: Made): Omit<Considered, 'own'> {
  const { input, id, item, after, partOf } = filled(plan, made) ?? plan;
  return { op: operationOf(plan.op), input, id, item, after, partOf };
}

function joined(earlier: Change, later: Change): Change {
  const body = { ...(earlier.input.body as object), ...(later.input.body as object) };
  const input = later.input.body === undefined ? later.input : { ...later.input, body };
  const before = earlier.before === null ? null : { ...later.before, ...earlier.before };
  return { input, before, answer: later.answer };
}

function undoing({ record, op, change, isCompleted, lock }: Merged, nowMs: number): Undoing {
  const rule = ruleOf(op);
  const { item: index, id, after, partOf } = record.plan;
  const made = (change.answer as { id?: unknown } | undefined)?.id;
  const named = { index, id: rule.creates && typeof made === 'string' ? made : id };
  const back = wayBack({ record, op, change, isCompleted }, nowMs);
  const { undo, why } = back;
  const own: Forecast = { undo, ...(why !== undefined && { why }) };
  const considered = { op, input: change.input, id: named.id, item: index, after, partOf, own };
  if (back.undo === 'none') return { ...named, ...own, change: considered };
  const { request, further = [] } = back;
  const expect = isCompleted ? undefined : back.expect;
  const restores = restoresOf(named.id, op, change, back);
  const remakes = remadeId(op, change, request);
  return {
    ...{ ...named, ...own, request, expect, further, restores, change: considered },
    ...(remakes !== undefined && { remakes }),
    ...(lock && { lock: { item: lock.item, from: lock.to, to: lock.from } }),
  };
}

function wayBack({ record, op, change }: Merged, nowMs: number): WayBack | (Forecast & { undo: 'none' }) {
  const rule = ruleOf(op);
  const forecast = rule.forecast(change.input, change.before);
  if (rule.back === undefined) return { undo: 'none', why: forecast.why ?? 'no operation undoes it' };
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
function restoresOf(id: string, op: AnyOperation, change: Change, back: WayBack): Restores {
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
function remadeId(op: AnyOperation, { input }: Change, request: PlannedRequest): string | undefined {
  const { makes } = ruleOf(request.op);
  return op.method === 'DELETE' && makes?.key === 'id' ? requestFor(op, input.path).id : undefined;
}

/** Elapsed time is measured by this machine's clock alone: the platform's may differ. */
function tooLate({ at }: ItemRecord, withinMs: number | undefined, nowMs: number): string | undefined {
  const doneMs = Date.parse(at ?? '');
  if (withinMs === undefined || !(nowMs > doneMs + withinMs)) return undefined;
  return `it could only be restored until ${new Date(doneMs + withinMs).toISOString()}`;
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
    for (const { plan, state } of other.items) {
      if (state === 'ok' && plan.undoes !== undefined && !again.has(plan.item)) undone.add(plan.undoes);
    }
  }
  return undone;
}
