import type { AnyOperation } from '../../api/operation.js';
import type { Argument, Command, Option } from '../declare/command.js';
import { globalOptions } from '../declare/global-flags.js';
import type { TreeEntry } from '../declare/tree.js';
import { resourceKindOf } from '../resolve/resource-kinds.js';
import { manyArgument } from '../run/gather.js';
import { type CommandExit, exitsOf } from './command-exits.js';
import { bodySchema, inputSchema, type RequestDescription, requestsOf } from './describe-input.js';
import { previewSchema, resultSchema } from './describe-result.js';
import { flagUsage } from './help.js';
import type { JsonSchema } from './plain-schema.js';
import { isValueOptional, type Limits, limitsOf, typeOf, type ValueType } from './value-schema.js';

/**
 * A command as data: the one derivation that `docs commands`, `docs schema`, the reference and the man
 * pages are made of (command-tree, "Commands that are not one operation").
 */

export interface ArgumentDescription {
  name: string;
  required: boolean;
  variadic: boolean;
  description: string;
  type: 'string';
  choices?: readonly string[];
  /** Where many values may be read from, one a line. */
  reads?: readonly ('@file' | '-')[];
  /** The command that lists what can be typed here. */
  idsFrom?: string;
}

export interface OptionDescription {
  /** As help writes it: `-o, --output <format>`, `--[no-]sso`. */
  flags: string;
  name: string;
  required: boolean;
  variadic: boolean;
  choices?: readonly string[];
  nullable: boolean;
  description: string;
  /** Of one value. */
  type: ValueType;
  /** The flag that says false: `--no-sso`. */
  negative?: string;
  short?: string;
  /** The flag may stand alone, without a value. */
  valueOptional?: boolean;
  /** Whether nothing but the choices is taken. */
  closed?: boolean;
  limits?: Limits;
  default?: unknown;
  /** How null is said: `--role none`, `--unset logo`. */
  clearedBy?: string;
  /** Where a value may be read from. */
  reads?: readonly ('@file' | '-')[];
  idsFrom?: string;
}

export interface CommandDescription {
  path: string;
  summary: string;
  aliases: readonly string[];
  args: ArgumentDescription[];
  options: OptionDescription[];
  operations: { method: string; path: string; success: number; returns: string }[];
  examples: { run: string; does: string }[];
  danger: string;
  why?: string;
  /** Heading in the root help. */
  topic?: string;
  usage: string;
  /** Flags that every command takes. */
  globals: OptionDescription[];
  /** The requests it may send, with the schemas of query and body. */
  request: RequestDescription[];
  /** JSON Schema of what is typed. */
  input: JsonSchema;
  /** JSON Schema of the body that `--input` takes. */
  body?: JsonSchema;
  /** JSON Schema of what `--json` prints. */
  result: JsonSchema;
  /** JSON Schema of what `--json --dry-run` prints. */
  preview?: JsonSchema;
  exitCodes: CommandExit[];
}

/** Describes a command completely. */
export function describe(entry: TreeEntry): CommandDescription {
  const { path, command, topic } = entry;
  const body = bodySchema(command);
  const preview = previewSchema(entry);
  return {
    path,
    summary: command.summary,
    aliases: command.aliases,
    args: command.args.map((argument) => describeArgument(argument, command)),
    options: command.options.map((option) => describeOption(option, command)),
    operations: command.operations.map(describeOperation),
    examples: command.examples.map(({ run, does }) => ({ run: `docs ${run}`, does })),
    danger: command.danger,
    ...(command.why !== undefined && { why: command.why }),
    ...(topic !== undefined && { topic }),
    usage: usageOf(entry),
    globals: globalOptions.map((option) => describeOption(option)),
    request: requestsOf(command),
    input: inputSchema(command),
    ...(body !== undefined && { body }),
    result: resultSchema(entry),
    ...(preview !== undefined && { preview }),
    exitCodes: exitsOf(path, command),
  };
}

/** `docs members update <user…> [flags]` */
export function usageOf({ path, command }: TreeEntry): string {
  const words = command.args.map(({ name, required, variadic }) => {
    const inner = `${name}${variadic ? '…' : ''}`;
    return required ? `<${inner}>` : `[${inner}]`;
  });
  return ['docs', path, ...words, '[flags]'].join(' ');
}

function describeArgument(argument: Argument, command: Command): ArgumentDescription {
  const { name, required, variadic, description, choices } = argument;
  return {
    name,
    required,
    variadic,
    description,
    type: 'string',
    ...(choices !== undefined && { choices }),
    ...(manyArgument(command)?.name === name && { reads: ['@file', '-'] as const }),
    ...idsFrom(argument),
  };
}

/** A flag as data; also those of every command. */
export function describeOption(option: Option, command?: Command): OptionDescription {
  const { name, required, variadic, choices, nullable, description, short, closed } = option;
  const limits = limitsOf(option);
  const negative = negativeOf(option);
  return {
    flags: flagUsage(option),
    name,
    required,
    variadic,
    ...(choices !== undefined && { choices }),
    nullable,
    description,
    type: typeOf(option),
    ...(negative !== undefined && { negative }),
    ...(short !== undefined && { short }),
    ...(isValueOptional(option) && { valueOptional: true }),
    ...(choices !== undefined && { closed: closed ?? false }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(option.default !== undefined && { default: option.default }),
    ...(nullable && { clearedBy: closed ? `--${name} none` : `--unset ${name}` }),
    ...(option.longText && { reads: ['@file', '-'] as const }),
    ...idsFrom(option, command),
  };
}

/** The flag that says false; a flag that has only that one says it by its own name. */
function negativeOf({ boolean, name }: Option): string | undefined {
  if (boolean === 'no' || boolean === 'only-no') return `--no-${name}`;
  return typeof boolean === 'string' ? `--${boolean}` : undefined;
}

function idsFrom(taker: Argument | Option, command?: Command): { idsFrom?: string } {
  const kind = resourceKindOf(taker, command);
  return kind === undefined ? {} : { idsFrom: `docs ${kind.list}` };
}

function describeOperation({ method, path, success, returns }: AnyOperation) {
  return {
    method,
    path,
    success: typeof success === 'number' ? success : (success[0] as number),
    returns: returns.kind,
  };
}
