import type { TObject, TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { defined } from '../../base/values.js';
import { resourceOfField, resourceOfPlaceholder } from '../../model/resources.js';
import type { Argument, FlagChange, OperationSpec, Option, TakesIds } from './command.js';
import { blankOption } from './global-flags.js';

/** From the fields of operations to flags. */

/** Fills in the kind of resource whose ids are taken: by the field, else by the placeholder. */
export function withKind<T extends Argument | Option>(taker: T): T {
  const placeholder = 'value' in taker ? taker.value : taker.name;
  const kind = taker.kind ?? resourceOfField(taker.field) ?? resourceOfPlaceholder(placeholder);
  return kind === undefined ? taker : { ...taker, kind };
}

/** What a declared change of a flag says of the ids that it takes. */
export function idsOf({ kind, asTyped, emails, otherKinds }: FlagChange): TakesIds {
  return defined({ kind, asTyped, emails, otherKinds });
}

/** The flags that fill the query and the body of an operation. @param taken fields that positionals fill */
export function fieldOptions(
  spec: OperationSpec<AnyOperation, string>,
  op: AnyOperation,
  taken: Set<string | undefined>,
): Option[] {
  const changes = spec.flags ?? {};
  return [...fieldsOf(op.query), ...fieldsOf(op.body)].flatMap(([field, schema, required]) => {
    if (taken.has(field) || changes[field] === false) return [];
    const parts = Object.entries(changes).filter(([key]) => key.startsWith(`${field}.`));
    if (parts.length > 0) {
      return parts.flatMap(([key, change]) =>
        change === false ? [] : [option(key, partSchema(schema, key.slice(field.length + 1)), false, change)],
      );
    }
    const change = changes[field] || {};
    const other = change.or === undefined ? [] : [option(field, schema, false, change.or)];
    return [option(field, schema, required, change), ...other];
  });
}

function fieldsOf(schema: TSchema | undefined): (readonly [field: string, TSchema, required: boolean])[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<
    Pick<TObject, 'properties' | 'required'>
  >;
  return Object.entries(properties).map(([field, of]) => [field, of, required.includes(field)]);
}

function partSchema(schema: TSchema, part: string): TSchema {
  return part.split('.').reduce<TSchema>((at, key) => at.properties?.[key] ?? {}, schema);
}

function option(field: string, schema: TSchema, required: boolean, change: FlagChange): Option {
  const branches = (schema.anyOf as TSchema[] | undefined) ?? [schema];
  const nullable = branches.some((branch) => branch.type === 'null');
  const cores = branches.filter((branch) => branch.type !== 'null');
  const core = cores.find((branch) => (branch.type === 'array') === change.variadic) ?? cores[0] ?? schema;
  const element: TSchema = core.type === 'array' ? core.items : core;
  const closed = element.enum !== undefined;
  const choices = (element.enum ?? element['x-known']) as readonly string[] | undefined;
  const isBoolean = core.type === 'boolean' && change.parse === undefined;
  const name = change.name ?? kebab(field);
  return withKind({
    ...blankOption,
    name,
    field,
    required,
    nullable,
    variadic: change.variadic ?? core.type === 'array',
    description: change.description ?? schema.description ?? core.description ?? inWords(name),
    ...(isBoolean
      ? { boolean: change.pair === false ? true : (change.pair ?? 'no') }
      : { value: change.value ?? `<${placeholder(name, element)}>` }),
    ...(choices !== undefined && { choices, closed }),
    ...(['number', 'integer'].includes(element.type) && { number: true as const }),
    ...defined({ default: schema.default as unknown, longText: change.longText, parse: change.parse }),
    ...defined({ reads: change.longText ? 'at' : change.reads, nullName: change.nullName }),
    ...defined({ edited: change.edited, offers: change.offers, check: change.check }),
    ...idsOf(change),
    schema: element,
  });
}

function placeholder(name: string, schema: TSchema): string {
  if (schema.type === 'number' || schema.type === 'integer') return 'n';
  if (schema.format === 'uri') return 'url';
  return name.split('-').at(-1) ?? 'value';
}

function kebab(field: string): string {
  return field.replace(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`).replaceAll('.', '-');
}

/** A flag's name as words: `email-domain` → `Email domain`. */
export function inWords(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
