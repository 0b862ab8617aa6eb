import type { AnyOperation } from '../../api/operation.js';
import { type ExitName, exitCodes } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import { resources } from '../../model/resources.js';
import type { Argument, Command, Option } from '../declare/command.js';
import { globalOptionsOf } from '../declare/global-flags.js';
import { manyArgument } from '../declare/traits.js';
import type { TreeEntry } from '../declare/tree.js';
import { bodySchema, inputSchema, isValueOptional, limitsOf, requestsOf, typeOf } from './describe-input.js';
import { previewSchema, resultSchema } from './describe-result.js';
import type { DescribedArgument, DescribedCommand, DescribedOption } from './described-command.js';
import { flagUsage, usageOf } from './help.js';

/**
 * A command as data: `docs commands`, `docs schema`, the reference and the man pages are made of it
 * (command-tree, "Commands that are not one operation").
 */
export function describe(entry: TreeEntry): DescribedCommand {
  const { path, command, topic } = entry;
  const { summary, why, danger, args, options, operations } = command;
  return {
    path,
    summary,
    aliases: [...command.aliases],
    args: args.map((argument) => describeArgument(argument, command)),
    options: options.map(describeOption),
    operations: operations.map(describeOperation),
    examples: command.examples.map(({ run, does }) => ({ run: `docs ${run}`, does })),
    danger,
    ...defined({ why, topic, writesHere: command.effect === 'local' ? true : undefined }),
    usage: usageOf(path, args),
    globals: globalOptionsOf(command).map(describeOption),
    request: requestsOf(command),
    input: inputSchema(command),
    ...defined({ body: bodySchema(command) }),
    result: resultSchema(entry),
    ...defined({ preview: previewSchema(entry) }),
    exitCodes: exitsOf(command),
  };
}

function describeArgument(argument: Argument, command: Command): DescribedArgument {
  const { name, required, variadic, description, choices } = argument;
  const takesMany = manyArgument(command)?.name === name || argument.reads === 'at';
  return {
    name,
    required,
    variadic,
    description,
    type: 'string',
    ...defined({ choices: choices && [...choices], reads: takesMany ? manySources() : undefined }),
    ...idsFrom(argument),
  };
}

/** A flag as data; also those of every command. */
function describeOption(option: Option): DescribedOption {
  const { name, required, variadic, choices, nullable, description, short, closed } = option;
  const limits = limitsOf(option);
  return {
    flags: flagUsage(option),
    name,
    required,
    variadic,
    ...defined({ choices: choices && [...choices] }),
    nullable,
    description,
    type: typeOf(option),
    ...defined({ negative: negativeOf(option), short }),
    ...(isValueOptional(option) && { valueOptional: true }),
    ...(choices !== undefined && { closed: closed ?? false }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...defined({ default: option.default }),
    ...(nullable && { clearedBy: closed ? `--${name} none` : `--unset ${name}` }),
    ...(option.reads === 'at' && { reads: manySources() }),
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
  return taker.kind === undefined ? {} : { idsFrom: `docs ${resources[taker.kind].command.words}` };
}

function describeOperation({ method, path, success, returns }: AnyOperation) {
  return { method, path, success: [success].flat()[0] as number, returns: returns.kind };
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
