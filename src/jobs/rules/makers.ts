import type { TSchema } from '@sinclair/typebox';
import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import type { Resource as Kind } from '../../model/registry.js';
import { type Change, requestFor } from '../change.js';
import { listAt, type Resource, readAt } from '../reads.js';
import type { NoWayBack, PastChange, Rule, WayBack } from '../rule.js';
import type { State } from '../state.js';

/**
 * Makers of rules of fields and deletions, which changes have that run from a record. Those of creations and of places are
 * in builders.ts. What the registry of resources knows of an operation, such as the read of what it changes, the list
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
export type Read = NonNullable<Rule['read']>;

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
export type Shown = readonly string[] | ((item: Resource, all: readonly Resource[]) => State);

export function resourceOf(op: AnyOperation, find: FindOperations): RuledResource {
  const resource = find.resourceOf?.(op.id);
  if (resource === undefined) throw new Error(`no resource has the operation ${op.id}`);
  return resource;
}

/** The narrowest of some operations whose path says no more than that of another one, and this parameter. */
export function narrowest(found: readonly AnyOperation[], { path }: AnyOperation, parameter?: string) {
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
