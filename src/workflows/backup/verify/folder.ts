import { DocsError } from '../../../base/errors.js';
import { isWorker } from '../../../base/lock.js';
import { defined } from '../../../base/values.js';
import { isDraft } from '../../../base/write-file.js';
import { readEach } from '../../../jobs/in-order.js';
import { deletedFolder, versionsFolder } from '../folder/clear-stale.js';
import type { Folder } from '../folder/folder.js';
import { linesOf } from '../folder/json-files.js';
import {
  type Counts,
  type FailedEntry,
  type FileEntry,
  type Manifest,
  manifestName,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from '../folder/manifest.js';
import { countsOf } from '../read/counts.js';
import type { VerifyFinding } from '../report.js';
import { signatureName } from '../signature/signed-manifest.js';

/** Files that are read at once. */
const filesAtOnce = 8;

export interface Looked {
  spaces: number;
  files: number;
  bytes: number;
}

/**
 * Where a backup is not what its manifests say, as it is found. Reads every byte, and keeps none of them.
 * @param looked counts along
 * @param onSpace called after each space
 */
export async function* verifyFolder(
  folder: Folder,
  manifest: Manifest,
  looked: Looked,
  onSpace: () => void,
): AsyncGenerator<VerifyFinding> {
  if (manifest.state === 'unfinished')
    yield { state: 'unfinished', kind: 'backup', path: manifestName, detail: 'The last run did not finish.' };
  yield* notRead(manifest.failed);
  yield* verifyFiles(folder, '', manifest.files, looked);
  yield* extraAtTop(folder, manifest);
  const counts: Record<string, number> = {};
  for (const entry of manifest.spaces) {
    yield* verifySpace(folder, entry, looked, counts);
    looked.spaces += 1;
    onSpace();
  }
  if (manifest.state === 'unfinished') return;
  const found = { ...counts, spaces: manifest.spaces.length };
  yield* miscounted(found, manifest.counts, 'backup', { path: manifestName });
}

function* notRead(failed: readonly FailedEntry[]): Generator<VerifyFinding> {
  for (const { kind, id, title, error } of failed) {
    const { message } = (error ?? {}) as { message?: unknown };
    const texts = defined({ title: textOf(title), detail: textOf(message) });
    yield { state: 'not-read', kind, id, ...texts };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

async function* verifyFiles(
  folder: Folder,
  at: string,
  files: readonly FileEntry[],
  looked: Looked,
  space?: string,
): AsyncGenerator<VerifyFinding> {
  const look = async (entry: FileEntry) => ({ entry, ...(await stateOf(folder, at, entry)) });
  for await (const { entry, state, bytes } of readEach({ concurrency: filesAtOnce }, files, look)) {
    const { kind, id, title, path } = entry;
    looked.files += 1;
    looked.bytes += bytes;
    if (state !== undefined) yield defined({ state, kind, path: at + path, id, title, space });
  }
}

async function stateOf(
  folder: Folder,
  at: string,
  entry: FileEntry,
): Promise<{ state?: 'missing' | 'changed' | 'unsafe'; bytes: number }> {
  const path = at + entry.path;
  const stats = await statOf(folder, path);
  if (stats === undefined) return { state: 'missing', bytes: 0 };
  if (stats === 'unsafe' || !stats.isFile()) return { state: 'unsafe', bytes: 0 };
  const digest = await folder.digest(path);
  const same = digest?.sha256 === entry.sha256 && digest.bytes === entry.bytes;
  return { bytes: digest?.bytes ?? 0, ...(!same && { state: 'changed' }) };
}

/** A path that leads out of the folder is unsafe, and is not followed. */
async function statOf(folder: Folder, path: string) {
  try {
    return await folder.stat(path);
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'unsafe_link') return 'unsafe';
    throw cause;
  }
}

async function* verifySpace(
  folder: Folder,
  entry: SpaceEntry,
  looked: Looked,
  counts: Record<string, number>,
): AsyncGenerator<VerifyFinding> {
  const { id, title, sha256 } = entry;
  const at = spaceFolder(entry.folder);
  const path = `${at}/${manifestName}`;
  const manifest = await readSpaceManifest(folder, at).catch((cause: unknown) => {
    if (cause instanceof DocsError && ['bad_manifest', 'unsafe_link'].includes(cause.code)) return 'bad';
    throw cause;
  });
  if (typeof manifest === 'string') return yield { state: 'bad-manifest', kind: 'space', id, title, path };
  if (manifest === undefined) return yield { state: 'missing', kind: 'space', id, title, path };
  const digest = await folder.digest(path);
  looked.bytes += digest?.bytes ?? 0;
  if (manifest.id !== id || (sha256 !== undefined && digest?.sha256 !== sha256))
    yield { state: 'changed', kind: 'manifest', id, title, path };
  if (manifest.state === 'unfinished' || sha256 === undefined)
    yield { state: 'unfinished', kind: 'space', id, title, path };
  yield* verifyFiles(folder, `${at}/`, manifest.files, looked, title);
  yield* extraInSpace(folder, at, manifest);
  yield* miscounted(await recounted(folder, at, manifest), manifest.counts, 'space', { id, title, path });
  for (const [name, count] of Object.entries(manifest.counts)) counts[name] = (counts[name] ?? 0) + count;
}

async function* extraInSpace(
  folder: Folder,
  at: string,
  manifest: SpaceManifest,
): AsyncGenerator<VerifyFinding> {
  const known = new Set(manifest.files.map(({ path }) => `${at}/${path}`));
  for await (const path of folder.walk(at)) {
    if (known.has(path) || path === `${at}/${manifestName}` || isDraft(nameOf(path))) continue;
    yield { state: 'extra', kind: 'file', path, space: manifest.title };
  }
}

/** What the manifest does not name at the top. Drafts and locks of runs do not count: the next run removes them. */
async function* extraAtTop(folder: Folder, { files, spaces }: Manifest): AsyncGenerator<VerifyFinding> {
  const known = new Set([manifestName, signatureName, ...files.map(({ path }) => path)]);
  const folders = new Set(spaces.map((space) => space.folder));
  for (const entry of await folder.entries('')) {
    if ([deletedFolder, versionsFolder, 'spaces'].includes(entry.name)) continue;
    if (!entry.isDirectory()) {
      const passing = isWorker(entry.name) || isDraft(entry.name);
      if (!known.has(entry.name) && !passing) yield { state: 'extra', kind: 'file', path: entry.name };
      continue;
    }
    for await (const path of folder.walk(entry.name))
      if (!known.has(path) && !isDraft(nameOf(path))) yield { state: 'extra', kind: 'file', path };
  }
  for (const { name } of await folder.entries('spaces'))
    if (!folders.has(name)) yield { state: 'extra', kind: 'space', path: `spaces/${name}` };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Counts of a space from its files; those of comments from their contents. */
async function recounted(folder: Folder, at: string, { files }: SpaceManifest): Promise<Counts> {
  const counts = { ...countsOf(files), comments: 0, replies: 0 };
  const own = files.find(({ kind, changeRequest }) => kind === 'comments' && changeRequest === undefined);
  const path = `${at}/${own?.path}`;
  if (own === undefined || (await statOf(folder, path)) === 'unsafe') return counts;
  const bytes = await folder.read(path);
  if (bytes === undefined) return counts;
  try {
    for await (const line of linesOf(bytes)) {
      counts.comments += 1;
      counts.replies += (line as { replies: unknown[] }).replies.length;
    }
  } catch (cause) {
    if (cause instanceof DocsError) throw cause; // A list that is not JSON is reported by its hash.
  }
  return counts;
}

function* miscounted(
  found: Counts,
  stated: Counts,
  kind: string,
  about: Pick<VerifyFinding, 'id' | 'title' | 'path'>,
): Generator<VerifyFinding> {
  for (const [name, count] of Object.entries(found)) {
    const detail = `${name}: ${stated[name] ?? 0} in the manifest, ${count} found`;
    if (count !== (stated[name] ?? 0)) yield { state: 'miscounted', kind, ...about, detail };
  }
}
