import type { ItemRecord, PlanLine, Take } from './journal.js';
import { operationOf } from './operation-of.js';
import { ruleOf } from './undo-rules.js';

/** Requests that name what an earlier item of their job makes: its id is known once it is made. */

/** What items of a job made, by item. */
export type Made = Map<number, MadeOne>;

interface MadeOne {
  id: string;
  /** The platform's answer, which may name further things that came with it. */
  answer: unknown;
}

/**
 * The plan of an item with the ids that earlier items made, and with its own once it is done.
 * @returns undefined where one of an earlier item is unknown
 */
export function filled(plan: PlanLine, made: ReadonlyMap<number, MadeOne>): PlanLine | undefined {
  if (plan.takes === undefined) return plan;
  let copy = plan;
  for (const { from, into, path } of plan.takes) {
    const id = takenFrom(made.get(from), path);
    if (id !== undefined) copy = put(copy, into, id) as PlanLine;
    else if (from !== plan.item) return undefined;
  }
  return copy;
}

/** The ids that the done items of a job made. */
export function madeBy(items: readonly ItemRecord[]): Made {
  const found: Made = new Map();
  for (const { plan, state, answer } of items) if (state === 'ok') keepMade(found, plan, answer);
  return found;
}

/** Keeps the answer of an item that made something. */
export function keepMade(made: Made, { item, op }: Pick<PlanLine, 'item' | 'op'>, answer: unknown): void {
  const id = madeId(op, answer);
  if (id !== undefined) made.set(item, { id, answer });
}

/** An id in the answer of an earlier item. @param path as in `Take` */
export function takenFrom(made: MadeOne | undefined, path: string | undefined): string | undefined {
  if (path === undefined) return made?.id;
  const found = path.split('.').reduce<unknown>((part, key) => {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    return (part as Record<string, unknown>)[key];
  }, made?.answer);
  return typeof found === 'string' ? found : undefined;
}

/** The id in the answer of a creation. */
export function madeId(op: string, answer: unknown): string | undefined {
  const key = ruleOf(operationOf(op)).makes?.key;
  const id = key === undefined ? undefined : (answer as Record<string, unknown> | undefined)?.[key];
  return typeof id === 'string' ? id : undefined;
}

/** The id of what an item was about; of a creation that of what it made. Those of an undo keep the former id. */
export function idOf(plan: PlanLine, answer: unknown, made: Made): string {
  const own = plan.undoes === undefined ? madeId(plan.op, answer) : undefined;
  return own ?? filled(plan, made)?.id ?? plan.id;
}

/** Where a value names a resource by its old id. @param makers the items that make them anew, by old id */
export function takesIn(
  makers: ReadonlyMap<string, number>,
  value: unknown,
  at: readonly string[] = [],
): Take[] {
  if (typeof value === 'string') {
    const from = makers.get(value);
    return from === undefined ? [] : [{ from, into: at }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => takesIn(makers, part, [...at, key]));
}

/** A copy of a value with another one at a place, where there is such a place; long numbers stay what they are. */
function put(target: unknown, [key, ...rest]: readonly string[], value: string): unknown {
  if (key === undefined) return value;
  if (typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) return target;
  const part = put((target as Record<string, unknown>)[key], rest, value);
  if (Array.isArray(target)) return target.map((own, index) => (String(index) === key ? part : own));
  return { ...target, [key]: part };
}
