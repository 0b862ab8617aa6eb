import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import { type Resource, requestFor } from '../request.js';
import type { Rule } from '../rule.js';
import type { State } from '../state.js';
import { bodyOf, type Read, reverts } from './builders.js';

/** A neighbour as a request names it; it is compared as a whole. */
export type Neighbour = Readonly<Record<string, string>>;

type Standing = Readonly<Record<'previous' | 'next', Neighbour | null>>;

/** The neighbours of a sibling; null where it is not in the list. */
export function standingOf(siblings: readonly Neighbour[], isMeant: (one: Neighbour) => boolean): State {
  const index = siblings.findIndex(isMeant);
  if (index < 0) return null;
  return { previous: siblings[index - 1] ?? null, next: siblings[index + 1] ?? null };
}

/** The fields of a state that tell a place among siblings: who is added beside it changes them. */
export const placeFields = ['previous', 'next', 'left', 'right', 'previousGroups', 'nextGroups'] as const;

/** The id of the sibling beside which a move puts something. */
export function anchorOf(input: LooseInput): string | undefined {
  const [named] = Object.values(wantedPlace(input)) as Neighbour[];
  const id = Object.entries(named ?? {}).find(([key]) => key !== 'type')?.[1];
  return typeof id === 'string' ? id : undefined;
}

/** Ids in lists, one for each value of a field, in the order of the items. */
export function ordersBy(
  items: readonly Resource[],
  keyOf: (item: Resource) => unknown,
): readonly (readonly string[])[] {
  const found = new Map<unknown, string[]>();
  for (const item of items) {
    const key = keyOf(item) ?? null;
    const order = found.get(key);
    if (order === undefined) found.set(key, [String(item.id)]);
    else order.push(String(item.id));
  }
  return [...found.values()];
}

export function wantedPlace(input: LooseInput): Record<string, unknown> {
  const { before: next, after: previous } = (bodyOf(input).position ?? {}) as Record<string, unknown>;
  return defined({ next, previous });
}

/** The position that restores a place: after the old previous sibling, else before the old next one. */
export function positionBack(
  { previous, next }: Partial<Standing>,
  isNameable: (one: Neighbour) => boolean = () => true,
): { after: Neighbour } | { before: Neighbour } | undefined {
  if (previous && isNameable(previous)) return { after: previous };
  return next && isNameable(next) ? { before: next } : undefined;
}

/**
 * A move within one list of siblings. Moves run one at a time: each place depends on the one before.
 * @param isNameable whether the request can name a neighbour
 */
export function moves(
  op: AnyOperation,
  {
    read,
    orders,
    isNameable,
  }: Pick<Rule, 'orders'> & { read: Read; isNameable?: (one: Neighbour) => boolean },
): Rule {
  return reverts({
    inOrder: true,
    read,
    ...defined({ orders }),
    passing: placeFields,
    wanted: wantedPlace,
    back(before, { input }) {
      const position = positionBack(before as Partial<Standing>, isNameable);
      if (position === undefined) return { undo: 'none', why: 'the previous position is unknown' };
      return { request: requestFor(op, input.path, { position }), expect: wantedPlace(input) };
    },
  });
}
