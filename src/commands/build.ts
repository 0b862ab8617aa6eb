import { Command as Commander, Option as CommanderOption } from 'commander';
import { type Command, type Group, isGroup, type ManualInput, type Option } from './command.js';
import { globalOptions } from './globals.js';
import { commandHelp, groupHelp, rootHelp } from './help.js';
import type { HelpLook } from './help-look.js';
import type { GroupEntry } from './index.js';

/** Declarations → commander. The parser only reads words; what they mean is the runner's. */

/** Called with what was typed, once the words make a command. */
export type OnCommand = (command: Command, input: ManualInput) => Promise<void>;

export interface BuildOptions {
  groups: readonly GroupEntry[];
  version: string;
  /** How help looks on standard output, or on standard error. */
  look(stream: 'stdout' | 'stderr'): HelpLook;
  write(text: string): void;
  /** Where the help of a bare group goes. */
  writeError(text: string): void;
  onCommand: OnCommand;
}

/**
 * Builds the parser. Only the group that is named gets loaded (hook `preSubcommand`).
 * Parsing throws commander's errors; `main` maps them.
 */
export function buildProgram(options: BuildOptions): Commander {
  const program = configure(new Commander('docs'), options);
  program.version(options.version, '--version', 'Print the version');
  program.helpInformation = (context) => rootHelp(options.groups, lookOf(options, context));
  for (const option of globalOptions) addOption(program, option);
  for (const entry of options.groups) {
    const stub = new Commander(entry.name);
    configure(stub, options);
    stub.aliases([...(entry.aliases ?? [])]).copyInheritedSettings(program);
    program.addCommand(stub, { hidden: entry.hidden ?? false });
  }
  program.hook('preSubcommand', async (_, stub) => {
    const entry = options.groups.find((candidate) => candidate.name === stub.name());
    if (entry === undefined) return;
    const loaded = await entry.load();
    if (isGroup(loaded)) fillGroup(stub, { ...loaded, aliases: entry.aliases ?? [] }, entry.name, options);
    else fillCommand(stub, loaded, { path: entry.name }, options);
  });
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

function lookOf(options: BuildOptions, context: { error?: boolean } | undefined): HelpLook {
  return options.look(context?.error === true ? 'stderr' : 'stdout');
}

function fillGroup(stub: Commander, group: Group, path: string, options: BuildOptions): void {
  stub.helpInformation = (context) => groupHelp(group, path, lookOf(options, context));
  for (const entry of group.commands) {
    const child = configure(new Commander(entry.name), options);
    child.aliases([...(entry.aliases ?? [])]).copyInheritedSettings(stub);
    const childPath = `${path} ${entry.name}`;
    if (isGroup(entry)) fillGroup(child, entry, childPath, options);
    else fillCommand(child, entry, { path: childPath, group, groupPath: path }, options);
    stub.addCommand(child);
  }
}

interface Place {
  path: string;
  group?: Group;
  groupPath?: string;
}

function fillCommand(commander: Commander, command: Command, place: Place, options: BuildOptions): void {
  for (const arg of command.args) {
    // Optional for the parser: the runner asks for what is missing, or names it.
    commander.argument(`[${arg.name}${arg.variadic ? '...' : ''}]`, arg.description);
  }
  for (const option of command.options) addOption(commander, option);
  commander.helpInformation = (context) => commandHelp(command, place.path, lookOf(options, context));
  commander.action((...params: unknown[]) => {
    const typed = params.slice(0, command.args.length) as (string | string[] | undefined)[];
    const args = Object.fromEntries(command.args.map((arg, index) => [arg.name, typed[index]]));
    const { path: _, ...where } = place;
    return options.onCommand(command, { args, options: commander.opts(), ...where });
  });
}

function addOption(commander: Commander, option: Option): void {
  for (const flags of flagSpellings(option)) {
    const added = new CommanderOption(flags, option.description);
    if (option.variadic) added.argParser(collect);
    commander.addOption(added);
  }
}

/** The flags of an option as commander writes them: one, or two for a pair. */
function flagSpellings({ name, short, boolean, value }: Option): string[] {
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
