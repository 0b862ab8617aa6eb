import type { AnyOperation } from '../api/operation.js';
import type { Subject } from '../api/transport.js';
import type { DocsError } from '../errors.js';
import { type ItemRecord, type PlanLine, plannedRecord } from './journal.js';
import type { PlannedRequest } from './request.js';

export type ItemStatus = 'ok' | 'failed' | 'unknown' | 'skipped';

export interface Outcome {
  status: ItemStatus;
  failure?: DocsError;
  answer?: unknown;
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
export function stepOf(
  { op, input, id }: PlannedRequest,
  item: number,
  more: Pick<PlanLine, 'expect' | 'undoes' | 'after'> = {},
): Step {
  return { op, record: plannedRecord({ item, is: 'planned', id, op: op.id, input, ...more }) };
}

export function requestsOf(steps: readonly Step[]): PlannedRequest[] {
  return steps.map(({ op, record: { plan } }) => ({ op, input: plan.input, id: plan.id }));
}

export type Tally = Record<ItemStatus, number>;
