import { camel } from '../declare/command.js';
import { globalOptionsOf } from '../declare/global-flags.js';
import type { OptionOutline } from '../declare/outline.js';
import type { Parsed, WalkedCommand } from './parser.js';
import type { Walk } from './walk.js';

/**
 * What the parser gives for a line of positionals, switches and flags of which any value will do, such as
 * `spaces update s1 --title Guide --yes`: the walk knows all of it. To load commander for it takes a tenth of a read.
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
  const names = [...flags.keys()];
  // A flag of the command may have the name of one that all take.
  const ofAll = globals.map(({ name }) => name);
  const valued = options.filter(({ name }) => names.includes(name) && !ofAll.includes(name));
  const taken = new Set([...switches, ...valued.map(({ name }) => name)]);
  if (!names.every((name) => taken.has(name)) || !valued.every((option) => isFree(option, valued, flags)))
    return undefined;
  // The walk takes each word for one of the path, a positional, a flag or its value.
  const words = argv.filter((word) => word.startsWith('-')).map((word) => word.slice(2));
  const attached = words.filter((word) => word.includes('='));
  if (words.length !== names.length || !words.every((word) => flags.has(word.split('=')[0] ?? '')))
    return undefined;
  if (pathAt.length + typed.length + names.length + valued.length - attached.length !== argv.length)
    return undefined;
  // A flag that can only be switched off is on.
  const on = (all: typeof options) =>
    all.filter(({ boolean }) => boolean === 'only-no').map(({ name }) => [camel(name), true] as const);
  const values = valued.map(({ name }) => [camel(name), flags.get(name)?.[0]] as const);
  return {
    args: Object.fromEntries(args.map(({ name }, at) => [name, typed[at]])),
    options: Object.fromEntries([...on(options), ...values]),
    globals: Object.fromEntries([
      ...on(globals),
      ...switches.filter((name) => flags.has(name)).map((name) => [camel(name), true]),
    ]),
  };
}

/** Whether a flag takes one value, whichever it is, and excludes none of the others. */
function isFree(option: OptionOutline, others: readonly OptionOutline[], flags: Walk['flags']): boolean {
  const { name, value, boolean, variadic, closed, number, duration, nullable, conflicts, field } = option;
  const isText = value?.startsWith('<') === true && boolean === undefined && !variadic;
  const isChecked = [closed, number, duration, nullable].some(
    (check) => check !== undefined && check !== false,
  );
  const rivals = others.filter((other) => other !== option && field !== undefined && other.field === field);
  const isAlone = rivals.length === 0 && (conflicts ?? []).length === 0;
  return isText && !isChecked && isAlone && flags.get(name)?.length === 1;
}
