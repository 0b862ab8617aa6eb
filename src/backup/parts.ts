import { timestamp } from '../api/shapes.js';
import { type Static, Type } from '../api/type.js';
import { readJson } from '../api/validate.js';
import { usageError } from '../base/errors.js';
import { storedFolderNames } from '../model/stored.js';
import {
  type BadPart,
  type PartFolder,
  partFolders,
  type Shard,
  shardOf,
  shardWords,
  unfinished,
} from '../shards/shard.js';
import { Folder, hashOf, isName } from './folder.js';
import {
  type FileEntry,
  intactManifest,
  type Manifest,
  manifestName,
  readManifest,
  type SpaceEntry,
  type SpaceManifest,
  signatureName,
  spaceFolder,
  unlessDamaged,
} from './manifest.js';
import { type RunOptions, runBackup } from './run.js';
import type { RunOutcome } from './writer.js';

/** A part of a backup: a folder as that of a backup, with some of its spaces, and this file beside the manifest. */

const partFile = 'part.json';
const format = 'docs-backup-part/1';

/** What says that a part is whole, and what it is a part of. Written last. */
const PartRecord = Type.Object({
  format: Type.Unsafe<string>(Type.Literal(format)),
  command: Type.Literal('backup run'),
  shard: Type.Object({ index: Type.Number(), of: Type.Number() }),
  platform: Type.String(),
  organization: Type.String(),
  flags: Type.Object({ access: Type.Boolean() }, { description: 'Must be the same in all parts' }),
  startedAt: timestamp,
  finishedAt: timestamp,
  whole: Type.Boolean({ description: 'Whether every list of spaces could be read' }),
  found: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String(), {
      description: 'Ids of all spaces found, including those of other parts',
    }),
  ),
  manifest: Type.String({ description: 'Hash of manifest.json' }),
  sha256: Type.String({ description: 'Of all this' }),
});
export type PartRecord = Static<typeof PartRecord>;

/**
 * Backs up one part of an organization. The record of an earlier run goes first, so that a run which is killed, or
 * fails, leaves none. Returns and errors as `runBackup`.
 */
export async function runPart(options: RunOptions & { shard: Shard }): Promise<RunOutcome> {
  const { shard, path, platform, access } = options;
  await new Folder(path).remove(partFile);
  let [found, whole]: [readonly string[], boolean] = [[], false];
  const onFound: RunOptions['onFound'] = (all, isWhole) => {
    [found, whole] = [all, isWhole];
  };
  return runBackup({
    ...options,
    onFound,
    async onWritten(folder, { organization, startedAt, finishedAt = startedAt }, sha256) {
      const { index, of } = shard;
      const facts = { shard: { index, of }, platform, organization: organization.id, flags: { access } };
      const times = { startedAt, finishedAt, whole, found, manifest: sha256 };
      await folder.write(partFile, recordText({ format, command: 'backup run', ...facts, ...times }));
    },
  });
}

function recordText(record: Omit<PartRecord, 'sha256'>): string {
  return `${JSON.stringify({ ...record, sha256: hashOf(JSON.stringify(record)) })}\n`;
}

/** The record in a text; undefined where it is not one, or not as it was written. */
function parseRecord(text: string): PartRecord | undefined {
  const value = readJson(PartRecord, text);
  if (value === undefined) return undefined;
  const { sha256, ...rest } = value;
  return sha256 === hashOf(JSON.stringify(rest)) ? value : undefined;
}

/**
 * Reads what is to be copied, all of it, before anything is written: a part that is damaged changes nothing.
 * @param isThere whether the target has a space as the part has it
 * @throws DocsError partial `part_missing` (exit 3), which names the damaged parts
 */
export async function checkParts(
  parts: readonly BackupPart[],
  isThere: (entry: SpaceEntry) => Promise<boolean>,
  again: string,
): Promise<void> {
  const bad: BadPart[] = [];
  for (const part of parts) {
    const why = await damageOf(part, isThere);
    if (why !== undefined) bad.push({ ...part.shard, why: `damaged: ${why}` });
  }
  if (bad.length > 0) throw unfinished(bad, again);
}

async function damageOf(
  { folder, manifest }: BackupPart,
  isThere: (entry: SpaceEntry) => Promise<boolean>,
): Promise<string | undefined> {
  const wrong = await wrongFile(folder, '', manifest.files, isAtTop);
  if (wrong !== undefined) return wrong;
  for (const entry of manifest.spaces) {
    if (entry.sha256 === undefined || (await isThere(entry))) continue;
    const own = await partSpace(folder, entry);
    if (own === undefined) return `${spaceFolder(entry.folder)}/${manifestName} is missing or was changed`;
    const isOwn = (path: string) => path !== manifestName;
    const bad = await wrongFile(folder, `${spaceFolder(entry.folder)}/`, own.files, isOwn);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** The manifest of a space of a part; undefined where it is not the one that the part notes. */
export async function partSpace(
  folder: Folder,
  { folder: name, sha256, id }: SpaceEntry,
): Promise<SpaceManifest | undefined> {
  const at = spaceFolder(name);
  const path = `${at}/${manifestName}`;
  const digest = isPlain(path) ? await folder.digest(path) : undefined;
  if (digest === undefined || digest.sha256 !== sha256) return undefined;
  if ((await smallText(folder, path)) === undefined) return undefined;
  return intactManifest(folder, at, id);
}

async function wrongFile(
  folder: Folder,
  at: string,
  files: readonly FileEntry[],
  isOwn: (path: string) => boolean,
): Promise<string | undefined> {
  for (const { path, bytes, sha256 } of files) {
    const digest = isPlain(at + path) && isOwn(path) ? await folder.digest(at + path) : undefined;
    if (digest?.bytes !== bytes || digest.sha256 !== sha256) return `${at}${path} is missing or was changed`;
  }
  return undefined;
}

/** Whether a path is one that a part has at its top, and not that of what a merge writes itself. */
function isAtTop(path: string): boolean {
  const [top = '', ...below] = path.split('/');
  if (below.length === 0) return ![manifestName, signatureName, partFile].includes(top);
  return storedFolderNames.includes(top);
}

/** Whether a path stays within the folder it is below. */
function isPlain(path: string): boolean {
  return path.split('/').every((part) => isName(part, process.platform));
}

/** A part that can be joined. */
export interface BackupPart {
  shard: Shard;
  folder: Folder;
  record: PartRecord;
  manifest: Manifest;
}

/** The largest list of files or ids that is read into memory, in bytes. */
const mostBytes = 1 << 28;

/**
 * The parts in a folder, in order: all of them, each whole, of one organization, platform and set of flags.
 * @param path absolute
 * @param again the command that backs up a part, without `--shard`
 * @throws DocsError usage `no_parts`, `other_parts`; partial `part_missing` (exit 3); exit 13
 */
export async function openParts(path: string, again: string): Promise<BackupPart[]> {
  const folders = await partFolders(path, again);
  const opened: BackupPart[] = [];
  const bad: BadPart[] = [];
  for (const one of folders) {
    const part = await openPart(one);
    if (typeof part === 'string') bad.push({ index: one.index, of: one.of, why: part });
    else opened.push(part);
  }
  refuseOthers(path, opened);
  if (bad.length > 0) throw unfinished(bad, again);
  return opened;
}

/** A part, or why it cannot be joined. */
async function openPart({ path, index, of }: PartFolder): Promise<BackupPart | string> {
  const folder = new Folder(path);
  const text = await smallText(folder, partFile);
  if (text === undefined) return 'unfinished';
  const record = parseRecord(text);
  if (record === undefined) return `damaged: ${partFile} is not as its run wrote it`;
  if (record.shard.index !== index || record.shard.of !== of)
    return `damaged: its ${partFile} is that of ${shardWords(record.shard)}`;
  const manifest = await manifestOf(folder);
  if (manifest === undefined) return `damaged: ${manifestName} is not a manifest of a backup`;
  const hash = (await folder.digest(manifestName))?.sha256;
  if (manifest.state === 'unfinished') return 'unfinished';
  if (hash !== record.manifest) return `damaged: ${manifestName} is not as its run wrote it`;
  const foreign = manifest.spaces.find(({ id }) => shardOf(id, of) !== index);
  if (foreign !== undefined) return `damaged: space ${foreign.id} is not of it`;
  return { shard: { index, of }, folder, record, manifest };
}

async function manifestOf(folder: Folder): Promise<Manifest | undefined> {
  if ((await smallText(folder, manifestName)) === undefined) return undefined;
  return (await readManifest(folder).catch(unlessDamaged))?.manifest;
}

/** The text of a plain file that is not too large to be one of ours. */
async function smallText(folder: Folder, path: string): Promise<string | undefined> {
  const stats = await folder.stat(path);
  return stats?.isFile() && stats.size <= mostBytes ? folder.text(path) : undefined;
}

/** @throws DocsError usage `other_parts` where parts do not belong together */
function refuseOthers(path: string, parts: readonly BackupPart[]): void {
  const [first, ...others] = parts;
  if (first === undefined) return;
  for (const other of others) {
    const named = `${shardWords(other.shard)} in ${path}`;
    for (const key of ['organization', 'platform'] as const)
      if (other.record[key] !== first.record[key])
        throw usageError(
          'other_parts',
          `${named} is of ${key} ${other.record[key]}, ${shardWords(first.shard)} of ${first.record[key]}; nothing was joined`,
        );
    if (other.record.flags.access !== first.record.flags.access)
      throw usageError(
        'other_parts',
        `${named} was backed up with other flags than ${shardWords(first.shard)} (--no-access); nothing was joined`,
      );
  }
}
