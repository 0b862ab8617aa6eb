import { type DocsError, usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import type { GroupEntry } from '../declare/command.js';
import { spellings } from '../declare/global-flags.js';
import { globalOptions } from '../declare/global-options.js';
import type { OptionOutline } from '../declare/outline.js';
import { type Walk, walk } from './walk.js';

/** What the words of a line name. @throws DocsError usage, as running it would */
export async function walkLine(
  argv: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<Walk> {
  const walked = await walk(argv, groups);
  const mistake = await mistakeIn(walked, argv, groups, platform);
  if (mistake !== undefined) throw mistake;
  return walked;
}

/** The error for words that name a group where a command is wanted. */
export function notACommand(path: readonly string[]): DocsError {
  const name = ['docs', ...path].join(' ');
  return usageError('unknown_command', `"${name}" is a group, not a command`, { hint: `${name} --help` });
}

/**
 * The error for a flag that stands before its command, or a word that names nothing.
 * @returns undefined where the words name a group or a command
 */
export async function mistakeIn(
  walked: Walk,
  argv: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<DocsError | undefined> {
  const { stray, path, command } = walked;
  if (stray !== undefined && (command === undefined || stray.path.length < path.length)) {
    const at = { path: stray.path, options: [] };
    return unknownFlag(at, stray.flag, await placeOfFlag(argv, stray, groups));
  }
  if (stray !== undefined && command !== undefined && isOnlyMistake(walked, argv, stray.at))
    return unknownFlag({ path, options: command.options }, stray.flag);
  if (walked.unknown === undefined) return undefined;
  // Most mistakes are flags, and say nothing of other words.
  const { unknownCommand } = await import('./suggest.js');
  return unknownCommand(walked, groups, platform);
}

/**
 * Whether the parser would find no other mistake before an unknown flag: none of the values of further flags, which
 * it reads first. The walk and the parser agree on words such as `-n5` or `--json=x` only where they are right.
 */
function isOnlyMistake({ pending }: Walk, argv: readonly string[], at: number): boolean {
  const word = argv[at] ?? '';
  const others = argv.filter((each) => each.startsWith('-') && each !== word);
  const isPlain = word.startsWith('--') && others.every((each) => each === '--json');
  return isPlain && pending === undefined;
}

/** Flags of earlier versions, by the word after `docs`, and what replaced them. */
const replaced: Readonly<Record<string, string>> = {
  'impact --report-file': 'write it with --out <file>, in the format of -o or of the extension',
};

/**
 * The error for a flag that its command does not know.
 * @param place the path of the command that it belongs to, if it was typed in front of that
 */
export function unknownFlag(
  { path, options }: { path: readonly string[]; options: readonly OptionOutline[] },
  flag: string,
  place?: readonly string[],
): DocsError {
  const instead = replaced[`${path[0]} ${flag}`];
  if (instead !== undefined) {
    const hint = ['docs', ...path, '--help'].join(' ');
    return usageError('replaced_flag', `${flag} was removed from docs ${path[0]}; ${instead}`, { hint });
  }
  const meant = nearest(flag, [...options, ...globalOptions].flatMap(spellings));
  const suggestion = place
    ? `; it belongs after the command: docs ${place.join(' ')} ${flag}`
    : didYouMean(meant);
  const message = `unknown flag ${JSON.stringify(flag)} for "${['docs', ...path].join(' ')}"${suggestion}`;
  const hint = ['docs', ...(place ?? path), '--help'].join(' ');
  const details = meant === undefined ? undefined : { nearest: meant };
  return usageError('unknown_flag', message, { hint, details });
}

/** The command that knows a flag which was typed in front of it; undefined where there is none. */
async function placeOfFlag(
  argv: readonly string[],
  { at, flag }: NonNullable<Walk['stray']>,
  groups: readonly GroupEntry[],
): Promise<readonly string[] | undefined> {
  for (const length of [1, 2]) {
    const { path, command } = await walk([...argv.slice(0, at), ...argv.slice(at + length)], groups);
    if (command?.options.flatMap(spellings).includes(flag)) return path;
  }
  return undefined;
}
