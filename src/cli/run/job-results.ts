import { DocsError } from '../../errors.js';
import type { JobRun } from '../../jobs/run-job.js';
import type { ItemResult, Tally } from '../../jobs/step.js';
import type { View, Work } from '../../output/printer.js';
import { ReaderGone } from '../../output/sink.js';
import type { Session } from '../declare/session.js';

/** Prints the results of a job as they come, one line an item in input order, and then its total. */

/** An item that is left out, with the reason. */
export interface LeftOut {
  index: number;
  id: string;
  error: DocsError;
}

export interface Printing {
  /** Name of the job; undefined where the journal is off. */
  job: string | undefined;
  leftOut?: readonly LeftOut[];
  /** For the progress bar: `Deleting`. */
  doing: string;
}

const view: View = {
  columns: [{ path: 'id' }, { path: 'status', as: 'state' }, { path: 'error.message', label: 'ERROR' }],
  fields: ['index', 'id', 'status', 'error'],
  open: ['error'],
};

/** Checks `--fields` and the like against what a job prints, before anything is sent. */
export function checkResults(session: Session): Promise<void> {
  return session.printer.check(view);
}

/**
 * Runs a job and prints its results. When the reader goes away, running items end and nothing new starts.
 * @throws DocsError unless every item is ok: partial (exit 3); interrupted; local-io where the journal
 *   cannot be written; unauthenticated or rate-limited where all items failed for that reason
 */
export async function printResults(session: Session, run: JobRun, printing: Printing): Promise<void> {
  const { leftOut = [], doing } = printing;
  const total = run.total + leftOut.length;
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
  const failure = failureOf(session, run, printing.job, total);
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
    // An item that an interrupt kept from starting has no result: the JSON array stays open.
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

/**
 * Why not every item of a job is ok.
 * @param total items, those left out among them
 * @returns undefined where every item is ok
 */
export function failureOf(
  session: Session,
  run: JobRun,
  job: string | undefined,
  total: number,
): DocsError | undefined {
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

/** The failure of all items, where the token or the rate limit is the one reason. */
function sharedFailure({ tally, failures }: JobRun, total: number): DocsError | undefined {
  const kinds = new Set(failures.map(({ kind }) => kind));
  const [first] = failures;
  const all = tally.ok === 0 && failures.length === total && kinds.size === 1;
  return all && (kinds.has('unauthenticated') || kinds.has('rate-limited')) ? first : undefined;
}
