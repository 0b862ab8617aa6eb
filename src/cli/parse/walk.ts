import { type GroupEntry, isGroup } from '../declare/command.js';
import { globalOptions } from '../declare/global-flags.js';
import { type OptionOutline, type Outline, outlineOf } from '../declare/outline.js';

/** Which command a command line means, and where it stops meaning one. */

/** How far a command line makes sense. */
export interface Walked {
  /** The words that name a group or a command. */
  path: readonly string[];
  /** What they name; undefined for docs itself. */
  node: Outline | undefined;
  /** The word that names nothing; undefined where all do. */
  unknown: string | undefined;
  /** The words that follow. */
  rest: readonly string[];
  /** Everything from the first flag on that is not one of all commands: which words are its value is not known. */
  tail: readonly string[];
}

export interface Named {
  name: string;
  aliases?: readonly string[];
}

/** Follows the words of a command line as far as they name something. Loads the group that is named. */
export async function walk(argv: readonly string[], groups: readonly GroupEntry[]): Promise<Walked> {
  const { words, tail } = wordsOf(argv);
  const [first, ...others] = words;
  const entry = first === undefined ? undefined : named(groups, first);
  if (entry === undefined) return { path: [], node: undefined, unknown: first, rest: others, tail };
  let node = await outlineOf(entry);
  const path = [entry.name];
  let rest = others;
  while (isGroup(node) && rest[0] !== undefined) {
    const next: Outline | undefined = named(node.commands, rest[0]);
    if (next === undefined) return { path, node, unknown: rest[0], rest: rest.slice(1), tail };
    path.push(next.name);
    node = next;
    rest = rest.slice(1);
  }
  return { path, node, unknown: undefined, rest, tail };
}

/** The one of that name or alias. */
export function named<T extends Named>(all: readonly T[], word: string): T | undefined {
  return all.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
}

/** The words before the first flag of a command; flags of all commands, and their values, are passed over. */
function wordsOf(argv: readonly string[]): { words: string[]; tail: readonly string[] } {
  const words: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') return { words: [...words, ...argv.slice(at + 1)], tail: [] };
    if (!word.startsWith('-')) words.push(word);
    else if (!isGlobal(word)) return { words, tail: argv.slice(at) };
    else if (takesValue(word)) at += 1;
  }
  return { words, tail: [] };
}

function isGlobal(flag: string): boolean {
  const name = flag.split('=')[0];
  const known = globalOptions.flatMap((option) => [...spellings(option), `-${option.short}`]);
  return [...known, '-h', '--help', '--version'].some((spelling) => spelling === name);
}

function takesValue(flag: string): boolean {
  const option = globalOptions.find(({ name, short }) => flag === `--${name}` || flag === `-${short}`);
  return option?.value !== undefined;
}

/** How a flag may be written. */
export function spellings({ name, boolean }: OptionOutline): string[] {
  if (boolean === 'only-no') return [`--no-${name}`];
  if (boolean === 'no') return [`--${name}`, `--no-${name}`];
  return typeof boolean === 'string' ? [`--${name}`, `--${boolean}`] : [`--${name}`];
}
