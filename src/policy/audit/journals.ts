import fs from 'node:fs';
import type { Io } from '../../base/io.js';
import { openOwnFile } from '../../base/own-files.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { digestOf } from '../../jobs/journal-digest.js';
import type { ChainLine } from './chain.js';

/** Whether the journals are those that the chain tells of. */

export interface JournalFinding {
  is: 'journal-changed' | 'journal-removed' | 'journal-unrecorded' | 'chain-removed';
  job?: string;
  message: string;
}

/** What the chain says of a journal. */
interface Told {
  is: 'open' | 'ended' | 'removed' | 'found';
  sha256?: string;
}

/** Follows jobs through the chain; keeps only those whose journals are there, or should be. */
export class Journals {
  /** Journals that were removed by `docs jobs prune` or `discard`, or after 90 days. */
  removed = 0;
  readonly #io: Io;
  readonly #told = new Map<string, Told>();
  #paths: ReadonlyMap<string, string> = new Map();

  constructor(io: Io) {
    this.#io = io;
    this.look();
  }

  /** Reads again which journals are there. */
  look(): void {
    this.#paths = new Map(new JobFolder(this.#io).entries().map(({ job, path }) => [job, path]));
  }

  take({ event, job, sha256, missing }: ChainLine): void {
    if (job === undefined) return;
    const hash = sha256 === undefined ? {} : { sha256 };
    if (event === 'journal-pruned' || event === 'discarded') {
      this.removed += 1;
      // It stays known only where it is still there.
      if (this.#paths.has(job)) this.#told.set(job, { is: 'removed', ...hash });
      else this.#told.delete(job);
    }
    if (event === 'journal-found') this.#told.set(job, { is: 'found', ...hash });
    if (event === 'job-begun' || event === 'job-resumed' || event === 'settled')
      this.#told.set(job, { is: 'open' });
    if (event !== 'job-ended') return;
    const hasNone = sha256 === undefined && missing !== true && !this.#paths.has(job);
    if (hasNone) this.#told.delete(job);
    else this.#told.set(job, { is: 'ended', ...hash });
  }

  /** Jobs that have begun and not ended: they are at work, or their process died. */
  get unfinished(): string[] {
    return [...this.#told].flatMap(([job, { is }]) => (is === 'open' ? [job] : []));
  }

  /** @param hasChain whether there is a chain at all */
  *findings(hasChain: boolean): Generator<JournalFinding> {
    const before: string[] = [];
    for (const [job, path] of this.#paths) {
      const told = this.#told.get(job);
      const isEarlier = told === undefined || told.is === 'found';
      if (isEarlier && isRecorded(path)) {
        if (told === undefined && hasChain) yield unrecorded(job);
        else before.push(job);
      }
      if (told?.sha256 !== undefined && told.is !== 'open' && digestOf(path)?.sha256 !== told.sha256)
        yield { is: 'journal-changed', job, message: `the journal of job ${job} was changed after its end` };
      if (told?.is === 'ended' && told.sha256 === undefined && digestOf(path) !== undefined)
        yield { is: 'journal-changed', job, message: `the journal of job ${job} was written after its end` };
    }
    if (before.length > 0) yield chainRemoved(before, hasChain);
    for (const [job] of this.#told)
      if (!this.#paths.has(job))
        yield {
          is: 'journal-removed',
          job,
          message: `the journal of job ${job} was removed without a record`,
        };
  }
}

function unrecorded(job: string): JournalFinding {
  const message = `job ${job} has a journal and no line: it could not be recorded, or its lines were removed`;
  return { is: 'journal-unrecorded', job, message };
}

function chainRemoved(jobs: readonly string[], hasChain: boolean): JournalFinding {
  const [first = ''] = jobs.toSorted();
  const which = jobs.length === 1 ? `job ${first}` : `${jobs.length} jobs, the first of them ${first},`;
  const now = hasChain ? 'an earlier chain held, and it was removed' : 'a chain held, and it was removed';
  return { is: 'chain-removed', job: first, message: `there are journals of ${which} that ${now}` };
}

/** Whether the journal is of a version that keeps a chain: its header says who began it. */
function isRecorded(path: string): boolean {
  const file = openOwnFile(path);
  if (file === undefined) return false;
  const bytes = Buffer.alloc(16 * 1024);
  try {
    const [header = ''] = bytes.toString('utf8', 0, fs.readSync(file, bytes)).split('\n');
    return header.includes('"actor":{"kind":');
  } finally {
    fs.closeSync(file);
  }
}
