import { roles } from '../api/shapes.js';
import { RawNumber } from '../api/transport/json-text.js';
import type { TSchema } from '../api/type.js';
import { isObject } from '../base/values.js';

/**
 * Whether answers have the structure that their operation declares: required keys, and types. What a newer platform
 * may add passes: further keys, further members of enumerations, texts of any length or format. A role is compared, so
 * one that is not among the six does not pass. Null in place of an optional value is taken for none.
 */

/** Where a value does not fit, such as `user.email`; empty for the value itself, undefined where it fits. */
export type Misfit = string | undefined;

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

interface Part {
  name: string;
  required: boolean;
  /** What `typeof` is of a value that fits, where that is all there is to it: most are settled without a call. */
  plain: string | undefined;
  check: Check;
}

function objectOf({ properties = {}, required = [] }: TSchema, named: Map<string, { check: Check }>): Check {
  const parts: Part[] = Object.entries<TSchema>(properties).map(([name, schema]) => ({
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
