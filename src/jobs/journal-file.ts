import { type FileHandle, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DocsError, systemCode } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { shellWord } from '../base/shell-word.js';
import { cutTorn, openLog, syncFolder } from '../base/write-file.js';

type World = Pick<Io, 'platform'>;

/** A journal open for writing. Lines that are appended during a sync share the next one. */
export class JournalFile {
  readonly path: string;
  readonly #io: World;
  readonly #handle: FileHandle;
  #pending = '';
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: DocsError | undefined;

  constructor(io: World, path: string, handle: FileHandle) {
    this.#io = io;
    this.path = path;
    this.#handle = handle;
  }

  /** Creates a journal, empty until the first `append`. @throws DocsError local-io `journal_unwritable` */
  static create(io: World, path: string): Promise<JournalFile> {
    return JournalFile.#open(io, path, () => openLog(path, { create: 'new' }));
  }

  /** Opens a journal to resume its job, and truncates what follows the last whole line. */
  static reopen(io: World, path: string, wholeBytes: number): Promise<JournalFile> {
    return JournalFile.#open(io, path, async () => {
      const log = await openLog(path, { create: 'never' });
      try {
        await cutTorn(log, wholeBytes);
      } catch (cause) {
        await log.close();
        throw cause;
      }
      return log;
    });
  }

  static async #open(io: World, path: string, opening: () => Promise<FileHandle>): Promise<JournalFile> {
    try {
      return new JournalFile(io, path, await opening());
    } catch (cause) {
      throw journalFailure(io, path, cause);
    }
  }

  /** The first failed write; every later `append` fails with it. */
  get failure(): DocsError | undefined {
    return this.#failure;
  }

  /** Appends whole lines; resolves once they are on the disk. @throws DocsError local-io `journal_unwritable` */
  append(lines: string): Promise<void> {
    this.#pending += lines;
    this.#next ??= this.#commit(this.#current);
    return this.#next;
  }

  /** Holds lines back until the next `append` writes them. */
  stage(lines: string): void {
    this.#pending += lines;
  }

  /** Makes the file's name survive a power cut, where the system can sync directories. */
  syncFolder(): Promise<void> {
    return syncFolder(dirname(this.path));
  }

  /** Resolves once nothing is being written, whatever came of it. */
  async quiet(): Promise<void> {
    await this.#next?.catch(() => {});
    await this.#current.catch(() => {});
  }

  async close(): Promise<void> {
    await this.quiet();
    const found = await this.#handle.stat().catch(() => undefined);
    await this.#handle.close();
    // An empty journal records nothing.
    if (found?.isFile() && found.size === 0) await rm(this.path, { force: true }).catch(() => {});
  }

  async #commit(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    // Whatever else this turn of the event loop has to say goes with it: each sync costs the wait of one.
    await new Promise((resolve) => setImmediate(resolve));
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

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than allowed',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an error',
};

/** Exit 13: a change is not sent without its journal, unless journals are turned off. */
export function journalFailure(io: World, path: string, cause: unknown): DocsError {
  if (cause instanceof DocsError) return cause;
  const system = systemCode(cause);
  if (system === undefined) throw cause;
  const message =
    `Cannot write the journal ${path}: ${reasons[system] ?? system}. Changes are not sent without a journal; ` +
    'to turn journals off, run docs config set journal off.';
  return new DocsError('local-io', 'journal_unwritable', message, {
    outcome: 'not-sent',
    hint: lookAt(io, dirname(path), system),
    cause,
  });
}

/** The command that shows why a folder cannot be written to. @param system the code of the failure */
export function lookAt({ platform }: World, path: string, system: string | undefined): string {
  const folder = shellWord(path, platform);
  if (platform === 'win32') return `dir ${folder}`;
  return `${system === 'ENOSPC' || system === 'EDQUOT' ? 'df -h' : 'ls -la'} ${folder}`;
}
