import { camel } from '../declare/command.js';
import { globalOptionsOf } from '../declare/global-flags.js';
import type { Parsed, WalkedCommand } from './parser.js';
import type { Walk } from './walk.js';

/**
 * What the parser gives for a line of positionals and flags without values, such as `spaces get s1 --json`: the walk knows
 * all of it. To load commander for it takes a tenth of a read.
 * @returns undefined for any other line
 */
export function plainLine(
  argv: readonly string[],
  { command, pathAt, args: typed, flags, flagsEnded }: Walk & WalkedCommand,
): Parsed | undefined {
  const { args, options } = command;
  if (flagsEnded || typed.length > args.length || args.some(({ variadic, closed }) => variadic || closed))
    return undefined;
  const globals = globalOptionsOf(command);
  const switches = globals.filter(({ boolean }) => boolean === true).map(({ name }) => name);
  // The walk takes each of these for a word of the path, a positional, or a flag.
  const names = argv.filter((word) => word.startsWith('-')).map((word) => word.slice(2));
  if (names.length !== flags.size || !names.every((name) => flags.has(name) && switches.includes(name)))
    return undefined;
  if (pathAt.length + typed.length + names.length !== argv.length) return undefined;
  // A flag that can only be switched off is on.
  const on = (all: typeof options) =>
    all.filter(({ boolean }) => boolean === 'only-no').map(({ name }) => [camel(name), true] as const);
  return {
    args: Object.fromEntries(args.map(({ name }, at) => [name, typed[at]])),
    options: Object.fromEntries(on(options)),
    globals: Object.fromEntries([...on(globals), ...names.map((name) => [camel(name), true])]),
  };
}
