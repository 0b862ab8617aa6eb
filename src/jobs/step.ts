import type { AnyOperation } from '../api/operation.js';
import type { Subject } from '../api/transport.js';
import type { DocsError } from '../base/errors.js';
import { type Change, operationOf } from './change.js';
import { type ItemRecord, type Job, type PlanLine, plannedRecord } from './journal.js';
import type { PlannedChange } from './outlook.js';
import { shownLine } from './references.js';
import type { State } from './state.js';

type ItemStatus = 'ok' | 'failed' | 'unknown' | 'skipped';

export interface Outcome {
  status: ItemStatus;
  failure?: DocsError;
  answer?: unknown;
  /** The state before it, where it was read. */
  before?: State;
  /** Of an undo: what a read afterwards shows of the state before the change. */
  restored?: 'whole' | 'part' | 'unknown';
  /** What is not restored, or was not read; without a full stop. */
  notRestored?: string;
}

export interface ItemResult extends Outcome {
  index: number;
  id: string;
}

export interface Step {
  record: ItemRecord;
  op: AnyOperation;
  /** What the request is about, for its errors. */
  subject?: Subject;
  /** Replaces the call of the operation; resolves with the platform's answer. */
  send?(): Promise<unknown>;
}

/** A step for a request that was not sent before. @param item its index in the job */
export function stepOf({ op, input, id }: Change, item: number, more: Partial<PlanLine> = {}): Step {
  return { op, record: plannedRecord({ ...more, item, is: 'planned', id, op: op.id, input }) };
}

/** An item of a journal as a step. */
export function toStep(record: ItemRecord): Step {
  return { record, op: operationOf(record.plan.op) };
}

/** The requests of a job that are not known to have succeeded. */
export function restOf({ items }: Job): PlannedChange[] {
  return requestsOf(items.filter(({ state }) => state !== 'ok').map(toStep));
}

/** What steps send, as it is known before: with former ids, or `{o3.id}`, for those to come. */
export function requestsOf(steps: readonly Step[]): PlannedChange[] {
  return steps.map(({ op, record: { plan, before } }) => {
    const { input, id, item, after, flags, expect = before } = shownLine(plan);
    return { op, input, id, item, after, before: expect, flags };
  });
}

export type Tally = Record<ItemStatus, number>;
