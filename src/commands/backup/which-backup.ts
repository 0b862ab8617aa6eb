import { resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { option } from '../../cli/declare/flags.js';
import type { Check } from '../../cli/declare/takers.js';
import type { ReaderOptions } from '../../workflows/backup/reader.js';

/** Which backup, and which run of it, a command reads. */

/** A folder of the commands that read a backup. */
export function folderOf(description: string) {
  return { description, path: { use: 'reads' }, check: async () => checkBackup } as const;
}

export const backupFolder = folderOf('Folder of the backup');

const checkBackup: Check = async (typed, { io }) => {
  const { openBackup } = await import('../../workflows/backup/folder/open-folder.js');
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
