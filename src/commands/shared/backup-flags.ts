import { resolve } from 'node:path';
import type { Manifest, SpaceEntry } from '../../backup/manifest.js';
import type { ReaderOptions } from '../../backup/reader.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { sameName } from '../../base/name.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { option } from '../../cli/declare/option.js';
import type { Check } from '../../cli/declare/takers.js';
import { counted } from '../../output/text.js';

/** Which backup, and which run of it, a command reads. */

/** A folder of the commands that read a backup. */
export function folderOf(description: string) {
  return { description, path: { use: 'reads' }, check: async () => checkBackup } as const;
}

export const backupFolder = folderOf('Folder of the backup');

const checkBackup: Check = async (typed, { io }) => {
  const { openBackup } = await import('../../backup/manifest.js');
  await openBackup(resolve(io.cwd, typed));
};

/** `--at` of the commands that read a backup. */
export const atOption = option(
  '--at <run>',
  'As of an earlier run: its number, latest, a date, or an age such as 2d; see backup run --keep',
);

/** The run that `--at` names, for `openReader`. */
export function atOf({ at }: ManualInput['options'], io: Pick<Io, 'now'>): ReaderOptions {
  return { ...(typeof at === 'string' && { at }), nowMs: io.now() };
}

/**
 * Refuses `--at` without the flag that names the backup.
 * @param flag such as `--from-backup`, with what was given for it
 * @throws DocsError usage `missing_flag`
 */
export function requireBackup({ at }: ManualInput['options'], flag: string, given: unknown): void {
  if (at !== undefined && given === undefined) throw usageError('missing_flag', `--at requires ${flag}`);
}

/** Titles that are listed where one is not found. */
const mostTitles = 10;

/**
 * The spaces of a backup that `--space` names, by id, title or name of their folder; in the order of folders.
 * @param typed undefined for all
 * @param folder as typed, for the hint
 * @throws DocsError not-found `space_not_found`; usage `ambiguous_title`
 */
export function pickSpaces(
  { spaces }: Manifest,
  typed: readonly string[] | undefined,
  folder: string,
): SpaceEntry[] {
  const picked = typed === undefined ? [...spaces] : typed.map((word) => spaceOf(spaces, word, folder));
  return [...new Set(picked)].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function spaceOf(spaces: readonly SpaceEntry[], word: string, folder: string): SpaceEntry {
  const same = (text: string): boolean => sameName(text, word);
  const exact = spaces.filter(({ id, folder: name }) => id === word || name === word);
  const found = exact.length > 0 ? exact : spaces.filter(({ title }) => same(title));
  const [first, ...others] = found;
  if (first === undefined)
    throw new DocsError('not-found', 'space_not_found', `space "${word}" not found in the backup`, {
      outcome: 'not-sent',
      lines: someOf(spaces),
      hint: `docs backup verify ${shellWord(folder, process.platform)} --offline`,
    });
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw usageError(
    'ambiguous_title',
    `several spaces of the backup are called "${word}": ${ids}; pass an id`,
  );
}

/** The titles of the first spaces, one a line. */
function someOf(spaces: readonly SpaceEntry[]): string[] {
  const titles = spaces.slice(0, mostTitles).map(({ title }) => `It has ${title}`);
  const left = spaces.length - titles.length;
  return left > 0 ? [...titles, `and ${counted(left, 'other space')}`] : titles;
}
