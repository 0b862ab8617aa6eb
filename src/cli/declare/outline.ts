import { readFileSync } from 'node:fs';
import type { AnyOperation } from '../../api/operation.js';
import {
  type Command,
  camel,
  type Group,
  type GroupEntry,
  isGroup,
  type LazyGroup,
  type Option,
  type Topic,
} from './command.js';
import type { TypedWords } from './takers.js';
import { presentWords } from './ways.js';

/**
 * A command as parser, help and completion know it: its declaration, without what runs it. The build
 * writes the outlines of all groups as data, so that these load no schemas and no code of commands.
 */

/** Set at build time; undefined where the sources run as they are. */
declare const __DOCS_BUILT__: true | undefined;

export type OptionOutline = Omit<Option, 'parse' | 'offers' | 'check' | 'sets' | 'secret'> & {
  /** Whether its declaration reads what is typed for it. */
  parsed?: true;
};

/** What of a command stays as it is declared. */
export const kept = [
  ...(['name', 'aliases', 'summary', 'why', 'guide', 'examples', 'danger'] as const),
  ...([
    'passThrough',
    'formats',
    'asks',
    'effect',
    'here',
    'anyRequest',
    'changesWith',
    'carrier',
    'repairs',
  ] as const),
];
export type Kept = Pick<Command, (typeof kept)[number]>;

export interface CommandOutline extends Kept, Pick<Command, 'args'> {
  options: readonly OptionOutline[];
  operations: readonly Pick<AnyOperation, 'id' | 'method' | 'path'>[];
  /** What its guard reads. */
  reads?: readonly Pick<AnyOperation, 'id' | 'method' | 'path'>[];
  /** Whether it is made of its operations, and not written by hand. */
  ofOperations?: true;
  /** Whether a record of what it reads stands beside the outlines; `change`: of what it changes. */
  recorded?: true | 'change';
}

export interface GroupOutline extends Omit<Group, 'commands' | 'own'> {
  own?: CommandOutline;
  commands: readonly (CommandOutline | GroupOutline)[];
}

export type Outline = CommandOutline | GroupOutline;

/** Whether a command, whole or in outline, is made of its operations. */
export function isOfOperations(command: CommandOutline | Command): boolean {
  return 'spec' in command || ('ofOperations' in command && command.ofOperations === true);
}

/** Which operations a command calls, and whether one of them is all that it calls. */
export function callsOf(command: CommandOutline | Command) {
  return { operations: command.operations, ofOperations: isOfOperations(command) };
}

const read = new Map<string, Outline>();

/** A group with all of its commands. */
export async function wholeOf(node: LazyGroup | Command): Promise<Group | Command> {
  if (!isGroup(node)) return node;
  const commands = node.commands.map((child) => ('load' in child ? child.load() : wholeOf(child)));
  return { ...node, commands: await Promise.all(commands) };
}

/** The outline of what stands at the root under a name: a group or a command. It is read once. */
export async function outlineOf({ name, load }: Pick<GroupEntry, 'name' | 'load'>): Promise<Outline> {
  if (typeof __DOCS_BUILT__ === 'undefined') return load();
  // Read at once: the other way costs more than the file. Of UTF-8 alone, Node reads a file in one call.
  let outline = read.get(name);
  if (outline === undefined) {
    outline = JSON.parse(readFileSync(`${import.meta.dirname}/outlines/${name}.json`, 'utf8')) as Outline;
    read.set(name, outline);
  }
  return outline;
}

/** A command, whole or in outline, and the words after `docs` that reach it. */
export interface TreeEntry<C = Command, G = LazyGroup> {
  path: string;
  command: C;
  group?: G;
  /** Heading in the root help. */
  topic?: Topic;
}

export type OutlineEntry = TreeEntry<CommandOutline, GroupOutline>;

/** All commands in outline, in the order of the root help. */
export async function outlineTree(
  groups: readonly GroupEntry[],
  nodeOf: (entry: GroupEntry) => Promise<Outline> = outlineOf,
): Promise<OutlineEntry[]> {
  const roots = await Promise.all(groups.map(async (entry) => ({ entry, node: await nodeOf(entry) })));
  return roots.flatMap(({ entry: { name, topic }, node }) =>
    entriesOf(node, name).map((entry) => ({ ...entry, topic })),
  );
}

/** The same with all of each command: loads every group. */
export async function commandTree(groups: readonly GroupEntry[]): Promise<TreeEntry[]> {
  // What is loaded is whole.
  return outlineTree(groups, ({ load }) => load()) as Promise<TreeEntry[]>;
}

function entriesOf(node: Outline, path: string, group?: GroupOutline): OutlineEntry[] {
  if (!isGroup(node)) return [{ path, command: node, group }];
  const below = node.commands.flatMap((child) => entriesOf(child, `${path} ${child.name}`, node));
  return node.own === undefined ? below : [{ path, command: node.own, group: node }, ...below];
}

/**
 * A command with the positionals and flags of its outline: what its declaration would make of its operations is there
 * already. That is whole where nothing is asked for and no flag was typed that the declaration itself reads.
 */
export function withOutline(
  command: Command,
  outline: CommandOutline,
  { args, options }: TypedWords,
): Command {
  const isTyped = ({ name }: OptionOutline) => options[camel(name)] !== undefined;
  const lacks = outline.args.some(({ name }) => (args[name]?.length ?? 0) === 0);
  if (lacks || outline.options.some((option) => (isTyped(option) ? option.parsed : option.required)))
    return command;
  const own = Object.getOwnPropertyDescriptors(command);
  const outlined = { args: outline.args, options: outline.options };
  return Object.defineProperties({}, { ...own, ...Object.getOwnPropertyDescriptors(outlined) }) as Command;
}

/**
 * The command of a path and the group it stands in, loaded with that group alone.
 * @param path the words after `docs`, none of them an alias; a name from before is one of today
 * @throws Error where there is none
 */
export async function commandAt(
  groups: readonly GroupEntry[],
  path: string,
): Promise<{ command: Command; group?: LazyGroup; groupPath?: string }> {
  const [root, ...words] = presentWords(path.split(' '), groups);
  const entry = groups.find(({ name }) => name === root);
  let node = await (entry?.loadPart ?? entry?.load)?.();
  let group: LazyGroup | undefined;
  for (const word of words) {
    group = node !== undefined && isGroup(node) ? node : undefined;
    const found = group?.commands.find(({ name }) => name === word);
    node = found !== undefined && 'load' in found ? await found.load() : found;
  }
  if (node !== undefined && isGroup(node) && node.own !== undefined)
    return { command: node.own, group: node, groupPath: path };
  if (node === undefined || isGroup(node)) throw new Error(`There is no command ${path}.`);
  if (group === undefined) return { command: node };
  return { command: node, group, groupPath: path.slice(0, path.lastIndexOf(' ')) };
}
