import { pathParameters } from '../api/operation.js';
import { defined } from '../base/values.js';
import { changeOf, type LockChange, mayRefer, operationOf, withReferences } from '../jobs/change.js';
import { type Job, type JobItem, jobItem } from '../jobs/journal.js';
import { basisOf } from '../jobs/look.js';
import { idMade, type Made, madeBy } from '../jobs/made.js';
import {
  changeId,
  type Reference,
  replaceReferences,
  showReferences,
  withFormerIds,
  withTakes,
} from '../jobs/references.js';
import { ruleOf } from '../jobs/undo-rules.js';
import type { Draft, LockEntry, Plan, PlanLineRest, PlanOperation } from './plan.js';

/** The operations of a plan as steps of a job, and the way back. */

/**
 * The operations of a plan that send something, as the steps of a job.
 * @param entries of the lock as it is now, for the undo of the job
 * @throws DocsError configuration `unknown_operation`
 */
export function stepsOf(plan: Plan, entries: Readonly<Record<string, LockEntry>> = {}): JobItem[] {
  const sent = plan.operations.filter(({ request }) => request !== undefined);
  const items = new Map(sent.map(({ id }, item) => [id, item]));
  // Two operations may change one entry: the second one finds what the first one left.
  const left: Record<string, LockEntry | null> = { ...entries };
  return sent.map((operation, item) => {
    const step = stepFor(operation, item, { items, entries: left });
    const { lock } = operation;
    if (lock !== undefined) left[lock.item] = lock.to;
    return step;
  });
}

interface Context {
  items: ReadonlyMap<string, number>;
  entries: Readonly<Record<string, LockEntry | null>>;
}

function stepFor(operation: PlanOperation, item: number, { items, entries }: Context): JobItem {
  const { request, reads, job, after = [] } = operation;
  const op = operationOf(request?.operation ?? '');
  const path = (request?.parameters ?? {}) as Record<string, string>;
  const query = request?.query ?? {};
  const input = { query, ...(op.body !== undefined && { body: request?.body ?? {} }), path };
  const { undoes, covers, sealed, partOf, restores, confirms, proves, waitMs, flags, takes = [] } = job ?? {};
  const lock = operation.lock && lockLine(operation.lock, entries);
  const known = takes.filter(({ from }) => items.has(from));
  const named = withTakes(defined({ expect: reads?.state, lock, covers, restores, proves }), known);
  const awaited = after.flatMap((one) => items.get(one) ?? []);
  const own = defined({
    operation: operation.id,
    order: reads?.order,
    after: awaited.length > 0 ? awaited : undefined,
    partOf: items.get(partOf ?? ''),
    ...{ undoes, sealed, confirms, waitMs, flags },
  });
  const id = showReferences(path[pathParameters(op.path).at(-1) ?? ''] ?? '');
  return jobItem({ op, input, id, ...own, ...named }, item);
}

function lockLine({ item, to }: NonNullable<PlanOperation['lock']>, entries: Context['entries']): LockChange {
  return { item, from: entries[item] ?? null, to };
}

/**
 * The steps of a job as drafts. Some items of a job may have no step. What an undo makes anew has its former id where
 * a plan has texts.
 */
export function draftsOf(steps: readonly JobItem[]): Draft[] {
  const names = new Map(steps.map(({ change }, at) => [changeOf(change), changeId(at)]));
  const ids = new Map(steps.map(({ change }, at) => [change.item, changeId(at)]));
  return steps.map(({ change, before }) => {
    const rename = (one: Reference) => ({ ...one, $from: names.get(one.$from) ?? one.$from });
    const own = mayRefer(change) ? withReferences(change, rename) : change;
    const { op, id, input, undoes, sealed, partOf, confirms, flags, after } = own;
    const { lock, restores, covers, expect = before } = own;
    const { value: texts, takes } = withFormerIds(defined({ expect, restores, lock, covers }));
    const job = defined({
      undoes,
      covers: texts.covers,
      sealed,
      partOf: ids.get(partOf ?? -1),
      restores: texts.restores,
      confirms,
      flags,
      takes: takes.length > 0 ? takes : undefined,
    });
    return defined({
      request: { op, input, id },
      after: after?.flatMap((item) => ids.get(item) ?? []),
      expect: texts.expect,
      lock: texts.lock && { item: texts.lock.item, to: texts.lock.to },
      job: Object.keys(job).length > 0 ? job : undefined,
    });
  });
}

/**
 * The operations of a plan that its job did not complete: stale, failed or held back. Resources that the job created
 * are named by their ids. The drafts become a new plan by `makePlan`, which reads the states anew.
 * @param job that applied the plan; the outcome of its items must be known
 */
export function draftsLeft(plan: Plan, job: Job): Draft[] {
  const records = new Map(job.items.map((record) => [record.change.operation ?? '', record]));
  const left = plan.operations.filter(({ id, request }) => request && records.get(id)?.state !== 'ok');
  const names = new Map(left.map(({ id }, index) => [id, changeId(index)]));
  const made = madeBy(job.items);
  return left.map((operation) => draftOf(operation, { names, records, made }));
}

interface Left {
  /** Ids in the new plan, by those in the old one. */
  names: ReadonlyMap<string, string>;
  records: ReadonlyMap<string, JobItem>;
  made: Made;
}

function draftOf(operation: PlanOperation, left: Left): Draft {
  const { names, records } = left;
  const { request, kind, key, action, fields, risk, after = [] } = operation;
  const op = operationOf(request?.operation ?? '');
  const input = renamed(left, {
    path: (request?.parameters ?? {}) as Record<string, string>,
    query: request?.query ?? {},
    ...(op.body !== undefined && { body: request?.body ?? {} }),
  });
  const awaited = after.flatMap((one) => names.get(one) ?? []);
  const line = records.get(operation.id)?.change;
  // What its command rested it on stays: only the command can tell what a change of it means.
  const rests = line !== undefined && basisOf(ruleOf(op), line) !== undefined;
  return {
    kind,
    key,
    action,
    // `before` is read again for the new plan.
    fields: Object.fromEntries(Object.entries(fields).map(([name, { before: _, ...rest }]) => [name, rest])),
    request: { op, input, id: input.path[pathParameters(op.path).at(-1) ?? ''] ?? '' },
    ...defined({
      risk,
      after: awaited.length > 0 ? awaited : undefined,
      expect: rests ? renamed(left, line.expect) : undefined,
      ...restOf(operation, left),
    }),
  };
}

/** What else an operation says; what it must find is read anew. */
function restOf({ lock, job = {} }: PlanOperation, left: Left): Pick<Draft, 'lock' | 'job'> {
  const { names } = left;
  const { partOf, takes = [], covers, restores, proves } = job;
  const made = takes.filter(({ from }) => !names.has(from));
  const own = renamed(left, withTakes(defined({ lock, covers, restores, proves }), made));
  const open = takes.flatMap(({ from, ...take }) => {
    const name = names.get(from);
    return name === undefined ? [] : [{ from: name, ...take }];
  });
  const now: PlanLineRest = defined({
    ...{ ...job, ...own, lock: undefined },
    partOf: names.get(partOf ?? ''),
    takes: open.length > 0 ? open : undefined,
  });
  return defined({ lock: own.lock, job: Object.keys(now).length > 0 ? now : undefined });
}

/** A value that names what is left by its new ids, and what was made by its id on the platform. */
function renamed<T>({ names, made }: Left, value: T): T {
  return replaceReferences(value, (reference) => {
    const name = names.get(reference.$from);
    return name === undefined ? (idMade(made, reference) ?? reference) : { ...reference, $from: name };
  });
}
