import type { TObject, TSchema } from '@sinclair/typebox';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { defined } from '../../defined.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { Column, View } from '../../output/printer.js';
import { kindOfField, kindOfPlaceholder } from '../resolve/catalogue.js';
import type {
  Argument,
  Command,
  Danger,
  FlagChange,
  ManualSpec,
  OperationSpec,
  Option,
  TakesIds,
} from './command.js';
import { examplesOf } from './examples.js';
import { blankOption } from './global-flags.js';
import {
  type ContextParameter,
  contextDescriptions,
  contextFlags,
  contextOption,
  encodingOption,
  inputOption,
  listOptions,
  manyOptions,
  savePlanOption,
  unsetOption,
} from './standing-flags.js';
import { isPlannable, manyArgument } from './traits.js';

/** Turns declarations into commands: everything a flag needs comes from the field it fills. */

/** Declares a command over one or several operations. */
export function command<
  const Ops extends AnyOperation | readonly [AnyOperation, ...AnyOperation[]],
  const L extends string = never,
>(spec: OperationSpec<Ops, L>): Command {
  const operations: readonly AnyOperation[] = isOne(spec.operation) ? [spec.operation] : spec.operation;
  const first = operations[0] as AnyOperation;
  const loose = spec as unknown as OperationSpec<AnyOperation, string>;
  const args = argumentsOf(loose, operations);
  const { name, summary = first.summary, why, danger = dangerOf(first) } = spec;
  const [aliases, examples] = [aliasesOf(spec), examplesOf(spec.examples)];
  const options = withEncoding(args, optionsOf(loose, operations, args));
  const made = { name, aliases, summary, why, args, options, operations, exits: [], examples, danger };
  return defined({ ...made, spec: loose });
}

/** Declares a command written by hand. */
export function manual<const R extends TSchema>(declared: ManualSpec<R>): Command {
  const spec = declared as unknown as ManualSpec;
  const args = Object.entries(spec.args ?? {}).map(([pattern, about]) =>
    withKind({ ...argument(pattern, ''), ...(typeof about === 'string' ? { description: about } : about) }),
  );
  const { name, summary, why, operations = [], danger = 'read', exits = [] } = spec;
  const own = (spec.options ?? []).map((given) => withKind({ ...blankOption, ...given }));
  const options = withEncoding(args, isPlannable(spec) ? [...own, savePlanOption] : own);
  const [aliases, examples] = [aliasesOf(spec), examplesOf(spec.examples)];
  const { local, tolerant, anyRequest, passThrough, actsHere, formats, asks, applies, returns, run } = spec;
  const { effect, changesWith, carrier, repairs } = spec;
  return defined({
    name,
    aliases,
    summary,
    why,
    args,
    options,
    operations,
    examples,
    danger,
    exits,
    local,
    tolerant,
    anyRequest,
    passThrough,
    actsHere,
    formats,
    asks,
    applies,
    returns,
    run,
    effect,
    changesWith,
    carrier,
    repairs,
    view: spec.columns && viewOf(spec),
  });
}

/** `--encoding`, where a positional or a flag reads texts. */
function withEncoding(args: readonly Argument[], options: readonly Option[]): Option[] {
  const reads = [...args, ...options].some((taker) => taker.reads !== undefined);
  return reads ? [...options, encodingOption] : [...options];
}

function aliasesOf({ name, aliases }: { name: string; aliases?: readonly string[] }): readonly string[] {
  return aliases ?? { list: ['ls'], delete: ['rm'] }[name] ?? [];
}

/** How a hand-written command shows its result; of several shapes, the first. */
function viewOf({ returns, columns = [], id, empty }: ManualSpec): View {
  const shape: TSchema | undefined = returns?.anyOf?.[0] ?? returns;
  const item: TSchema | undefined = shape?.type === 'array' ? shape.items : shape;
  const shown: readonly (string | Column)[] = columns;
  return defined({
    columns: shown.map((column) => (typeof column === 'string' ? { path: column } : column)),
    ...(item === undefined ? { fields: [] } : fieldPaths(item)),
    id,
    empty,
  });
}

function isOne(operation: AnyOperation | readonly AnyOperation[]): operation is AnyOperation {
  return !Array.isArray(operation);
}

function dangerOf(op: AnyOperation): Danger {
  if (op.method === 'GET') return 'read';
  return op.method === 'DELETE' ? 'confirm' : 'change';
}

/** Reads `<user...>` or `[org]`. */
function argument(pattern: string, description: string, field?: string): Argument {
  const name = pattern.replace(/[<>[\]]|\.\.\./g, '');
  const required = pattern.startsWith('<');
  return defined({ name, required, variadic: pattern.includes('...'), description, field });
}

function argumentsOf(
  spec: OperationSpec<AnyOperation, string>,
  operations: readonly AnyOperation[],
): Argument[] {
  return Object.entries((spec.args ?? {}) as Record<string, string>).map(([field, pattern]) => {
    const schema = fieldSchema(operations, field);
    const plain = argument(pattern, '', field);
    const many = manyArgument({ args: [plain], operations }) !== undefined;
    const change = spec.flags?.[field] || {};
    const known = schema?.description ?? contextDescriptions[field as ContextParameter];
    const what = change.description ?? known ?? inWords(plain.name);
    const description = many ? `${what}; - or @file reads ids, one per line` : what;
    const reads = many ? 'at' : change.reads;
    return withKind({ ...plain, ...idsOf(change), ...defined({ reads }), description });
  });
}

/** Fills in the kind of resource whose ids are taken: by the field, else by the placeholder. */
function withKind<T extends Argument | Option>(taker: T): T {
  const placeholder = 'value' in taker ? taker.value : taker.name;
  const kind = taker.kind ?? kindOfField(taker.field) ?? kindOfPlaceholder(placeholder);
  return kind === undefined ? taker : { ...taker, kind };
}

function idsOf({ kind, asTyped, emails, otherKinds }: FlagChange): TakesIds {
  return defined({ kind, asTyped, emails, otherKinds });
}

function fieldSchema(operations: readonly AnyOperation[], field: string): TSchema | undefined {
  const schemas = operations.map((op) => op.query.properties[field] ?? op.body?.properties?.[field]);
  return schemas.find((schema) => schema !== undefined);
}

function optionsOf(
  spec: OperationSpec<AnyOperation, string>,
  operations: readonly AnyOperation[],
  args: readonly Argument[],
): Option[] {
  const taken = new Set(args.map((arg) => arg.field));
  const options = new Map<string, Option>();
  const add = (option: Option): void => {
    if (!options.has(option.name)) options.set(option.name, option);
  };
  for (const op of operations) fieldOptions(spec, op, taken).forEach(add);
  if (operations.some((op) => op.returns.kind === 'page')) listOptions().forEach(add);
  const nullable = [...options.values()].filter((option) => option.nullable).map((option) => option.name);
  if (nullable.length > 0) add(unsetOption(nullable));
  if (operations.some((op) => op.body !== undefined)) add(inputOption);
  if (operations.every((op) => op.method !== 'GET') && manyArgument({ args, operations })) {
    manyOptions().forEach(add);
  }
  spec.guardFlags?.forEach(add);
  if (isPlannable({ operations })) add(savePlanOption);
  contextOptions(operations, taken).forEach(add);
  return [...options.values()];
}

function contextOptions(operations: readonly AnyOperation[], taken: Set<string | undefined>): Option[] {
  const inPaths = operations.flatMap((op) => pathParameters(op.path));
  const names = Object.keys(contextFlags) as ContextParameter[];
  return names.filter((name) => !taken.has(name) && inPaths.includes(name)).map(contextOption);
}

function fieldOptions(
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
function inWords(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
