import type { TSchema } from '@sinclair/typebox';
import {
  type Argument,
  type Danger,
  type Example,
  type GroupEntry,
  isGroup,
  topics,
} from '../declare/command.js';
import { flagUsage, visibleOptions } from '../declare/global-flags.js';
import { globalOptions } from '../declare/global-options.js';
import type { CommandOutline, GroupOutline, OptionOutline, Outline } from '../declare/outline.js';
import { placedIn, rootEntries } from '../declare/ways.js';
import { columnsOf, type HelpLook, markedParagraph, paragraph, rows } from './layout.js';
import { guideTopic } from './topic-names.js';

/** Help, from the declarations. The same text on a terminal and in a pipe. */

const rootExamples = [
  ['docs --sandbox spaces list', 'try docs without an account'],
  ['docs members list --role admin --json', 'list the admins as JSON'],
  ['docs find "restore a space"', 'find the command for a task'],
] as const;

/** What a command line names. */
interface Subject {
  path: readonly string[];
  group?: GroupOutline;
  command?: CommandOutline;
  guide?: string;
}

/** The help of what a command line names: docs itself, a group or a command; with its page of the guide. */
export function helpText(subject: Subject, groups: readonly GroupEntry[], look: HelpLook): string {
  const page = subject.guide;
  const about = page === undefined ? '' : `Run "docs help ${guideTopic.name} ${page}" for the guide.\n`;
  return ownHelp(subject, groups, look) + about;
}

function ownHelp({ path, group, command }: Subject, groups: readonly GroupEntry[], look: HelpLook): string {
  const words = path.join(' ');
  if (command !== undefined) return commandHelp(command, words, look, group);
  if (group === undefined) return rootHelp(groups, look);
  const entry = path.length === 1 ? groups.find(({ name }) => name === words) : undefined;
  const placed = path.length === 1 ? placedIn(words, groups) : [];
  return groupHelp({ ...group, aliases: entry?.aliases ?? group.aliases ?? [], placed }, words, look);
}

/** The flags that the root help shows: those that a beginner needs; `docs help flags` has them all. */
const firstFlags = ['json', 'fields', 'sandbox', 'by-title', 'dry-run', 'yes'];

/** The help of `docs` itself: 45 lines on 80 columns. */
export function rootHelp(groups: readonly GroupEntry[], look: HelpLook): string {
  const shown = rootEntries(groups);
  const sections = topics.flatMap((topic) => {
    const entries = shown.filter((group) => group.topic === topic);
    return section(
      topic,
      columnsOf(
        entries.map(({ name, summary }) => [name, summary]),
        look,
      ),
      look,
    );
  });
  const flags = globalOptions.filter(({ name }) => firstFlags.includes(name));
  return text(
    ['Administer a documentation platform from the shell.'],
    ['Usage: docs <command> [<subcommand>] [ids…] [flags]'],
    sections,
    section('Examples', rows(rootExamples, look.width, { widest: 40 }), look),
    section('Flags', flagRows(flags, look), look),
    paragraph('Run "docs <command> --help", "docs help flags" or "docs help topics" for more.', look.width),
  );
}

/** How many examples the help of a group shows. */
const groupExamples = 3;

/** The help of a group: why it is there, and its commands with a line each. */
export function groupHelp(
  group: GroupOutline & { placed?: readonly Pick<GroupEntry, 'name' | 'summary'>[] },
  path: string,
  look: HelpLook,
): string {
  const { width, name } = look;
  const placed = (group.placed ?? []).map((entry) => [`${entry.name} …`, entry.summary] as const);
  const own = group.commands.map((entry) => [usageTail(entry), entry.summary] as const);
  const entries = [...own, ...placed];
  const examples = examplesOf(group).slice(0, groupExamples);
  return text(
    paragraph(`${group.summary}.`, width),
    group.why === undefined ? [] : paragraph(group.why, width),
    usageLines(`docs ${path} <command>`, group.aliases ?? []),
    section('Commands', rows(entries, width, { left: name }), look),
    exampleSection(examples, look),
    [`Run "docs ${path} <command> --help" for details.`],
  );
}

/** An example of each of the first commands, those of subgroups last. */
function examplesOf({ commands }: GroupOutline): (readonly [string, string])[] {
  const [own, nested] = [commands.filter((entry) => !isGroup(entry)), commands.filter(isGroup)];
  const first = own.flatMap((entry) => (isGroup(entry) ? [] : entry.examples.slice(0, 1)));
  return [...first.map(exampleOf), ...nested.flatMap(examplesOf)];
}

function exampleOf({ run, does }: Example): readonly [string, string] {
  return [`docs ${run}`, does];
}

function usageTail(entry: Outline): string {
  return isGroup(entry) ? `${entry.name} …` : [entry.name, ...entry.args.map(argumentUsage)].join(' ');
}

/** `<user…>`, `[org]`. */
export function argumentUsage({
  name,
  required,
  variadic,
}: Pick<Argument, 'name' | 'required' | 'variadic'>): string {
  const inner = `${name}${variadic ? '…' : ''}`;
  return required ? `<${inner}>` : `[${inner}]`;
}

/** `docs members update <user…> [flags]` */
export function usageOf(path: string, args: readonly Argument[]): string {
  return ['docs', path, ...args.map(argumentUsage), '[flags]'].join(' ');
}

const asking: Readonly<Record<Danger, string>> = {
  read: '',
  change: '',
  confirm: 'Asks for confirmation; --yes skips the question, and --dry-run shows the requests.',
  'type-title':
    'Shows the affected items and asks for the title; --yes skips the question, and --dry-run shows ' +
    'what would be sent.',
};

/**
 * The help of a command: usage, why, positionals, flags with limits and choices, request, examples.
 * @param group of which it is the own command: its other commands are listed, too
 */
export function commandHelp(
  command: CommandOutline,
  path: string,
  look: HelpLook,
  group?: GroupOutline,
): string {
  const { width, name } = look;
  const args = command.args.map((arg) => [argumentUsage(arg), arg.description] as const);
  const below = (group?.commands ?? []).map((entry) => [usageTail(entry), entry.summary] as const);
  const requests = look.full ? requestsOf(command) : [];
  const visible = visibleOptions(command);
  const standing = look.full ? [] : visible.filter((option) => option.standing);
  const shown = visible.filter((option) => !standing.includes(option));
  const why = [command.why ?? '', asking[command.danger]].filter((sentence) => sentence !== '').join(' ');
  return text(
    paragraph(`${command.summary}.`, width),
    why === '' ? [] : paragraph(why, width),
    usageLines(usageOf(path, command.args), command.aliases),
    section('Arguments', rows(args, width, { left: name }), look),
    section('Flags', flagRows(shown, look), look),
    section('More flags', folded(standing, look), look),
    section('Commands', rows(below, width, { left: name }), look),
    section(`Request${requests.length === 1 ? '' : 's'}`, rows(requests, width, { left: look.method }), look),
    exampleSection(command.examples.map(exampleOf), look),
    ['Run "docs help flags" for the flags that many commands take.'],
  );
}

function requestsOf({ operations, reads = [] }: CommandOutline): (readonly [string, string])[] {
  return [...operations, ...reads].map(({ method, path }) => [method, path]);
}

/** Flags that many commands take, without what `docs help flags` says of them. */
function folded(options: readonly OptionOutline[], { width, name }: HelpLook): string[] {
  if (options.length === 0) return [];
  const usages = options.map((option) => `--${option.name}`).join(', ');
  return markedParagraph(usages, width - 2, name).map((line) => `  ${line}`);
}

/** Description, limits, choices, default, nullable: all that a flag's declaration says. */
export function optionText(option: OptionOutline): string {
  const { name, description, choices, closed, nullable, longText } = option;
  const notes = [
    option.required && 'required',
    ...limitNotes(option),
    choices && `${closed ? 'one of' : 'such as'} ${choices.join(', ')}`,
    nullable && (closed ? 'or none' : `null or --unset ${name} clears it`),
    longText && '@file reads a file, - reads stdin',
    option.default !== undefined && `default ${String(option.default)}`,
  ].filter((note) => typeof note === 'string');
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function limitNotes({ schema }: OptionOutline): (string | false)[] {
  const { minLength, maxLength, minimum, maximum, pattern }: Partial<TSchema> = schema ?? {};
  const least = minLength === undefined ? 'at most' : `${minLength} to`;
  return [
    maxLength !== undefined && `${least} ${maxLength} characters`,
    maximum !== undefined && `${minimum ?? 0} to ${maximum}`,
    pattern !== undefined && `matches ${pattern}`,
  ];
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
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join('\n')).join('\n\n')}\n`;
}
