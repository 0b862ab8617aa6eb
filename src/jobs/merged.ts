import { prepare } from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import type { Considered } from './dependence.js';
import type { ItemRecord, LockLine } from './journal.js';
import { filled, type Made } from './made.js';
import { operationOf } from './operation-of.js';
import { shownLine } from './references.js';
import type { Change } from './rule.js';
import { ruleOf } from './undo-rules.js';

/** Several changes of one resource that one request undoes. */

/** A change, or several changes of one resource as one. */
export interface Merged {
  /** The last one. */
  record: ItemRecord;
  op: AnyOperation;
  change: Change;
  /** Whether further items complete it. */
  isCompleted: boolean;
  lock?: LockLine | undefined;
  /** Indexes of the items that are one with it. */
  joined: readonly number[];
}

/** Where the last change of a resource stands. */
interface Last {
  key: string;
  item: number;
}

/**
 * The changes, in the order of the last of each. Two changes of one resource are one, unless something of its kind
 * was changed between them: names that change places go through a temporary one, and back the same way.
 */
export function merged(items: readonly ItemRecord[], made: Made): Merged[] {
  const found = new Map<string, Merged>();
  const completed = new Set(items.map(({ plan }) => plan.partOf));
  const last = new Map<string, Last>();
  const lastOfKind = new Map<string, string>();
  for (const [at, record] of items.entries()) {
    const one = { ...mergedOne(record, made), isCompleted: completed.has(record.plan.item) };
    const { creates, inOrder } = ruleOf(one.op);
    const resource = `${one.op.id} ${prepare(one.op, { path: one.change.input.path ?? {} }).path}`;
    const kind = one.op.id.slice(0, one.op.id.indexOf('.'));
    const before = creates || inOrder || lastOfKind.get(kind) !== resource ? undefined : last.get(resource);
    const isNext = before && !record.plan.after?.some((item) => item > before.item);
    const key = isNext ? before.key : `${resource} ${at}`;
    const earlier = found.get(key);
    found.delete(key); // A map keeps insertion order; the last change decides it.
    found.set(key, earlier === undefined ? one : { ...one, ...bothOf(earlier, one) });
    last.set(resource, { key, item: record.plan.item });
    lastOfKind.set(kind, resource);
  }
  return [...found.values()];
}

export function mergedOne(record: ItemRecord, made: Made): Merged {
  const { op, input } = consideredOf(record, made);
  const { lock } = filled(record.plan, made) ?? shownLine(record.plan);
  const change = { input, before: record.before, answer: record.answer };
  return { record, op, change, isCompleted: false, lock, joined: [] };
}

/** Two changes of one resource as one. */
function bothOf(earlier: Merged, later: Merged): Pick<Merged, 'change' | 'lock' | 'joined'> {
  const { lock = earlier.lock } = later;
  const from = earlier.lock === undefined ? lock?.from : earlier.lock.from;
  return {
    change: bothChanges(earlier.change, later.change),
    lock: lock && { ...lock, from: from ?? null },
    joined: [...earlier.joined, earlier.record.plan.item],
  };
}

function bothChanges(earlier: Change, later: Change): Change {
  const body = { ...(earlier.input.body as object), ...(later.input.body as object) };
  const input = later.input.body === undefined ? later.input : { ...later.input, body };
  const before = earlier.before === null ? null : { ...later.before, ...earlier.before };
  return { input, before, answer: later.answer };
}

/** An item with the ids that earlier items made. */
export function consideredOf({ plan }: ItemRecord, made: Made): Omit<Considered, 'own'> {
  const { input, id, item, after, partOf } = filled(plan, made) ?? shownLine(plan);
  return { op: operationOf(plan.op), input, id, item, after, partOf };
}
