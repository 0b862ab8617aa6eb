import { prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError } from '../errors.js';
import type { ItemRecord, Job } from './job.js';
import type { PlannedRequest } from './request.js';
import type { Change, Sureness } from './rule.js';
import type { State } from './state.js';
import { ruleOf } from './undo-rules.js';

/** The way back of a job: what each of its items takes, from the last to the first. */

/** An item of a job that is to be taken back. */
export interface Undoing {
  /** Its index in the job. */
  index: number;
  id: string;
  undo: Sureness;
  /** Why it is not exact, or not possible. */
  why?: string;
  /** undefined where nothing takes it back. */
  request?: PlannedRequest;
  /** The state that the job left; undefined where no read tells. */
  expect?: State | undefined;
}

/** An operation by its id. @throws DocsError configuration where this version does not know it */
export function operationOf(id: string): AnyOperation {
  const found = operations.find((op) => op.id === id);
  if (found !== undefined) return found;
  throw new DocsError(
    'configuration',
    'unknown_operation',
    `The journal names ${id}, which is not known here.`,
    {
      outcome: 'not-sent',
      hint: 'docs jobs list',
    },
  );
}

/**
 * What takes a job back: for everything that was, or may have been, sent and was not refused.
 * Several changes of the same fields of one thing are taken back at once.
 * @param undone indexes of items that another job has taken back
 * @param nowMs milliseconds since the epoch; some things can be taken back for a while only
 */
export function planUndo(job: Job, undone: ReadonlySet<number>, nowMs: number): Undoing[] {
  const items = job.items.filter(
    ({ state, sent, plan }) => sent && ['ok', 'started', 'unknown'].includes(state) && !undone.has(plan.item),
  );
  return merged(items)
    .reverse()
    .map((item) => undoing(item, nowMs));
}

/** A change, or several of the same thing as one. */
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
    found.delete(key); // The last change decides the order.
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
    return { ...named, undo: 'none', why: forecast.why ?? 'nothing takes it back' };
  const late = tooLate(record, rule.withinMs, nowMs);
  if (late !== undefined) return { ...named, undo: 'none', why: late };
  const back = rule.back(change);
  if (back.undo === 'none') return { ...named, undo: 'none', why: back.why };
  const { undo, why, request, expect } = back;
  return { ...named, undo, ...(why !== undefined && { why }), request, expect };
}

/** Elapsed time is told by this machine's clock alone: the platform's may be another one. */
function tooLate({ at }: ItemRecord, withinMs: number | undefined, nowMs: number): string | undefined {
  const doneMs = Date.parse(at ?? '');
  if (withinMs === undefined || !(nowMs > doneMs + withinMs)) return undefined;
  return `it could be restored until ${new Date(doneMs + withinMs).toISOString()}`;
}

/**
 * The items of a job that others have taken back, and that were not brought again since.
 * @param jobs all jobs that take back others
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
