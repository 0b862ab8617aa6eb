import { DocsError } from '../../errors.js';
import type { ItemResult, JobRun, Tally } from '../../jobs/run-job.js';
import type { View, Work } from '../../output/printer.js';
import { ReaderGone } from '../../output/sink.js';
import type { Session } from '../declare/session.js';

/** The results of a job as they come: one line an item, in input order, and what it came to. */

/** An item that is not sent, with the reason. */
export interface LeftOut {
  index: number;
  id: string;
  error: DocsError;
}

export interface Printing {
  /** Name of the job; undefined where the journal is off. */
  job: string | undefined;
  /** Items in all, with those that were left out. */
  total: number;
  leftOut?: readonly LeftOut[];
  /** What is going on, for the bar: `Deleting`. */
  doing: string;
}

const view: View = {
  columns: [{ path: 'id' }, { path: 'status', as: 'state' }, { path: 'error.message', label: 'ERROR' }],
  fields: ['index', 'id', 'status', 'error'],
  open: ['error'],
};

/** Checks `--fields` and its kin against what a job prints; before anything is sent. */
export function checkResults(session: Session): Promise<void> {
  return session.printer.check(view);
}

/**
 * Runs a job and prints its results. A reader that goes away ends it: what is under way is finished,
 * nothing new is started.
 * @throws DocsError where not all is well: partial (exit 3); interrupted; local-io where the journal
 *   cannot be written; unauthenticated or rate-limited where that is why nothing was done
 */
export async function printResults(session: Session, run: JobRun, printing: Printing): Promise<void> {
  const { total, leftOut = [], doing } = printing;
  const work = {
    text: doing,
    total,
    watch: (count: Parameters<Work['watch']>[0]) => run.watch(watcher(count)),
  };
  try {
    await session.printer.list(pages(session, run, leftOut), view, { work });
  } catch (cause) {
    const stopped = cause instanceof ReaderGone || session.io.signal.aborted;
    if (!stopped || cause instanceof DocsError) throw cause;
  }
  const failure = failureOf(session, run, printing);
  if (failure !== undefined) throw failure;
}

function watcher(count: (done: number, failed: number) => void): (tally: Tally) => void {
  return ({ ok, failed, unknown }) => count(ok + failed + unknown, failed + unknown);
}

async function* pages(session: Session, run: JobRun, leftOut: readonly LeftOut[]) {
  const waiting = [...leftOut];
  const before = (index: number) => {
    const items: unknown[] = [];
    while (waiting[0] !== undefined && waiting[0].index < index)
      items.push(skipped(waiting.shift() as LeftOut));
    return items;
  };
  for await (const result of run.results()) {
    // What was not begun when the run was ended is no result: the list stays open.
    if (session.io.signal.aborted && result.status === 'skipped') break;
    yield { items: [...before(result.index), shown(result)] };
  }
  if (session.io.signal.aborted) throw session.io.signal.reason;
  yield { items: before(Number.POSITIVE_INFINITY) };
}

function shown({ index, id, status, failure }: ItemResult): Record<string, unknown> {
  return { index, id, status, ...(failure !== undefined && { error: failure.toJSON() }) };
}

function skipped({ index, id, error }: LeftOut): Record<string, unknown> {
  return { index, id, status: 'skipped', error: error.toJSON() };
}

function failureOf(session: Session, run: JobRun, { job, total }: Printing): DocsError | undefined {
  const { tally, failures } = run;
  const { ok } = tally;
  if (ok === total) return undefined;
  const message = `${ok} of ${total} items are done${parts(tally, total)}.`;
  const open =
    tally.unknown > 0 || run.left > 0 || failures.some(({ failure }) => failure.retryable === true);
  const hint = job === undefined ? {} : { hint: `docs jobs ${open ? 'resume' : 'show'} ${job}` };
  const details = { details: { total, notOk: total - ok, ...tally, ...(job !== undefined && { job }) } };
  const facts = { ...hint, ...details, retryable: false };
  if (run.journalFailure !== undefined) {
    return new DocsError('local-io', 'journal_unwritable', `${message} ${run.journalFailure.message}`, facts);
  }
  if (session.io.signal.aborted) {
    const kind = String(session.io.signal.reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
    return new DocsError(kind, kind, `Interrupted: ${message}`, facts);
  }
  return sharedFailure(run, total) ?? new DocsError('partial', 'partial', message, facts);
}

function parts({ failed, unknown, ok }: Tally, total: number): string {
  const counts = [
    [failed, 'failed'],
    [unknown, 'unknown'],
    [total - ok - failed - unknown, 'skipped'],
  ] as const;
  const given = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return given.length === 0 ? '' : `; ${given.join(', ')}`;
}

/** Where nothing went well for one reason of the caller's (401, rate limit), that is the failure. */
function sharedFailure({ tally, failures }: JobRun, total: number): DocsError | undefined {
  const kinds = new Set(failures.map(({ kind }) => kind));
  const [first] = failures;
  const all = tally.ok === 0 && failures.length === total && kinds.size === 1;
  return all && (kinds.has('unauthenticated') || kinds.has('rate-limited')) ? first : undefined;
}
