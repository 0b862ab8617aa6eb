import type * as TypeBox from '@sinclair/typebox';

export type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';

/**
 * The kinds of schema that the declarations are built with. Each gives the JSON Schema that TypeBox gives (a test compares
 * them), as a plain object: TypeBox itself is types alone, since loading it costs more than all declarations.
 */

/** Marks the schema of a property that may be missing; a symbol, so that neither checks nor JSON see it. */
const optional = Symbol('optional');

type Schema = Readonly<Record<PropertyKey, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

const plain =
  (type: string) =>
  (options?: Schema): Schema => ({ ...options, type });

/** What TypeBox makes of text as the key of a record. */
const anyText = '^(.*)$';

const kinds = {
  Array: (items: Schema, options?: Schema): Schema => ({ ...options, type: 'array', items }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Literal: (value: unknown, options?: Schema): Schema => ({ ...options, const: value, type: typeof value }),
  Null: plain('null'),
  Number: plain('number'),
  Object: object,
  Optional: (schema: Schema): Schema => ({ ...schema, [optional]: true }),
  Partial({ required: _, properties, ...options }: Schema): Schema {
    const entries = Object.entries(properties as Properties);
    return object(Object.fromEntries(entries.map(([name, one]) => [name, kinds.Optional(one)])), options);
  },
  /** Of text; no declaration has records of anything else. */
  Record(_: Schema, value: Schema, options?: Schema): Schema {
    return { ...options, type: 'object', patternProperties: { [anyText]: value } };
  },
  Recursive(build: (self: Schema) => Schema, options: { $id: string }): Schema {
    return { ...options, ...build({ $ref: options.$id }), $id: options.$id };
  },
  String: plain('string'),
  Union(schemas: readonly Schema[], options?: Schema): Schema {
    const [only, ...others] = schemas;
    return { ...options, ...(only !== undefined && others.length === 0 ? only : { anyOf: schemas }) };
  },
  Unknown: (options?: Schema): Schema => ({ ...options }),
  Unsafe: (options?: Schema): Schema => ({ ...options }),
};

function object(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => properties[name]?.[optional] === undefined);
  return { ...options, type: 'object', ...(required.length > 0 && { required }), properties };
}

/** The same functions with the types of TypeBox, of which commands, inputs and results are inferred. */
export const Type = kinds as unknown as Pick<typeof TypeBox, keyof typeof kinds>;
