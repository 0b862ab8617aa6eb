import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { journalFailure } from './journal-failure.js';

type World = Pick<Io, 'platform'>;

/**
 * A journal that is written: it only grows, and what was appended is on the disk when `append`
 * resolves. Lines that come while the disk is busy share the next sync.
 */
export class JournalFile {
  readonly path: string;
  readonly #io: World;
  readonly #handle: FileHandle;
  #pending = '';
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: DocsError | undefined;

  private constructor(io: World, path: string, handle: FileHandle) {
    this.#io = io;
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Makes a new journal (0600, exclusively). Nothing is written before the first `append`.
   * @throws DocsError local-io `journal_unwritable`
   */
  static async create(io: World, path: string): Promise<JournalFile> {
    return JournalFile.#open(io, path, () => open(path, 'ax', 0o600));
  }

  /**
   * Opens a journal to go on with it; what was torn off behind its last whole line is cut away.
   * @param wholeBytes where the last whole line ends
   */
  static async reopen(io: World, path: string, wholeBytes: number): Promise<JournalFile> {
    return JournalFile.#open(io, path, async () => {
      const handle = await open(path, 'a', 0o600);
      try {
        const { size } = await handle.stat();
        if (size > wholeBytes) await handle.truncate(wholeBytes);
      } catch (cause) {
        await handle.close();
        throw cause;
      }
      return handle;
    });
  }

  static async #open(io: World, path: string, opening: () => Promise<FileHandle>): Promise<JournalFile> {
    try {
      return new JournalFile(io, path, await opening());
    } catch (cause) {
      throw journalFailure(io, path, cause);
    }
  }

  /** What made it unwritable; from then on every `append` fails with it. */
  get failure(): DocsError | undefined {
    return this.#failure;
  }

  /**
   * Appends whole lines.
   * @returns once they are on the disk
   * @throws DocsError local-io `journal_unwritable`
   */
  append(lines: string): Promise<void> {
    this.#pending += lines;
    this.#next ??= this.#commit(this.#current);
    return this.#next;
  }

  /** Takes lines that go to the disk with the first that is appended: none of them counts before. */
  stage(lines: string): void {
    this.#pending += lines;
  }

  /** Makes the name of the file last through a power cut, where the system can sync folders. */
  async syncFolder(): Promise<void> {
    const folder = await open(dirname(this.path), 'r').catch(() => undefined);
    await folder?.sync().catch(() => {});
    await folder?.close().catch(() => {});
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => {});
    await this.#current.catch(() => {});
    const found = await this.#handle.stat().catch(() => undefined);
    await this.#handle.close();
    // Nothing was begun, so there is nothing to keep. Only ever a file: a device is not ours to remove.
    if (found?.isFile() && found.size === 0) await rm(this.path, { force: true }).catch(() => {});
  }

  async #commit(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    const lines = this.#pending;
    this.#pending = '';
    this.#current = this.#write(lines);
    this.#next = undefined;
    return this.#current;
  }

  async #write(lines: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      await this.#handle.appendFile(lines);
      await this.#handle.datasync();
    } catch (cause) {
      this.#failure = journalFailure(this.#io, this.path, cause);
      throw this.#failure;
    }
  }
}
