import { randomBytes } from 'node:crypto';
import { constants, type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../system-error.js';
import { distinctFileName, nameKey, safeFileName } from './file-name.js';
import { localIoError } from './local-io-error.js';

/** What a file is to hold: text as UTF-8, bytes, or bytes as they arrive. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Exclusive, and never through a link; where the system has no such flag, exclusive alone sees to it. */
const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const ownerOnly = 0o600;

/**
 * Puts content in the place of a file: written beside it (0600, exclusively), synced, renamed. The old
 * file stays on any failure. A link stays a link; what it leads to is replaced.
 * @throws DocsError `disk_full`, `permission_denied`, … (exit 13); whatever the content throws
 */
export async function writeFileAtomically(path: string, content: Content): Promise<void> {
  const target = await realpath(path).catch(() => resolve(path));
  const draft = await writeDraft(dirname(target), content, path);
  await onDisk(path, () => rename(draft, target), draft);
  await syncFolder(dirname(target));
}

/**
 * Writes a new file inside a folder under a name that the platform gave. Never overwrites, never
 * follows a link, never leaves the folder (RELIABILITY.md, "File names from it").
 * @param name any text; made safe, and distinct from what is there: `report (2).pdf`
 * @returns the path that was written
 * @throws DocsError (exit 13); whatever the content throws, after which no file is left
 */
export async function writeNewFile(folder: string, name: string, content: Content): Promise<string> {
  const real = await onDisk(folder, () => realpath(folder));
  const draft = await writeDraft(real, content, join(folder, name));
  const target = await claim(real, safeFileName(name), draft);
  await onDisk(target, () => rename(draft, target), draft, target);
  await syncFolder(real);
  return target;
}

/**
 * Puts content under a name in a folder, in place of what has the name. A link of that name is replaced,
 * not followed. The old file stays on any failure.
 * @param folder which is no link itself
 * @param name a single safe name
 * @param isSame asked once the content is written beside the old file: true leaves that as it is
 * @returns whether the file was replaced
 * @throws DocsError (exit 13); whatever the content or `isSame` throws
 */
export async function replaceFile(
  folder: string,
  name: string,
  content: Content,
  isSame: () => Promise<boolean> = async () => false,
): Promise<boolean> {
  const target = join(folder, name);
  const draft = await writeDraft(folder, content, target);
  const same = await isSame().catch(async (error: unknown) => {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  });
  await onDisk(target, () => (same ? rm(draft) : rename(draft, target)), draft);
  if (!same) await syncFolder(folder);
  return !same;
}

/** Whether a name is that of a draft which a killed run left behind. */
export function isDraft(name: string): boolean {
  return /^\.docs-[0-9a-f]{16}\.tmp$/.test(name);
}

/** Takes the first free name by creating an empty file, which no one else can take from then on. */
async function claim(folder: string, name: string, draft: string): Promise<string> {
  const taken = new Set<string>();
  for (;;) {
    const free = distinctFileName(name, (key) => taken.has(key));
    const target = join(folder, free);
    const handle = await onDisk(target, () => open(target, exclusively, ownerOnly).catch(unlessTaken), draft);
    await handle?.close();
    if (handle !== undefined) return target;
    taken.add(nameKey(free));
  }
}

function unlessTaken(error: unknown): undefined {
  if (systemCode(error) !== 'EEXIST') throw error;
}

/** A synced file of random name in the folder; gone again where writing it fails. */
async function writeDraft(folder: string, content: Content, path: string): Promise<string> {
  const draft = join(folder, `.docs-${randomBytes(8).toString('hex')}.tmp`);
  const handle = await onDisk(path, () => open(draft, exclusively, ownerOnly));
  try {
    await fill(handle, content, path);
    await onDisk(path, () => handle.sync());
    await onDisk(path, () => handle.close());
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
  return draft;
}

async function fill(handle: FileHandle, content: Content, path: string): Promise<void> {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return onDisk(path, () => handle.writeFile(content));
  }
  for await (const chunk of content) await onDisk(path, () => handle.writeFile(chunk));
}

/** Runs a step on the disk: its failure becomes a DocsError, and what it left behind is removed. */
async function onDisk<T>(path: string, step: () => Promise<T>, ...leftovers: string[]): Promise<T> {
  try {
    return await step();
  } catch (error) {
    for (const leftover of leftovers) await rm(leftover, { force: true }).catch(() => {});
    throw localIoError(error, `Cannot write ${path}`);
  }
}

/** Makes the new name last through a power cut, where the system can sync folders. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close().catch(() => {});
}
