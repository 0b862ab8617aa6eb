import { defined } from '../../defined.js';
import { DocsError } from '../../errors.js';
import type { JobRun } from '../../jobs/run-job.js';
import type { Tally } from '../../jobs/step.js';
import type { View, Work } from '../../output/printer.js';
import { ReaderGone } from '../../output/sink.js';
import { atPlace } from '../declare/place-flags.js';
import type { Session } from '../declare/session.js';

/** Prints the results of a job as they come, one line an item in input order, and then its total. */

/** An item that is left out, with the reason. */
export interface LeftOut {
  index: number;
  id: string;
  error: DocsError;
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

interface Printing {
  job: string | undefined;
  leftOut?: readonly LeftOut[];
  doing: string;
  resumed?: boolean;
}

/**
 * Runs a job and prints its results. When the reader goes away, running items end and nothing new starts.
 * @param printing.job its name; undefined where the journal is off
 * @param printing.doing for the progress bar: `Deleting`
 * @param printing.resumed whether the job was resumed, so that resuming it again is no way on
 * @throws DocsError unless every item is ok: partial (exit 3); interrupted; local-io where the journal
 *   cannot be written; unauthenticated or rate-limited where all items failed for that reason
 */
export async function printResults(
  session: Session,
  run: JobRun,
  { job, leftOut = [], doing, resumed = false }: Printing,
): Promise<void> {
  const total = run.total + leftOut.length;
  const watch: Work['watch'] = (count) =>
    run.watch(({ ok, failed, unknown }) => count(ok + failed + unknown, failed + unknown));
  try {
    await session.printer.list(pages(session, run, leftOut), view, { work: { text: doing, total, watch } });
  } catch (cause) {
    const stopped = cause instanceof ReaderGone || session.io.signal.aborted;
    if (!stopped || cause instanceof DocsError) throw cause;
  }
  const failure = failureOf(session, run, job, total, resumed);
  if (failure !== undefined) throw failure;
}

async function* pages(session: Session, run: JobRun, leftOut: readonly LeftOut[]) {
  const { signal } = session.io;
  const waiting = [...leftOut];
  const before = (index: number) => {
    const later = waiting.findIndex((item) => item.index >= index);
    return waiting.splice(0, later === -1 ? waiting.length : later).map(skipped);
  };
  for await (const { index, id, status, failure } of run.results()) {
    // An item that an interrupt kept from starting has no result: the JSON array stays open.
    if (signal.aborted && status === 'skipped') break;
    const error = failure && here(session, failure.toJSON());
    yield { items: [...before(index), { index, id, status, ...defined({ error }) }] };
  }
  if (signal.aborted) throw signal.reason;
  yield { items: before(Number.POSITIVE_INFINITY) };
}

/** The error of an item, with its command to run next as it has to be typed here. */
function here({ globals, io }: Session, error: Record<string, unknown>): Record<string, unknown> {
  const { hint } = error;
  return typeof hint === 'string' ? { ...error, hint: atPlace(hint, globals, io.platform) } : error;
}

function skipped({ index, id, error }: LeftOut): Record<string, unknown> {
  return { index, id, status: 'skipped', error: error.toJSON() };
}

/** Why not every item of a job is ok, if so. @param total items, those left out among them */
export function failureOf(
  session: Session,
  run: JobRun,
  job: string | undefined,
  total: number,
  resumed = false,
): DocsError | undefined {
  const { tally } = run;
  const { ok } = tally;
  if (ok === total) return undefined;
  const message = `${ok} of ${total} items are done${parts(tally, total)}.`;
  const hint = job && nextCommand(run, job, resumed);
  const details = { total, notOk: total - ok, ...tally, ...defined({ job }) };
  const facts = { ...defined({ hint }), details, retryable: false };
  if (run.journalFailure !== undefined) {
    return new DocsError('local-io', 'journal_unwritable', `${message} ${run.journalFailure.message}`, facts);
  }
  if (session.io.signal.aborted) {
    const kind = String(session.io.signal.reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
    return new DocsError(kind, kind, `Interrupted: ${message}`, facts);
  }
  return sharedFailure(run, total) ?? new DocsError('partial', 'partial', message, facts);
}

/** What makes progress: resuming, once; then settling by hand what no read settles, or a look at the causes. */
function nextCommand({ tally, failures, left }: JobRun, job: string, resumed: boolean): string {
  const retryable = failures.some(({ failure }) => failure.retryable === true);
  const open = tally.unknown > 0 || left > 0 || retryable;
  if (open && !resumed) return `docs jobs resume ${job}`;
  const unsettled = failures.find(
    ({ code, failure }) => code === 'outcome_unknown' && failure.details?.item !== undefined,
  );
  return unsettled?.failure.hint ?? (retryable ? 'docs doctor' : `docs jobs show ${job}`);
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
