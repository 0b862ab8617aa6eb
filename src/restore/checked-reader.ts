import { createHash } from 'node:crypto';
import { DocsError } from '../errors.js';
import { manifestName, type SpaceEntry, spaceFolder } from '../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../workflows/backup/reader.js';

/**
 * A reader that gives only files that are what the manifests say. A restore writes to the platform what it reads, so
 * a file that somebody changed is refused where it is read, before any of it is used.
 * @throws DocsError of each read: findings `backup_damaged` (exit 17); as `BackupReader`
 */
export async function checkedReader(reader: BackupReader): Promise<BackupReader> {
  const { manifest } = reader;
  if (manifest.state === 'unfinished')
    throw new DocsError('configuration', 'backup_unfinished', unfinished(reader.root), {
      outcome: 'not-sent',
      hint: `docs backup run --out ${reader.root}`,
    });
  const hashes = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  for (const entry of manifest.spaces) await addSpace(reader, entry, hashes);
  const checked = async (path: string): Promise<Uint8Array> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await reader.bytes(path)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (hashOf(bytes) !== hashes.get(path)) throw damaged(reader.root, path);
    return bytes;
  };
  return {
    ...reader,
    async bytes(path) {
      const bytes = await checked(path);
      return (async function* () {
        yield bytes;
      })();
    },
    text: async (path) => Buffer.from(await checked(path)).toString('utf8'),
    async *items(path) {
      await checked(path);
      yield* reader.items(path);
    },
  };
}

/** The manifest of a space is what the one at the top says, and says what its files are. */
async function addSpace(reader: BackupReader, entry: SpaceEntry, hashes: Map<string, string>): Promise<void> {
  if (entry.state === 'planned' || entry.sha256 === undefined) return;
  const at = spaceFolder(entry.folder);
  const path = `${at}/${manifestName}`;
  if (hashOf(await reader.text(path)) !== entry.sha256) throw damaged(reader.root, path);
  const manifest = await reader.space(entry);
  for (const file of manifest?.files ?? []) hashes.set(`${at}/${file.path}`, file.sha256);
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unfinished(root: string): string {
  return `The last run of the backup ${root} did not finish; nothing was changed.`;
}

function damaged(root: string, path: string): DocsError {
  const message = `${path} is not what the manifest of the backup says; nothing was changed.`;
  const hint = `docs backup verify ${root} --offline`;
  return new DocsError('findings', 'backup_damaged', message, { outcome: 'not-sent', hint });
}
