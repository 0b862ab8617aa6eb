import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import type { TSchema } from '../api/type.js';

/** A field that an operation can send. */
export interface KnownField {
  /** `*` is any key of a map; a last `**` any further path. */
  path: readonly string[];
  /** All values that it can have, as text; undefined where others are possible. */
  values?: readonly string[];
}

/** Deeper fields are any. */
const deepest = 8;

const fieldsOf = new WeakMap<AnyOperation, readonly KnownField[]>();

/** The parameters of its path and query, and the fields of its body; elements of arrays go by the array's name. */
export function knownFields(op: AnyOperation): readonly KnownField[] {
  const known = fieldsOf.get(op);
  if (known !== undefined) return known;
  const found: KnownField[] = [
    ...pathParameters(op.path).map((name) => ({ path: [name] })),
    ...(op.returns.kind === 'page' ? ['page', 'limit'].map((name) => ({ path: [name] })) : []),
    ...within(op.query, []),
    ...within(op.body, []),
  ];
  fieldsOf.set(op, found);
  return found;
}

function within(schema: TSchema | undefined, path: readonly string[]): KnownField[] {
  if (schema === undefined) return [];
  if (path.length >= deepest) return [{ path: [...path, '**'] }];
  const branches: TSchema[] | undefined = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches !== undefined) return branches.flatMap((branch) => within(branch, path));
  if (schema.type === 'array') return within(schema.items ?? {}, path);
  if (schema.type === 'object' || schema.properties !== undefined) return inObject(schema, path);
  if (schema.type === undefined && schema.enum === undefined && schema.const === undefined)
    return [{ path: [...path, '**'] }];
  const values = valuesOf(schema);
  return [{ path, ...(values && { values }) }];
}

function inObject(schema: TSchema, path: readonly string[]): KnownField[] {
  const { properties = {}, patternProperties = {}, additionalProperties } = schema;
  const named = Object.entries<TSchema>(properties).flatMap(([key, of]) => within(of, [...path, key]));
  const mapped = Object.values<TSchema>(patternProperties).flatMap((of) => within(of, [...path, '*']));
  const further: TSchema | boolean | undefined = additionalProperties;
  if (further === false) return [...named, ...mapped];
  if (typeof further === 'object') return [...named, ...mapped, ...within(further, [...path, '*'])];
  const isPlainMap = mapped.length > 0;
  return isPlainMap ? [...named, ...mapped] : [...named, { path: [...path, '**'] }];
}

function valuesOf(schema: TSchema): string[] | undefined {
  if (schema.type === 'boolean') return ['true', 'false'];
  if (schema.type === 'null') return ['null'];
  if (schema.const !== undefined) return [String(schema.const)];
  const closed: readonly unknown[] | undefined = schema.enum;
  return closed?.map(String);
}
