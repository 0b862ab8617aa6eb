import { Command as Commander, Argument as CommanderArgument, Option as CommanderOption } from 'commander';
import { usageError } from '../../base/errors.js';
import { camel } from '../declare/command.js';
import { flagUsage, globalOptionsOf, spellings } from '../declare/global-flags.js';
import type { CommandOutline, OptionOutline } from '../declare/outline.js';
import type { Globals } from '../declare/session.js';
import { unknownFlag } from './mistakes.js';
import { readArgument, readOption, typedNull } from './values.js';
import { flagsAt, type Walk } from './walk.js';

/** What was typed for a command, in the types that its declaration asks for. */
export interface Parsed {
  args: Record<string, string | string[] | undefined>;
  options: Record<string, unknown>;
  globals: Globals;
}

/** A command line that names a command. */
export type WalkedCommand = Pick<Walk, 'path' | 'pathAt'> & { command: CommandOutline };

/**
 * Parses the words of a command.
 * @param argv the words after `docs`
 * @throws DocsError usage, with the flag or positional that is wrong
 */
export function parseCommand(argv: readonly string[], walked: WalkedCommand): Parsed {
  const words = argv.filter((_, at) => !walked.pathAt.includes(at));
  const parser = new CommandParser(walked, words);
  parser.parse(words, { from: 'user' });
  const typed = Object.entries(withNulls(walked.command, parser.opts()));
  const isGlobal = ([key]: [string, unknown]) => key.startsWith(globalKey);
  return {
    args: Object.fromEntries(walked.command.args.map(({ name }, at) => [name, parser.processedArgs[at]])),
    options: Object.fromEntries(typed.filter((entry) => !isGlobal(entry))),
    globals: Object.fromEntries(
      typed.filter(isGlobal).map(([key, value]) => [key.slice(globalKey.length), value]),
    ),
  };
}

/** `null` typed for a flag whose field may be null is `--unset` of that flag. */
function withNulls({ options }: CommandOutline, typed: Record<string, unknown>): Record<string, unknown> {
  const cleared = options.filter((option) => option.nullable && typed[camel(option.name)] === typedNull);
  if (cleared.length === 0) return typed;
  const keys = new Set(cleared.map(({ name }) => camel(name)));
  const rest = Object.fromEntries(Object.entries(typed).filter(([key]) => !keys.has(key)));
  return { ...rest, unset: [typed.unset ?? [], cleared.map(({ name }) => name)].flat() };
}

const globalKey = 'global ';

/** A flag of every command. It has a key of its own: `--input` and `--no-input` are different flags. */
class GlobalOption extends CommanderOption {
  override attributeName(): string {
    return globalKey + super.attributeName();
  }
}

/** A flag by the name that it had before. */
class FormerOption extends CommanderOption {
  stands = '';
  override attributeName(): string {
    return this.stands;
  }
}

/** Commander for one command. Raises its failures as errors of docs. */
class CommandParser extends Commander {
  readonly #path: readonly string[];
  readonly #command: CommandOutline;

  constructor({ path, command }: WalkedCommand, words: readonly string[]) {
    super(['docs', ...path].join(' '));
    this.#path = path;
    this.#command = command;
    this.helpOption(false)
      .allowExcessArguments(false)
      .action(() => {});
    for (const argument of command.args) {
      const { name, required, variadic, description } = argument;
      const inner = variadic ? `${name}...` : name;
      const added = new CommanderArgument(required ? `<${inner}>` : `[${inner}]`, description);
      if (argument.choices !== undefined) added.choices(argument.choices);
      this.addArgument(added.argParser(collecting(variadic, (typed) => readArgument(argument, typed))));
    }
    const isWanted = wantedIn(words);
    for (const option of command.options.filter(isWanted)) this.#addFlags(option, CommanderOption);
    for (const option of globalOptionsOf(command).filter(isWanted)) this.#addFlags(option, GlobalOption);
  }

  #addFlags(option: OptionOutline, Kind: typeof CommanderOption): void {
    const excluded = excludedBy(option, this.#command.options);
    for (const flags of flagSpellings(option)) {
      const added = new Kind(flags, option.description);
      this.#add(option, added, excluded);
      for (const name of option.formerly ?? []) {
        const other = new FormerOption(flags.replace(/^.*--[\w-]+/, `--${name}`), option.description);
        other.stands = added.attributeName();
        this.#add(option, other, excluded);
      }
    }
  }

  #add(option: OptionOutline, added: CommanderOption, excluded: readonly string[]): void {
    if (option.closed && option.choices !== undefined) added.choices(option.choices);
    if (option.boolean === undefined) {
      const reads = collecting(option.variadic, (typed) => this.#read(option, typed), splits(option));
      added.argParser(reads);
    }
    this.addOption(added.conflicts(excluded.filter((key) => key !== added.attributeName())));
  }

  #read(option: OptionOutline, typed: string): string | number {
    return readOption(option, typed);
  }

  /** The pipeline asks for it on a terminal, and fails elsewhere. */
  missingArgument(): void {}

  unknownOption(flag: string): never {
    throw unknownFlag({ path: this.#path, options: this.#command.options }, flag.split('=')[0] ?? flag);
  }

  optionMissingArgument({ long }: CommanderOption): never {
    const option = flagsAt({ command: this.#command }).find(({ name }) => `--${name}` === long);
    const { choices, closed } = option ?? {};
    const known = choices === undefined ? '' : `: ${closed ? 'one of' : 'such as'} ${choices.join(', ')}`;
    const usage = option === undefined ? long : flagUsage(option);
    const message = `${long} needs a value, ${usage}${known}`;
    throw usageError('flag_missing_value', message, { hint: this.#help() });
  }

  _conflictingOption(one: CommanderOption, other: CommanderOption): never {
    throw usageError('contradiction', `${one.long} and ${other.long} contradict each other`);
  }

  _excessArguments(received: readonly string[]): never {
    const { args } = this.#command;
    const extra = received.slice(args.length).map((word) => JSON.stringify(word.slice(0, 60)));
    const takes = args.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ');
    const limit = `"${this.name()}", which takes ${takes === '' ? 'no arguments' : takes}`;
    const what = `unexpected argument${extra.length === 1 ? '' : 's'} ${extra.join(', ')}`;
    throw usageError('excess_arguments', `${what} for ${limit}`, { hint: this.#help() });
  }

  #help(): string {
    return `${this.name()} --help`;
  }
}

/**
 * Whether a flag may be among the words, or means something where it is not typed. To make commander's options for all
 * the others takes a third of the time between the words and the request.
 */
function wantedIn(words: readonly string[]): (option: OptionOutline) => boolean {
  if (words.some((word) => /^-[^-]/.test(word))) return () => true;
  const typed = new Set(
    words.flatMap((word) => (word.startsWith('--') ? word.slice(2).split('=')[0] : []) ?? []),
  );
  // Of two flags, the one that is not typed may have a default, or be the other's name.
  return ({ name, boolean, formerly = [] }) =>
    typeof boolean === 'string' || [name, ...formerly].some((one) => typed.has(one));
}

/**
 * A parser for commander, which hands over what an earlier value came to.
 * @param isList whether one value may name several, with commas between them
 */
function collecting(variadic: boolean, read: (typed: string) => unknown, isList = false) {
  return (typed: string, before: unknown): unknown => {
    if (!variadic) return read(typed);
    const values = isList && !/\s/.test(typed) ? typed.split(',') : [typed];
    return [...(Array.isArray(before) ? before : []), ...values.map(read)];
  };
}

/** Whether the values of a flag are words of a list, ids or emails, which hold no commas. Titles with spaces stay whole. */
function splits({ closed, kind, emails }: OptionOutline): boolean {
  return closed === true || kind !== undefined || emails === true;
}

/** The flags of an option as commander writes them: one, or two for a pair. */
function flagSpellings(option: OptionOutline): string[] {
  const { name, short, boolean, value } = option;
  if (typeof boolean === 'string') return spellings(option);
  const taken = value?.startsWith('[') ? '[value]' : '<value>';
  const long = value === undefined ? `--${name}` : `--${name} ${taken}`;
  return [short === undefined ? long : `-${short}, ${long}`];
}

/** Keys of the flags that exclude an option: declared, its own second flag, and others that fill the same field. */
function excludedBy(option: OptionOutline, options: readonly OptionOutline[]): string[] {
  const { boolean, field, conflicts = [] } = option;
  const second = typeof boolean === 'string' && boolean !== 'no' && boolean !== 'only-no' ? [boolean] : [];
  const same = options.filter((other) => other !== option && field !== undefined && other.field === field);
  return [...conflicts, ...second, ...same.map(({ name }) => name)].map(camel);
}
