import type { TSchema } from '@sinclair/typebox';
import { exposures } from '../../api/exposes.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { type Static, Type } from '../../api/type.js';
import { paging } from '../../api/validate.js';
import { type ExitName, exitCodes } from '../../base/exit-codes.js';
import { defined } from '../../base/values.js';
import { exposable } from '../../jobs/exposure.js';
import { surenesses } from '../../jobs/rule.js';
import { leastForecast } from '../../jobs/undo-rules.js';
import { resources } from '../../model/resources.js';
import {
  closed,
  done,
  Failure,
  flag,
  ItemResult,
  maybe,
  nextCommands,
  oneOf,
  PreviewedRequest,
  text,
} from '../../output/printed-shapes.js';
import { effectOf } from '../../policy/effects.js';
import type { Argument, Command, Option } from '../declare/command.js';
import { contextFlags, flagUsage, globalOptionsOf, visibleOptions } from '../declare/global-flags.js';
import { globalOptions } from '../declare/global-options.js';
import { ownEffects } from '../declare/local-effects.js';
import type { TreeEntry } from '../declare/outline.js';
import { manyArgument, statusOf } from '../declare/told.js';
import { usageOf } from './help.js';
import { anyOf, type JsonSchema, joined, listOf, plainSchema } from './plain-schema.js';

/** The shape of what `docs commands --json` prints; describe.ts makes it. */

const schema = (description: string) => Type.Unsafe<JsonSchema>(Type.Object({}, { description }));
const names = (description: string) => Type.Optional(Type.Array(text, { description }));
const anyObject = Type.Unsafe<JsonSchema>(Type.Object({}));

/** A positional as data. */
const DescribedArgument = closed({
  name: text,
  required: flag,
  variadic: flag,
  description: text,
  type: oneOf('string'),
  choices: Type.Optional(Type.Array(text)),
  reads: Type.Optional(Type.Array(oneOf('@file', '-'))),
  idsFrom: Type.Optional(Type.String({ description: 'Command that lists the possible values' })),
});
type DescribedArgument = Static<typeof DescribedArgument>;

/** A flag as data; limits and reading are those of one value. */
export const DescribedOption = closed({
  flags: Type.String({ description: 'As help writes it' }),
  name: text,
  required: flag,
  variadic: Type.Boolean({ description: 'Whether the flag may be repeated' }),
  choices: Type.Optional(Type.Array(text)),
  nullable: flag,
  description: text,
  type: oneOf('string', 'number', 'boolean'),
  negative: Type.Optional(Type.String({ description: 'The flag that says false' })),
  short: maybe,
  valueOptional: Type.Optional(Type.Boolean({ description: 'The value may be omitted' })),
  closed: Type.Optional(Type.Boolean({ description: 'Whether only the choices are taken' })),
  limits: Type.Optional(anyObject),
  default: Type.Optional(Type.Unknown()),
  clearedBy: Type.Optional(Type.String({ description: 'How null is said' })),
  reads: Type.Optional(Type.Array(oneOf('@file', '-'))),
  idsFrom: maybe,
});
export type DescribedOption = Static<typeof DescribedOption>;

/** What `docs commands --json` prints of a command (command-tree, "Commands that are not one operation"). */
const listed = {
  path: Type.String({ description: 'The words after docs' }),
  summary: text,
  aliases: Type.Array(text),
  args: Type.Array(DescribedArgument),
  options: Type.Array(DescribedOption),
  operations: Type.Array(
    closed({ method: text, path: text, success: Type.Integer(), returns: oneOf('one', 'page', 'none') }),
  ),
  examples: Type.Array(closed({ run: text, does: text })),
  danger: oneOf('read', 'change', 'confirm', 'type-title'),
  undo: Type.Optional(
    Type.Unsafe<(typeof surenesses)[number] | 'depends'>({
      enum: [...surenesses, 'depends'],
      description:
        'What undo can do with any input, if the state before can be set again; depends: what is typed decides; absent: nothing to undo',
    }),
  ),
  exposes: Type.Array(oneOf(...exposures), { description: 'Maximum access that it may widen' }),
  here: Type.Object(
    {
      files: names('Arguments and flags that name its output files'),
      keeps: names('Files of docs that it writes'),
      programs: names('What it may start'),
      addresses: names('Hosts it may contact beside the platform'),
    },
    {
      additionalProperties: false,
      description: 'Effects on this machine, beside those of every command',
    },
  ),
  why: maybe,
  usage: text,
};

/** What `--full` adds. */
const further = {
  topic: maybe,
  writesHere: Type.Optional(
    Type.Boolean({ description: 'Whether it writes on this machine: settings, journals, files' }),
  ),
  globals: Type.Array(DescribedOption),
  request: Type.Array(
    closed({
      method: text,
      path: text,
      parameters: Type.Record(text, text, { description: 'Where each path parameter comes from' }),
      query: Type.Optional(anyObject),
      body: Type.Optional(anyObject),
    }),
  ),
  input: schema('JSON Schema of the input'),
  body: Type.Optional(schema('JSON Schema of the body that --input takes')),
  result: schema('JSON Schema of the output of --json'),
  preview: Type.Optional(schema('JSON Schema of the output of --dry-run --json')),
  exitCodes: Type.Array(closed({ code: Type.Integer(), name: Type.Unsafe<ExitName>(text), meaning: text })),
};

/** A command with all that is known of it. */
export const DescribedCommand = closed({ ...listed, ...further });
export type DescribedCommand = Static<typeof DescribedCommand>;

/** Names of what `--full` adds. */
export const fullFields: readonly string[] = Object.keys(further);

/** A command as `docs commands` prints it: with `--full` all of it. */
export const ListedCommand = closed({ ...listed, ...Type.Partial(closed(further)).properties });

/** A command without what only `--full` prints. */
export function inBrief(command: DescribedCommand): Partial<DescribedCommand> {
  return Object.fromEntries(Object.entries(command).filter(([key]) => !fullFields.includes(key)));
}

/** What `--json` prints, as JSON Schema. Further fields that the platform sends are kept and printed. */

/** What stands on stderr, on one line, when a command fails with `--json`. */
export const errorSchema: JsonSchema = plainSchema(
  closed({ error: closed({ ...Failure.properties, next: nextCommands }) }),
);

/** The result of a command; `{}`, any value, only where the platform alone knows it. */
function resultSchema(entry: TreeEntry): JsonSchema {
  const { command } = entry;
  const { returns } = command;
  if (command.spec === undefined) return returns === undefined ? {} : plainSchema(returns);
  const single = anyOf([
    ...command.operations.map((op) => answerSchema(entry, op)),
    ...(returns === undefined ? [] : [plainSchema(returns)]),
  ]);
  if (manyArgument(command) === undefined) return single;
  return joined([single, listOf(plainSchema(ItemResult))], ([one = {}, many = {}]) => ({
    anyOf: [one, { ...many, description: 'Several ids, or ids from a file or stdin: one result per id' }],
  }));
}

function answerSchema({ command }: TreeEntry, op: AnyOperation): JsonSchema {
  const { returns } = op;
  if (returns.kind === 'none') return plainSchema(done(Type.Literal(statusOf(command, op))));
  if (returns.kind === 'page') return listOf(plainSchema(returns.item));
  const { listIn, children } = command.spec ?? {};
  // A tree is printed as the platform answers it, with what stands around it.
  if (listIn === undefined || children !== undefined) return plainSchema(returns.schema);
  return plainSchema((returns.schema.properties as Record<string, TSchema>)[listIn] ?? returns.schema);
}

/** The input of a command as JSON Schema: what is typed, and the requests that come of it. */

/**
 * What is typed: `args` by name, `flags` by long name without dashes. false is the second flag of a
 * pair (`--no-x`), a list is a flag repeated, or the positionals in order.
 */
function inputSchema(command: Command): JsonSchema {
  const names = (takers: readonly (Argument | Option)[]) =>
    takers.filter(({ required }) => required).map(({ name }) => name);
  const schemas = command.args.map((argument) => [argument.name, argumentSchema(argument)] as const);
  const args = objectOf(Object.fromEntries(schemas), names(command.args));
  // A required flag may come in the body of --input instead.
  const takesBody = command.options.some(({ name }) => name === 'input');
  const flags = flagsSchema(command.options, takesBody ? [] : names(command.options));
  return objectOf({ args, flags }, names(command.args).length > 0 ? ['args'] : []);
}

/** The same with `globals`: the flags that every command takes. */
export function wholeInputSchema(command: Command): JsonSchema {
  const input = inputSchema(command);
  const properties = { ...(input.properties as JsonSchema), globals: flagsSchema(globalOptions, []) };
  return { ...input, properties };
}

function flagsSchema(options: readonly Option[], required: readonly string[]): JsonSchema {
  return objectOf(Object.fromEntries(options.map((option) => [option.name, optionSchema(option)])), required);
}

/** The body that `--input` takes; undefined where the command sends none. */
function bodySchema(command: Command): JsonSchema | undefined {
  const bodies = command.operations.flatMap(({ body }) => (body === undefined ? [] : [plainSchema(body)]));
  return command.spec === undefined || bodies.length === 0 ? undefined : anyOf(bodies);
}

/** The requests of a command, in the order in which the runner tries them. */
function requestsOf(command: Command): DescribedCommand['request'] {
  return command.operations.map((op) => ({
    method: op.method,
    path: op.path,
    parameters: Object.fromEntries(pathParameters(op.path).map((name) => [name, sourceOf(command, name)])),
    ...defined({ query: queryOf(op), body: op.body && plainSchema(op.body) }),
  }));
}

function queryOf(op: AnyOperation): JsonSchema | undefined {
  const properties = { ...op.query.properties, ...(op.returns.kind === 'page' && paging) };
  if (Object.keys(properties).length === 0) return undefined;
  return plainSchema({ ...op.query, properties });
}

/** Where a path parameter comes from, as it is typed. */
function sourceOf(command: Command, parameter: string): string {
  const argument = command.args.find(({ field }) => field === parameter);
  if (argument !== undefined) return argument.required ? `<${argument.name}>` : `[${argument.name}]`;
  const flag = (contextFlags as Record<string, string>)[parameter];
  const taken = command.options.some(({ name }) => name === flag);
  return flag !== undefined && taken ? `--${flag}` : 'looked up';
}

/** Keywords that limit a value. */
const limitKeywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'format'] as const;

/** The type of one value, as it is typed. */
function typeOf(option: Option): 'string' | 'number' | 'boolean' {
  if (option.boolean !== undefined) return 'boolean';
  return option.number ? 'number' : 'string';
}

/** Whether a flag may stand alone though it takes a value: `--wait [time]`. */
function isValueOptional({ value }: Pick<Option, 'value'>): boolean {
  return value?.startsWith('[') ?? false;
}

/** The limits of one value; none where a parser makes something else of what is typed. */
function limitsOf({ schema, parse }: Option): Record<string, unknown> {
  if (schema === undefined || (parse !== undefined && schema.type !== 'string')) return {};
  const found = limitKeywords.filter((keyword) => schema[keyword] !== undefined);
  return Object.fromEntries(found.map((keyword) => [keyword, schema[keyword]]));
}

/** A flag's value: of a repeated one, the list of its values. */
function optionSchema(option: Option): JsonSchema {
  const value = valueSchema(option);
  const one = isValueOptional(option) ? { anyOf: [value, { const: true }] } : value;
  const about = { description: option.description, ...defined({ default: option.default }) };
  return option.variadic ? { type: 'array', items: one, minItems: 1, ...about } : { ...one, ...about };
}

function valueSchema(option: Option): JsonSchema {
  const type = typeOf(option);
  if (type === 'boolean') return option.boolean === true ? { const: true } : { type };
  const { choices, closed, nullable } = option;
  if (choices !== undefined && closed)
    return { enum: nullable ? [...choices, 'none', 'null'] : [...choices] };
  const whole = type === 'number' && option.schema?.type === 'integer' ? 'integer' : type;
  return { type: whole, ...limitsOf(option), ...(choices !== undefined && { examples: [...choices] }) };
}

/** A positional's value, or the list of them. */
function argumentSchema(argument: Argument): JsonSchema {
  const { choices } = argument;
  const one: JsonSchema = choices === undefined ? { type: 'string', minLength: 1 } : { enum: [...choices] };
  const about = { description: argument.description };
  if (!argument.variadic) return { ...one, ...about };
  return { type: 'array', items: one, ...(argument.required && { minItems: 1 }), ...about };
}

/** An object of named values. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
}

/**
 * A command as data: `docs commands`, `docs commands schema`, the reference and the man pages are made of it
 * (command-tree, "Commands that are not one operation").
 */
export function describe(entry: TreeEntry): DescribedCommand {
  const { path, command, topic } = entry;
  const { summary, why, danger, args, options, operations } = command;
  return defined({
    path,
    summary,
    aliases: [...command.aliases],
    args: args.map((argument) => describeArgument(argument, command)),
    options: visibleOptions({ options }).map(describeOption),
    operations: operations.map(({ method, path: at, success, returns }) => ({
      ...{ method, path: at, success: [success].flat()[0] as number, returns: returns.kind },
    })),
    examples: command.examples.map(({ run, does }) => ({ run: `docs ${run}`, does })),
    danger,
    undo: undoOf(command),
    exposes: sendsAny(command) ? [...exposures] : exposable(operations),
    here: hereOf(command),
    why,
    topic,
    writesHere: command.effect === 'local' ? true : undefined,
    usage: usageOf(path, args),
    globals: globalOptionsOf(command).map(describeOption),
    request: requestsOf(command),
    input: inputSchema(command),
    body: bodySchema(command),
    result: resultSchema(entry),
    // For each request.
    preview: danger === 'read' || command.spec === undefined ? undefined : plainSchema(PreviewedRequest),
    exitCodes: exitsOf(command),
  });
}

/** Whether what is typed decides what is sent. */
function sendsAny({ carrier, anyRequest }: Command): boolean {
  return carrier === true || anyRequest === true;
}

function undoOf(command: Command): DescribedCommand['undo'] {
  if (sendsAny(command)) return 'depends';
  const changes = command.operations.filter((op) => effectOf({ op }) !== 'read');
  const found = new Set(changes.map((op) => leastForecast(op).undo));
  return surenesses.findLast((one) => found.has(one));
}

function hereOf(command: Command): DescribedCommand['here'] {
  const { keeps, runs, contacts } = ownEffects(command);
  const writes = (takers: readonly (Argument | Option)[], shown: (name: string) => string) =>
    takers.filter(({ path }) => path?.use === 'writes').map(({ name }) => shown(name));
  const files = [
    ...writes(command.args, (name) => `<${name}>`),
    ...writes(command.options, (name) => `--${name}`),
  ];
  const all = { files, keeps, programs: runs, addresses: contacts };
  return Object.fromEntries(Object.entries(all).filter(([, found]) => found.length > 0));
}

function describeArgument(argument: Argument, command: Command): DescribedArgument {
  const { name, required, variadic, description, choices } = argument;
  const takesMany = manyArgument(command)?.name === name || argument.reads === 'at';
  const reads = takesMany ? manySources() : undefined;
  const about = { name, required, variadic, description, type: 'string' as const };
  return defined({ ...about, choices: choices && [...choices], reads, idsFrom: idsFrom(argument) });
}

/** A flag as data; also those of every command. */
function describeOption(option: Option): DescribedOption {
  const { name, required, variadic, choices, nullable, description, short, closed } = option;
  const limits = limitsOf(option);
  const clearedBy = closed ? `--${name} none` : `--unset ${name}`;
  return defined({
    flags: flagUsage(option),
    ...{ name, required, variadic },
    choices: choices && [...choices],
    ...{ nullable, description },
    type: typeOf(option),
    negative: negativeOf(option),
    short,
    valueOptional: isValueOptional(option) || undefined,
    closed: choices && (closed ?? false),
    limits: Object.keys(limits).length > 0 ? limits : undefined,
    default: option.default,
    clearedBy: nullable ? clearedBy : undefined,
    reads: option.reads === 'at' ? manySources() : undefined,
    idsFrom: idsFrom(option),
  });
}

/** Where many values, or a long one, may be read from. */
function manySources(): ('@file' | '-')[] {
  return ['@file', '-'];
}

/** The flag that says false; a flag that has only that one says it by its own name. */
function negativeOf({ boolean, name }: Option): string | undefined {
  if (boolean === 'no' || boolean === 'only-no') return `--no-${name}`;
  return typeof boolean === 'string' ? `--${boolean}` : undefined;
}

function idsFrom({ kind }: Argument | Option): string | undefined {
  return kind && `docs ${resources[kind].command.words}`;
}

const always: readonly ExitName[] = ['ok', 'bug', 'usage', 'local-io', 'interrupted', 'terminated'];
const ofRequests: readonly ExitName[] = [
  ...(['unauthenticated', 'forbidden', 'not-found', 'refused', 'rate-limited'] as const),
  ...(['server-error', 'network', 'deadline', 'bad-response'] as const),
];
const ofChanges: readonly ExitName[] = ['conflict', 'unknown-outcome'];

/** The exit codes that a command can end with, in the order of their numbers. */
function exitsOf(command: Command): DescribedCommand['exitCodes'] {
  const { local, operations, anyRequest } = command;
  const asks = anyRequest || operations.length > 0;
  const changes = anyRequest || operations.some(({ method }) => method !== 'GET');
  const possible = new Set<ExitName>([
    ...always,
    ...(local ? [] : (['configuration'] as const)),
    ...(asks ? ofRequests : []),
    ...(changes ? ofChanges : []),
    ...(manyArgument(command) === undefined ? [] : (['partial'] as const)),
    ...command.exits,
  ]);
  return (Object.keys(exitCodes) as ExitName[])
    .filter((name) => possible.has(name))
    .map((name) => ({ name, ...exitCodes[name] }));
}
