import { agentOf, isCi } from '../../base/callers.js';
import { DocsError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { safeLine } from '../../output/text.js';
import { settingsPaths } from '../../settings/paths.js';
import { readAliases } from '../../settings/settings-file.js';
import type { GroupEntry } from '../declare/command.js';
import { aliasFault, commandOf, expanded, isAliasName, notExpanded, unusable } from '../parse/alias.js';
import type { Walk } from '../parse/walk.js';

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
