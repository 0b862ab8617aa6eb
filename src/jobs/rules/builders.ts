import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { asText, defined, groupBy } from '../../base/values.js';
import { type Change, requestFor } from '../change.js';
import { listAt, type Resource } from '../reads.js';
import type { NoWayBack, Rule } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  narrowest,
  picked,
  type Read,
  type RuleMaker,
  resourceOf,
  reverts,
  sureness,
} from './makers.js';

export * from './makers.js';

/** Makers of rules of creations, and of places among siblings. */

interface Creatable extends Pick<Rule, 'shows' | 'like'> {
  /** The state as the creation left it, in the form that the rule of the removal reads. */
  left?: readonly string[] | ((answer: Resource, input: LooseInput) => State);
  /** Why removing it does not undo everything. */
  why?: string | ((input: LooseInput) => string | undefined);
  /** Finds what a lost answer may have created: by a field that both have, or as the list has it. */
  lookup?: Likeness | Pick<Rule, 'read' | 'wanted'>;
}

/** A creation. Undo removes what was created, unless it has changed since. */
export function creates({ left, why, lookup, ...shown }: Creatable): RuleMaker {
  const sure = (input: LooseInput) => sureness(typeof why === 'function' ? why(input) : why);
  return (op, find) => {
    const { parameter, id: key, operations, lists } = resourceOf(op, find);
    const remove = narrowest(find(operations.delete ?? []), op, parameter);
    return {
      creates: true,
      makes: { parameter, key },
      forecast: sure,
      ...(typeof lookup === 'object' ? lookup : lookup && likeness(find(lists)[0], lookup)),
      ...shown,
      back({ input, answer }) {
        const made = answer as Resource | undefined;
        const id = made?.[key];
        if (made === undefined || typeof id !== 'string' || remove === undefined) return idUnknown;
        const expect = typeof left === 'function' ? left(made, input) : left && picked(made, left);
        return { ...sure(input), request: requestFor(remove, { ...input.path, [parameter]: id }), expect };
      },
    };
  };
}

export const idUnknown: NoWayBack = {
  undo: 'none',
  why: "the platform's answer was lost, so the id is unknown",
};

/** A field that a resource and the body of its creation have in common, or a comparison of both. */
type Likeness = string | ((item: Resource, body: Readonly<Record<string, unknown>>) => boolean);

/**
 * Looks up a creation without a name of its own: where nothing in the list is like it, it had no effect;
 * where something is, nothing shows whether that is it.
 */
export function likeness(
  list: AnyOperation | undefined,
  like: Likeness,
  query: LooseInput['query'] = {},
): Pick<Rule, 'read' | 'wanted'> {
  const isLike = (item: Resource, body: Resource) =>
    typeof like === 'function' ? like(item, body) : item[like] === (body[like] ?? item[like]);
  return {
    async read(reads, input) {
      const items = list && (await listAt(reads, list, input.path, query));
      const found = items?.find((item) => isLike(item, bodyOf(input)));
      return found === undefined ? null : { like: found.id };
    },
    wanted: () => undefined,
  };
}

/** A neighbour as a request names it; it is compared as a whole. */
export type Neighbour = Readonly<Record<string, string>>;

type Neighbours = Readonly<Record<'previous' | 'next', Neighbour | null>>;

/** The neighbours of a sibling; null where it is not in the list. */
export function neighboursOf(siblings: readonly Neighbour[], isMeant: (one: Neighbour) => boolean): State {
  const index = siblings.findIndex(isMeant);
  if (index < 0) return null;
  return { previous: siblings[index - 1] ?? null, next: siblings[index + 1] ?? null };
}

/** The fields of a state that tell a place among siblings: who is added beside it changes them. */
export const placeFields = ['previous', 'next', 'left', 'right', 'previousGroups', 'nextGroups'] as const;

/** The id of the sibling beside which a move puts something. */
export function anchorOf(input: LooseInput): string | undefined {
  const [named] = Object.values(wantedPlace(input)) as Neighbour[];
  return asText(Object.entries(named ?? {}).find(([key]) => key !== 'type')?.[1]);
}

/** Ids in lists, one for each value of a field, in the order of the items. */
export function ordersBy(
  items: readonly Resource[],
  keyOf: (item: Resource) => unknown,
): readonly (readonly string[])[] {
  const lists = groupBy(items, (item) => keyOf(item) ?? null);
  return [...lists.values()].map((list) => list.map(({ id }) => String(id)));
}

export function wantedPlace(input: LooseInput): Record<string, unknown> {
  const { before: next, after: previous } = (bodyOf(input).position ?? {}) as Record<string, unknown>;
  return defined({ next, previous });
}

/** The position that restores a place: after the old previous sibling, else before the old next one. */
export function positionBack({
  previous,
  next,
}: Partial<Neighbours>): { after: Neighbour } | { before: Neighbour } | undefined {
  return previous ? { after: previous } : next ? { before: next } : undefined;
}

/** The move to a place, where it is known. */
export function movedBack(op: AnyOperation, path: LooseInput['path'], place: Resource): Change[] {
  const position = positionBack(place);
  return position === undefined ? [] : [requestFor(op, path, { position })];
}

/** A move within one list of siblings. Moves run one at a time: each place depends on the one before. */
export function moves(own: Pick<Rule, 'orders' | 'movesAmongGroups'> & { read: Read }): RuleMaker {
  return (op) =>
    reverts({
      ...own,
      inOrder: true,
      passing: placeFields,
      wanted: wantedPlace,
      back(before, { input }) {
        const position = positionBack(before as Partial<Neighbours>);
        if (position === undefined) return { undo: 'none', why: 'the previous position is unknown' };
        return { request: requestFor(op, input.path, { position }), expect: wantedPlace(input) };
      },
    });
}

/** A move to another parent. The platform does not show the whole place before it. */
export function moved({ read, why, orders }: Pick<Rule, 'orders'> & { read: Read; why: string }): RuleMaker {
  return (op) =>
    reverts({
      why,
      inOrder: true,
      read,
      orders,
      passing: placeFields,
      wanted: (input) => defined({ parent: bodyOf(input).parent, ...wantedPlace(input) }),
      // No read shows a place among siblings that the platform does not list.
      tells: (input, before) => Object.keys(wantedPlace(input)).every((side) => side in (before ?? {})),
      back(before, { input }) {
        const body = defined({ parent: before.parent ?? null, position: positionBack(before) });
        const { parent } = bodyOf(input);
        const expect = parent === undefined ? undefined : { parent };
        return { request: requestFor(op, input.path, body), expect };
      },
    });
}

interface Transfer {
  read: Read;
  why: string;
  /** What restores the rest once it is back in its organization. */
  further(before: Resource, input: LooseInput): Change[];
}

/** A transfer to another organization, where it goes to the top level. */
export function transferred({ read, why, further }: Transfer): RuleMaker {
  const wanted = (input: LooseInput) => picked(bodyOf(input), ['organization']);
  return (op) =>
    reverts({
      why,
      inOrder: true,
      read,
      passing: placeFields,
      wanted,
      back: (before, { input }) => ({
        request: requestFor(op, input.path, picked(before, ['organization'])),
        expect: wanted(input),
        further: further(before, input),
      }),
    });
}
