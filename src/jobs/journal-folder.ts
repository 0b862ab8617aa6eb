import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { AnyOperation } from '../api/operation.js';
import { DocsError, systemCode, usageError } from '../base/errors.js';
import { sha256 } from '../base/hash.js';
import type { Io } from '../base/io.js';
import { takeWork, workerFile, workersIn } from '../base/lock.js';
import { checkOwnFolder, makeFolders, openOwnFile, readOwnFile } from '../base/own-files.js';
import { isObject, jsonIn } from '../base/values.js';
import { stateFolder } from '../settings/paths.js';
import { type Header, type Job, parseJournal, plannedLine, replay, writeLine } from './journal.js';
import { journalFailure } from './journal-file.js';
import { removedEvent, type Trail } from './trail.js';

/** How long journals are kept, in milliseconds. */
export const keptMs = 90 * 86_400_000;

/** A journal is named for its job, whose name begins with its time and milliseconds, and its input. */
const journalName =
  /^((\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([0-9a-f]{3})[0-9a-f]{3})\.([0-9a-f]{16})\.jsonl$/;

interface Entry {
  job: string;
  path: string;
  /** By its name: milliseconds since the epoch; later than it was where a job before it has a later name. */
  begunMs: number;
  /** The first 16 digits of its hash. */
  input: string;
}

/**
 * The journals of jobs, for those who write them. Of a job that is read back only the ids of its operations are known:
 * their declarations would slow down each change.
 */
export class JournalFolder {
  readonly path: string;
  readonly #io: Io;

  constructor(io: Io) {
    this.#io = io;
    this.path = join(stateFolder(io), 'jobs');
  }

  /** The operation that a journal names. */
  protected operationIn(id: string): AnyOperation {
    return { id } as AnyOperation;
  }

  /** Creates the folder (0700). @throws DocsError local-io `journal_unwritable`; configuration `unsafe_path` */
  make(): void {
    if (this.#check()) return;
    try {
      makeFolders(this.path, 0o700);
    } catch (cause) {
      throw journalFailure(this.#io, join(this.path, 'journal'), cause);
    }
  }

  /** A name for a new job, which sorts after those of all others, and the path of its journal. */
  newJob(input: string): { job: string; path: string } {
    // Also after a job of the same millisecond, and one begun before the clock was set back.
    const atMs = Math.max(this.#io.now(), this.#newestMs() + 1);
    // Two processes may name their jobs at once.
    const job =
      beginningAt(atMs) +
      Math.floor(this.#io.random() * 4096)
        .toString(16)
        .padStart(3, '0');
    return { job, path: join(this.path, `${job}.${input.slice(0, 16)}.jsonl`) };
  }

  /** When the newest job began, by its name; -1 where there is none. */
  #newestMs(): number {
    for (const name of this.#names().sort().reverse()) {
      const { begunMs = Number.NaN } = this.#entry(name) ?? {};
      if (!Number.isNaN(begunMs)) return begunMs;
    }
    return -1;
  }

  /** Journals are neither read nor written where others could have put them, or through a link. @returns whether it is there */
  #check(): boolean {
    return checkOwnFolder(dirname(this.path)) && checkOwnFolder(this.path);
  }

  /**
   * The journals, the newest first.
   * @param isWanted by its name: there may be thousands, and each change looks here
   * @throws DocsError local-io `unreadable_journal`; configuration `unsafe_path`
   */
  entries(isWanted: (name: string) => boolean = () => true): Entry[] {
    const found = this.#names().flatMap((name) => (isWanted(name) ? (this.#entry(name) ?? []) : []));
    return found.sort((a, b) => (a.job < b.job ? 1 : -1));
  }

  #names(): string[] {
    this.#check();
    try {
      return fs.readdirSync(this.path);
    } catch (cause) {
      if (systemCode(cause) === 'ENOENT') return [];
      throw unreadable(this.path, cause);
    }
  }

  #entry(name: string): Entry | undefined {
    const [, job, year, month, day, hour, minute, second, within, input] = journalName.exec(name) ?? [];
    if (job === undefined || within === undefined || input === undefined) return undefined;
    const secondMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const begunMs = secondMs + Number.parseInt(within, 16);
    return { job, input, begunMs, path: join(this.path, name) };
  }

  /**
   * @returns undefined where the header is not whole: the process died before anything was sent
   * @throws DocsError configuration `corrupt_journal`, `unsafe_path`; local-io `unreadable_journal`
   */
  read({ path }: Pick<Entry, 'path'>): Job | undefined {
    let bytes: Uint8Array | undefined;
    try {
      bytes = readOwnFile(path);
    } catch (cause) {
      throw cause instanceof DocsError ? cause : unreadable(path, cause);
    }
    // Another process has just removed it.
    if (bytes === undefined) return undefined;
    const parsed = parseJournal(bytes);
    if (parsed === undefined) return undefined;
    if (typeof parsed === 'string') throw corrupt(path, parsed);
    return {
      header: parsed.header,
      path,
      items: replay(parsed.lines, this.operationIn),
      wholeBytes: parsed.wholeBytes,
    };
  }

  /** All jobs, the newest first. @param onIssue called for each journal that cannot be read */
  readAll(onIssue: (issue: DocsError) => void, wanted: (entry: Entry) => boolean = () => true): Job[] {
    const entries = this.entries().filter(wanted);
    return entries.flatMap((entry) => this.#readable(entry, onIssue));
  }

  undoing(): Job[] {
    const entries = this.entries().filter(({ path }) => beginning(path).includes('"undoes":'));
    const jobs = entries.flatMap((entry) => this.#readable(entry));
    return jobs.filter(({ header }) => header.undoes !== undefined);
  }

  /** The newest job that applies a plan. */
  withPlan(plan: string): string | undefined {
    const entries = this.entries().filter(({ path }) => beginning(path).includes(`"plan":"${plan}"`));
    const jobs = entries.flatMap((entry) => this.#readable(entry));
    return jobs.find(({ header }) => header.plan === plan)?.header.job;
  }

  /** The job of a journal, as a list; empty where it cannot be read. */
  #readable(entry: Entry, onIssue: (issue: DocsError) => void = () => {}): Job[] {
    try {
      return [this.read(entry) ?? []].flat();
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
      onIssue(cause);
      return [];
    }
  }

  /**
   * The job of a name or an unambiguous beginning of one.
   * @throws DocsError usage `unknown_job`; as `read`
   */
  find(name: string): Job {
    const entry = this.#named(name);
    const job = this.read(entry);
    if (job === undefined) throw emptyJob(entry.job);
    return job;
  }

  #named(name: string): Entry {
    const matching = this.entries().filter(({ job }) => job.startsWith(name));
    const [entry] = matching;
    if (entry === undefined || name === '') throw unknownJob(`job ${JSON.stringify(name)} not found`);
    const names = matching.map(({ job }) => job).join(', ');
    if (matching.length > 1)
      throw unknownJob(
        `ambiguous job ${JSON.stringify(name)}: ${matching.length} jobs begin with it: ${names}`,
      );
    return entry;
  }

  /**
   * A job whose journal may be damaged.
   * @returns its name, and how many of its items were sent; undefined where the journal does not tell
   */
  about(name: string): { job: string; sent: number | undefined } {
    const entry = this.#named(name);
    const { job } = entry;
    try {
      return { job, sent: (this.read(entry)?.items ?? []).filter(({ sent }) => sent).length };
    } catch (cause) {
      if (!(cause instanceof DocsError)) throw cause;
      return { job, sent: undefined };
    }
  }

  /** Removes the journal of a job. @throws DocsError local-io `job_running`; as `Trail.record` */
  async discard(job: string, trail: Trail): Promise<void> {
    const lock = takeJob(this.#io, this.path, job);
    try {
      const { path } = this.#named(job);
      await this.#remove([{ job, path }], 'discarded', trail);
    } finally {
      lock.release();
    }
  }

  /** Records that journals go, and removes them. A full disk may have room for the record only afterwards. */
  async #remove(
    journals: readonly Pick<Entry, 'job' | 'path'>[],
    event: 'discarded' | 'journal-pruned',
    trail: Trail,
  ): Promise<void> {
    if (journals.length === 0) return;
    const events = journals.map(({ job, path }) => removedEvent(event, job, path));
    const isTold = await trail.record(events, { quiet: true });
    for (const { path } of journals) fs.rmSync(path, { force: true });
    if (!isTold) await trail.record(events);
  }

  /** The jobs with the same input, the newest first. @param besides the name of one that is not looked at */
  withInput(input: string, besides?: string): Job[] {
    const ending = `.${input.slice(0, 16)}.jsonl`;
    const same = this.entries((name) => name.endsWith(ending)).filter(({ job }) => job !== besides);
    return same.flatMap((entry) => this.#readable(entry)).filter(({ header }) => header.input === input);
  }

  /** The processes at work, as `pid 42`, by job. */
  workers(): ReadonlyMap<string, string> {
    return workersIn(this.path);
  }

  begunBefore(beforeMs: number): Entry[] {
    const nowMs = this.#io.now();
    const [before, now] = [beginningAt(Math.max(0, beforeMs)), beginningAt(nowMs)];
    // After a clock that was ahead, names stay ahead; then the time of the file counts.
    return this.entries((name) => name < before || name > now).filter(
      ({ begunMs, path }) => (begunMs > nowMs ? writtenMs(path) : begunMs) < beforeMs,
    );
  }

  /**
   * Removes the journals begun before a time, except those of running jobs.
   * @returns how many
   * @throws DocsError as `Trail.record`
   */
  async prune(beforeMs: number, trail: Trail): Promise<number> {
    const old = this.begunBefore(beforeMs);
    const workers = old.length === 0 ? undefined : this.workers();
    const removed = old.filter(({ job }) => !workers?.has(job));
    await this.#remove(removed, 'journal-pruned', trail);
    return removed.length;
  }
}

/**
 * Locks a job for this process until `release`: the file is beside its journal.
 * @throws DocsError local-io `job_running`, `journal_unwritable`
 */
export function takeJob(io: Pick<Io, 'platform'>, folder: string, job: string): { release(): void } {
  try {
    return takeWork(folder, job, (other) => ({
      code: 'job_running',
      message: `Job ${job} is already running (${other}).`,
      hint: `docs jobs show ${job}`,
    }));
  } catch (cause) {
    throw journalFailure(io, join(folder, workerFile(job)), cause);
  }
}

function writtenMs(path: string): number {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
}

/** How the name of a job begins that was begun at a time; later ones sort after it. */
function beginningAt(ms: number): string {
  const time = new Date(ms).toISOString().replaceAll('-', '').replaceAll(':', '');
  const within = (ms % 1000).toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(9, 15)}-${within}`;
}

/** The first 16 kB of a file, which hold the header. */
export function beginning(path: string): string {
  const bytes = Buffer.alloc(16 * 1024);
  const file = openOwnFile(path);
  if (file === undefined) return '';
  try {
    return bytes.toString('utf8', 0, fs.readSync(file, bytes));
  } finally {
    fs.closeSync(file);
  }
}

/** What the header of a journal says, as far as it can be read. */
export function headerOf(path: string): Readonly<Record<string, unknown>> {
  const [line = ''] = beginning(path).split('\n');
  const header = jsonIn(line);
  return isObject(header) ? header : {};
}

/** The folders of the audit chains that have a job; those of the state folder are named in no header. */
export function chainsOfJournal(io: Io, path: string): readonly string[] {
  const { chains } = headerOf(path);
  const named = Array.isArray(chains) ? chains.filter((one) => typeof one === 'string') : [];
  return named.length > 0 ? named : [stateFolder(io)];
}

/** The journals in the folder of another account or another state folder, by job; undefined where they cannot be read. */
export function journalsIn(folder: string): ReadonlyMap<string, string> | undefined {
  try {
    const jobs = fs
      .readdirSync(folder)
      .map((name) => [journalName.exec(name)?.[1], join(folder, name)] as const);
    return new Map(jobs.flatMap(([job, path]) => (job === undefined ? [] : [[job, path]])));
  } catch (cause) {
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(cause) ?? '') ? new Map() : undefined;
  }
}

type Target = Pick<Header, 'command' | 'origin' | 'org'>;

/** The hash of a job's target and all its requests. @param plan their lines, as its journal has them */
export function hashOfInput({ command, origin, org }: Target, plan: string): string {
  return sha256(JSON.stringify([command, origin, org ?? null]) + plan);
}

function unknownJob(message: string): DocsError {
  return usageError('unknown_job', message, { hint: 'docs jobs list' });
}

function emptyJob(job: string): DocsError {
  const message = `job ${job} is empty: it ended before anything was sent. Its command may be run again.`;
  return usageError('unknown_job', message, { hint: `docs jobs discard ${job}` });
}

const failure = { outcome: 'not-sent', hint: 'docs jobs list' } as const;

function corrupt(path: string, what: string): DocsError {
  const message = `the journal ${path} is corrupt: ${what}`;
  const job = journalName.exec(basename(path))?.[1];
  const hint = job === undefined ? failure.hint : `docs jobs discard ${job}`;
  return new DocsError('configuration', 'corrupt_journal', message, { ...failure, hint });
}

function unreadable(path: string, cause: unknown): DocsError {
  const message = `cannot read ${path}: ${systemCode(cause) ?? String(cause)}`;
  return new DocsError('local-io', 'unreadable_journal', message, { ...failure, cause });
}

/**
 * What is wrong with the plan in a journal, which is then no ground to send anything: a crash or a full disk cut
 * it, or somebody edited it. A whole sentence without its full stop.
 */
export function damageOf({ header, items }: Pick<Job, 'header' | 'items'>): string | undefined {
  const { total, input } = header;
  if (items.length < total) return `Its journal has only ${items.length} of the ${total} items of its plan`;
  const plan = items.map((item) => writeLine(item.filed ?? plannedLine(item.change))).join('');
  return items.length === total && hashOfInput(header, plan) === input ? undefined : 'Its journal was edited';
}

/** The way on from a damaged journal, for every command that meets one. */
export function wayOn({ header: { job }, items }: Job): { words: string; hint: string } {
  const sent = items.filter((item) => item.sent).length;
  const words =
    sent === 0
      ? 'none of its items was sent. Discard the journal, and start over with the command that began the job'
      : `${sent} of its items were sent (docs jobs show ${job}). To start over, discard the journal first`;
  return { words, hint: `docs jobs discard ${job}` };
}

/**
 * Refuses to work on a job whose journal is damaged.
 * @param what what cannot be done: `resumed`
 * @throws DocsError usage `job_mismatch`
 */
export function refuseDamaged(job: Job, what: string): void {
  const damage = damageOf(job);
  if (damage !== undefined) throw damagedJob(job, what, damage);
}

function damagedJob(job: Job, what: string, damage: string): DocsError {
  const { words, hint } = wayOn(job);
  const message = `job ${job.header.job} cannot be ${what}. ${damage}; nothing was sent now, and ${words}.`;
  return usageError('job_mismatch', message, { hint });
}
