import { resolve } from 'node:path';
import { Type } from '../../api/type.js';
import type { ReaderOptions } from '../../backup/reader.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { option } from '../../cli/declare/option.js';

import type { Session } from '../../cli/declare/session.js';
import type { Filled } from '../../copy/fill.js';
import { checked } from '../../output/messages.js';
import { closed, text } from '../../output/printed-shapes.js';
import { type Progress, showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import type { Database } from '../../sandbox/store/database.js';
import type { OtherSource } from '../../sandbox/store/fill.js';
import { atOf } from '../shared/backup-flags.js';
import { isDryRun } from './control.js';

/** A backup as the data of a sandbox: `docs sandbox seed`, `start` and `exec` with `--from-backup`. */

export const backupOption = (description: string) =>
  option('--from-backup <folder>', description, { path: { use: 'reads' } });

/** What is printed besides, after a backup was loaded. */
export const loadedFields = {
  organization: Type.Optional(closed({ id: text, title: text })),
  spaces: Type.Optional(Type.Integer({ description: 'Spaces of the backup' })),
  gaps: Type.Optional(Type.Array(text, { description: 'Items missing from the copy, a sentence each' })),
};

/** Data of a sandbox that come from a backup. */
export interface BackupSeed extends OtherSource {
  fill(db: Database, onlyNew: boolean): Promise<Filled>;
}

/** The backup that a database records as the source of its data; undefined for others. @throws as `backupSeed` */
export async function backupOf(session: Session, source: string): Promise<BackupSeed | undefined> {
  const { backupOfSource } = await import('../../copy/fill.js');
  const found = backupOfSource(source);
  if (found === undefined) return undefined;
  return backupSeed(session, found.folder, found.run === undefined ? {} : { at: String(found.run) });
}

/**
 * A backup as the data of a sandbox. Filling shows its progress, and says what the copy could not take over.
 * @param folder absolute
 * @param options an earlier run, which the sandbox goes back to when it is reset
 * @throws DocsError usage `not_a_backup`, `unknown_run`, `invalid_run`; configuration `bad_manifest`; exit 13
 */
export async function backupSeed(
  session: Session,
  folder: string,
  options: ReaderOptions = {},
): Promise<BackupSeed> {
  const { io, globals, printer } = session;
  const { openReader } = await import('../../backup/reader.js');
  const { backupSource, fillFromBackup } = await import('../../copy/fill.js');
  const { runOf } = await import('../../backup/records.js');
  const reader = await openReader(folder, options);
  const run = options.at === undefined ? undefined : runOf(reader.manifest);
  const source = backupSource(reader.root, run);
  const total = reader.manifest.spaces.length;
  return {
    source,
    hint: `docs sandbox seed --from-backup ${shellWord(reader.root, io.platform)}${run === undefined ? '' : ` --at ${run}`}`,
    async fill(db, onlyNew) {
      const fill = ({ count }: Progress) => {
        const progress = (done: number): void => count(done, 0);
        return fillFromBackup(db, reader, {
          now: () => io.now(),
          signal: io.signal,
          onlyNew,
          progress,
          source,
        });
      };
      const filled = await showProgress({ io, globals }, 'Loading spaces', fill, total);
      for (const gap of filled.gaps) printer.note(gap);
      return filled;
    },
  };
}

/** Replaces all data of the sandbox in a file with a backup. A new file has nothing else before. */
export async function seedBackup(
  session: Session,
  file: string,
  given: ManualInput['options'],
): Promise<void> {
  const id = resolve(session.io.cwd, String(given.fromBackup));
  const seed = await backupSeed(session, id, atOf(given, session.io));
  if (await isDryRun(session, file)) return;
  const { openStore } = await import('../../sandbox/store/store.js');
  const { db } = await openStore(file, session.io);
  const { organization, spaces, gaps } = await seed.fill(db, false).finally(() => db.close());
  const said = `Loaded the backup of ${organization.title} into the sandbox: ${counted(spaces, 'space')}.`;
  await session.printer.done({ id, status: 'seeded', organization, spaces, gaps }, checked(session.io, said));
}
