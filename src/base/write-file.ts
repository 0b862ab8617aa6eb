import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { localIoError, systemCode } from './errors.js';
import { nodeCrypto } from './hash.js';

/** Text is written as UTF-8. */
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>;

// `fs.promises` is loaded where it is first used: most runs write no file.
const { constants } = fs;

/** Creates the file, never follows a link. Windows lacks O_NOFOLLOW; there O_EXCL alone holds. */
const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
const ownerOnly = 0o600;

/** So often a rename is tried, after 10, 20, 30 … milliseconds: half a second in all. */
const busyTries = 10;

/**
 * Creates or replaces a file: writes a draft beside it (0600, exclusive), syncs and renames it. On any
 * failure the old file stays. A symbolic link stays; its target is replaced.
 * @throws DocsError `disk_full`, `permission_denied`, … (exit 13); whatever the content throws
 */
export async function writeFileAtomically(path: string, content: Content): Promise<void> {
  const target = await onDisk(path, () => linkTarget(path));
  const draft = await writeDraft(dirname(target), content, path);
  await onDisk(path, () => moveOver(draft, target), draft);
}

/**
 * Writes a new file under a name from the platform, made safe and unique in the folder: `report (2).pdf`.
 * Never overwrites a file, follows a link or leaves the folder (RELIABILITY.md, "File names from it").
 * @returns the path of the new file
 * @throws DocsError as `writeFileAtomically`; no file is left then
 */
export async function writeNewFile(folder: string, name: string, content: Content): Promise<string> {
  const real = await onDisk(folder, () => fs.promises.realpath(folder));
  const draft = await writeDraft(real, content, join(folder, name));
  const target = await claim(real, safeFileName(name), draft);
  await onDisk(target, () => moveOver(draft, target), draft, target);
  return target;
}

/**
 * Creates or replaces a file of a folder that is not a link. A link of that name is replaced, not followed.
 * @param name a single safe name
 * @param isSame asked once the draft is written; true keeps the old file
 * @returns whether the file was replaced
 * @throws DocsError as `writeFileAtomically`; whatever `isSame` throws
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
    await removeQuietly(draft);
    throw error;
  });
  await onDisk(target, () => (same ? fs.promises.rm(draft) : moveOver(draft, target)), draft);
  return !same;
}

/** Whether a name is that of a draft, as a killed run leaves behind. */
export function isDraft(name: string): boolean {
  return /^\.docs-[0-9a-f]{16}\.tmp$/.test(name);
}

/** The end of a chain of symbolic links; it may not exist yet. @throws the system's error, such as ELOOP */
export async function linkTarget(path: string): Promise<string> {
  try {
    return await fs.promises.realpath(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  const stats = await fs.promises.lstat(path).catch(() => undefined);
  if (!stats?.isSymbolicLink()) return resolve(path);
  return linkTarget(resolve(await fs.promises.realpath(dirname(path)), await fs.promises.readlink(path)));
}

/** Renames a synced draft over its target and syncs the folder. @throws the system's error; no change then */
export async function moveOver(draft: string, target: string): Promise<void> {
  await renameOver(draft, target);
  await syncFolder(dirname(target));
}

/** The first half of `moveOver`, for several files of a folder, which is synced once. */
export async function renameOver(draft: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fs.promises.rename(draft, target);
    } catch (error) {
      if (!isBusy(error, process.platform) || attempt === busyTries) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10 * attempt));
  }
}

/**
 * Whether a failure may pass: a virus scanner, an indexer or a reader has a file open, for milliseconds. Nothing anywhere
 * but on Windows, where such a file can be neither replaced nor moved.
 */
export function isBusy(error: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
}

/**
 * As `renameOver`, for code that must not wait in between.
 * @param how what renames, and waits so many milliseconds; for tests
 */
export function renameOverSync(
  draft: string,
  target: string,
  { rename = fs.renameSync, wait = pause, platform = process.platform } = {},
): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      rename(draft, target);
      return;
    } catch (error) {
      if (!isBusy(error, platform) || attempt === busyTries) throw error;
    }
    wait(10 * attempt);
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * Creates or replaces a file by a synced draft, for code that must not wait in between: a reader sees the old text or
 * the new one.
 * @throws the system's error; no draft is left, and the old file stays
 */
export function writeAtomicallySync(path: string, parts: Iterable<string>, mode = ownerOnly): void {
  withDraftSync(path, parts, mode, (draft) => renameOverSync(draft, path));
}

/**
 * Creates a file, whole at once, where its name is free: of several processes one does.
 * @returns whether this one did
 * @throws the system's error
 */
export function createWholeSync(path: string, text: string): boolean {
  return withDraftSync(path, [text], ownerOnly, (draft) => {
    try {
      fs.linkSync(draft, path);
      return true;
    } catch (error) {
      unlessTaken(error);
      return false;
    }
  });
}

function withDraftSync<T>(path: string, parts: Iterable<string>, mode: number, use: (draft: string) => T): T {
  const draft = draftIn(dirname(path));
  try {
    const file = fs.openSync(draft, exclusively, mode);
    try {
      for (const part of parts) fs.writeFileSync(file, part);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    return use(draft);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function draftIn(folder: string): string {
  return join(folder, `.docs-${nodeCrypto().randomBytes(8).toString('hex')}.tmp`);
}

/** Reserves the first free name with an empty file. */
async function claim(folder: string, name: string, draft: string): Promise<string> {
  const taken = new Set<string>();
  for (;;) {
    const free = distinctFileName(name, (key) => taken.has(key));
    const target = join(folder, free);
    const handle = await onDisk(
      target,
      () => fs.promises.open(target, exclusively, ownerOnly).catch(unlessTaken),
      draft,
    );
    await handle?.close();
    if (handle !== undefined) return target;
    taken.add(fileNameKey(free));
  }
}

function unlessTaken(error: unknown): undefined {
  if (systemCode(error) !== 'EEXIST') throw error;
}

/**
 * Writes and syncs a file of random name in the folder; removes it on failure.
 * @param path what it is a draft of, for the error
 * @throws DocsError as `writeFileAtomically`
 */
export async function writeDraft(
  folder: string,
  content: Content,
  path: string,
  mode = ownerOnly,
): Promise<string> {
  const { draft, handle } = await onDisk(path, () => openDraft(folder, mode));
  try {
    await fill(handle, content, path);
    await onDisk(path, () => handle.sync());
    await onDisk(path, () => handle.close());
  } catch (error) {
    await handle.close().catch(() => {});
    await removeQuietly(draft);
    throw error;
  }
  return draft;
}

/** A draft to write to; its name is one of `isDraft`. @throws the system's error */
export async function openDraft(
  folder: string,
  mode = ownerOnly,
): Promise<{ draft: string; handle: FileHandle }> {
  const draft = draftIn(folder);
  return { draft, handle: await fs.promises.open(draft, exclusively, mode) };
}

async function fill(handle: FileHandle, content: Content, path: string): Promise<void> {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return onDisk(path, () => handle.writeFile(content));
  }
  for await (const chunk of content) await onDisk(path, () => handle.writeFile(chunk));
}

/** Runs a step on the disk. If it fails, removes the leftovers and throws a DocsError. */
async function onDisk<T>(path: string, step: () => Promise<T>, ...leftovers: string[]): Promise<T> {
  try {
    return await step();
  } catch (error) {
    for (const leftover of leftovers) await removeQuietly(leftover);
    throw localIoError(error, `cannot write ${path}`);
  }
}

async function removeQuietly(path: string): Promise<void> {
  await fs.promises.rm(path, { force: true }).catch(() => {});
}

/** Not every file system can sync a folder; the file itself is whole either way. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close().catch(() => {});
}

/** Longest name in bytes of UTF-8: file systems take 255, and a number may be added. */
const mostBytes = 200;
const mostExtensionBytes = 20;

const unsafe =
  /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff<>:"/\\|?*]/gu;
const device = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;

/** Whether Windows takes a name for a device, whatever folder and ending it has: `NUL`, `con.txt`. */
export function isDevice(name: string): boolean {
  return device.test(name);
}

/**
 * Makes a file name from whatever the platform calls a file (RELIABILITY.md, "File names from it"): a base
 * name in NFC, without control or reserved characters, no device name, neither hidden nor like a flag. The
 * same on every system, so that folders can be shared.
 * @param most longest name in bytes
 * @returns never empty; `file` where nothing is left
 */
export function safeFileName(name: string, most = mostBytes): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const trimmed = trim(base.normalize('NFC').replace(unsafe, '_'));
  const named = isDevice(trimmed) ? `_${trimmed}` : trimmed;
  return trim(shorten(named, '', most)) || 'file';
}

/**
 * A name that is not taken: `report.pdf`, then `report (2).pdf`.
 * @param name a result of `safeFileName`
 * @param isTaken asked with the key of a name, from `fileNameKey`
 */
export function distinctFileName(name: string, isTaken: (key: string) => boolean): string {
  let distinct = name;
  for (let number = 2; isTaken(fileNameKey(distinct)); number += 1) distinct = shorten(name, ` (${number})`);
  return distinct;
}

/** The same for names that some file system takes for one: they differ only in case or form of characters. */
export function fileNameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Without leading dots, hyphens and spaces, or trailing dots and spaces, which Windows drops. */
function trim(name: string): string {
  return name.replace(/^[\s.-]+/, '').replace(/[\s.]+$/, '');
}

/** The name with an addition before its extension, cut in the middle so that it is short enough. */
function shorten(name: string, addition: string, most = mostBytes): string {
  const dot = name.lastIndexOf('.');
  const hasExtension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= mostExtensionBytes;
  const stem = hasExtension ? name.slice(0, dot) : name;
  const end = addition + (hasExtension ? name.slice(dot) : '');
  let room = most - Buffer.byteLength(end);
  let kept = '';
  for (const character of stem) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return kept.trimEnd() + end;
}
