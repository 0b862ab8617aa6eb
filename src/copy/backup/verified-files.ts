import { DocsError } from '../../base/errors.js';
import { readEach } from '../../jobs/in-order.js';
import { Digest } from '../../workflows/backup/folder/digest.js';
import { jsonOf, linesOf } from '../../workflows/backup/folder/json-files.js';
import type { FileEntry } from '../../workflows/backup/folder/manifest.js';
import { type BackupReader, verifyCommand } from '../../workflows/backup/reader.js';
import type { SpaceFiles } from '../content/space-files.js';

/** Files that are read at once. */
const filesAtOnce = 8;

/**
 * Files of a backup that are what their manifest says: each is hashed as it is read, once. What was read of a file
 * must not be kept unless reading it ended well.
 */
export class VerifiedFiles implements SpaceFiles {
  readonly entries: readonly FileEntry[];
  readonly #reader: BackupReader;
  readonly #at: string;
  readonly #checked = new Set<FileEntry>();

  /** @param at folder of the files, with a slash at its end; '' for those at the top */
  constructor(reader: BackupReader, at: string, entries: readonly FileEntry[]) {
    this.#reader = reader;
    this.#at = at;
    this.entries = entries;
  }

  /** The file of a kind, and of a resource if its id is given; undefined if the backup has none. */
  find(kind: string, id?: string): FileEntry | undefined {
    return this.entries.find((entry) => entry.kind === kind && (id === undefined || entry.id === id));
  }

  all(kind: string): readonly FileEntry[] {
    return this.entries.filter((entry) => entry.kind === kind);
  }

  /** @throws DocsError configuration `changed_in_backup` (exit 14); local-io `missing_in_backup` (exit 13) */
  async bytes(entry: FileEntry): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#read(entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** As `bytes`. */
  async text(entry: FileEntry): Promise<string> {
    return (await this.bytes(entry)).toString('utf8');
  }

  /** The value of a JSON file; undefined without a file. As `bytes`. */
  async json<T>(entry: FileEntry | undefined): Promise<T | undefined> {
    if (entry === undefined) return undefined;
    return this.parsed(entry, await this.text(entry));
  }

  /** @throws DocsError configuration `changed_in_backup` */
  parsed<T>(entry: FileEntry, text: string): T {
    try {
      return jsonOf(text) as T;
    } catch (cause) {
      throw this.#changed(entry, cause);
    }
  }

  /** The items of a list, as they are read; none without a file. As `bytes`. */
  async *items<T>(entry: FileEntry | undefined): AsyncGenerator<T> {
    if (entry === undefined) return;
    try {
      for await (const item of linesOf(this.#read(entry))) yield item as T;
    } catch (cause) {
      throw cause instanceof SyntaxError ? this.#changed(entry, cause) : cause;
    }
  }

  /** Reads what nobody has read. As `bytes`. */
  async checkRest(): Promise<void> {
    const rest = this.entries.filter((entry) => !this.#checked.has(entry));
    const check = async (entry: FileEntry) => {
      for await (const _ of this.#read(entry));
    };
    for await (const _ of readEach({ concurrency: filesAtOnce }, rest, check));
  }

  async *#read(entry: FileEntry): AsyncGenerator<Uint8Array> {
    const digest = new Digest();
    for await (const chunk of await this.#open(entry)) {
      digest.add(chunk);
      yield chunk;
    }
    const { sha256, bytes } = digest.result(entry.path);
    if (sha256 !== entry.sha256 || bytes !== entry.bytes) throw this.#changed(entry);
    this.#checked.add(entry);
  }

  async #open({ path }: FileEntry): Promise<AsyncIterable<Uint8Array>> {
    try {
      return await this.#reader.bytes(this.#at + path);
    } catch (cause) {
      if (!(cause instanceof DocsError) || cause.code !== 'missing_in_backup') throw cause;
      const message = `${cause.message}; nothing was changed`;
      throw new DocsError('local-io', cause.code, message, {
        ...cause.failure,
        hint: verifyCommand(this.#reader),
      });
    }
  }

  #changed({ path }: FileEntry, cause?: unknown): DocsError {
    return changedInBackup(this.#reader, this.#at + path, cause);
  }
}

export function changedInBackup(reader: BackupReader, path: string, cause?: unknown): DocsError {
  const message = `${path} in ${reader.root} is not what its manifest says; nothing was changed`;
  return new DocsError('configuration', 'changed_in_backup', message, {
    ...(cause !== undefined && { cause }),
    outcome: 'not-sent',
    hint: verifyCommand(reader),
  });
}
