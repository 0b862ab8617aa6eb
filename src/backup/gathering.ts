import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isSecretName, redactQuery, redactUrls } from '../api/transport/redaction.js';
import type { Content } from '../base/write-file.js';
import { type Reading as AnyReading, type Unread, unreadOf } from '../snapshot/unread.js';
import { Digest, type Folder, jsonLines, linesOf, type Written } from './folder.js';
import { type FailedEntry, type FileEntry, failedEntry } from './manifest.js';

/**
 * Removes what must not be in a backup: values whose names look secret, credentials in URLs, and download
 * URLs, which open a file for whoever has them. What people wrote stays as it is.
 */

const mark = '[left out]';

/** Keys whose values are content that people wrote, or named. */
const content = /^(?:markdown|document|body|jsonSchema|filesystem|value|customField|preview)$/;

/** A resource without secrets, permissions of the reader, and download URLs. */
export function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value === 'string')
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? withoutSecrets(value) : value;
  if (!isPlain(value)) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'downloadURL' && key !== 'permissions');
  return Object.fromEntries(
    members.map(([key, member]) => {
      if (content.test(key)) return [key, member];
      const hidden = isSecretName(key) && typeof member !== 'boolean' && member !== null;
      return [key, hidden ? mark : cleaned(member)];
    }),
  );
}

/** Numbers kept as digits are not plain objects, and stay. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function withoutSecrets(url: string): string {
  return redactQuery(redactUrls(url));
}

/** Replaces the URLs in a text that files were downloaded from by their paths in the backup. */
export class Addresses {
  /** By URL without its query, which changes with each answer. */
  readonly #places = new Map<string, string>();
  readonly #origins = new Set<string>();

  /** @param place relative to the folder of the content: `files/logo.png` */
  add(url: string, place: string): void {
    if (!URL.canParse(url)) return;
    this.#places.set(bare(url), place);
    this.#origins.add(new URL(url).origin);
  }

  /**
   * @param above what leads from the text to the folder of the content: `../../`
   * @returns the text; signed URLs of other files on the same origin lose their signature
   */
  replaced(text: string, above: string): string {
    if (this.#places.size === 0) return text;
    return text.replaceAll(/https?:\/\/[^\s"'<>)\]\\`]+/g, (url) => {
      const place = this.#places.get(bare(url));
      if (place !== undefined) return above + place.split('/').map(encodeURIComponent).join('/');
      const known = URL.canParse(url) && this.#origins.has(new URL(url).origin);
      return known ? withoutSecrets(url) : url;
    });
  }
}

function bare(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** What the platform has now, as a backup would have it. Of files that are the same only the hash is kept. */
export class Capture implements Sink {
  readonly root = 'the platform';
  /** Pieces of files, compressed: a list of members may have 100,000. */
  readonly #held = new Map<string, Uint8Array[]>();
  readonly #hashes: ReadonlyMap<string, string>;
  readonly holds: Sink['holds'];

  /**
   * @param at folder of the files, with `/` at its end; '' for the top
   * @param old files of the backup
   * @param holds whether a file of the backup counts as there
   */
  constructor(at: string, old: readonly FileEntry[], holds: Sink['holds']) {
    this.#hashes = new Map(old.map(({ path, sha256 }) => [at + path, sha256]));
    this.holds = holds;
  }

  async put(path: string, content: Content): Promise<Written> {
    const digest = new Digest();
    const pieces: Uint8Array[] = [];
    for await (const piece of inPieces(content)) {
      digest.add(piece);
      pieces.push(deflateRawSync(piece));
    }
    const written = digest.result(path);
    if (this.#hashes.get(path) !== written.sha256) this.#held.set(path, pieces);
    return written;
  }

  /** The bytes of a file that differs from the backup. */
  async read(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const pieces = this.#held.get(path);
    return pieces && inflated(pieces);
  }

  async text(path: string): Promise<string | undefined> {
    const pieces = this.#held.get(path)?.map((piece) => inflateRawSync(piece));
    return pieces && Buffer.concat(pieces).toString('utf8');
  }
}

async function* inPieces(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

async function* inflated(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield inflateRawSync(piece);
}

/** `concurrency` holds in one space. */
export interface Reading extends AnyReading {
  folder: Folder;
}

/** Page size of lists. */
export const pageLimit = 1000;

export type About = Omit<FileEntry, 'path' | 'bytes' | 'sha256'>;

/** The place whose files are gathered. */
export interface GatherTarget {
  /** Folder that paths are below, with `/` at its end; '' for the top. */
  at: string;
  /** Files of the last run. */
  old: readonly FileEntry[];
  sink: Sink;
  /** Id of the space whose files they are, for reports of failures. */
  space?: string;
}

/**
 * Collects the files of one place of the backup: those that were read, those of the last run that stay,
 * because they are unchanged or could not be read, and what failed.
 */
export class Gathering {
  readonly reading: Reading;
  readonly files: FileEntry[] = [];
  readonly failed: FailedEntry[] = [];
  /** Counts of what is of the organization itself, by name. */
  readonly tally: Record<string, number> = {};
  /** What is, in part at least, as an earlier run read it: kinds as in `failed`, and `replies`. */
  readonly older = new Set<string>();
  readonly at: string;
  readonly #place: GatherTarget;
  /** Files of the last run, by path. */
  readonly #old: ReadonlyMap<string, FileEntry>;

  constructor(reading: Reading, place: GatherTarget) {
    this.reading = reading;
    this.at = place.at;
    this.#place = place;
    this.#old = new Map(place.old.map((entry) => [entry.path, entry]));
  }

  /** Gathers the same place; may be discarded. */
  fork(): Gathering {
    return new Gathering(this.reading, this.#place);
  }

  join({ files, failed, older }: Gathering): void {
    this.files.push(...files);
    this.failed.push(...failed);
    for (const kind of older) this.older.add(kind);
  }

  /** Writes a file, unless the same is there already. */
  async write(path: string, content: Content, about: About): Promise<void> {
    const { bytes, sha256 } = await this.#place.sink.put(this.at + path, content);
    this.files.push({ path, ...about, bytes, sha256 });
  }

  /** Writes a list as it arrives. @returns how many items it has */
  async writeList<T>(
    path: string,
    items: AsyncIterable<T> | Iterable<T>,
    about: About,
    made: (item: T) => unknown = cleaned,
  ): Promise<number> {
    let count = 0;
    const lines = async function* () {
      for await (const item of items) {
        count += 1;
        yield made(item);
      }
    };
    await this.write(path, jsonLines(lines()), about);
    return count;
  }

  /** @param kind `custom-fields`, which is counted as `customFields` */
  count(kind: string, count: number): void {
    const name = kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    this.tally[name] = (this.tally[name] ?? 0) + count;
  }

  /** A file of the last run, if it still exists in its size. */
  async kept(path: string): Promise<FileEntry | undefined> {
    const old = this.#old.get(path);
    if (old === undefined) return undefined;
    return (await this.#place.sink.holds(this.at + path, old.bytes)) ? old : undefined;
  }

  /** The first of the files of the last run that is chosen. */
  last(chosen: (entry: FileEntry) => boolean): FileEntry | undefined {
    return this.#place.old.find(chosen);
  }

  /** Keeps the chosen files of the last run. @returns whether all of them still exist; if not, none is kept */
  async keep(chosen: (entry: FileEntry) => boolean): Promise<boolean> {
    const wanted = [...this.#old.values()].filter(chosen);
    for (const { path } of wanted) if ((await this.kept(path)) === undefined) return false;
    this.files.push(...wanted);
    return true;
  }

  /**
   * A list of the last run, an item at a time; none if its file is not as that run wrote it: what someone changed
   * must not pass for what the platform has.
   */
  async *lastItems(chosen: (entry: FileEntry) => boolean): AsyncGenerator<unknown> {
    const { folder } = this.reading;
    const entry = this.last(chosen);
    const path = `${this.at}${entry?.path}`;
    if (entry === undefined || (await folder.digest(path))?.sha256 !== entry.sha256) return;
    yield* linesOf((await folder.read(path)) ?? noBytes());
  }

  /**
   * Reads something. If that fails the failure is recorded, and its files of the last run stay.
   * @param chosen which files of the last run are of it
   * @throws what no other read can survive (`unreadOf`)
   */
  async attempt(
    what: Omit<Unread, 'error' | 'space'>,
    chosen: (entry: FileEntry) => boolean,
    read: () => Promise<void>,
  ): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (cause) {
      const { space } = this.#place;
      const place = space === undefined || what.kind === 'space' ? {} : { space };
      this.fail(unreadOf(cause, this.reading.signal, { ...what, ...place }));
      const have = new Set(this.files.map(({ path }) => path));
      for (const [path, entry] of this.#old) {
        if (!chosen(entry) || have.has(path) || (await this.kept(path)) === undefined) continue;
        this.files.push(entry);
        this.older.add(what.kind);
      }
      return false;
    }
  }

  fail(unread: Unread): void {
    this.failed.push(failedEntry(unread));
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

/** Where what was read goes. Paths are those of the backup. */
export interface Sink {
  put(path: string, content: Content): Promise<Written>;
  /** Whether a file of the last run is still there, in its size. */
  holds(path: string, bytes: number): Promise<boolean>;
}

/** Into the backup. @param beforeChange awaited before each file that is created or replaced */
export function folderSink(folder: Folder, beforeChange?: () => Promise<void>): Sink {
  return {
    put: (path, content) => folder.write(path, content, beforeChange),
    async holds(path, bytes) {
      const stats = await folder.stat(path);
      return stats?.isFile() === true && stats.size === bytes;
    },
  };
}
