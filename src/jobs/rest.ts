import type { ItemRecord, Job } from './journal.js';
import { operationOf } from './operation-of.js';
import type { PlannedChange } from './outlook.js';
import { requestsOf, type Step } from './step.js';

/** The requests of a job that are not known to have succeeded. */
export function restOf({ items }: Job): PlannedChange[] {
  return requestsOf(items.filter(({ state }) => state !== 'ok').map(toStep));
}

/** An item of a journal as a step. */
export function toStep(record: ItemRecord): Step {
  return { record, op: operationOf(record.plan.op) };
}
