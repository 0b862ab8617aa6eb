import { pathParameters } from '../api/operation-facts.js';
import { defined } from '../base/values.js';
import {
  type Change,
  changeId,
  changeOf,
  mayRefer,
  type Reference,
  showReferences,
  withFormerIds,
  withReferences,
  withTakes,
} from '../jobs/change.js';
import { type Job, type JobItem, jobItem } from '../jobs/journal.js';
import { basisOf } from '../jobs/look.js';
import { idMade, madeBy } from '../jobs/made.js';
import { operationOf } from '../jobs/operations.js';
import { allRules, ruleOf } from '../jobs/undo-rules.js';
import type { ChangeDraft, LockEntry, Plan, PlanOperation, PlanRequest } from './plan.js';

/** Changes in the form of the file of a plan, and the way back. */

/** What a request of a plan sends. @throws DocsError configuration `unknown_operation` */
export function requestIn({ operation, parameters, query = {}, body = {} }: PlanRequest): Change {
  const op = operationOf(operation);
  const path = parameters as Record<string, string>;
  const id = showReferences(path[pathParameters(op.path).at(-1) ?? ''] ?? '');
  return { op, input: { query, ...(op.body !== undefined && { body }), path }, id };
}

/** An operation that sends something. */
type Sent = PlanOperation & { request: PlanRequest };

/** Whether an operation sends something. */
export function sends(operation: PlanOperation): operation is Sent {
  return operation.request !== undefined;
}

/** The change of an operation. @param places of other changes, by the ids of their operations */
function changeIn(
  { request, reads, job, lock, after = [] }: Sent,
  places: ReadonlyMap<string, number>,
): Change {
  const { undoes, covers, sealed, partOf, restores, confirms, proves, waitMs, flags, takes = [] } = job ?? {};
  const awaited = after.flatMap((one) => places.get(one) ?? []);
  return {
    ...requestIn(request),
    ...defined({
      order: reads?.order,
      after: awaited.length > 0 ? awaited : undefined,
      partOf: places.get(partOf ?? ''),
      ...{ undoes, sealed, confirms, waitMs, flags },
    }),
    ...withTakes(defined({ expect: reads?.state, lock, covers, restores, proves }), takes),
  };
}

/** What an operation says of its change beside the request: what it finds, the lock, and what its line in a journal has. */
export function detailsOf(change: Change): Pick<PlanOperation, 'lock' | 'job'> & Pick<Change, 'expect'> {
  const { expect, restores, lock, covers, partOf } = change;
  const { undoes, sealed, confirms, proves, waitMs, flags } = change;
  // What an undo makes anew has its former id where the file has a text.
  const { value: texts, takes } = withFormerIds(defined({ expect, restores, lock, covers }));
  const job = defined({
    undoes,
    covers: texts.covers,
    sealed,
    partOf: partOf === undefined ? undefined : changeId(partOf),
    restores: texts.restores,
    ...{ confirms, proves, waitMs, flags },
    takes: takes.length > 0 ? takes : undefined,
  });
  return defined({
    expect: texts.expect,
    lock: texts.lock && { item: texts.lock.item, to: texts.lock.to },
    job: Object.keys(job).length > 0 ? job : undefined,
  });
}

/**
 * The operations of a plan that send something, as the items of a job.
 * @param entries of the lock as it is now, for the undo of the job
 * @throws DocsError configuration `unknown_operation`
 */
export function itemsOf(plan: Plan, entries: Readonly<Record<string, LockEntry>> = {}): JobItem[] {
  const sent = plan.operations.filter(sends);
  const places = new Map(sent.map(({ id }, item) => [id, item]));
  // Two operations may change one entry: the second one finds what the first one left.
  const left: Record<string, LockEntry | null> = { ...entries };
  return sent.map((operation, item) => {
    const { id, lock } = operation;
    const own = lock && { item: lock.item, from: left[lock.item] ?? null, to: lock.to };
    if (lock !== undefined) left[lock.item] = lock.to;
    return jobItem({ operation: id, ...changeIn({ ...operation, lock: own }, places) }, item);
  });
}

/** The changes of a job as drafts. Some items of a job may be missing. */
export function draftsOf(items: readonly JobItem[]): ChangeDraft[] {
  const places = new Map(items.map(({ change }, at) => [change.item, at]));
  const names = new Map(items.map(({ change }, at) => [changeOf(change), changeId(at)]));
  const rename = (one: Reference) => ({ ...one, $from: names.get(one.$from) ?? one.$from });
  return items.map(({ change }) => {
    const {
      item: _,
      operation: __,
      order: ___,
      ...own
    } = mayRefer(change) ? withReferences(change, rename) : change;
    const after = own.after?.flatMap((item) => places.get(item) ?? []);
    return { change: { ...own, after, partOf: places.get(own.partOf ?? -1) } };
  });
}

/**
 * The operations of a plan that its job did not complete: stale, failed or held back. Resources that the job created
 * are named by their ids. The drafts become a new plan by `makePlan`, which reads the states anew.
 * @param job that applied the plan; the outcome of its items must be known
 */
export function draftsLeft(plan: Plan, job: Job): ChangeDraft[] {
  const items = new Map(job.items.map((item) => [item.change.operation ?? '', item]));
  const left = plan.operations.filter(sends).filter(({ id }) => items.get(id)?.state !== 'ok');
  const places = new Map(left.map(({ id }, at) => [id, at]));
  const made = madeBy(job.items, allRules);
  const rename = (one: Reference) => {
    const place = places.get(one.$from);
    return place === undefined ? (idMade(made, one) ?? one) : { ...one, $from: changeId(place) };
  };
  return left.map((operation) => {
    const { kind, key, action, fields, risk } = operation;
    const { expect, order: _, ...change } = withReferences(changeIn(operation, places), rename);
    // What its command rested it on stays: only the command can tell what a change of it means.
    const rests = basisOf(ruleOf(change.op), { expect }) !== undefined;
    // `before` is read again for the new plan.
    const asked = Object.entries(fields).map(([name, { before: __, ...rest }]) => [name, rest]);
    return {
      ...{ kind, key, action, fields: Object.fromEntries(asked), ...defined({ risk }) },
      change: { ...change, ...(rests && { expect }) },
    };
  });
}
