import { type Client, prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError } from '../errors.js';
import { readAll } from './in-order.js';
import type { ItemRecord, Job } from './journal.js';
import { isRefusal, type PlannedRequest, readsOf } from './request.js';
import type { Change, Sureness } from './rule.js';
import { difference, matches, type State } from './state.js';
import { ruleOf } from './undo-rules.js';

export interface Undoing {
  index: number;
  id: string;
  undo: Sureness;
  /** Why it is not exact, or not possible. */
  why?: string;
  /** undefined where it cannot be undone. */
  request?: PlannedRequest;
  /** The state that the job left; undefined where no read shows it. */
  expect?: State | undefined;
}

/** An operation by its id. @throws DocsError configuration `unknown_operation` */
export function operationOf(id: string): AnyOperation {
  const found = operations.find((op) => op.id === id);
  if (found !== undefined) return found;
  const message = `Unknown operation ${id} in the journal: another version of docs wrote it.`;
  const failure = { outcome: 'not-sent', hint: 'docs jobs list' } as const;
  throw new DocsError('configuration', 'unknown_operation', message, failure);
}

/**
 * Plans the undo of everything that was, or may have been, sent and was not refused. Several changes of
 * one resource become one request.
 * @param undone indexes of items that another job has undone
 * @param nowMs milliseconds since the epoch; some changes can be undone for a limited time
 */
export function planUndo(job: Job, undone: ReadonlySet<number>, nowMs: number): Undoing[] {
  const items = job.items.filter(
    ({ state, sent, plan }) => sent && ['ok', 'started', 'unknown'].includes(state) && !undone.has(plan.item),
  );
  return merged(items)
    .reverse()
    .map((item) => undoing(item, nowMs));
}

/** A change, or several changes of one resource as one. */
interface Merged {
  record: ItemRecord;
  op: AnyOperation;
  change: Change;
}

function merged(items: readonly ItemRecord[]): Merged[] {
  const found = new Map<string, Merged>();
  for (const [at, record] of items.entries()) {
    const { op: id, input } = record.plan;
    const op = operationOf(id);
    const { creates, inOrder } = ruleOf(op);
    const change: Change = { input, before: record.before, answer: record.answer };
    const path = prepare(op, { path: input.path ?? {} }).path;
    const key = creates || inOrder ? String(at) : `${op.id} ${path}`;
    const earlier = found.get(key);
    found.delete(key); // A map keeps insertion order; the last change decides it.
    found.set(key, { record, op, change: earlier === undefined ? change : joined(earlier.change, change) });
  }
  return [...found.values()];
}

function joined(earlier: Change, later: Change): Change {
  const body = { ...(earlier.input.body as object), ...(later.input.body as object) };
  const input = later.input.body === undefined ? later.input : { ...later.input, body };
  const before = earlier.before === null ? null : { ...later.before, ...earlier.before };
  return { input, before, answer: later.answer };
}

function undoing({ record, op, change }: Merged, nowMs: number): Undoing {
  const rule = ruleOf(op);
  const { item: index, id } = record.plan;
  const made = (change.answer as { id?: unknown } | undefined)?.id;
  const named = { index, id: rule.creates && typeof made === 'string' ? made : id };
  const forecast = rule.forecast(change.input);
  if (rule.back === undefined)
    return { ...named, undo: 'none', why: forecast.why ?? 'no operation undoes it' };
  const late = tooLate(record, rule.withinMs, nowMs);
  if (late !== undefined) return { ...named, undo: 'none', why: late };
  const back = rule.back(change);
  if (back.undo === 'none') return { ...named, undo: 'none', why: back.why };
  return { ...named, ...back };
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

export type Standing =
  /** As the job left it: it can be undone. */
  | { now: 'as left' }
  /** As it was before the job: nothing to do. */
  | { now: 'back' }
  | { now: 'changed'; how: string }
  | { now: 'not known' };

/** Reads the current states, eight at a time. @throws DocsError where the platform is out of reach */
export function readStandings(client: Client, items: readonly Undoing[]): Promise<Standing[]> {
  return readAll({ concurrency: 8 }, items, (item) => standingOf(client, item));
}

async function standingOf(client: Client, { request, expect }: Undoing): Promise<Standing> {
  const rule = request && ruleOf(request.op);
  if (request === undefined || rule?.read === undefined) return { now: 'not known' };
  try {
    const state = await rule.read(readsOf(client), request.input);
    const wanted = rule.wanted?.(request.input, state);
    if (wanted !== undefined && matches(state, wanted)) return { now: 'back' };
    if (expect === undefined || matches(state, expect)) return { now: 'as left' };
    return { now: 'changed', how: difference(state, expect) };
  } catch (cause) {
    if (isRefusal(cause)) return { now: 'not known' };
    throw cause;
  }
}
