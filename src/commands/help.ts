import { type Argument, type Command, type Group, isGroup, type Option } from './command.js';
import { globalOptions } from './globals.js';
import { type GroupEntry, topics } from './index.js';
import { rows, wrap } from './text-layout.js';

/** Names of the help topics; their texts are loaded when asked for (topics.ts). */
export const helpTopicNames = ['exit-codes', 'environment', 'output', 'context', 'jobs'] as const;

/** Help, from the declarations. The same text on a terminal and in a pipe. */

/** The help of `docs` itself. */
export function rootHelp(groups: readonly GroupEntry[], width: number): string {
  const shown = groups.filter((group) => !group.hidden);
  const sections = topics.map((topic) =>
    section(
      topic,
      rows(
        shown.filter((g) => g.topic === topic).map((g) => [g.name, g.summary]),
        width,
      ),
    ),
  );
  const examples = [
    ['docs --sandbox spaces list', 'try it, with no account'],
    ['docs members update <user> --role read', "change a member's role"],
    ['docs spaces restore <space>', 'bring back a deleted space'],
  ] as const;
  return lines(
    'Administer a documentation platform from the shell.',
    '',
    'Usage: docs <group> [<subgroup>] <verb> [ids…] [flags]',
    ...sections.filter((text) => text !== ''),
    section('Flags of every command', flagRows(globalOptions, width)),
    section('Examples', rows(examples, width)),
    '',
    'docs <group> --help shows the commands of a group, docs commands all of them.',
    `docs help <topic> tells of ${helpTopicNames.join(', ')}.`,
  );
}

/** The help of a group: its commands with a line each. */
export function groupHelp(group: Group, path: string, width: number): string {
  const entries = group.commands.map((entry) => [usageTail(entry), entry.summary] as const);
  return lines(
    `${group.summary}.`,
    ...(group.why === undefined ? [] : ['', ...wrap(group.why, width)]),
    '',
    `Usage: docs ${path} <command>`,
    section('Commands', rows(entries, width)),
    '',
    `docs ${path} <command> --help tells more.`,
  );
}

function usageTail(entry: Command | Group): string {
  return isGroup(entry) ? `${entry.name} …` : [entry.name, ...entry.args.map(argumentUsage)].join(' ');
}

function argumentUsage({ name, required, variadic }: Argument): string {
  const inner = `${name}${variadic ? '…' : ''}`;
  return required ? `<${inner}>` : `[${inner}]`;
}

/** The help of a command: usage, why, positionals, flags with limits and choices, request, examples. */
export function commandHelp(command: Command, path: string, width: number): string {
  const usage = ['docs', path, ...command.args.map(argumentUsage), '[flags]'].join(' ');
  const requests = command.operations.map((op) => [op.method, op.path] as const);
  return lines(
    `${command.summary}.`,
    ...(command.why === undefined ? [] : ['', ...wrap(command.why, width)]),
    '',
    `Usage: ${usage}`,
    ...(command.aliases.length > 0 ? [`Alias: ${command.aliases.join(', ')}`] : []),
    section(
      'Arguments',
      rows(
        command.args.map((arg) => [argumentUsage(arg), arg.description]),
        width,
      ),
    ),
    section(
      'Flags',
      rows(
        command.options.map((option) => [flagUsage(option), optionText(option)]),
        width,
      ),
    ),
    section('Request', rows(requests, width)),
    section(
      'Examples',
      command.examples.flatMap(({ run, does }) => [`  # ${does}`, `  docs ${run}`]),
    ),
    '',
    'Flags of every command: docs --help',
  );
}

/** `--role <role>`, `--[no-]sso`, `-o, --output <format>`. */
export function flagUsage({ name, short, boolean, value, variadic }: Option): string {
  if (boolean === 'no') return `--[no-]${name}`;
  if (boolean === 'only-no') return `--no-${name}`;
  if (typeof boolean === 'string')
    return boolean === `un${name}` ? `--[un]${name}` : `--${name}, --${boolean}`;
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}${variadic ? '…' : ''}`;
}

/** Description, limits, choices, default, nullable: all that a flag's declaration says. */
export function optionText(option: Option): string {
  const notes = [
    ...(option.required ? ['required'] : []),
    ...limitNotes(option),
    ...(option.choices === undefined
      ? []
      : [`${option.closed ? 'one of' : 'such as'} ${option.choices.join(', ')}`]),
    ...(option.nullable && option.closed ? ['or none'] : []),
    ...(option.nullable && !option.closed ? [`--unset ${option.name} clears it`] : []),
    ...(option.longText ? ['@file and - read it'] : []),
    ...(option.default === undefined ? [] : [`default ${String(option.default)}`]),
  ];
  return notes.length === 0 ? option.description : `${option.description} (${notes.join('; ')})`;
}

function limitNotes({ schema }: Option): string[] {
  if (schema === undefined) return [];
  const { minLength, maxLength, minimum, maximum, pattern } = schema as Record<string, unknown>;
  const notes: string[] = [];
  if (maxLength !== undefined)
    notes.push(`${minLength === undefined ? 'at most' : `${minLength} to`} ${maxLength} characters`);
  if (maximum !== undefined) notes.push(`${minimum ?? 0} to ${maximum}`);
  if (pattern !== undefined) notes.push(`matches ${pattern}`);
  return notes;
}

function section(title: string, body: readonly string[]): string {
  return body.length === 0 ? '' : ['', `${title}:`, ...body].join('\n');
}

function flagRows(options: readonly Option[], width: number): string[] {
  return rows(
    options.map((option) => [flagUsage(option), optionText(option)]),
    width,
  );
}

function lines(...parts: readonly string[]): string {
  return `${parts.filter((part, index) => part !== '' || parts[index - 1] !== '').join('\n')}\n`;
}
