import type { Content } from '../../../base/write-file.js';
import { type Reading as AnyReading, type Unread, unreadOf } from '../../../snapshot/unread.js';
import type { Folder } from '../folder/folder.js';
import { linesOf } from '../folder/json-files.js';
import { type FailedEntry, type FileEntry, failedEntry } from '../folder/manifest.js';
import type { Sink } from './sink.js';

/** `concurrency` holds in one space. */
export interface Reading extends AnyReading {
  folder: Folder;
}

/** Page size of lists. */
export const pageLimit = 1000;
/** For lists of change requests. */
export const openQuery = { status: 'open', limit: pageLimit } as const;

export type About = Omit<FileEntry, 'path' | 'bytes' | 'sha256'>;

/** The place whose files are gathered. */
export interface Place {
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
  /** What is, in part at least, as an earlier run read it: kinds as in `failed`, and `replies`. */
  readonly older = new Set<string>();
  readonly at: string;
  readonly #place: Place;
  /** Files of the last run, by path. */
  readonly #old: ReadonlyMap<string, FileEntry>;

  constructor(reading: Reading, place: Place) {
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
