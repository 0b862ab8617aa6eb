import { createHash } from 'node:crypto';
import { DocsError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import { linesOf } from '../workflows/backup/folder/json-files.js';
import { manifestName, type SpaceManifest, spaceFolder } from '../workflows/backup/folder/manifest.js';
import { type BackupReader, verifyCommand } from '../workflows/backup/reader.js';

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
      hint: `docs backup run --out ${shellWord(reader.root, process.platform)}`,
    });
  const hashes = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const spaces = new Map<string, SpaceManifest>();
  for (const entry of manifest.spaces) {
    if (entry.state === 'planned' || entry.sha256 === undefined) continue;
    const at = spaceFolder(entry.folder);
    const path = `${at}/${manifestName}`;
    if (hashOf(await reader.text(path)) !== entry.sha256) throw damaged(reader, path);
    const own = await reader.space(entry);
    if (own !== undefined) spaces.set(entry.id, own);
    for (const file of own?.files ?? []) hashes.set(`${at}/${file.path}`, file.sha256);
  }
  const checked = async (path: string): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await reader.bytes(path)) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (hashOf(bytes) !== hashes.get(path)) throw damaged(reader, path);
    return bytes;
  };
  // What was checked is what is used: nothing is read a second time.
  return {
    ...reader,
    space: async ({ id }) => spaces.get(id),
    bytes: async (path) => inOnePiece(await checked(path)),
    text: async (path) => (await checked(path)).toString('utf8'),
    async *items(path) {
      yield* linesOf(inOnePiece(await checked(path)));
    },
  };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function unfinished(root: string): string {
  return `The last run of the backup ${root} did not finish; nothing was changed.`;
}

function damaged(reader: BackupReader, path: string): DocsError {
  const message = `${path} is not what the manifest of the backup says; nothing was changed.`;
  const hint = verifyCommand(reader);
  return new DocsError('findings', 'backup_damaged', message, { outcome: 'not-sent', hint });
}
