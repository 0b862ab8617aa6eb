import { DocsError, usageError } from '../../../base/errors.js';
import {
  type BadPart,
  type PartFolder,
  partFolders,
  type Shard,
  shardOf,
  shardWords,
  unfinished,
} from '../../../shards/shard.js';
import { Folder } from '../folder/folder.js';
import { type Manifest, manifestName, readManifest } from '../folder/manifest.js';
import { type PartRecord, parseRecord, partFile } from './part.js';

/** A part that can be joined. */
export interface Part {
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
export async function openParts(path: string, again: string): Promise<Part[]> {
  const folders = await partFolders(path, again);
  const opened: Part[] = [];
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
async function openPart({ path, index, of }: PartFolder): Promise<Part | string> {
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
  return readManifest(folder).then(
    (read) => read?.manifest,
    (cause: unknown) => {
      if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
      throw cause;
    },
  );
}

/** The text of a plain file that is not too large to be one of ours. */
export async function smallText(folder: Folder, path: string): Promise<string | undefined> {
  const stats = await folder.stat(path);
  return stats?.isFile() && stats.size <= mostBytes ? folder.text(path) : undefined;
}

/** @throws DocsError usage `other_parts` where parts do not belong together */
function refuseOthers(path: string, parts: readonly Part[]): void {
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
