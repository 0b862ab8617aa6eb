import type { Content } from '../../../files/atomic-write.js';
import { type Reading as AnyReading, type Unread, unreadOf } from '../../reading/reading.js';
import type { Folder } from '../folder/folder.js';
import { type FailedEntry, type FileEntry, failedEntry } from '../folder/manifest.js';

/** `concurrency` holds in one space. */
export interface Reading extends AnyReading {
  folder: Folder;
}

/** Page size of lists; the same in every run, so that first pages can be compared. */
export const pageLimit = 1000;
/** For lists of change requests. */
export const openQuery = { status: 'open', limit: pageLimit } as const;

export type About = Omit<FileEntry, 'path' | 'bytes' | 'sha256'>;

/**
 * Collects the files of one place of the backup: those that were read, those of the last run that stay,
 * because they are unchanged or could not be read, and what failed.
 */
export class Gathering {
  readonly reading: Reading;
  readonly files: FileEntry[] = [];
  readonly failed: FailedEntry[] = [];
  /** Files of the last run, by path. */
  readonly #old: ReadonlyMap<string, FileEntry>;
  readonly at: string;
  readonly #space: string | undefined;

  /**
   * @param at folder that paths are below, with `/` at its end; '' for the top
   * @param old files of the last run
   * @param space whose files they are, for reports of failures
   */
  constructor(reading: Reading, at: string, old: readonly FileEntry[], space?: string) {
    this.reading = reading;
    this.at = at;
    this.#old = new Map(old.map((entry) => [entry.path, entry]));
    this.#space = space;
  }

  /** Gathers the same place; may be discarded. */
  fork(): Gathering {
    return new Gathering(this.reading, this.at, [...this.#old.values()], this.#space);
  }

  join({ files, failed }: Gathering): void {
    this.files.push(...files);
    this.failed.push(...failed);
  }

  /** Writes a file, unless the same is there already. */
  async write(path: string, content: Content, about: About): Promise<void> {
    const { bytes, sha256 } = await this.reading.folder.write(this.at + path, content);
    this.files.push({ path, ...about, bytes, sha256 });
  }

  /** A file of the last run, if it still exists in its size. */
  async kept(path: string): Promise<FileEntry | undefined> {
    const old = this.#old.get(path);
    if (old === undefined) return undefined;
    const stats = await this.reading.folder.stat(this.at + path);
    return stats?.isFile() && stats.size === old.bytes ? old : undefined;
  }

  /** Keeps the chosen files of the last run. @returns whether all of them still exist; if not, none is kept */
  async keep(chosen: (entry: FileEntry) => boolean): Promise<boolean> {
    const wanted = [...this.#old.values()].filter(chosen);
    for (const { path } of wanted) if ((await this.kept(path)) === undefined) return false;
    this.files.push(...wanted);
    return true;
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
      const place = this.#space === undefined || what.kind === 'space' ? {} : { space: this.#space };
      this.fail(unreadOf(cause, this.reading.signal, { ...what, ...place }));
      const have = new Set(this.files.map(({ path }) => path));
      for (const [path, entry] of this.#old)
        if (chosen(entry) && !have.has(path) && (await this.kept(path)) !== undefined) this.files.push(entry);
      return false;
    }
  }

  fail(unread: Unread): void {
    this.failed.push(failedEntry(unread));
  }
}
