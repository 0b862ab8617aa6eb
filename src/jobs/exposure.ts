import type { LooseInput } from '../api/client.js';
import { type Exposure, exposures, isEmpty, type Widening } from '../api/exposes.js';
import type { AnyOperation } from '../api/operation.js';
import { isObject } from '../base/values.js';
import type { State } from './state.js';

/**
 * What widens who can see, join or control something: sentences, from what a request asks for. Single changes, bulk,
 * raw requests, plans, the organization as code and undo all tell these.
 */

/** A request that may widen exposure. */
interface Exposing {
  op: AnyOperation;
  input: LooseInput;
  /** What people call what it is about. */
  name: string;
  /** The fields of the body as they are before; undefined where that is unknown. */
  before?: State | undefined;
}

/** What a request would expose; nothing where it exposes nothing new. */
export function exposuresOf({ op, input, name, before }: Exposing): string[] {
  const found = widenings({ op, input }).flatMap(([field, value, { tells }]) => {
    const former = before && Object.hasOwn(before, field) ? (before[field] ?? null) : undefined;
    return tells?.(value, former, name) ?? [];
  });
  return [...new Set(found)];
}

/** What a request would widen at most, whatever is there now: what a policy asks about. */
export function widenedBy(request: Pick<Exposing, 'op' | 'input'>): Exposure[] {
  const { exposes } = request.op;
  if (isWhole(exposes)) return [...exposes];
  const found = widenings(request).flatMap(([, value, { is, isNarrow = isEmpty }]) =>
    isNarrow(value) ? [] : [is],
  );
  return [...new Set(found)];
}

/** What operations widen at most, whatever they send. */
export function exposable(operations: readonly Pick<AnyOperation, 'exposes'>[]): Exposure[] {
  const found = operations.flatMap(({ exposes = [] }) =>
    isWhole(exposes) ? exposes : Object.values<Widening | undefined>(exposes).flatMap((one) => one?.is ?? []),
  );
  return exposures.filter((one) => found.includes(one));
}

function isWhole(exposes: AnyOperation['exposes']): exposes is readonly Exposure[] {
  return Array.isArray(exposes);
}

/** The fields of a body that may widen something, with what is sent in them. */
function widenings({ op, input }: Pick<Exposing, 'op' | 'input'>): [string, unknown, Widening][] {
  const { exposes = [] } = op;
  if (isWhole(exposes)) return [];
  const body = isObject(input.body) ? input.body : {};
  return Object.entries(exposes).flatMap(([field, widening]) => {
    const value = Object.hasOwn(body, field) ? body[field] : widening?.absent;
    return widening === undefined || value === undefined ? [] : [[field, value, widening] as const];
  }) as [string, unknown, Widening][];
}
