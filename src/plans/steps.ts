import { type AnyOperation, pathParameters } from '../api/operation.js';
import { defined } from '../defined.js';
import type { LockedItem, LockLine, PlanLine, Take } from '../jobs/journal.js';
import { operationOf } from '../jobs/operation-of.js';
import { type Step, stepOf } from '../jobs/step.js';
import { namedIn, withPlaceholders } from './placeholders.js';
import type { LockEntry, Plan, PlanOperation } from './plan.js';

/**
 * The operations of a plan that send something, as the steps of a job.
 * @param entries of the lock as it is now, for the undo of the job
 * @throws DocsError configuration `unknown_operation`
 */
export function stepsOf(plan: Plan, entries: Readonly<Record<string, LockEntry>> = {}): Step[] {
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

function stepFor(operation: PlanOperation, item: number, { items, entries }: Context): Step {
  const { request, reads, job, after = [] } = operation;
  const op = operationOf(request?.operation ?? '');
  const input = {
    path: request?.parameters ?? {},
    query: request?.query ?? {},
    ...(op.body !== undefined && { body: request?.body ?? {} }),
  };
  const expect = reads?.state;
  const lock = operation.lock && lockLine(operation.lock, entries);
  const own = idOf(op, input.path);
  const takes = [...takesOf({ id: own, input, expect, lock }, items), ...restTakes(job?.takes, items)];
  const awaited = after.flatMap((id) => items.get(id) ?? []);
  const more: Partial<PlanLine> = defined({
    operation: operation.id,
    expect: withPlaceholders(expect),
    order: reads?.order,
    after: awaited.length > 0 ? awaited : undefined,
    takes: takes.length > 0 ? takes : undefined,
    lock: lock && (withPlaceholders(lock) as LockLine),
    undoes: job?.undoes,
    covers: job?.covers,
    sealed: job?.sealed,
    partOf: job?.partOf === undefined ? undefined : items.get(job.partOf),
    restores: job?.restores,
    confirms: job?.confirms,
    flags: job?.flags,
  });
  const { path, ...rest } = withPlaceholders(input);
  const id = String(withPlaceholders(own));
  return stepOf({ op, input: { ...rest, path: path as Record<string, string> }, id }, item, more);
}

/** The id that a request names: the last parameter of its path, which an earlier operation may make. */
function idOf(op: AnyOperation, parameters: Readonly<Record<string, unknown>>): unknown {
  return parameters[pathParameters(op.path).at(-1) ?? ''] ?? '';
}

function lockLine({ item, to }: NonNullable<PlanOperation['lock']>, entries: Context['entries']) {
  const from = entries[item] ?? null;
  return { item, from: from as LockedItem | null, to };
}

/** Where a line names what earlier items make; each journal fills it in as they are done. */
function takesOf(line: object, items: ReadonlyMap<string, number>): Take[] {
  return namedIn(line).flatMap(({ $from, path, into }) => {
    const from = items.get($from);
    return from === undefined ? [] : [{ from, into, path }];
  });
}

function restTakes(
  takes: NonNullable<PlanOperation['job']>['takes'] = [],
  items: ReadonlyMap<string, number>,
): Take[] {
  return takes.flatMap(({ from, into, path }) => {
    const item = items.get(from);
    return item === undefined ? [] : [{ from: item, into, ...defined({ path }) }];
  });
}
