import type { TSchema } from '@sinclair/typebox';
import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { asText, defined, groupBy } from '../../base/values.js';
import type { Resource as Kind } from '../../model/registry.js';
import { type Change, requestFor } from '../change.js';
import { listAt, type Resource, readAt } from '../reads.js';
import type { NoWayBack, PastChange, Rule, WayBack } from '../rule.js';
import type { State } from '../state.js';

/**
 * Makers of rules. What the registry of resources knows of an operation, such as the read of what it changes, the list
 * that shows what it creates, and what deletes that, is taken from there.
 */

/** By id of the operation: its rule, or what makes the rule of the operation. */
export type RuleTable = Readonly<Record<string, Rule | RuleMaker>>;
export type RuleMaker = (op: AnyOperation, find: FindOperations) => Rule;

/** Finds operations by their ids, and what an operation is about. */
export interface FindOperations {
  (ids: readonly string[]): AnyOperation[];
  resourceOf?: ResourceOf;
}

/** What rules need of the resource that an operation is about. */
export type RuledResource = Pick<Kind, 'id' | 'parameter' | 'gets' | 'lists' | 'operations'>;
export type ResourceOf = (operation: string) => RuledResource | undefined;

/** Rules that are loaded together, and the operations that they name by id. */
export interface Family {
  operations: readonly AnyOperation[];
  rules: RuleTable;
}

/** Reads the state that a request touches. */
type Read = NonNullable<Rule['read']>;

export function bodyOf(input: LooseInput): Readonly<Record<string, unknown>> {
  return (input.body ?? {}) as Record<string, unknown>;
}

/** Some fields of a resource; absent ones are null. */
export function picked(resource: Resource, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [field, Object.hasOwn(resource, field) ? (resource[field] ?? null) : null]),
  );
}

/** Some fields of a resource, or what a function makes of it and of the list that has it. */
type Shown = readonly string[] | ((item: Resource, all: readonly Resource[]) => State);

function resourceOf(op: AnyOperation, find: FindOperations): RuledResource {
  const resource = find.resourceOf?.(op.id);
  if (resource === undefined) throw new Error(`no resource has the operation ${op.id}`);
  return resource;
}

/** The narrowest of some operations whose path says no more than that of another one, and this parameter. */
function narrowest(found: readonly AnyOperation[], { path }: AnyOperation, parameter?: string) {
  const known = [...pathParameters(path), parameter];
  return found.find((op) => pathParameters(op.path).every((name) => known.includes(name)));
}

/** Reads what an operation is about: at its path, or in the list that has it. */
export function readOf(
  op: AnyOperation,
  find: FindOperations,
  state: Shown,
  query: LooseInput['query'] = {},
): Read {
  const { gets, lists, parameter } = resourceOf(op, find);
  const get = narrowest(find(gets), op);
  if (get !== undefined) return readOne(get, state, query);
  const [list] = find(lists) as [AnyOperation];
  return readListed(list, parameter, state, query);
}

/** Reads one of a list. @param parameter that of the path which names it */
export function readListed(
  list: AnyOperation,
  parameter: string,
  state: Shown,
  query: LooseInput['query'] = {},
): Read {
  return async (reads, { path = {} }) => {
    const all = await listAt(reads, list, path, query);
    return shownBy(state, all.find(({ id }) => id === path[parameter]) ?? null, all);
  };
}

export function readOne(get: AnyOperation, state: Shown, query: LooseInput['query'] = {}): Read {
  return async (reads, { path }) => shownBy(state, await readAt(reads, get, path, query));
}

function shownBy(state: Shown, item: Resource | null, all: readonly Resource[] = []): State {
  if (item === null) return null;
  return typeof state === 'function' ? state(item, all) : picked(item, state);
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
    change: PastChange,
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
  query?: LooseInput['query'];
  /** How the resource shows a field of the body, where its name or form differs. */
  from?: Readonly<Record<string, (resource: Resource) => unknown>>;
  /** Fields of the body that no read shows, and why undo cannot restore them. */
  unread?: Readonly<Record<string, string>>;
}

/**
 * A change of fields. Undo sets the fields of the request to their old values; one that was not set
 * before becomes null where the platform allows it.
 */
export function sets({ query, from = {}, unread = {} }: Settable = {}): RuleMaker {
  const readable = (input: LooseInput) => Object.keys(bodyOf(input)).filter((field) => !(field in unread));
  const fieldsOf = (resource: Resource, fields: readonly string[]) =>
    Object.fromEntries(
      fields.map((field) => [field, (from[field] ? from[field](resource) : resource[field]) ?? null]),
    );
  return (op, find) => ({
    before: 'always',
    forecast: (input) => sum(Object.keys(bodyOf(input)).flatMap((field) => unread[field] ?? [])),
    read: (reads, input) =>
      readOf(op, find, (resource) => fieldsOf(resource, readable(input)), query)(reads, input),
    wanted: (input) => picked(bodyOf(input), readable(input)),
    tells: (input) => readable(input).length === Object.keys(bodyOf(input)).length,
    back: (change) => setBack(op, change, readable(change.input), unread),
  });
}

function sum(reasons: readonly string[]) {
  return sureness(reasons.join('; ') || undefined);
}

function setBack(
  op: AnyOperation,
  { input, before }: PastChange,
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

interface Deletable extends Pick<Rule, 'passing' | 'inOrder' | 'takesFrom'> {
  query?: LooseInput['query'];
  /** The requests that create it anew; none where the state before does not suffice. */
  again?(before: Resource, input: LooseInput): readonly Change[];
}

/** A deletion. Undo creates something like it, where that is of use. @param before the state before it */
export function deletes(
  before: Shown | { read: Read },
  why: string,
  { query, again, ...rest }: Deletable = {},
): RuleMaker {
  return (op, find) => {
    const read = 'read' in before ? before.read : readOf(op, find, before, query);
    const deletion = { ...rest, read, oneWay: true, wanted: () => null } as const;
    if (again === undefined) return never(why, deletion);
    return reverts({
      ...deletion,
      why,
      back: (found, { input }) => {
        const [request, ...further] = again(found, input);
        if (request === undefined) return { undo: 'none', why };
        return { request, expect: undefined, further };
      },
    });
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
