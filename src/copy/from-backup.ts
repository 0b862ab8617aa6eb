import type { Organization } from '../api/resources/orgs.js';
import { DocsError } from '../base/errors.js';
import { putOrganization } from '../sandbox/copy/organization.js';
import type { Database } from '../sandbox/store/database.js';
import { idFrom } from '../sandbox/store/rows.js';
import { refillSlowly } from '../sandbox/store/store.js';
import { failedLines } from '../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../workflows/backup/reader.js';
import type { Filling } from './backup/parts.js';
import { fillAccess, fillMembers, fillTeams, settlePeople } from './backup/people.js';
import { fillSpace, settleSpace } from './backup/spaces.js';
import { fillCollections, fillOrders, fillSettings, fillSites } from './backup/structure.js';
import { changedInBackup, VerifiedFiles } from './backup/verified-files.js';

export interface FillOptions {
  now(): number;
  /** Called as spaces are loaded. */
  progress?(done: number, total: number): void;
  signal: AbortSignal;
  /** What is recorded as the source of the data; default: the folder of the backup. */
  source?: string;
  /** Skip a database that another program has filled in the meantime. */
  onlyNew?: boolean;
}

/** What a backup became in a copy. */
export interface Filled {
  organization: { id: string; title: string };
  spaces: number;
  /** Parts that the copy could not take over, each a sentence. */
  gaps: string[];
}

/** How a database records that its data are those of a backup, or of an earlier run of it. */
export function backupSource(root: string, run?: number): string {
  return `backup:${run === undefined ? '' : `${run}@`}${root}`;
}

/** What `backupSource` names; undefined for other sources. Folders are absolute, so none begins with a number. */
export function backupOfSource(source: string): { folder: string; run?: number } | undefined {
  const [, run, folder] = /^backup:(?:(\d+)@)?(.*)$/s.exec(source) ?? [];
  if (folder === undefined) return undefined;
  return { folder, ...(run !== undefined && { run: Number(run) }) };
}

/**
 * Replaces all data of a database with a backup: the whole organization, or none of it. Every file is compared with
 * its hash as it is read, also those that nothing is taken from.
 *
 * One transaction spans all reads, so that a process killed at any moment leaves the database as it was; nobody else
 * may use the connection meanwhile. Files are read as streams, a space at a time, which takes a transaction that
 * waits: reading them at once, as `Database.write` does, would stop the process for as long, and interrupts with it.
 * @throws DocsError configuration `changed_in_backup`, `unfinished_backup`, `bad_manifest`; local-io
 *   `missing_in_backup`; the reason of the signal
 */
export async function fillFromBackup(
  db: Database,
  reader: BackupReader,
  options: FillOptions,
): Promise<Filled> {
  refuseUnfinished(reader);
  const { organization, spaces } = reader.manifest;
  const gaps = failedLines(reader.manifest.failed).map((words) => `Not in the backup: ${words}`);
  await refillSlowly(db, {
    source: options.source ?? backupSource(reader.root),
    nowMs: options.now(),
    ...(options.onlyNew !== undefined && { onlyNew: options.onlyNew }),
    fill: () => fill(db, reader, options, gaps),
  });
  return { organization, spaces: spaces.length, gaps };
}

async function fill(
  db: Database,
  reader: BackupReader,
  { signal, progress = () => {} }: FillOptions,
  gaps: string[],
): Promise<void> {
  const { files, spaces, organization } = reader.manifest;
  const top = new VerifiedFiles(reader, '', files);
  const filling: Filling = { db, orgId: organization.id, top, gaps, signal };
  startIds(db, reader);
  const org = await top.json<Organization>(top.find('organization'));
  if (org?.id !== organization.id) throw changedInBackup(reader, 'org.json');
  putOrganization(db, org);
  await fillMembers(filling);
  await fillCollections(filling);
  await fillTeams(filling);
  await fillSettings(filling);
  const loaded: VerifiedFiles[] = [];
  for (const [index, entry] of spaces.entries()) {
    signal.throwIfAborted();
    const own = await fillSpace(filling, reader, entry);
    if (own !== undefined) loaded.push(own);
    progress(index + 1, spaces.length);
  }
  await fillOrders(filling);
  await fillAccess(filling);
  await fillSites(filling);
  for (const own of loaded) await settleSpace(filling, own);
  await settlePeople(filling);
  await top.checkRest();
  signal.throwIfAborted();
}

/**
 * Ids are made from a name and a counter (store/ids.ts). The name is that of this very backup: with the seed of the
 * first sandbox, or one name for all copies, a copy would make an id that the data has already.
 */
function startIds(db: Database, { manifest }: BackupReader): void {
  const name = `backup ${idFrom(JSON.stringify(manifest))}`;
  db.run("INSERT OR REPLACE INTO state (key, value) VALUES ('seed', ?), ('ids', 0)", name);
}

function refuseUnfinished({ manifest, root }: BackupReader): void {
  if (manifest.state !== 'unfinished') return;
  const message = `the last run of the backup in ${root} did not finish; nothing was changed`;
  throw new DocsError('configuration', 'unfinished_backup', message, {
    outcome: 'not-sent',
    hint: 'docs backup run --out <folder>',
  });
}
