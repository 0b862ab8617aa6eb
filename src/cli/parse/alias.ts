import { agentOf } from '../../base/callers.js';
import { isCi } from '../../base/ci.js';
import { DocsError, notSent, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { commandLine, shellWords, unquotedRest } from '../../base/shell-word.js';
import { safeLine } from '../../output/text.js';
import { settingsPaths } from '../../settings/paths.js';
import { readAliases } from '../../settings/settings-file.js';
import type { GroupEntry } from '../declare/command.js';
import { isHelpTopic } from '../help/topic-names.js';
import { mistakeIn } from './mistakes.js';
import { named, type Walk, walk } from './walk.js';

/**
 * Aliases: words of a person that stand for the beginning of a command line. No shell runs them; they are split
 * into words, and each argument stays one word, whatever is in it.
 */

/** The longest expansion, in characters. */
const longest = 2000;
const placeholder = /\$([1-9]\d*)/g;

/** Whether a word could be the name of an alias: settings need to be read only for such a word. */
export function isAliasName(word: string): boolean {
  return word.length <= 40 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(word);
}

/** Whether docs itself has a meaning for the word. */
export function isTaken(word: string, groups: readonly GroupEntry[]): boolean {
  return named(groups, word) !== undefined || word === 'help' || isHelpTopic(word);
}

/** What is wrong with an alias, as a clause; undefined where it can be used. */
export async function aliasFault(
  name: string,
  expansion: unknown,
  around: { groups: readonly GroupEntry[]; aliases: ReadonlyMap<string, unknown>; platform: NodeJS.Platform },
): Promise<string | undefined> {
  const fault = nameFault(name);
  if (fault !== undefined) return fault;
  if (isTaken(name, around.groups)) return `docs already has a command or help topic "${name}"`;
  return (
    textFault(expansion) ??
    (typeof expansion === 'string' ? commandFault(shellWords(expansion), around) : undefined)
  );
}

/** What is wrong with a name by itself. */
export function nameFault(name: string): string | undefined {
  if (isAliasName(name)) return undefined;
  return 'a name has at most 40 lowercase letters, digits and single dashes, and starts with a letter';
}

/** What is wrong with the text of an expansion. */
export function textFault(expansion: unknown): string | undefined {
  if (typeof expansion !== 'string' || expansion.trim() === '') return 'the expansion is not a command';
  if (expansion.length > longest) return `the expansion is longer than ${longest} characters`;
  if (/\p{Cc}|\p{Zl}|\p{Zp}/u.test(expansion)) return 'the expansion has control characters or line breaks';
  return unquotedRest(expansion) === '' ? undefined : 'a quotation mark in the expansion is not closed';
}

async function commandFault(
  words: readonly string[],
  { groups, aliases, platform }: Parameters<typeof aliasFault>[2],
): Promise<string | undefined> {
  const [first = ''] = words;
  if (first.startsWith('-') || first === 'help') return 'the expansion must start with a command of docs';
  if (aliases.has(first) && !isTaken(first, groups))
    return `"${first}" is an alias; write the command that it stands for`;
  const walked = await walk(words, groups);
  const mistake = await mistakeIn(walked, words, groups, platform);
  if (mistake !== undefined) return mistake.message;
  return walked.path.length === 0 ? 'the expansion must start with a command of docs' : undefined;
}

/** The words of an expansion that name its command or group. @param expansion without faults */
async function commandOf(expansion: string, groups: readonly GroupEntry[]): Promise<string[]> {
  const { path } = await walk(shellWords(expansion), groups);
  return [...path];
}

/** The numbers of the arguments that words have a place for. */
export function placesIn(words: readonly string[]): ReadonlySet<number> {
  return new Set(words.flatMap((word) => [...word.matchAll(placeholder)].map(([, place]) => Number(place))));
}

/** Puts arguments into their places; a place without an argument stays as it is. */
export function filled(words: readonly string[], args: readonly string[]): string[] {
  return words.map((word) => word.replace(placeholder, (as, place) => args[Number(place) - 1] ?? as));
}

/**
 * The words that an alias stands for: the arguments in their places, the others behind.
 * @throws DocsError usage `missing_argument`
 */
function expanded(name: string, expansion: string, args: readonly string[]): string[] {
  const words = shellWords(expansion);
  const places = placesIn(words);
  const needed = Math.max(0, ...places);
  if (args.length < needed) {
    const count = `${needed} argument${needed === 1 ? '' : 's'}`;
    const message = `alias "${name}" needs ${count}, not ${args.length}: docs ${expansion}`;
    throw usageError('missing_argument', message, { hint: `docs ${name} --help` });
  }
  return [...filled(words, args), ...args.filter((_, index) => !places.has(index + 1))];
}

/** The error for an alias of the settings file that cannot be used. */
function unusable(name: string, fault: string): DocsError {
  const hint = `docs config alias delete ${name}`;
  return notSent('configuration', 'invalid_alias', `alias "${name}" cannot be used: ${fault}`, { hint });
}

/** The error for an alias where none is expanded. @param words what it stands for, if that is known */
function notExpanded(
  name: string,
  words: readonly string[] | undefined,
  platform: NodeJS.Platform,
): DocsError {
  const message =
    `unknown command "${name}" for "docs". It is an alias of yours, but aliases are not expanded in scripts, ` +
    'in CI or for agents unless DOCS_ALIASES=on is set.';
  const hint = words === undefined ? 'docs config alias list' : commandLine(words, platform);
  return usageError('unknown_command', message, { hint, details: { alias: name } });
}

/** A command line that was typed with an alias. */
export interface AliasLine {
  /** The words after `docs` without the alias. */
  argv: readonly string[];
  /** What help says above that of the command. */
  note: string;
}

/**
 * Expands the alias that a command line starts with.
 * @param walked the line; its first word names nothing
 * @returns undefined where there is no such alias
 * @throws DocsError usage `unknown_command` where aliases are not expanded, `missing_argument`; configuration
 *   `invalid_alias`; as `readAliases`
 */
export async function aliasLine(
  walked: Walk,
  argv: readonly string[],
  io: Io,
  groups: readonly GroupEntry[],
): Promise<AliasLine | undefined> {
  const { unknown, path } = walked;
  if (unknown === undefined || path.length > 0 || !isAliasName(unknown.word)) return undefined;
  const { word, rest, tail } = unknown;
  const isOn = expandsAliases(io);
  const aliases = storedAliases(io, isOn);
  const expansion = aliases.get(word);
  if (expansion === undefined) return undefined;
  const { platform } = io;
  const fault = await aliasFault(word, expansion, { groups, aliases, platform });
  const args = [...rest, ...tail];
  if (!isOn)
    throw notExpanded(word, wordsOf(word, fault === undefined ? expansion : undefined, args), platform);
  if (fault !== undefined || typeof expansion !== 'string') throw unusable(word, fault ?? 'it is not text');
  const before = argv.slice(0, argv.length - args.length - 1);
  const note = `"${word}" is an alias for "docs ${safeLine(expansion)}".`;
  if (walked.help || walked.flags.has('help')) {
    const named = await commandOf(expansion, groups);
    return { argv: [...before, ...named, '--help', ...lookFlags(walked)], note };
  }
  return { argv: [...before, ...expanded(word, expansion, args)], note };
}

/**
 * Whether aliases are expanded: where a person types, or where the environment asks for it. A script must not mean
 * something else on another machine.
 */
function expandsAliases(io: Io): boolean {
  if (io.env.DOCS_ALIASES === 'on') return true;
  const isTyped = io.stdin.isTTY === true && io.stdout.isTTY === true;
  return isTyped && !isCi(io) && agentOf(io) === undefined;
}

/** In a script, a word that is unknown stays unknown, whatever is wrong with the settings. */
function storedAliases(io: Io, isOn: boolean): ReadonlyMap<string, unknown> {
  try {
    return readAliases(io, settingsPaths(io));
  } catch (error) {
    if (isOn || !(error instanceof DocsError)) throw error;
    return new Map();
  }
}

function wordsOf(name: string, expansion: unknown, args: readonly string[]): string[] | undefined {
  try {
    return typeof expansion === 'string' ? expanded(name, expansion, args) : undefined;
  } catch {
    return undefined;
  }
}

/** The flags of the line that say how help looks. */
function lookFlags({ flags }: Walk): string[] {
  return ['color', 'pager', 'input'].flatMap((name) => (flags.has(name) ? [`--no-${name}`] : []));
}
