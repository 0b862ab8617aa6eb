import { type Argument, type Danger, type GroupEntry, isGroup, topics } from '../declare/command.js';
import { globalOptions } from '../declare/global-flags.js';
import type { CommandOutline, GroupOutline, OptionOutline, Outline } from '../declare/outline.js';
import type { HelpLook } from './look.js';
import { paragraph, rows } from './text-layout.js';

/** Help, from the declarations. The same text on a terminal and in a pipe. */

/** What belongs to no single command: names and summaries; the texts are loaded when asked for (topics.ts). */
export const helpTopicSummaries = {
  'exit-codes': 'What each exit code means; they never change',
  environment: 'Variables that docs reads',
  output: 'Formats, fields, jq; terminals and pipes',
  context: 'How organization, space and site are found; titles and addresses instead of ids',
  jobs: 'Many items at once: journal, resume, undo',
} as const;

export type HelpTopic = keyof typeof helpTopicSummaries;
export const helpTopicNames = Object.keys(helpTopicSummaries) as HelpTopic[];

export function isHelpTopic(word: string): word is HelpTopic {
  return Object.hasOwn(helpTopicSummaries, word);
}

const rootExamples = [
  ['docs --sandbox spaces list', 'try it: no account, no network'],
  ['docs change-requests list --space "API Reference"', 'what waits for a review in a space'],
  ['docs members list --role admin --json', 'who administers, as JSON for a script'],
] as const;

/** The help of what a command line names: docs itself, a group or a command. */
export function helpText(
  { path, group, command }: { path: readonly string[]; group?: GroupOutline; command?: CommandOutline },
  groups: readonly GroupEntry[],
  look: HelpLook,
): string {
  const words = path.join(' ');
  if (command !== undefined) return commandHelp(command, words, look);
  if (group === undefined) return rootHelp(groups, look);
  const entry = path.length === 1 ? groups.find(({ name }) => name === words) : undefined;
  return groupHelp({ ...group, aliases: entry?.aliases ?? group.aliases ?? [] }, words, look);
}

/** The help of `docs` itself. */
export function rootHelp(groups: readonly GroupEntry[], look: HelpLook): string {
  const { width, name } = look;
  const shown = groups.filter((group) => !group.hidden);
  const sections = topics.map((topic) => {
    const entries = shown
      .filter((group) => group.topic === topic)
      .map((group) => [group.name, group.summary] as const);
    return section(topic, rows(entries, width, { left: name }), look);
  });
  return text(
    paragraph(
      'Administer a documentation platform from the shell: members and teams, spaces and their content, change requests, sites.',
      width,
    ),
    ['Usage: docs <group> [<subgroup>] <verb> [ids…] [flags]'],
    ...sections,
    exampleSection(rootExamples, look),
    section('Flags of every command', flagRows(globalOptions, look), look),
    section('Help', helpRows(look), look),
  );
}

function helpRows({ width, name }: HelpLook): string[] {
  const pairs: [string, string][] = [
    ['docs <group> --help', 'The commands of a group'],
    ['docs commands', 'All commands'],
    ...helpTopicNames.map((topic): [string, string] => [`docs help ${topic}`, helpTopicSummaries[topic]]),
  ];
  return rows(pairs, width, { left: name });
}

/** How many examples the help of a group shows. */
const groupExamples = 3;

/** The help of a group: why it is there, and its commands with a line each. */
export function groupHelp(group: GroupOutline, path: string, look: HelpLook): string {
  const { width, name } = look;
  const entries = group.commands.map((entry) => [usageTail(entry), entry.summary] as const);
  const examples = examplesOf(group).slice(0, groupExamples);
  return text(
    paragraph(`${group.summary}.`, width),
    group.why === undefined ? [] : paragraph(group.why, width),
    usageLines(`docs ${path} <command>`, group.aliases ?? []),
    section('Commands', rows(entries, width, { left: name }), look),
    exampleSection(examples, look),
    [`docs ${path} <command> --help tells more.`],
  );
}

/** An example of each of the first commands, those of subgroups last. */
function examplesOf({ commands }: GroupOutline): (readonly [string, string])[] {
  const [own, nested] = [commands.filter((entry) => !isGroup(entry)), commands.filter(isGroup)];
  const first = own.flatMap((entry) => (isGroup(entry) ? [] : entry.examples.slice(0, 1)));
  return [...first.map(({ run, does }) => [`docs ${run}`, does] as const), ...nested.flatMap(examplesOf)];
}

function usageTail(entry: Outline): string {
  return isGroup(entry) ? `${entry.name} …` : [entry.name, ...entry.args.map(argumentUsage)].join(' ');
}

function argumentUsage({ name, required, variadic }: Argument): string {
  const inner = `${name}${variadic ? '…' : ''}`;
  return required ? `<${inner}>` : `[${inner}]`;
}

const asking: Readonly<Record<Danger, string>> = {
  read: '',
  change: '',
  confirm: 'It asks first; --yes answers, and --dry-run shows what would be sent.',
  'type-title':
    'It tells what goes with it and has the title typed; --yes answers, and --dry-run shows what would be sent.',
};

/** The help of a command: usage, why, positionals, flags with limits and choices, request, examples. */
export function commandHelp(command: CommandOutline, path: string, look: HelpLook): string {
  const { width, name } = look;
  const usage = ['docs', path, ...command.args.map(argumentUsage), '[flags]'].join(' ');
  const args = command.args.map((arg) => [argumentUsage(arg), arg.description] as const);
  const requests = command.operations.map((op) => [op.method, op.path] as const);
  const why = [command.why ?? '', asking[command.danger]].filter((sentence) => sentence !== '').join(' ');
  return text(
    paragraph(`${command.summary}.`, width),
    why === '' ? [] : paragraph(why, width),
    usageLines(usage, command.aliases),
    section('Arguments', rows(args, width, { left: name }), look),
    section('Flags', flagRows(command.options, look), look),
    section(
      requests.length === 1 ? 'Request' : 'Requests',
      rows(requests, width, { left: look.method }),
      look,
    ),
    exampleSection(
      command.examples.map(({ run, does }) => [`docs ${run}`, does] as const),
      look,
    ),
    ['Flags of every command: docs --help'],
  );
}

/** `--role <role>`, `--[no-]sso`, `-o, --output <format>`. */
export function flagUsage({ name, short, boolean, value, variadic }: OptionOutline): string {
  if (boolean === 'no') return `--[no-]${name}`;
  if (boolean === 'only-no') return `--no-${name}`;
  if (typeof boolean === 'string')
    return boolean === `un${name}` ? `--[un]${name}` : `--${name}, --${boolean}`;
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}${variadic ? '…' : ''}`;
}

/** Description, limits, choices, default, nullable: all that a flag's declaration says. */
export function optionText(option: OptionOutline): string {
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

function limitNotes({ schema }: OptionOutline): string[] {
  if (schema === undefined) return [];
  const { minLength, maxLength, minimum, maximum, pattern } = schema;
  const notes: string[] = [];
  if (maxLength !== undefined)
    notes.push(`${minLength === undefined ? 'at most' : `${minLength} to`} ${maxLength} characters`);
  if (maximum !== undefined) notes.push(`${minimum ?? 0} to ${maximum}`);
  if (pattern !== undefined) notes.push(`matches ${pattern}`);
  return notes;
}

function usageLines(usage: string, aliases: readonly string[]): string[] {
  return [`Usage: ${usage}`, ...(aliases.length > 0 ? [`Alias: ${aliases.join(', ')}`] : [])];
}

function section(title: string, body: readonly string[], { heading }: HelpLook): string[] {
  return body.length === 0 ? [] : [heading(`${title}:`), ...body];
}

/** Each with its comment above it, so that the command can be copied as a line. */
function exampleSection(examples: readonly (readonly [string, string])[], look: HelpLook): string[] {
  const lines = examples.flatMap(([run, does]) => [`  ${look.quiet(`# ${does}`)}`, `  ${run}`]);
  return section('Examples', lines, look);
}

function flagRows(options: readonly OptionOutline[], { width, name, required }: HelpLook): string[] {
  const right = (line: string) => line.replace('(required', `(${required('required')}`);
  const pairs = options.map((option) => [flagUsage(option), optionText(option)] as const);
  return rows(pairs, width, { left: name, right });
}

/** Blocks with a blank line between them; an empty one is left out. */
function text(...blocks: readonly (readonly string[])[]): string {
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
