import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import type { Change, NoWayBack, Reads, Rule, WayBack } from '../rule.js';
import type { State } from '../state.js';
import { bodyOf, requestFor } from './builders.js';

/** Moves: where something stands is told by its neighbours. */

/** A neighbour as a request names it; it is compared as a whole. */
export type Neighbour = Readonly<Record<string, string>>;

/** Something among its siblings; undefined where a read cannot tell. */
export interface Standing {
  previous: Neighbour | null;
  next: Neighbour | null;
}

/** The neighbours of the one that is meant. @returns null where it is not among them */
export function standingOf(siblings: readonly Neighbour[], isMeant: (one: Neighbour) => boolean): State {
  const index = siblings.findIndex(isMeant);
  if (index < 0) return null;
  return { previous: siblings[index - 1] ?? null, next: siblings[index + 1] ?? null };
}

/** The place that a move asks for. */
export function wantedPlace(input: LooseInput): Record<string, unknown> {
  const { before, after } = (bodyOf(input).position ?? {}) as { before?: unknown; after?: unknown };
  return { ...(before !== undefined && { next: before }), ...(after !== undefined && { previous: after }) };
}

/** The position that puts something back: behind the one it followed, else before the one it preceded. */
export function positionBack(
  { previous, next }: Partial<Standing>,
  isNameable: (one: Neighbour) => boolean = () => true,
): { after: Neighbour } | { before: Neighbour } | undefined {
  if (previous && isNameable(previous)) return { after: previous };
  return next && isNameable(next) ? { before: next } : undefined;
}

/**
 * A move within one list of siblings. They are moved one at a time: each place is told by what was
 * there before.
 * @param isNameable whether a neighbour can be named in a move of this kind
 */
export function moves(
  op: AnyOperation,
  read: (reads: Reads, input: LooseInput) => Promise<State>,
  isNameable?: (one: Neighbour) => boolean,
): Rule {
  const back = ({ input, before }: Change): WayBack | NoWayBack => {
    const position = positionBack((before ?? {}) as Partial<Standing>, isNameable);
    if (position === undefined) return { undo: 'none', why: 'nothing tells where it stood' };
    const request = requestFor(op, input.path ?? {}, { position });
    return { undo: 'exact', request, expect: wantedPlace(input) };
  };
  return {
    before: 'always',
    inOrder: true,
    forecast: () => ({ undo: 'exact' }),
    read,
    wanted: (input) => wantedPlace(input),
    back,
  };
}
