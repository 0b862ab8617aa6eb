import {
  type CallOptions,
  type Client,
  type Listing,
  type LooseInput,
  type Page,
  prepare,
} from '../api/client.js';
import type { AnyOperation } from '../api/operation.js';
import { roles } from '../api/shapes.js';
import { RawNumber } from '../api/transport/json-text.js';
import type { TSchema } from '../api/type.js';
import { DocsError } from '../base/errors.js';
import { defined, isObject } from '../base/values.js';
import type { Unread } from './unread.js';

/**
 * Whether answers have the structure that their operation declares: required keys, and types. What a newer platform
 * may add passes: further keys, further members of enumerations, texts of any length or format. A role is compared, so
 * one that is not among the six does not pass. Null in place of an optional value is taken for none.
 */

/** Where a value does not fit, such as `user.email`; empty for the value itself, undefined where it fits. */
type Misfit = string | undefined;

type Check = (value: unknown, later: Later) => Misfit;

/** Parts of a recursive shape that are still to be checked: a tree may be deeper than the call stack. */
type Later = { check: Check; value: unknown; at: string }[];

const checks = new WeakMap<TSchema, Check>();

/** The first misfit of a value. Takes time by what the schema names, not by the size of the value. */
export function misfitOf(schema: TSchema, value: unknown): Misfit {
  const later: Later = [];
  const check = checks.get(schema) ?? compile(schema, new Map());
  checks.set(schema, check);
  const found = check(value, later);
  if (found !== undefined) return found;
  for (let part = later.pop(); part !== undefined; part = later.pop()) {
    const misfit = part.check(part.value, later);
    if (misfit !== undefined) return joined(part.at, misfit);
  }
  return undefined;
}

/** @param named the shapes around this one that refer to themselves, by their `$id` */
function compile(schema: TSchema, named: Map<string, { check: Check }>): Check {
  const { $ref, $id } = schema;
  if ($ref !== undefined) {
    return (value, later) => {
      const check = named.get($ref)?.check;
      if (check !== undefined) later.push({ check, value, at: $ref });
      return undefined;
    };
  }
  const own = { check: passes };
  const inside = $id === undefined ? named : new Map(named).set($id, own);
  own.check = compileKind(schema, inside);
  return own.check;
}

function compileKind(schema: TSchema, named: Map<string, { check: Check }>): Check {
  if (Array.isArray(schema.anyOf)) return anyOf(schema.anyOf.map((one: TSchema) => compile(one, named)));
  if (schema.type === 'object') return objectOf(schema, named);
  if (schema.type === 'array')
    return listOf(schema.items === undefined ? passes : compile(schema.items, named));
  if (schema.enum === roles) return ofRole;
  return ofType(schema.type ?? typeof schema.const);
}

const passes: Check = () => undefined;
const ofRole: Check = (value) => (roles.some((role) => role === value) ? undefined : '');

function ofType(type: unknown): Check {
  if (type === 'null') return (value) => (value === null ? undefined : '');
  if (type === 'string') return (value) => (typeof value === 'string' ? undefined : '');
  if (type === 'boolean') return (value) => (typeof value === 'boolean' ? undefined : '');
  if (type !== 'number' && type !== 'integer') return passes;
  return (value) => (typeof value === 'number' || value instanceof RawNumber ? undefined : '');
}

function anyOf(options: readonly Check[]): Check {
  return (value, later) => {
    let first: Misfit;
    for (const option of options) {
      const held = later.length;
      const misfit = option(value, later);
      if (misfit === undefined) return undefined;
      later.length = held;
      // What is furthest inside tells most.
      if (first === undefined || misfit.length > first.length) first = misfit;
    }
    return first;
  };
}

function listOf(item: Check): Check {
  return (value, later) => {
    if (!Array.isArray(value)) return '';
    for (let index = 0; index < value.length; index += 1) {
      const misfit = item(value[index], later);
      if (misfit !== undefined) return joined(String(index), misfit);
    }
    return undefined;
  };
}

interface PropertyCheck {
  name: string;
  required: boolean;
  /** What `typeof` is of a value that fits, where that is all there is to it: most are settled without a call. */
  plain: string | undefined;
  check: Check;
}

function objectOf({ properties = {}, required = [] }: TSchema, named: Map<string, { check: Check }>): Check {
  const parts: PropertyCheck[] = Object.entries<TSchema>(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    plain: plainOf(schema),
    check: compile(schema, named),
  }));
  return (value, later) => {
    if (!isObject(value)) return '';
    for (const { name, required, plain, check } of parts) {
      const part = value[name];
      if (typeof part === plain || (part === undefined && !required)) continue;
      const misfit = check(part, later);
      if (misfit === undefined) continue;
      if (part !== null || required) return joined(name, misfit);
      // The answer is ours alone; its readers know none, not null.
      delete value[name];
    }
    return undefined;
  };
}

function plainOf({ type, enum: values }: TSchema): string | undefined {
  const isPlain = type === 'string' || type === 'number' || type === 'boolean';
  return isPlain && values !== roles ? type : undefined;
}

function joined(at: string, misfit: string): string {
  return misfit === '' ? at : `${at}.${misfit}`;
}

/** An item of a list that lacks what the operation declares. */
interface MisfitItem {
  /** From 0, in the list as a whole. */
  index: number;
  /** Where the item tells it. */
  id?: string;
  /** What is missing or of another type, such as `user.email`; empty for the item itself. */
  field: string;
}

/** Items that the error names one by one; of more, only the number. */
const mostTold = 100;

/**
 * The same client, which checks what reads answer against the declared shapes. A list gives all items that fit, and
 * fails at its end where others do not: so whoever reads it knows that it is not whole.
 *
 * Calls fail with `bad-response`, `wrong_shape`; `misfitsOf` lists the items.
 */
export function checkedClient(client: Client): Client {
  return {
    call: ((op: AnyOperation, input: LooseInput, options?: CallOptions) => {
      const answer: unknown = client.call(op, input as Parameters<Client['call']>[1], options);
      if (op.method !== 'GET' || op.returns.kind === 'none') return answer;
      const path = () => prepare(op, input).path;
      const { returns } = op;
      return returns.kind === 'page'
        ? checkedList(answer as Listing<unknown>, (item) => misfitOf(returns.item, item), path)
        : checkedOne(answer as Promise<unknown>, (value) => misfitOf(returns.schema, value), path);
    }) as Client['call'],
    send: (request) => client.send(request),
    pagesOf: (request) => client.pagesOf(request),
    download: (url, options) => client.download(url, options),
    get platformNowMs() {
      return client.platformNowMs;
    },
    close: () => client.close(),
  };
}

type MisfitIn = (value: unknown) => string | undefined;

async function checkedOne(
  answer: Promise<unknown>,
  misfitIn: MisfitIn,
  path: () => string,
): Promise<unknown> {
  const value = await answer;
  const field = misfitIn(value);
  if (field === undefined) return value;
  const facts = { details: { field }, ...requestFacts(path) };
  throw new DocsError('bad-response', 'wrong_shape', `The response ${misfitWords(field)}.`, facts);
}

function checkedList(list: Listing<unknown>, misfitIn: MisfitIn, path: () => string): Listing<unknown> {
  const pages = async function* (): AsyncGenerator<Page<unknown>> {
    const misfits: MisfitItem[] = [];
    let [count, seen] = [0, 0];
    for await (const page of list.pages()) {
      const items = page.items.filter((item, index) => {
        const field = misfitIn(item);
        if (field === undefined) return true;
        count += 1;
        if (misfits.length < mostTold) misfits.push(misfitItem(item, { index: seen + index, field }));
        return false;
      });
      seen += page.items.length;
      yield items.length === page.items.length ? page : { ...page, items };
    }
    if (count > 0) throw wrongItems(misfits, count, path);
  };
  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
}

function misfitItem(item: unknown, at: { index: number; field: string }): MisfitItem {
  const id = isObject(item) && typeof item.id === 'string' ? item.id : undefined;
  return defined({ ...at, id });
}

class WrongItems extends DocsError {
  readonly misfits: readonly MisfitItem[];

  constructor(
    misfits: readonly MisfitItem[],
    message: string,
    facts: ConstructorParameters<typeof DocsError>[3],
  ) {
    super('bad-response', 'wrong_shape', message, facts);
    this.misfits = misfits;
  }
}

function wrongItems(misfits: readonly MisfitItem[], count: number, path: () => string): DocsError {
  const [first] = misfits;
  const more = count === 1 ? '' : ` So do ${count - 1} more.`;
  const name = first?.id === undefined ? `${(first?.index ?? 0) + 1}` : `${first.index + 1} (${first.id})`;
  const message = `Item ${name} of the list ${misfitWords(first?.field ?? '')}.${more}`;
  return new WrongItems(misfits, message, { details: { misfits, count }, ...requestFacts(path) });
}

function misfitWords(field: string): string {
  return field === '' ? 'is not of the declared type' : `lacks ${field}, or has it in another type`;
}

function requestFacts(path: () => string) {
  return { method: 'GET', path: path(), outcome: 'done', hint: 'docs doctor' } as const;
}

/**
 * The items because of which a list failed, each as something that could not be read.
 * @returns undefined for every other failure, after which a list may lack anything
 */
export function misfitsOf(cause: unknown, kind: string): Unread[] | undefined {
  if (!(cause instanceof WrongItems)) return undefined;
  return cause.misfits.map(({ id, index, field }) => {
    const message = `The item of the list ${misfitWords(field)}.`;
    const { method, path, hint } = cause.failure;
    const error = new DocsError('bad-response', 'wrong_shape', message, defined({ method, path, hint }));
    return { kind, id: id ?? `#${index + 1}`, error };
  });
}
