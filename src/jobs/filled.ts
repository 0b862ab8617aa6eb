import type { ItemRecord, PlanLine, Take } from './journal.js';
import { operationOf } from './operation-of.js';
import { ruleOf } from './undo-rules.js';

/** Requests that name what an earlier item of their job makes: its id is known once it is made. */

/** The ids that items of a job made, by item. */
export type Made = Map<number, string>;

/**
 * The plan of an item with the ids that earlier items made, and with its own once it is done.
 * @returns undefined where one of an earlier item is unknown
 */
export function filled(plan: PlanLine, made: ReadonlyMap<number, string>): PlanLine | undefined {
  if (plan.takes === undefined) return plan;
  const copy = structuredClone(plan);
  for (const { from, into } of plan.takes) {
    const id = made.get(from);
    if (id !== undefined) put(copy, into, id);
    else if (from !== plan.item) return undefined;
  }
  return copy;
}

/** The ids that the done items of a job made. */
export function madeBy(items: readonly ItemRecord[]): Made {
  const found: Made = new Map();
  for (const { plan, state, answer } of items) {
    const id = state === 'ok' ? madeId(plan.op, answer) : undefined;
    if (id !== undefined) found.set(plan.item, id);
  }
  return found;
}

/** The id in the answer of a creation. */
export function madeId(op: string, answer: unknown): string | undefined {
  const key = ruleOf(operationOf(op)).makes?.key;
  const id = key === undefined ? undefined : (answer as Record<string, unknown> | undefined)?.[key];
  return typeof id === 'string' ? id : undefined;
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

function put(target: unknown, [key, ...rest]: readonly string[], value: string): void {
  if (typeof target !== 'object' || target === null || key === undefined) return;
  const fields = target as Record<string, unknown>;
  if (rest.length > 0) put(fields[key], rest, value);
  else if (Object.hasOwn(fields, key)) fields[key] = value;
}
