import type { TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import type { ExitName } from '../../base/exit-codes.js';
import { defined } from '../../base/values.js';
import { opensAnswerOf } from '../../model/resources.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import type { Column, View } from '../../output/printer.js';
import type {
  Argument,
  Command,
  Danger,
  Example,
  Examples,
  Group,
  LazyCommand,
  ManualSpec,
  OperationSpec,
  Option,
} from './command.js';
import {
  contextDescriptions,
  contextOption,
  editorOption,
  encodingOption,
  fieldOptions,
  inputOption,
  inWords,
  listOptions,
  manyOptions,
  savePlanOption,
  showOption,
  sortOption,
  unsetOption,
  watchOption,
  webOption,
  withKind,
} from './flags.js';
import { type ContextParameter, contextFlags } from './global-flags.js';
import { blankOption } from './option.js';
import { editedOption, manyArgument } from './told.js';

/** Turns declarations into commands: everything a flag needs comes from the field it fills. */

/** What of a command is made on first use: a group is loaded for one of its commands, and most are never looked at. */
const later = ['args', 'options', 'examples', 'view'] as const;
type Later = Pick<Command, (typeof later)[number]>;

/** A command of which each of these is made once it is asked for. */
function withLater<Rest extends object>(
  rest: Rest,
  makers: { [K in keyof Later]-?: (own: Later) => Later[K] },
): Rest & Later {
  const made: Partial<Later> = {};
  const whole = { ...rest } as Rest & Later;
  for (const key of later) {
    const get = () => {
      if (!(key in made)) Object.assign(made, { [key]: makers[key](whole) });
      return made[key];
    };
    Object.defineProperty(whole, key, { get, enumerable: true, configurable: true });
  }
  return whole;
}

/** Declares a command over one or several operations. */
export function command<
  const Ops extends AnyOperation | readonly [AnyOperation, ...AnyOperation[]],
  const L extends string = never,
>(spec: OperationSpec<Ops, L>): Command {
  const operations: readonly AnyOperation[] = isOne(spec.operation) ? [spec.operation] : spec.operation;
  const first = operations[0] as AnyOperation;
  const loose = spec as OperationSpec<AnyOperation, string>;
  const { name, summary = first.summary, why, guide, danger = dangerOf(first), watch } = spec;
  const [aliases, exits] = [aliasesOf(spec), exitsOf(spec)];
  const reads = spec.guardReads;
  const told = { name, aliases, summary, why, guide, operations, reads, exits, danger, watch };
  return withLater(defined({ ...told, spec: loose }), {
    args: () => argumentsOf(loose, operations),
    options: ({ args }) => withTexts(args, withWatch(optionsOf(loose, operations, args), spec)),
    examples: () => examplesOf(spec.examples),
    view: () => undefined,
  });
}

/** Declares a command or group that is loaded when it is named. */
export function lazy(name: string, load: () => Promise<Command | Group>): LazyCommand {
  return { name, args: [], options: [], load };
}

/** Declares a command written by hand. */
export function manual<const R extends TSchema>(declared: ManualSpec<R>): Command {
  const spec = declared as ManualSpec;
  const { operations = [], danger = 'read' } = spec;
  const [aliases, exits] = [aliasesOf(spec), exitsOf(spec)];
  const { columns, id: _, empty: __, plannable: ___, args: ____, options: _____, examples, ...same } = spec;
  return withLater(defined({ ...same, aliases, operations, danger, exits }), {
    args: () =>
      Object.entries(spec.args ?? {}).map(([pattern, about]) =>
        withKind({
          ...argument(pattern, ''),
          ...(typeof about === 'string' ? { description: about } : about),
        }),
      ),
    options: ({ args }) => withTexts(args, withWatch(ownOptions(spec), spec)),
    examples: () => examplesOf(examples),
    view: () => (columns === undefined ? undefined : viewOf(spec)),
  });
}

/** The flags that a command written by hand declares, and those that follow from what it prints and changes. */
function ownOptions(spec: ManualSpec): Option[] {
  const own = (spec.options ?? []).map((given) => withKind({ ...blankOption, ...given }));
  return [
    ...own,
    ...(printsList(spec) ? [sortOption(own, spec.changesWith)] : []),
    ...(saysSentence(spec) ? [showOption] : []),
    ...(isPlannable(spec) ? [savePlanOption] : []),
  ];
}

/** `--watch`, where something moves. */
function withWatch(options: readonly Option[], { watch }: Pick<Command, 'watch'>): readonly Option[] {
  return watch === undefined ? options : [...options, watchOption];
}

/** Exit codes that do not follow from operations and flags. */
function exitsOf({ exits = [], watch }: Partial<Pick<Command, 'exits' | 'watch'>>): readonly ExitName[] {
  const further = watch === undefined ? [] : (watch.exits ?? []);
  return [...exits, ...further.filter((name) => !exits.includes(name))];
}

/** `--editor` and `--encoding`, where a positional or a flag takes texts. */
function withTexts(args: readonly Argument[], options: readonly Option[]): Option[] {
  const reads = [...args, ...options].some((taker) => taker.reads !== undefined);
  const edited = editedOption({ options });
  const all = edited === undefined ? options : [...options, editorOption(edited.name)];
  return reads ? [...all, encodingOption] : [...all];
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
    const { kind, asTyped, emails, otherKinds, offers, check } = change;
    const ids = { kind, asTyped, emails, otherKinds };
    return withKind({ ...plain, ...defined({ ...ids, reads, offers, check }), description });
  });
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
  if (operations.some((op) => answersList(op, spec.listIn))) add(sortOption([...options.values()]));
  const nullable = [...options.values()].filter((option) => option.nullable).map((option) => option.name);
  if (nullable.length > 0) add(unsetOption(nullable));
  if (operations.some((op) => op.body !== undefined)) add(inputOption);
  if (operations.every((op) => op.method !== 'GET') && manyArgument({ args, operations })) {
    manyOptions().forEach(add);
  }
  if (operations.some(({ id }) => opensAnswerOf(id))) add(webOption);
  spec.guardFlags?.forEach(add);
  if (operations.some(({ method }) => method !== 'GET')) add(showOption);
  if (isPlannable({ operations })) add(savePlanOption);
  contextOptions(operations, taken).forEach(add);
  return [...options.values()];
}

function contextOptions(operations: readonly AnyOperation[], taken: Set<string | undefined>): Option[] {
  const inPaths = operations.flatMap((op) => pathParameters(op.path));
  const names = Object.keys(contextFlags) as ContextParameter[];
  return names.filter((name) => !taken.has(name) && inPaths.includes(name)).map(contextOption);
}

/**
 * What the short ids of declared examples stand for, so that an example runs as printed on a new sandbox: ids of
 * its seed, and emails. Scripts take no titles.
 */
export const stands: Readonly<Record<string, string>> = {
  o1: 'jtBm07Y5RKnqZVIW3UZg', // org acme
  o2: 'emwhxDWuinjdgO7pM0Ak', // org labs
  u1: 'chiara@acme.example', // user chiara
  u2: 'deniz@acme.example', // user deniz
  m1: 'u9wK127qcc5p3EZxo1tB', // user chiara
  m2: 'YJCwgLDPoeShgq2bAkWo', // user deniz
  t1: 'yX3ldFpdXkLA5PUzg2Ig', // team writers
  t2: '58r3X1FgDS0A1SsD1Tls', // team support
  i1: 'DlkR0CLUqbYfDbfABloX', // invite readers
  a1: 'xzKLU6hUoc9EtqEPqdLW', // saml staff
  c1: 'FsGqGxpOdninQi0BbUd2', // collection product
  c2: '3yp6r7XXCVC0FgAi1mS3', // collection internal
  s1: 'FVBgvClY2GOXVTOA3nXE', // space welcome
  s2: 'fqHbvTKt1xFyjibhnCJK', // space guide
  s3: 'BuNg2EIhznw7wX6w5XhV', // space handbook
  p1: 'BXtmBQC2HyRV7tDmjP5h', // page quickstart
  f1: 'GfLYwmvJ8yxyEzcdqlxl', // file images/logo.png
  k1: 'Kpk0IhzKZc17g3u7nOFF', // comment
  k2: '0YEfUTVYxXDSFW3vrCIx', // comment
  r1: 'LnCGvrlleEY7WhSvGkfy', // reply
  n1: 'ptV7E9mezwa5um2AT6Bh', // spec public-api version 1
  l1: 'GxMXAlvBqgC3G2RKQTRg', // translation product docs
  w1: 'MMeDFTQG7CxSHog1TZLV', // site docs
  x1: '93hyf8HcqA8EdUJ6XTfN', // section docs Guides
  x2: 'qoprNKE44gdRi8HXlCPH', // section docs API
  x3: 'PsBEFlG8CsRPmDQENuAw', // section docs Home
  g1: 'uF7DBTZ4UEglCp0do1v5', // section group docs Developers
  y1: 'FcDev2rqgrs1NtzOtuH8', // site space docs welcome
  y2: 'jjCCQyMbyOWElC8ctXU8', // site space docs guide
};

/** Declared examples as they are printed. */
function examplesOf(declared: Examples): Example[] {
  return Object.entries(declared).map(([run, does]) => ({
    run: run.replaceAll(/(?<![\w.@-])[a-z]\d(?![\w.])/g, (word) => stands[word] ?? word),
    does,
  }));
}

/** Whether an operation answers with a list, or with an object that holds one. */
function answersList({ method, returns }: AnyOperation, listIn: string | undefined): boolean {
  if (method !== 'GET' || returns.kind === 'none') return false;
  return returns.kind === 'page' || listIn !== undefined || returns.schema.type === 'array';
}

/** Whether a hand-written command prints a list with columns of its own, whatever its flags. */
function printsList({ returns, columns }: Pick<ManualSpec, 'returns' | 'columns'>): boolean {
  if (returns === undefined || columns === undefined) return false;
  const shapes: readonly TSchema[] = returns.anyOf ?? [returns];
  return shapes.every(({ type }) => type === 'array');
}

/** Whether what a command changes on the platform can become a plan. */
function isPlannable({ operations, plannable }: Pick<ManualSpec, 'operations' | 'plannable'>): boolean {
  return plannable ?? (operations ?? []).some(({ method }) => method !== 'GET');
}

/** Whether a hand-written command changes something and prints one record of it: a sentence on a terminal. */
function saysSentence({
  danger = 'read',
  returns,
  passThrough,
}: Pick<ManualSpec, 'danger' | 'returns' | 'passThrough'>): boolean {
  const shapes = returns?.anyOf ?? [returns];
  return danger !== 'read' && passThrough !== true && shapes[0]?.type === 'object';
}
