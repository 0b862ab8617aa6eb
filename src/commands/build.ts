import { Command as Commander, Option as CommanderOption } from 'commander';
import { isGroup, type ManualInput } from './command.js';
import { globalOptions } from './globals.js';
import { commandHelp, groupHelp, rootHelp } from './help.js';
import type { HelpLook } from './help-look.js';
import type { GroupEntry } from './index.js';
import {
  type CommandOutline,
  type GroupOutline,
  type OptionOutline,
  type Outline,
  outlineOf,
} from './outline.js';

/** Declarations → commander. The parser only reads words; what they mean is the runner's. */

/** Called with what was typed, once the words make a command, and the path of that. */
export type OnCommand = (path: string, input: ManualInput) => Promise<void>;

export interface BuildOptions {
  groups: readonly GroupEntry[];
  /** The words that name a group or a command: nothing else is built. */
  path: readonly string[];
  version: string;
  /** How the help of a bare group looks; `--help` is answered without the parser. */
  look: HelpLook;
  write(text: string): void;
  /** Where the help of a bare group goes. */
  writeError(text: string): void;
  onCommand: OnCommand;
}

/** Builds the parser. Parsing throws commander's errors; `main` maps them. */
export async function buildProgram(options: BuildOptions): Promise<Commander> {
  const program = configure(new Commander('docs'), options);
  program.version(options.version, '--version', 'Print the version');
  program.helpInformation = () => rootHelp(options.groups, options.look);
  for (const option of globalOptions) addOption(program, option);
  const [name, ...rest] = options.path;
  const entry = options.groups.find((candidate) => candidate.name === name);
  if (entry === undefined) return program;
  const outline = { ...(await outlineOf(entry)), name: entry.name, aliases: entry.aliases ?? [] };
  addNode(program, outline, { path: entry.name, rest }, options);
  return program;
}

function configure(commander: Commander, options: BuildOptions): Commander {
  return commander
    .exitOverride()
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => options.write(text),
      writeErr: (text) => options.writeError(text),
      outputError: () => {},
      // Whether there are colours was decided already; nothing is to be taken out.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    });
}

/** Where a group or a command stands, and the words that name what is meant inside it. */
interface Place {
  path: string;
  rest: readonly string[];
}

function addNode(parent: Commander, node: Outline, place: Place, options: BuildOptions): void {
  const child = configure(new Commander(node.name), options);
  child.aliases([...(node.aliases ?? [])]).copyInheritedSettings(parent);
  if (isGroup(node)) fillGroup(child, node, place, options);
  else fillCommand(child, node, place.path, options);
  parent.addCommand(child);
}

function fillGroup(commander: Commander, group: GroupOutline, { path, rest }: Place, options: BuildOptions) {
  commander.helpInformation = () => groupHelp(group, path, options.look);
  const [name, ...inside] = rest;
  const meant = group.commands.filter((entry) => name === undefined || entry.name === name);
  for (const entry of meant)
    addNode(commander, entry, { path: `${path} ${entry.name}`, rest: inside }, options);
}

function fillCommand(
  commander: Commander,
  command: CommandOutline,
  path: string,
  options: BuildOptions,
): void {
  for (const arg of command.args) {
    // Optional for the parser: the runner asks for what is missing, or names it.
    commander.argument(`[${arg.name}${arg.variadic ? '...' : ''}]`, arg.description);
  }
  for (const option of command.options) addOption(commander, option);
  commander.helpInformation = () => commandHelp(command, path, options.look);
  commander.action((...params: unknown[]) => {
    const typed = params.slice(0, command.args.length) as (string | string[] | undefined)[];
    const args = Object.fromEntries(command.args.map((arg, index) => [arg.name, typed[index]]));
    return options.onCommand(path, { args, options: commander.opts() });
  });
}

function addOption(commander: Commander, option: OptionOutline): void {
  for (const flags of flagSpellings(option)) {
    const added = new CommanderOption(flags, option.description);
    if (option.variadic) added.argParser(collect);
    commander.addOption(added);
  }
}

/** The flags of an option as commander writes them: one, or two for a pair. */
function flagSpellings({ name, short, boolean, value }: OptionOutline): string[] {
  if (boolean === 'only-no') return [`--no-${name}`];
  if (boolean === 'no') return [`--${name}`, `--no-${name}`];
  if (typeof boolean === 'string') return [`--${name}`, `--${boolean}`];
  const taken = value?.startsWith('[') ? '[value]' : '<value>';
  const long = value === undefined ? `--${name}` : `--${name} ${taken}`;
  return [short === undefined ? long : `-${short}, ${long}`];
}

function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
