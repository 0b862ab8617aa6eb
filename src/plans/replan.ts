import { pathParameters } from '../api/operation.js';
import { defined } from '../base/values.js';
import type { ItemRecord, Job } from '../jobs/journal.js';
import { basisOf } from '../jobs/look.js';
import { idMade, type Made, madeBy } from '../jobs/made.js';
import { changeId, replaceReferences, withTakes } from '../jobs/references.js';
import { operationOf } from '../jobs/request.js';
import { ruleOf } from '../jobs/undo-rules.js';
import type { Draft, Plan, PlanLineRest, PlanOperation } from './plan.js';

/**
 * The operations of a plan that its job did not complete: stale, failed or held back. Resources that the job created
 * are named by their ids. The drafts become a new plan by `makePlan`, which reads the states anew.
 * @param job that applied the plan; the outcome of its items must be known
 */
export function draftsLeft(plan: Plan, job: Job): Draft[] {
  const records = new Map(job.items.map((record) => [record.plan.operation ?? '', record]));
  const left = plan.operations.filter(({ id, request }) => request && records.get(id)?.state !== 'ok');
  const names = new Map(left.map(({ id }, index) => [id, changeId(index)]));
  const made = madeBy(job.items);
  return left.map((operation) => draftOf(operation, { names, records, made }));
}

interface Left {
  /** Ids in the new plan, by those in the old one. */
  names: ReadonlyMap<string, string>;
  records: ReadonlyMap<string, ItemRecord>;
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
  const line = records.get(operation.id)?.plan;
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
