import { DocsError } from '../../../base/errors.js';
import { type BadPart, unfinished } from '../../../shards/shard.js';
import type { Folder } from '../folder/folder.js';
import {
  type FileEntry,
  manifestName,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from '../folder/manifest.js';
import { signatureName } from '../signature/signed-manifest.js';
import { type Part, smallText } from './open-parts.js';
import { partFile } from './part.js';

/**
 * Reads what is to be copied, all of it, before anything is written: a part that is damaged changes nothing.
 * @param isThere whether the target has a space as the part has it
 * @throws DocsError partial `part_missing` (exit 3), which names the damaged parts
 */
export async function checkParts(
  parts: readonly Part[],
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
  { folder, manifest }: Part,
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
  const manifest = await readSpaceManifest(folder, at).catch((cause: unknown) => {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  });
  return manifest?.id === id ? manifest : undefined;
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
  return ['teams', 'openapi', 'sites'].includes(top);
}

/** Whether a path stays within the folder it is below. */
function isPlain(path: string): boolean {
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\\\0]/.test(part));
}
