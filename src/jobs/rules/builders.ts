import type { TSchema } from '@sinclair/typebox';
import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import { aboutOperation } from '../../model/resources.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Change, NoWayBack, Part, Rule, WayBack } from '../rule.js';
import type { State } from '../state.js';

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

/** Reads the state that a request touches. */
type Read = NonNullable<Rule['read']>;

export function bodyOf(input: LooseInput): Readonly<Record<string, unknown>> {
  return (input.body ?? {}) as Record<string, unknown>;
}

/** Some fields of a resource; absent ones are null. */
export function picked(resource: Resource, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, resource[field] ?? null]));
}

/** Some fields of a resource, or what a function makes of it. */
type Shown = readonly string[] | ((item: Resource, all: readonly Resource[]) => State);

function shown(state: Shown, item: Resource | null | undefined, all: readonly Resource[] = []): State {
  if (!item) return null;
  return typeof state === 'function' ? state(item, all) : picked(item, state);
}

export function readOne(
  get: AnyOperation,
  state: Shown,
  query: Readonly<Record<string, unknown>> = {},
): Read {
  return async (reads, { path }) =>
    shown(state, await reads.one(get, { ...requestFor(get, path).input, query }));
}

/** Reads an item that the platform returns in a list only. */
export function readListed(list: AnyOperation, state: Shown): Read {
  const { parameter = '' } = aboutOperation(list.id)?.resource ?? {};
  return async (reads, { path = {} }) => {
    const all = (await reads.all(list, requestFor(list, path).input)) ?? [];
    const item = all.find(({ id }) => id === path[parameter]);
    return shown(state, item, all);
  };
}

/** A change without undo. @param rest how a read shows that it was made */
export function never(why: string, rest: Omit<Rule, 'forecast' | 'back'> = {}): Rule {
  return { forecast: () => ({ undo: 'none', why }), ...rest };
}

/** Exact without a reason. */
export function sureness(why: string | undefined): { undo: 'exact' } | { undo: 'best-effort'; why: string } {
  return why === undefined ? { undo: 'exact' } : { undo: 'best-effort', why };
}

export const stateUnknown: NoWayBack = { undo: 'none', why: 'the previous state is unknown' };

interface Reversible extends Omit<Rule, 'forecast' | 'before' | 'back'>, Partial<Pick<Rule, 'forecast'>> {
  /** Why undo is not exact. */
  why?: string;
  /**
   * The request that restores the state before, and the state that the change left; with `undo` where
   * that differs from change to change.
   */
  back(
    before: Resource,
    change: Change,
  ): (Partial<WayBack> & Pick<WayBack, 'request' | 'expect'>) | NoWayBack;
}

/** A change that is undone from the state before it. */
export function reverts({ why, back, ...rest }: Reversible): Rule {
  return {
    before: 'always',
    forecast: () => sureness(why),
    ...rest,
    back(change) {
      if (!change.before) return stateUnknown;
      const found = back(change.before, change);
      return found.undo === 'none' ? found : { ...sureness(why), ...found };
    },
  };
}

interface Settable {
  /** Reads the resource at the same path; or, with `find`, the list that contains it. */
  get: AnyOperation;
  find?: (resource: Resource, input: LooseInput) => boolean;
  query?: Readonly<Record<string, unknown>>;
  /** How the resource shows a field of the body, where its name or form differs. */
  from?: Readonly<Record<string, (resource: Resource) => unknown>>;
  /** Fields of the body that no read shows, and why undo cannot restore them. */
  unread?: Readonly<Record<string, string>>;
}

/**
 * A change of fields. Undo sets the fields of the request to their old values; one that was not set
 * before becomes null where the platform allows it.
 */
export function sets(op: AnyOperation, settable: Settable): Rule {
  const unread = settable.unread ?? {};
  const readable = (input: LooseInput) => Object.keys(bodyOf(input)).filter((field) => !(field in unread));
  return {
    before: 'always',
    forecast: (input) => sum(Object.keys(bodyOf(input)).flatMap((field) => unread[field] ?? [])),
    async read(reads, input) {
      const resource = await found(reads, settable, input);
      return resource === null ? null : fieldsOf(resource, settable, readable(input));
    },
    wanted: (input) => picked(bodyOf(input), readable(input)),
    tells: (input) => readable(input).length === Object.keys(bodyOf(input)).length,
    back: (change) => setBack(op, change, readable(change.input), unread),
  };
}

async function found(
  reads: Reads,
  { get, find, query = {} }: Settable,
  input: LooseInput,
): Promise<Resource | null> {
  const own = { ...requestFor(get, input.path).input, query };
  if (find === undefined) return reads.one(get, own);
  return (await reads.all(get, own))?.find((item) => find(item, input)) ?? null;
}

function fieldsOf(resource: Resource, { from = {} }: Settable, fields: readonly string[]): State {
  return Object.fromEntries(
    fields.map((field) => [field, from[field]?.(resource) ?? (from[field] ? null : resource[field]) ?? null]),
  );
}

function sum(reasons: readonly string[]) {
  return sureness(reasons.join('; ') || undefined);
}

function setBack(
  op: AnyOperation,
  { input, before }: Change,
  readable: readonly string[],
  unread: Readonly<Record<string, string>>,
): WayBack | NoWayBack {
  if (!before) return stateUnknown;
  const asked = bodyOf(input);
  const lost = readable.filter((field) => (before[field] ?? null) === null && !isNullable(op, field));
  const back = readable.filter((field) => !lost.includes(field));
  const reasons = Object.keys(asked).flatMap((field) => unread[field] ?? []);
  reasons.push(...lost.map((field) => `${field} was not set before, and the platform cannot unset it`));
  if (back.length === 0) return { undo: 'none', why: reasons.join('; ') };
  return {
    ...sum(reasons),
    request: requestFor(op, input.path, picked(before, back)),
    expect: picked(asked, back),
    restores: picked(before, back),
  };
}

function isNullable(op: AnyOperation, field: string): boolean {
  const schema = (op.body?.properties as Record<string, TSchema> | undefined)?.[field];
  return ((schema?.anyOf as TSchema[] | undefined) ?? []).some((branch) => branch.type === 'null');
}

interface Creatable extends Pick<Rule, 'shows' | 'like'> {
  /** The removal of what was created. */
  remove: AnyOperation;
  /** The state as the creation left it, in the form that the rule of the removal reads. */
  left?: readonly string[] | ((answer: Resource, input: LooseInput) => State);
  /** Why removing it does not undo everything. */
  why?: string | ((input: LooseInput) => string | undefined);
  /** Finds what a lost answer may have created. */
  lookup?: Pick<Rule, 'read' | 'wanted'>;
}

/** A creation. Undo removes what was created, unless it has changed since. */
export function creates({ remove, left, why, lookup, ...shown }: Creatable): Rule {
  const { parameter = '', id: key = 'id' } = aboutOperation(remove.id)?.resource ?? {};
  const sure = (input: LooseInput) => sureness(typeof why === 'function' ? why(input) : why);
  return {
    creates: true,
    makes: { parameter, key },
    forecast: sure,
    ...lookup,
    ...shown,
    back({ input, answer }) {
      const made = answer as Resource | undefined;
      const id = made?.[key];
      if (made === undefined || typeof id !== 'string') return idUnknown;
      const expect = typeof left === 'function' ? left(made, input) : left && picked(made, left);
      return { ...sure(input), request: requestFor(remove, { ...input.path, [parameter]: id }), expect };
    },
  };
}

export const idUnknown: NoWayBack = {
  undo: 'none',
  why: "the platform's answer was lost, so the id is unknown",
};

/**
 * Looks up a creation without a name of its own: where nothing in the list is like it, it had no effect;
 * where something is, nothing shows whether that is it.
 * @param like a field that both have in common, or a comparison
 */
export function likeness(
  list: AnyOperation,
  like: string | ((item: Resource, body: Readonly<Record<string, unknown>>) => boolean),
  query: Readonly<Record<string, unknown>> = {},
): Pick<Rule, 'read' | 'wanted'> {
  const isLike = (item: Resource, body: Resource) =>
    typeof like === 'function' ? like(item, body) : item[like] === (body[like] ?? item[like]);
  return {
    async read(reads, input) {
      const items = await reads.all(list, { ...requestFor(list, input.path).input, query });
      const found = items?.find((item) => isLike(item, bodyOf(input)));
      return found === undefined ? null : { like: found.id };
    },
    wanted: () => undefined,
  };
}

interface Deletable extends Pick<Rule, 'passing'> {
  read: Read;
  why: string;
  /** The requests that create it anew; none where the state before does not suffice. */
  again?(before: Resource, input: LooseInput): readonly Part[];
  /** Requests that create it anew name others beside it, so they are sent one at a time. */
  inOrder?: true;
}

/** A deletion. Undo creates something like it, where that is of use. */
export function deletes({ read, why, again, inOrder, passing }: Deletable): Rule {
  const deletion = { read, oneWay: true, wanted: () => null, ...(passing && { passing }) } as const;
  if (again === undefined) return never(why, deletion);
  return reverts({
    ...deletion,
    ...(inOrder && { inOrder }),
    why,
    back: (before, { input }) => {
      const [first, ...further] = again(before, input);
      return first === undefined
        ? { undo: 'none', why }
        : { request: first.request, expect: undefined, further };
    },
  });
}

/** A move to another parent. The platform does not show the whole place before it. */
export function moved(
  op: AnyOperation,
  { read, why, orders }: Pick<Rule, 'orders'> & { read: Read; why: string },
): Rule {
  return reverts({
    why,
    inOrder: true,
    read,
    ...defined({ orders }),
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
  further(before: Resource, input: LooseInput): Part[];
}

/** A transfer to another organization, where it goes to the top level. */
export function transferred(op: AnyOperation, { read, why, further }: Transfer): Rule {
  const wanted = (input: LooseInput) => picked(bodyOf(input), ['organization']);
  return reverts({
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
