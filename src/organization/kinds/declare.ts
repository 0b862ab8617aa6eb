import type { Static } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { choice } from '../../api/shapes.js';
import { type TSchema, Type } from '../../api/type.js';
import { defined } from '../../defined.js';
import type { Resource } from '../../jobs/request.js';
import type { Field } from '../kind.js';
import type { KindName, LiveItem, LiveReference } from '../model.js';
import { propertiesOf } from './bodies.js';

/** How fields and items of kinds are declared. */

/** What a field adds to the declaration of the operation that sets it. */
interface Settings extends Omit<Partial<Field>, 'name'> {
  /** The word that stands for null in files. */
  nullAs?: string;
}

type BodyOf<Op> = Op extends { body: infer B extends TSchema } ? Extract<keyof Static<B>, string> : never;

/**
 * Fields from the body of the operation that sets them: the key in files is the name in snake case, the schema and
 * its description are those of the body.
 */
export function fieldsFrom<const Op extends AnyOperation>(
  op: Op,
  settings: Readonly<Partial<Record<BodyOf<Op>, Settings>>>,
): Field[] {
  const body = propertiesOf(op);
  return Object.entries<Settings | undefined>(settings).map(([name, { nullAs, ...own } = {}]) => {
    const declared = body[name] as TSchema;
    const schema = own.schema ?? (own.refers === undefined ? declared : key(declared));
    const field = { key: inSnakeCase(name), name, ...own };
    return nullAs === undefined ? { ...field, schema } : worded({ ...field, schema }, nullAs);
  });
}

/** `ssoURL` → `sso_url`. */
export function inSnakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** Files name another item by its key. */
function key({ description }: TSchema): TSchema {
  return Type.String({ minLength: 1, ...defined({ description: withoutId(description) }) });
}

function withoutId(description: string | undefined): string | undefined {
  return description?.replace(/, by id$/, '');
}

/** A field with a word for null: `guest`. */
function worded(field: Field, word: string): Field {
  const { anyOf = [], description } = field.schema as { anyOf?: TSchema[]; description?: string };
  const words = anyOf.flatMap((branch) => (branch.enum as string[] | undefined) ?? []);
  return {
    ...field,
    schema: choice([...words, word], withoutNull(description, word)),
    send: (value) => ({ [field.name]: value === word ? null : value }),
    show: (resource) => resource[field.name] ?? word,
  };
}

/** Descriptions of fields say what null does. */
function withoutNull(description: string | undefined, word: string): string | undefined {
  return description?.replace(/; null .*$/, `; ${word} for none`);
}

/** The value of a field that names another item; null where there is none. */
export function referenceTo(kind: KindName, id: unknown): LiveReference | null {
  return typeof id === 'string' ? { $id: id, kind } : null;
}

/** The fields of an item as a resource shows them. */
export function shownFields(fields: readonly Field[], resource: Resource): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [
      field.key,
      field.show?.(resource) ?? (field.show ? null : resource[field.name]) ?? null,
    ]),
  );
}

/** What a live item has beside its kind, resource and fields. */
type Rest = Partial<Pick<LiveItem, 'parent' | 'index' | 'natural' | 'title' | 'id'>>;
