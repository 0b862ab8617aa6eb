import type { AnyOperation } from '../../api/operation.js';
import type { Argument, Command, Option } from '../declare/command.js';
import { globalOptions } from '../declare/global-flags.js';
import { manyArgument } from '../declare/traits.js';
import type { TreeEntry } from '../declare/tree.js';
import { catalogue } from '../resolve/catalogue.js';
import { exitsOf } from './command-exits.js';
import { bodySchema, inputSchema, requestsOf } from './describe-input.js';
import { previewSchema, resultSchema } from './describe-result.js';
import type { DescribedArgument, DescribedCommand, DescribedOption } from './described-command.js';
import { flagUsage } from './help.js';
import { isValueOptional, limitsOf, typeOf } from './value-schema.js';

/**
 * A command as data: the one derivation that `docs commands`, `docs schema`, the reference and the man
 * pages are made of (command-tree, "Commands that are not one operation").
 */

/** Describes a command completely. */
export function describe(entry: TreeEntry): DescribedCommand {
  const { path, command, topic } = entry;
  const body = bodySchema(command);
  const preview = previewSchema(entry);
  return {
    path,
    summary: command.summary,
    aliases: [...command.aliases],
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
    exitCodes: exitsOf(command),
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

function describeArgument(argument: Argument, command: Command): DescribedArgument {
  const { name, required, variadic, description, choices } = argument;
  return {
    name,
    required,
    variadic,
    description,
    type: 'string',
    ...(choices !== undefined && { choices: [...choices] }),
    ...(manyArgument(command)?.name === name && { reads: manySources() }),
    ...idsFrom(argument),
  };
}

/** A flag as data; also those of every command. */
export function describeOption(option: Option, _command?: Command): DescribedOption {
  const { name, required, variadic, choices, nullable, description, short, closed } = option;
  const limits = limitsOf(option);
  const negative = negativeOf(option);
  return {
    flags: flagUsage(option),
    name,
    required,
    variadic,
    ...(choices !== undefined && { choices: [...choices] }),
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
    ...(option.longText && { reads: manySources() }),
    ...idsFrom(option),
  };
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

function idsFrom(taker: Argument | Option): { idsFrom?: string } {
  return taker.kind === undefined ? {} : { idsFrom: `docs ${catalogue[taker.kind].command.words}` };
}

function describeOperation({ method, path, success, returns }: AnyOperation) {
  return {
    method,
    path,
    success: typeof success === 'number' ? success : (success[0] as number),
    returns: returns.kind,
  };
}
