import fs from 'node:fs';
import { dirname } from 'node:path';
import { DocsError, systemCode } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { cutTorn, datasync, openLog, writeWhole } from '../base/log-file.js';
import { removeQuietly } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';

type World = Pick<Io, 'platform' | 'underPolicy'>;

/** How long lines that nothing waits for gather before they are synced, in milliseconds. */
const gatherMs = 10;

/** A journal open for writing. Lines that are appended during a sync share the next one. */
export class JournalFile {
  readonly path: string;
  /** Whether the process does nothing else while a line is synced: no other request, and no other line. */
  isAlone = false;
  readonly #io: World;
  readonly #file: number;
  #pending = '';
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #failure: DocsError | undefined;
  #isUrgent = false;
  /** Ends the time in which lines gather. */
  #gathered: () => void = () => {};

  constructor(io: World, path: string, file: number) {
    this.#io = io;
    this.path = path;
    this.#file = file;
  }

  /** Creates a journal, empty until the first `append`. @throws DocsError local-io `journal_unwritable` */
  static async create(io: World, path: string): Promise<JournalFile> {
    return JournalFile.#open(io, path, () => openLog(path, { create: 'new' }));
  }

  /** Opens a journal to resume its job, and truncates what follows the last whole line. */
  static async reopen(io: World, path: string, wholeBytes: number): Promise<JournalFile> {
    return JournalFile.#open(io, path, () => {
      const log = openLog(path, { create: 'never' });
      try {
        cutTorn(log, wholeBytes);
      } catch (cause) {
        fs.closeSync(log);
        throw cause;
      }
      return log;
    });
  }

  static #open(io: World, path: string, opening: () => number): JournalFile {
    try {
      return new JournalFile(io, path, opening());
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
    this.hurry();
    return this.appendSoon(lines);
  }

  /** As `append`, but lets further lines gather first: for what no request waits for. */
  appendSoon(lines: string): Promise<void> {
    this.#pending += lines;
    this.#next ??= this.#commit(this.#current);
    return this.#next;
  }

  /** Lets lines gather no longer. */
  hurry(): void {
    this.#isUrgent = true;
    this.#gathered();
  }

  /** Holds lines back until the next `append` writes them. */
  stage(lines: string): void {
    this.#pending += lines;
  }

  /** Makes the file's name survive a power cut, where the system can sync directories. */
  async syncFolder(): Promise<void> {
    await (await import('../base/write-file.js')).syncFolder(dirname(this.path));
  }

  /** Resolves once nothing is being written, whatever came of it. */
  async quiet(): Promise<void> {
    this.hurry();
    await this.#next?.catch(() => {});
    await this.#current.catch(() => {});
  }

  async close(): Promise<void> {
    await this.quiet();
    const found = fs.fstatSync(this.#file);
    fs.closeSync(this.#file);
    // An empty journal records nothing.
    if (found.isFile() && found.size === 0) removeQuietly(this.path);
  }

  async #commit(before: Promise<void>): Promise<void> {
    await before.catch(() => {});
    await this.#gather();
    const lines = this.#pending;
    this.#pending = '';
    this.#current = this.#write(lines);
    this.#next = undefined;
    return this.#current;
  }

  /** Each sync wakes a thread, which on a busy machine takes the turn of the next request. */
  async #gather(): Promise<void> {
    if (!this.#isUrgent) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, gatherMs);
        this.#gathered = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    // Whatever else this turn of the event loop has to say goes with it.
    if (!this.isAlone) await new Promise((resolve) => setImmediate(resolve));
    this.#isUrgent = false;
  }

  async #write(lines: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      // The system takes so few bytes at once; only the sync waits for the disk.
      writeWhole(this.#file, lines);
      await datasync(this.#file, this.isAlone);
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

/** Exit 13: a change is not sent without its journal, unless journals are turned off; under a policy they cannot be. */
export function journalFailure(io: World, path: string, cause: unknown): DocsError {
  if (cause instanceof DocsError) return cause;
  const system = systemCode(cause);
  if (system === undefined) throw cause;
  const off = io.underPolicy?.() === true ? '.' : '; to turn journals off, run docs config set journal off.';
  const why = reasons[system] ?? system;
  const message = `cannot write the journal ${path}: ${why}. Changes are not sent without a journal${off}`;
  return new DocsError('local-io', 'journal_unwritable', message, {
    outcome: 'not-sent',
    hint: lookAt(io, dirname(path), system),
    cause,
  });
}

/** The command that shows why a folder cannot be written to. @param system the code of the failure */
export function lookAt({ platform }: Pick<Io, 'platform'>, path: string, system: string | undefined): string {
  const folder = shellWord(path, platform);
  if (platform === 'win32') return `dir ${folder}`;
  return `${system === 'ENOSPC' || system === 'EDQUOT' ? 'df -h' : 'ls -la'} ${folder}`;
}

/**
 * The lines of a journal (RELIABILITY.md, "Many items"), and the job that they describe: a header, one
 * line for each planned item, then one line for each event. Each is one JSON value; the file only grows.
 */
