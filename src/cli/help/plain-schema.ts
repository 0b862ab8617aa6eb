import type { TSchema } from '@sinclair/typebox';

/** JSON Schema as data, for any validator (2020-12, and draft-07 but for `$defs`). */
export type JsonSchema = { [keyword: string]: unknown };

/** The dialect that documents name. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * A declared shape as plain JSON Schema: open enumerations (`x-known`) become `examples`, since any
 * value may come; a shape that refers to itself moves to `$defs`.
 * @returns a whole schema of its own, to be put at the root of a document or of a member
 */
export function plainSchema(schema: TSchema): JsonSchema {
  const definitions = new Map<string, JsonSchema>();
  const plain = plainPart(schema, definitions) as JsonSchema;
  return definitions.size === 0 ? plain : { ...plain, $defs: Object.fromEntries(definitions) };
}

/** Joins schemas under the one that `build` makes of them; their definitions move to its root. */
export function joined(
  schemas: readonly JsonSchema[],
  build: (inner: readonly JsonSchema[]) => JsonSchema,
): JsonSchema {
  const definitions = Object.assign({}, ...schemas.map(({ $defs }) => $defs ?? {})) as JsonSchema;
  const inner = schemas.map(({ $defs: _, ...rest }) => rest);
  return { ...build(inner), ...(Object.keys(definitions).length > 0 && { $defs: definitions }) };
}

/** One of several shapes; equal ones count once. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [first] = distinct;
  if (first !== undefined && distinct.length === 1) return first;
  return joined(distinct, (inner) => ({ anyOf: [...inner] }));
}

/** A list of the shape. */
export function listOf(item: JsonSchema): JsonSchema {
  return joined([item], ([inner]) => ({ type: 'array', items: inner }));
}

/** Keywords whose value is a map from names to schemas: a name there is no keyword. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

function plainPart(value: unknown, definitions: Map<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => plainPart(item, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...own } = value as JsonSchema;
  const plain = Object.fromEntries(
    Object.entries(own).map(([keyword, part]) => plainKeyword(keyword, part, definitions)),
  );
  if (typeof $id !== 'string') return plain;
  definitions.set($id, plain);
  return { $ref: reference($id) };
}

function plainKeyword(
  keyword: string,
  part: unknown,
  definitions: Map<string, JsonSchema>,
): [string, unknown] {
  if (keyword === 'x-known') return ['examples', part];
  if (keyword === '$ref') return [keyword, reference(String(part))];
  // What an enumeration or a default holds is data, not a schema.
  if (keyword === 'enum' || keyword === 'default' || keyword === 'const') return [keyword, part];
  if (!maps.has(keyword)) return [keyword, plainPart(part, definitions)];
  const members = Object.entries(part as JsonSchema).map(([name, schema]) => [
    name,
    plainPart(schema, definitions),
  ]);
  return [keyword, Object.fromEntries(members)];
}

function reference(id: string): string {
  return id.startsWith('#') ? id : `#/$defs/${id}`;
}
