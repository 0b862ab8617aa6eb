import { createHash } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../api/transport/json-text.js';
import { DocsError, onDisk, systemCode } from '../base/errors.js';
import {
  type Content,
  distinctFileName,
  fileNameKey,
  isDevice,
  isDraft,
  renameOver,
  replaceFile,
  syncFolder,
} from '../base/write-file.js';
import { stringify, stringifyEach } from '../output/json.js';

/** JSON as a backup has it: readable, lists with an item a line, and stable. */

export function jsonText(value: unknown): string {
  return `${stringify(value, 2)}\n`;
}

/** Items written at once. */
const batch = 200;

/** A list, written as it arrives: an array with an item a line. Holds only a few items at once. */
export async function* jsonLines(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = '[\n';
  let waiting: unknown[] = [];
  for await (const item of items) {
    waiting.push(item);
    if (waiting.length < batch) continue;
    yield encoder.encode(before + stringifyEach(waiting, ',\n'));
    before = ',\n';
    waiting = [];
  }
  if (waiting.length > 0) yield encoder.encode(before + stringifyEach(waiting, ',\n'));
  else if (before === '[\n') yield encoder.encode(before);
  yield encoder.encode('\n]\n');
}

/** An object with its lists an item a line, so that two manifests can be compared as text. */
export function jsonObject(head: object, lists: Readonly<Record<string, readonly unknown[]>>): string {
  const members = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${stringify(key)}: ${stringify(value)}`);
  const arrays = Object.entries(lists).map(([key, items]) => {
    const text = items.length === 0 ? '[]' : `[\n${stringifyEach(items, ',\n')}\n]`;
    return `${stringify(key)}: ${text}`;
  });
  return `{\n${[...members, ...arrays].join(',\n')}\n}\n`;
}

/** Reads a list that `jsonLines` wrote, a line at a time. @throws SyntaxError if a line is not JSON */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (!/^(|\[|\])$/.test(line)) yield jsonOf(line.replace(/,$/, ''));
  }
}

/** The value of a JSON text, with all digits of its numbers. @throws SyntaxError */
export function jsonOf(text: string): unknown {
  const parsed = parseJson(Buffer.from(text));
  if (!parsed.ok) throw new SyntaxError('not JSON, or nested too deep');
  return parsed.value;
}

/** A written file, with what identifies its content. */
export interface Written {
  /** Below the folder, with `/` between the names on every system. */
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Size and hash of content that comes in pieces. */
export class Digest {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #sha256: string | undefined;

  add(chunk: string | Uint8Array): void {
    this.#bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    this.#hash.update(chunk);
  }

  result(path: string): Written {
    this.#sha256 ??= this.#hash.digest('hex');
    return { path, bytes: this.#bytes, sha256: this.#sha256 };
  }
}

/** The content as it was, once its digest has taken it. */
export async function* digested(
  content: AsyncIterable<Uint8Array>,
  digest: Digest,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    digest.add(chunk);
    yield chunk;
  }
}

/** In hexadecimal. */
export function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

export async function bytesOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of pieces) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  return (await bytesOf(pieces)).toString('utf8');
}

/** One piece, as bytes in pieces. */
export async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** One buffer for the whole file, so that pieces leave no garbage. */
async function digestOf(handle: FileHandle, path: string, piece: number): Promise<Written> {
  const digest = new Digest();
  const buffer = Buffer.allocUnsafe(piece);
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, piece);
    if (bytesRead === 0) return digest.result(path);
    digest.add(buffer.subarray(0, bytesRead));
  }
}

/** Whether two files have the same content. */
export function same(old: Written | undefined, now: Written): boolean {
  return old !== undefined && old.bytes === now.bytes && old.sha256 === now.sha256;
}

/** For the owner alone: a backup may hold private content. */
const folderMode = 0o700;
/** The largest part of a file held in memory, in bytes. */
const largestPiece = 1 << 16;
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/**
 * The folder of a backup. Paths are relative to it. A path that leads out of it is refused and a link in
 * it is not followed, whatever a manifest says. Failures of the disk are DocsErrors (exit 13).
 */
export class Folder {
  readonly root: string;
  /** Keeps what is about to be replaced or removed (versions.ts), given its size and hash if they are known. */
  keep: ((path: string, old?: Written) => Promise<void>) | undefined;

  /** @param root absolute, without links */
  constructor(root: string) {
    this.root = root;
  }

  /**
   * Puts content at a path, in one step, unless the same is there already.
   * @param beforeChange awaited before a file is created or replaced
   * @throws DocsError (exit 13); whatever the content or `beforeChange` throws
   */
  async write(
    path: string,
    content: Content,
    beforeChange: () => Promise<void> = async () => {},
  ): Promise<Written> {
    const [folder, name] = await this.#place(path, true);
    const digest = new Digest();
    const stays = async (): Promise<boolean> => {
      const old = await this.digest(path);
      if (same(old, digest.result(path))) return true;
      await beforeChange();
      if (old !== undefined) await this.keep?.(path, old);
      return false;
    };
    if (typeof content === 'string' || content instanceof Uint8Array) {
      digest.add(content);
      if (!(await stays())) await replaceFile(folder, name, content);
    } else await replaceFile(folder, name, digested(content, digest), stays);
    return digest.result(path);
  }

  /** Size and hash of a plain file, read in pieces; undefined if there is none. */
  async digest(path: string): Promise<Written | undefined> {
    const found = await this.#find(path);
    if (found?.stats.isFile() !== true) return undefined;
    return this.#disk(path, 'read', async () => {
      const handle = await open(found.place, readOnly);
      try {
        return await digestOf(handle, path, Math.min(found.stats.size + 1, largestPiece));
      } finally {
        await handle.close();
      }
    });
  }

  /** The bytes of a plain file, in pieces; undefined if there is none. Read them, or the file stays open. */
  async read(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const found = await this.#find(path);
    if (found?.stats.isFile() !== true) return undefined;
    const handle = await this.#disk(path, 'read', () => open(found.place, readOnly));
    return this.#pieces(path, handle, found.stats.size);
  }

  /** Not a stream, whose buffers and events take longer than a small file does. */
  async *#pieces(path: string, handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < size; ) {
        const buffer = Buffer.allocUnsafe(Math.min(size - at, largestPiece));
        const read = () => handle.read(buffer, 0, buffer.length);
        const { bytesRead } = await this.#disk(path, 'read', read);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  /** The text of a plain file; undefined if there is none. For manifests, which are small. */
  async text(path: string): Promise<string | undefined> {
    const bytes = await this.read(path);
    return bytes && textOf(bytes);
  }

  /** What is at a path, without following a link; undefined if nothing is, or a link or file is on the way. */
  async stat(path: string): Promise<Stats | undefined> {
    return (await this.#find(path))?.stats;
  }

  async #find(path: string): Promise<{ place: string; stats: Stats } | undefined> {
    const found = await this.#place(path, false).catch((error: unknown) => {
      if (error instanceof DocsError && error.code === 'unsafe_link') return undefined;
      throw error;
    });
    if (found === undefined) return undefined;
    const place = join(...found);
    const stats = await this.#disk(path, 'read', () => lstat(place).catch(unlessMissing));
    return stats && { place, stats };
  }

  /** The entries of a folder, sorted; none if it does not exist or is a link. */
  async entries(path: string): Promise<Dirent[]> {
    const stats = path === '' ? undefined : await this.stat(path);
    if (path !== '' && stats?.isDirectory() !== true) return [];
    const found = await this.#disk(path, 'read', () =>
      readdir(join(this.root, path), { withFileTypes: true }).catch(unlessMissing),
    );
    return (found ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Paths of everything below a folder that is not a folder. */
  async *walk(path: string): AsyncGenerator<string> {
    for (const entry of await this.entries(path)) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) yield* this.walk(below);
      else yield below;
    }
  }

  async move(from: string, to: string): Promise<void> {
    const source = await this.#place(from, false);
    const target = await this.#place(to, true);
    await this.#disk(to, 'write', () => renameOver(join(...source), join(...target)));
  }

  /** Moves a file or folder below another folder, under a name that is free there. @returns where it is now */
  async moveInto(folder: string, path: string): Promise<string> {
    const parts = path.split('/');
    const name = parts.pop() ?? path;
    const parent = [folder, ...parts].join('/');
    const taken = new Set((await this.entries(parent)).map((entry) => fileNameKey(entry.name)));
    const to = `${parent}/${distinctFileName(name, (key) => taken.has(key))}`;
    if (this.keep !== undefined) for await (const found of this.#all(path)) await this.keep(found);
    await this.move(path, to);
    return to;
  }

  /** Removes a file or folder of what no longer exists, once it is kept; if nothing is kept, it moves to `folder`. */
  async discard(folder: string, path: string): Promise<void> {
    if (this.keep === undefined) return void (await this.moveInto(folder, path));
    for await (const found of this.#all(path)) await this.remove(found);
    await this.removeIfEmpty(path);
  }

  /** The file at a path, or all files below it. */
  async *#all(path: string): AsyncGenerator<string> {
    if ((await this.stat(path))?.isDirectory()) yield* this.walk(path);
    else yield path;
  }

  /** Gives a plain file a second name, in place of what is there; a copy where hard links do not work. */
  async link(from: string, to: string): Promise<void> {
    const source = await this.#place(from, false);
    const [folder, name] = await this.#place(to, true);
    await this.#disk(to, 'write', async () => {
      try {
        await link(join(...source), join(folder, name));
        return await syncFolder(folder);
      } catch (error) {
        if (!noLinks.has(systemCode(error) ?? '')) throw error;
      }
      const bytes = await this.read(from);
      if (bytes !== undefined) await replaceFile(folder, name, bytes);
    });
  }

  /** Removes a file, if there is one. */
  async remove(path: string): Promise<void> {
    if ((await this.stat(path)) === undefined) return;
    await this.keep?.(path);
    const place = await this.#place(path, false);
    await this.#disk(path, 'write', () => rm(join(...place), { force: true }));
  }

  /** Removes the drafts that a killed run left in a folder and below it. */
  async removeDrafts(path: string): Promise<void> {
    for await (const found of this.walk(path)) await this.removeDraft(found);
  }

  /** Removes a file if its name is that of a draft. */
  async removeDraft(path: string): Promise<void> {
    if (isDraft(path.split('/').at(-1) ?? ''))
      await this.#disk(path, 'write', () => rm(join(this.root, path), { force: true }));
  }

  /** Removes a folder if nothing but folders is below it. */
  async removeIfEmpty(path: string): Promise<void> {
    if ((await this.stat(path))?.isDirectory() !== true || !(await this.removeEmpty(path))) return;
    await this.#disk(path, 'write', () => rmdir(join(this.root, path)));
  }

  /** Removes empty folders below a folder. @returns whether the folder itself is empty now */
  async removeEmpty(path: string): Promise<boolean> {
    let empty = true;
    for (const entry of await this.entries(path)) {
      const below = `${path}/${entry.name}`;
      if (!entry.isDirectory() || !(await this.removeEmpty(below))) empty = false;
      else await this.#disk(below, 'write', () => rmdir(join(this.root, below)));
    }
    return empty;
  }

  /** The real folder that a path is in, and its name there. */
  async #place(path: string, make: boolean): Promise<[folder: string, name: string]> {
    const parts = path.split('/');
    if (parts.some((part) => !isName(part, process.platform))) throw unsafe(path);
    let folder = this.root;
    for (const part of parts.slice(0, -1)) {
      folder = join(folder, part);
      await this.#disk(path, make ? 'write' : 'read', () => requireFolder(folder, path, make));
    }
    return [folder, parts.at(-1) ?? ''];
  }

  #disk<T>(path: string, doing: 'read' | 'write', step: () => Promise<T>): Promise<T> {
    return onDisk(`cannot ${doing} ${join(this.root, path)}`, step);
  }
}

/** Whether it is a name in a folder. On Windows `C:` is a drive, `a:b` a stream of a file, and `NUL` a device. */
export function isName(part: string, platform: NodeJS.Platform): boolean {
  if (['', '.', '..'].includes(part) || /[\\\0]/.test(part)) return false;
  return platform !== 'win32' || (!/[<>:"|?*]|[. ]$/.test(part) && !isDevice(part));
}

/** Why a hard link cannot be made: something is there, the system lacks links, or a file has too many. */
const noLinks = new Set(['EEXIST', 'EPERM', 'EXDEV', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']);

async function requireFolder(folder: string, path: string, make: boolean): Promise<void> {
  const stats = await lstat(folder).catch(unlessMissing);
  if (stats?.isDirectory()) return;
  if (stats !== undefined) throw unsafe(path);
  if (!make) return;
  await mkdir(folder, { mode: folderMode }).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
}

function unsafe(path: string): DocsError {
  const message = `${JSON.stringify(path)} leads out of the backup, or through a link or file; not followed`;
  return new DocsError('local-io', 'unsafe_link', message, { outcome: 'not-sent' });
}

function unlessMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR') throw error;
}
