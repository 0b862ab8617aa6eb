import { defined } from '../base/values.js';
import { roles } from './roles.js';
import { type Static, type TProperties, type TSchema, Type } from './type.js';

/** Shapes shared by all resources (spec A, "Shared shapes"). */

/**
 * What values mean to a reader, where their type does not tell. A `moment` is a time by a clock that is not the
 * reader's, so it is shown as it is, never as an age.
 */
export type Meaning = 'id' | 'resource' | 'role' | 'state' | 'visibility' | 'moment' | 'emoji';

/** Key of a schema for what its values mean; a symbol, so that neither checks nor JSON see it. */
export const meaning = Symbol('meaning');

/** The schema of values that mean something, such as a state: lists show them by it. */
export function meant<S extends TSchema>(as: Meaning, schema: S): S {
  return { ...schema, [meaning]: as };
}

/** The kinds of resources that fields of answers refer to by id; names in the registry (model). */
export type Referred =
  | 'collection'
  | 'file'
  | 'member'
  | 'organization'
  | 'page'
  | 'section'
  | 'section-group'
  | 'site'
  | 'site-space'
  | 'space'
  | 'team';

/** Key of a schema for the kind of resource whose id its values are. */
export const referred = Symbol('referred');

/** The schema of ids of other resources: a terminal shows their titles. */
export function refersTo<S extends TSchema>(kind: Referred, schema: S): S {
  return { ...schema, [referred]: kind };
}

export const id = meant('id', Type.String());

export { idOf } from '../base/ids.js';
export { roles };
export const Role = meant('role', choice(roles));
export type Role = (typeof roles)[number];

/**
 * An enumeration that the specification lists in full: other values are rejected before sending.
 * @param options.default what the platform assumes if no value is given
 */
export function choice<const T extends readonly string[]>(
  values: T,
  description?: string,
  options: { default?: NoInfer<T[number]> } = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values, ...defined({ description }), ...options });
}

/**
 * An enumeration of which only some members are known. The command line sends any string and offers these in
 * help and completion; the sandbox accepts only these (platform-facts, rule 1).
 */
export function known<const T extends readonly string[]>(
  values: T,
  description?: string,
  options: { default?: NoInfer<T[number]> } = {},
) {
  const schema = { type: 'string', 'x-known': values, ...defined({ description }), ...options };
  return Type.Unsafe<T[number] | (string & {})>(schema);
}

/** The shape, or null. */
export function nullable<S extends TSchema>(schema: S, description?: string) {
  return Type.Union([schema, Type.Null()], defined({ description }));
}

export const text = Type.String();
export const flag = Type.Boolean();
export const maybe = Type.Optional(text);
export const oneOf = <const T extends readonly string[]>(...values: T) =>
  Type.Unsafe<T[number]>({ enum: values });

/** A closed object: no field is printed that is not named here. */
export const closed = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });

/** A resource or a part of one as the platform returns it: unknown fields are kept and shown. */
export function shape<T extends TProperties>(properties: T) {
  return Type.Object(properties);
}

/** A resource that an answer refers to: the whole of it, or its id alone (platform-facts, "Shapes"). */
export const resourceOrId = meant(
  'resource',
  Type.Union([Type.String(), Type.Object({ id }, { additionalProperties: true })]),
);

/** A resource in the input of an operation, usually by its id. */
export const reference = (description?: string) => Type.String({ minLength: 1, ...defined({ description }) });
export const references = (description: string) => Type.Array(reference(), { description });

/** A part of a resource of which any field may be missing. */
export function partial<T extends TProperties>(properties: T) {
  return Type.Partial(shape(properties));
}

export const timestamp = Type.String({ format: 'date-time' });

/** An absolute URL of at most 2048 characters, for fields with that limit in the specification. */
export const uri = (description?: string) =>
  Type.String({ format: 'uri', maxLength: 2048, ...defined({ description }) });

/** What the caller may do with a resource. */
export function permissions<const T extends readonly string[]>(names: T) {
  return fields(names, Type.Boolean());
}

/** Links of a resource to itself, the app, the published site. */
export function urls<const T extends readonly string[]>(names: T) {
  return Type.Partial(fields(names, Type.String()));
}

function fields<const T extends readonly string[], S extends TSchema>(names: T, schema: S) {
  return shape(Object.fromEntries(names.map((name) => [name, schema])) as Record<T[number], S>);
}

export const User = shape({
  object: Type.Literal('user'),
  id,
  displayName: Type.String(),
  email: Type.Optional(Type.String()),
  photoURL: Type.Optional(Type.String()),
  urls: urls(['location']),
});
export type User = Static<typeof User>;

export const order = Type.Optional(known(['asc', 'desc'], 'Sort order', { default: 'desc' }));

/** Structured content: what `format=document` gives instead of Markdown (platform-facts, "Shapes"). */
export const Document = shape({ object: Type.Optional(Type.String()), nodes: Type.Array(Type.Unknown()) });
export type Document = Static<typeof Document>;

/** Output format of content (spec A, "Conventions", 6). */
export const format = Type.Optional(known(['document', 'markdown'], 'Output format of the content'));
