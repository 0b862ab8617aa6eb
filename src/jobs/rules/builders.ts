import type { TSchema } from '@sinclair/typebox';
import type { LooseInput } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import type { PlannedRequest } from '../request.js';
import type { Change, NoWayBack, Reads, Resource, Rule, WayBack } from '../rule.js';
import type { State } from '../state.js';

/** The usual rules: a change of fields, a creation, a deletion, and what cannot be taken back. */

/** A request with the path parameters that its operation has, out of those given. */
export function requestFor(
  op: AnyOperation,
  path: Readonly<Record<string, string>>,
  body?: unknown,
): PlannedRequest {
  const names = pathParameters(op.path);
  const own = Object.fromEntries(names.map((name) => [name, path[name] ?? '']));
  const input = { path: own, query: {}, ...(op.body !== undefined && { body: body ?? {} }) };
  return { op, input, id: own[names.at(-1) ?? ''] ?? '' };
}

/** The body of a request as fields. */
export function bodyOf(input: LooseInput): Readonly<Record<string, unknown>> {
  return (input.body ?? {}) as Record<string, unknown>;
}

/** Some fields of a resource; those that it does not have are null. */
export function picked(resource: Resource, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, resource[field] ?? null]));
}

/** Reads fields of the resource at the same path. */
export function readFields(get: AnyOperation, fields: readonly string[]): NonNullable<Rule['read']> {
  return async (reads, input) => {
    const resource = await reads.one(get, requestFor(get, input.path ?? {}).input);
    return resource === null ? null : picked(resource, fields);
  };
}

/** A change that nothing takes back. @param rest how to tell whether it was made, where a read does */
export function never(why: string, rest: Omit<Rule, 'forecast' | 'back'> = {}): Rule {
  return { forecast: () => ({ undo: 'none', why }), ...rest };
}

interface Settable {
  /** Reads the resource at the same path; or, with `find`, the list that holds it. */
  get: AnyOperation;
  find?: (resource: Resource, input: LooseInput) => boolean;
  query?: Readonly<Record<string, unknown>>;
  /** How a field of the body is read from the resource, where it has another name or form there. */
  from?: Readonly<Record<string, (resource: Resource) => unknown>>;
  /** Fields of the body that no read gives, and why undo cannot bring them back. */
  unread?: Readonly<Record<string, string>>;
}

/**
 * A change of fields. Undo sets those that the request named to what they were; a field that was not
 * set before can be unset where it may be null.
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
  const own = { ...requestFor(get, input.path ?? {}).input, query };
  if (find === undefined) return reads.one(get, own);
  return (await reads.all(get, own))?.find((item) => find(item, input)) ?? null;
}

function fieldsOf(resource: Resource, { from = {} }: Settable, fields: readonly string[]): State {
  return Object.fromEntries(
    fields.map((field) => [field, from[field]?.(resource) ?? (from[field] ? null : resource[field]) ?? null]),
  );
}

function sum(reasons: readonly string[]): { undo: 'exact' | 'best-effort'; why?: string } {
  return reasons.length === 0 ? { undo: 'exact' } : { undo: 'best-effort', why: reasons.join('; ') };
}

function setBack(
  op: AnyOperation,
  { input, before }: Change,
  readable: readonly string[],
  unread: Readonly<Record<string, string>>,
): WayBack | NoWayBack {
  if (before === undefined || before === null) return { undo: 'none', why: 'its state before is not known' };
  const asked = bodyOf(input);
  const lost = readable.filter((field) => (before[field] ?? null) === null && !isNullable(op, field));
  const back = readable.filter((field) => !lost.includes(field));
  const reasons = [
    ...Object.keys(asked).flatMap((field) => unread[field] ?? []),
    ...lost.map((field) => `${field} was not set before, and nothing unsets it`),
  ];
  if (back.length === 0) return { undo: 'none', why: reasons.join('; ') };
  return {
    ...sum(reasons),
    request: requestFor(op, input.path ?? {}, picked(before, back)),
    expect: picked(asked, back),
  };
}

function isNullable(op: AnyOperation, field: string): boolean {
  const schema = (op.body?.properties as Record<string, TSchema> | undefined)?.[field];
  return ((schema?.anyOf as TSchema[] | undefined) ?? []).some((branch) => branch.type === 'null');
}

interface Creatable {
  remove: AnyOperation;
  /** The path parameter of the removal that names what was made. */
  parameter: string;
  /** Where the answer holds its value; `id` unless given. */
  key?: string;
  /** The state that the removal's own rule reads, as the creation left it. */
  left?: (answer: Resource, input: LooseInput) => State;
  /** Why removing it does not bring back everything. */
  why?: string | ((input: LooseInput) => string | undefined);
  /** Finds what a lost answer may have made; without it nothing tells. */
  lookup?: Pick<Rule, 'read' | 'wanted'>;
}

/** A creation. Undo removes what was made, unless it was changed since. */
export function creates({ remove, parameter, key = 'id', left, why, lookup }: Creatable): Rule {
  const reason = (input: LooseInput) => (typeof why === 'function' ? why(input) : why);
  const sureness = (input: LooseInput) => sum([reason(input) ?? []].flat());
  return {
    creates: true,
    forecast: sureness,
    ...lookup,
    back({ input, answer }) {
      const made = answer as Resource | undefined;
      const id = made?.[key];
      if (made === undefined || typeof id !== 'string') {
        return { undo: 'none', why: 'the answer of the platform was lost, so its id is not known' };
      }
      const request = requestFor(remove, { ...input.path, [parameter]: id });
      return { ...sureness(input), request, expect: left?.(made, input) };
    },
  };
}

/**
 * Tells whether a creation without a name of its own was made: where nothing in the list is like it, it
 * was not; where something is, nobody can tell whether that is it.
 */
export function likeness(
  list: AnyOperation,
  isLike: (item: Resource, body: Readonly<Record<string, unknown>>) => boolean,
  query: Readonly<Record<string, unknown>> = {},
): Pick<Rule, 'read' | 'wanted'> {
  return {
    async read(reads, input) {
      const { input: own } = requestFor(list, input.path ?? {});
      const items = await reads.all(list, { ...own, query });
      const like = items?.find((item) => isLike(item, bodyOf(input)));
      return like === undefined ? null : { like: like.id };
    },
    wanted: () => undefined,
  };
}

interface Deletable {
  read: NonNullable<Rule['read']>;
  why: string;
  /** The request that makes something like it again; undefined where what is known does not suffice. */
  again?: (before: Resource, input: LooseInput) => PlannedRequest | undefined;
}

/** A deletion. Undo makes something like it again, where that is of use. */
export function deletes({ read, why, again }: Deletable): Rule {
  return {
    read,
    oneWay: true,
    ...(again !== undefined && { before: 'always' as const }),
    forecast: () => ({ undo: again === undefined ? 'none' : 'best-effort', why }),
    wanted: () => null,
    ...(again !== undefined && {
      back: ({ before, input }: Change) => {
        if (before === undefined || before === null) {
          return { undo: 'none', why: 'its state before is not known' };
        }
        const request = again(before, input);
        return request === undefined
          ? { undo: 'none', why }
          : { undo: 'best-effort', why, request, expect: undefined };
      },
    }),
  };
}
