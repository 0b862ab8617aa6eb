import { pathParameters } from '../api/operation.js';
import { defined } from '../defined.js';
import { filled, type Made, madeBy, takenFrom } from '../jobs/filled.js';
import type { ItemRecord, Job, PlanLine } from '../jobs/journal.js';
import { basisOf } from '../jobs/look.js';
import { operationOf } from '../jobs/operation-of.js';
import { ruleOf } from '../jobs/undo-rules.js';
import type { Draft } from './draft.js';
import { replaced } from './placeholders.js';
import type { Plan, PlanLineRest, PlanOperation } from './plan.js';

/**
 * The operations of a plan that its job did not complete: stale, failed or held back. Resources that the job created
 * are named by their ids. The drafts become a new plan by `makePlan`, which reads the states anew.
 * @param job that applied the plan; the outcome of its items must be known
 */
export function draftsLeft(plan: Plan, job: Job): Draft[] {
  const records = new Map(job.items.map((record) => [record.plan.operation ?? '', record]));
  const left = plan.operations.filter(({ id, request }) => request && records.get(id)?.state !== 'ok');
  const places = new Map(left.map(({ id }, index) => [id, index]));
  const made = madeBy(job.items);
  return left.map((operation) => draftOf(operation, { places, records, made }));
}

interface Left {
  /** Indexes of the drafts, by operation. */
  places: ReadonlyMap<string, number>;
  records: ReadonlyMap<string, ItemRecord>;
  made: Made;
}

function draftOf(operation: PlanOperation, { places, records, made }: Left): Draft {
  const { request, kind, key, action, fields, risk, lock, after = [], job } = operation;
  const named = <T>(value: T): T =>
    replaced(value, ({ $from, path }) => {
      const index = places.get(String($from));
      if (index !== undefined) return { $from: index, path };
      return takenFrom(made.get(records.get(String($from))?.plan.item ?? -1), path) ?? { $from, path };
    }) as T;
  const op = operationOf(request?.operation ?? '');
  const input = named({
    path: (request?.parameters ?? {}) as Record<string, string>,
    query: request?.query ?? {},
    ...(op.body !== undefined && { body: request?.body ?? {} }),
  });
  const id = input.path[pathParameters(op.path).at(-1) ?? ''] ?? '';
  const awaited = after.flatMap((one) => places.get(one) ?? []);
  const line = records.get(operation.id);
  // What its command rested it on stays: only the command can tell what a change of it means.
  const rests = line !== undefined && basisOf(ruleOf(op), line.plan) !== undefined;
  const expect = rests ? line.plan.expect : undefined;
  return {
    kind,
    key,
    action,
    // `before` is read again for the new plan.
    fields: Object.fromEntries(Object.entries(fields).map(([name, { before: _, ...rest }]) => [name, rest])),
    ...(risk !== undefined && { risk }),
    request: { op, input, id },
    ...(awaited.length > 0 && { after: awaited }),
    ...(lock && { lock: named(lock) }),
    ...(line &&
      (job || rests) && {
        line: {
          ...lineOf(job ?? {}, filled(line.plan, made) ?? line.plan, places),
          ...defined({ expect }),
        },
      }),
  };
}

/** The line of an undo, or of a change that is read again; what it must find is read anew. */
function lineOf(job: PlanLineRest, plan: PlanLine, places: Left['places']): PlanLine {
  const { item, is, id, op, input, undoes, covers, sealed, restores, confirms } = plan;
  const takes = job.takes?.flatMap(({ from, ...take }) => {
    const index = places.get(from);
    return index === undefined ? [] : [{ ...take, from: index }];
  });
  const partOf = job.partOf === undefined ? undefined : places.get(job.partOf);
  return {
    item,
    is,
    id,
    op,
    input,
    ...defined({ undoes, covers, sealed, partOf, restores, confirms, takes }),
  };
}
