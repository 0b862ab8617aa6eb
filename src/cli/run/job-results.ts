import { DocsError, endedBy, type Failure } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ItemResult, Tally } from '../../jobs/journal.js';
import type { JobRun } from '../../jobs/run-job.js';
import type { OutputFailed, View, Work } from '../../output/printer.js';
import { ReaderGone } from '../../output/sink.js';
import { counted, doneOf, grouped } from '../../output/text.js';
import { sends } from '../../plans/operation.js';
import type { Plan, PlanOperation } from '../../plans/plan.js';
import { countsOf, isConflict, sectionsOf } from '../../plans/show/summary.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { failureToPrint, isReading, noteAlreadyDone } from './output.js';
import type { LeftOut, Proposal, Sent } from './proposal.js';

/** Prints the results of a job as they come, one line an item in input order, and then its total. */

/** How results are shown, where neither a plan nor an undo says more of them. */
export const resultView: View = {
  columns: [
    { path: 'id' },
    { path: 'status', as: 'state', lead: true },
    { path: 'error.message', label: 'ERROR', lead: true, wraps: true },
  ],
  fields: ['index', 'id', 'status', 'error'],
  open: ['error'],
};

/** Of an undo: also what a read afterwards shows. */
const undoView: View = {
  columns: [
    ...resultView.columns,
    { path: 'restored', lead: true },
    { path: 'notRestored', label: 'NOT RESTORED', wraps: true },
  ],
  fields: [...(resultView.fields ?? []), 'restored', 'notRestored', 'item'],
  open: ['error'],
};

/** With what each item is about, last: columns of TSV keep their places. */
export function withAddress(given: View): View {
  return { ...given, columns: [...given.columns, { path: 'item', keep: true }] };
}

/** Of a plan: what each operation is about. */
const planView: View = {
  columns: [
    { path: 'operation' },
    { path: 'item', keep: true },
    // What failed is of no use without its reason, however narrow the window.
    ...resultView.columns.filter(({ path }) => path !== 'id').map((column) => ({ ...column, keep: true })),
    { path: 'id' },
  ],
  fields: [...(resultView.fields ?? []), 'operation', 'item', 'kind', 'key', 'request'],
  open: ['error', 'request'],
};

function viewOf({ undoes, plan }: { undoes?: boolean; plan?: boolean }): View {
  if (plan) return planView;
  return undoes ? undoView : resultView;
}

/** Checks `--fields` and the like against what a job prints, before anything is sent. */
export async function checkResults(
  { printer }: Session,
  job: { undoes?: boolean; plan?: boolean } = {},
): Promise<void> {
  await printer.check(viewOf(job));
}

/** The results of a plan that sends nothing: what is left undone. @param empty what is said where that is nothing */
export async function printUnsent({ printer }: Session, plan: Plan, empty?: string): Promise<void> {
  await printer.list(leftRows(plan), { ...planView, empty });
}

/** What results are those of. */
type Results = Pick<
  Proposal<unknown>,
  'leftOut' | 'earlier' | 'doing' | 'undoes' | 'plan' | 'open' | 'isSilent'
>;

/**
 * Runs a job and prints its results, unless its command reports at its end. When the reader goes away, running items end and nothing new starts.
 * @throws DocsError unless every item is ok: partial (exit 3); interrupted; local-io where the journal
 *   cannot be written; unauthenticated or rate-limited where all items failed for that reason
 */
export async function printResults(session: Session, { run, job }: Sent, results: Results): Promise<void> {
  const { leftOut = [], doing = 'Changing', undoes, plan, open, isSilent = false } = results;
  const total = run.total + leftOut.length;
  const watch: Work['watch'] = (count) =>
    run.watch(({ ok, failed, unknown }, waitsFor) =>
      count(ok + failed + unknown, failed + unknown, waitsFor),
    );
  const plain = viewOf({ undoes: undoes !== undefined, plan: plan !== undefined });
  const own = plain === undoView && run.addresses.size > 0 ? withAddress(plain) : plain;
  const isBrief = !isSilent && total > mostRead && isReading(session);
  const all = pages(session, run, results);
  const printed = () =>
    isSilent
      ? finish(session, run, doing)
      : session.printer.list(isBrief ? tellingOf(all) : all, own, { work: { text: doing, total, watch } });
  let unprinted: OutputFailed | undefined;
  try {
    unprinted = await failureToPrint(printed);
  } catch (cause) {
    const stopped = cause instanceof ReaderGone || session.io.signal.aborted;
    if (!stopped || cause instanceof DocsError) throw cause;
  }
  if (!isSilent) noteAlreadyDone(session, run);
  if (isBrief && run.tally.ok > 0) {
    const list = job === undefined ? '' : `; to list them, run ${atHere(session, `docs jobs show ${job}`)}`;
    session.printer.note(`${grouped(run.tally.ok)} of ${grouped(total)} ok${list}.`);
  }
  // Resumed, the next command to run is another than resuming it.
  const failure = failureOf(session, run, job, total, open !== undefined);
  if (failure !== undefined && unprinted !== undefined) session.printer.warn(unprinted.message);
  if (failure !== undefined || unprinted !== undefined) throw failure ?? unprinted;
}

/** Works on all items and shows nothing but the progress. */
async function finish({ io, globals }: Session, run: JobRun, text: string): Promise<void> {
  const { startProgress } = await import('../../output/progress.js');
  const progress = startProgress(io, { text, total: run.total, quiet: globals.quiet ?? false });
  run.watch(({ ok, failed, unknown }) => progress.count(ok + failed + unknown, failed + unknown));
  try {
    for await (const group of run.results()) if (io.signal.aborted && group.some(isSkipped)) break;
  } finally {
    progress.stop();
  }
}

/** A person reads no more lines that all say "ok": of longer jobs only those that say something else. */
const mostRead = 20;

/** The results that are not whole. A page without any is left out, for a table begins with its first page. */
async function* tellingOf(all: ReturnType<typeof pages>): ReturnType<typeof pages> {
  for await (const { items } of all) {
    const telling = items.filter(
      ({ status, restored = 'whole', notRestored }) =>
        status !== 'ok' || restored !== 'whole' || notRestored !== undefined,
    );
    if (telling.length > 0) yield { items: telling };
  }
}

async function* pages(
  session: Session,
  run: JobRun,
  { leftOut = [], earlier = [], plan, undoes }: Results,
): AsyncGenerator<{ items: readonly Record<string, unknown>[] }> {
  const { signal } = session.io;
  const addresses = undoes === undefined || plan !== undefined ? undefined : run.addresses;
  const waiting = [...leftOut];
  const operations = plan?.operations.filter(sends) ?? [];
  const before = (index: number) => {
    const later = waiting.findIndex((item) => item.index >= index);
    return waiting.splice(0, later === -1 ? waiting.length : later).map(skipped);
  };
  const rowOf = ({ index, id: own, status, failure, restored, notRestored }: ItemResult) => {
    const error = failure && here(session, failure.toJSON());
    const operation = operations[index];
    // An operation that was held back has no id yet where an earlier one would have made it.
    const id = operation !== undefined && own.startsWith('{') ? operation.key : own;
    const about = operation === undefined ? defined({ item: addresses?.get(index) }) : aboutOf(operation);
    return { index, id, status, ...defined({ error, restored, notRestored }), ...about };
  };
  if (earlier.length > 0) yield { items: earlier };
  for await (const group of run.results()) {
    // An item that an interrupt kept from starting has no result: the JSON array stays open.
    const end = signal.aborted ? group.findIndex(isSkipped) : -1;
    const shown = end === -1 ? group : group.slice(0, end);
    if (shown.length > 0) yield { items: shown.flatMap((one) => [...before(one.index), rowOf(one)]) };
    if (end !== -1) break;
  }
  if (signal.aborted) throw signal.reason;
  yield { items: [...before(Number.POSITIVE_INFINITY), ...(plan === undefined ? [] : leftRows(plan))] };
}

function isSkipped({ status }: ItemResult): boolean {
  return status === 'skipped';
}

/** What an operation of a plan was about. */
function aboutOf(operation: PlanOperation) {
  const { id, kind, key, request } = operation;
  const { method, path, query, body } = request ?? {};
  const sent = request && { request: defined({ method, path, query, body }) };
  return { operation: id, item: itemOf(operation), kind, key, ...sent };
}

/** A command as it has to be typed here. */
function atHere({ globals, io }: Session, command: string): string {
  return atPlace(command, globals, io.platform);
}

/** The error of an item, with its command to run next as it has to be typed here. */
function here(session: Session, error: Record<string, unknown>): Record<string, unknown> {
  const { hint, next } = error;
  const at = (command: unknown) => atHere(session, String(command));
  const named = Array.isArray(next) ? next.map((one) => ({ ...one, command: at(one.command) })) : undefined;
  return { ...error, ...(typeof hint === 'string' && { hint: at(hint) }), ...defined({ next: named }) };
}

function skipped({ error, ...item }: LeftOut): Record<string, unknown> {
  return { ...item, status: 'skipped', error: error.toJSON() };
}

/** Why not every item of a job is ok, if so. @param total items, those left out among them */
function failureOf(
  session: Session,
  run: JobRun,
  job: string | undefined,
  total: number,
  resumed = false,
): DocsError | undefined {
  const { tally } = run;
  const { ok } = tally;
  if (ok === total) return undefined;
  const message = `${doneOf(ok, total)}${parts(tally, total)}`;
  const hint = job && nextCommand(run, job, resumed);
  const details = { total, notOk: total - ok, ...tally, ...defined({ job }) };
  const facts = { hint, details, retryable: false };
  if (run.journalFailure !== undefined) {
    return new DocsError(
      'local-io',
      'journal_unwritable',
      `${message}; ${run.journalFailure.message}`,
      facts,
    );
  }
  if (session.io.signal.aborted) {
    const kind = endedBy(session.io.signal);
    return new DocsError(kind, kind, `interrupted: ${message}`, facts);
  }
  return (
    sharedFailure(run, total) ??
    staleFailure(run, facts) ??
    new DocsError('partial', 'partial', message, facts)
  );
}

/** The error where everything was stale, so nothing was applied; undefined for anything else. */
function staleFailure({ tally, failures }: JobRun, facts: Failure): DocsError | undefined {
  const [first] = failures.filter(({ code }) => code === 'stale');
  const others = failures.some(({ code }) => code !== 'stale' && code !== 'held_back');
  if (first === undefined || others || tally.ok + tally.unknown > 0) return undefined;
  return new DocsError('conflict', 'stale', `nothing was applied: ${first.message}`, {
    ...facts,
    outcome: 'not-sent',
    details: { ...facts.details, ...first.failure.details },
  });
}

/** What makes progress: resuming, once; then settling by hand what no read settles, or a look at the causes. */
function nextCommand({ tally, failures, left }: JobRun, job: string, resumed: boolean): string {
  const retryable = failures.some(({ failure }) => failure.retryable === true);
  // The platform may show by then what it did not show in time.
  if (failures.some(({ code }) => code === 'not_verified' || code === 'not_available'))
    return `docs jobs resume ${job}`;
  // Resumed, what is stale would be stale again.
  const stale = failures.filter(({ code }) => code === 'stale' || code === 'held_back').length;
  if (stale > 0 && stale === failures.length && tally.unknown === 0) return `docs jobs show ${job}`;
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

/**
 * What applying a plan leaves undone: conflicts, which somebody must decide, and findings, which no operation can
 * do. The platform is then not as the files say, so the command ends with exit 3. What is withheld is not among
 * them: it waits for `--prune` on purpose.
 */

/** The command whose plans come from a backup, and not from a folder. */
const restoring = 'backup restore';

/** Shown for a person; `--json` and `docs plan` have all. */
const mostLines = 20;

/** An operation as rows name it: `memberships/writers/ada@acme.example`. */
function itemOf({ kind, key, lock }: Pick<PlanOperation, 'kind' | 'key' | 'lock'>): string {
  return lock?.item ?? `${kind}/${key}`;
}

/** Conflicts and findings as rows of results, after those of what is sent. */
function leftRows({ operations }: Plan): Record<string, unknown>[] {
  const sent = operations.filter(sends).length;
  return leftOf(operations).map((operation, at) => {
    const { id, kind, key, finding: { code, message, hint } = { code: '', message: '' } } = operation;
    const error = new DocsError(isConflict(operation) ? 'conflict' : 'findings', code, message, {
      outcome: 'not-sent',
      retryable: false,
      hint,
    });
    const about = { operation: id, item: itemOf(operation), kind, key };
    return { index: sent + at, id: key, status: 'skipped', error: error.toJSON(), ...about };
  });
}

/** Partial (exit 3) where something is left; undefined where a plan holds nothing that is. */
export function leftError(session: Session, plan: Plan, applied: number): DocsError | undefined {
  const left = leftOf(plan.operations);
  if (left.length === 0) return undefined;
  const done = applied === 0 ? 'nothing was applied' : `${counted(applied, 'change')} applied`;
  // The notes of a restore are about what no restore brings back.
  const notes = plan.command === restoring ? [] : (plan.notes ?? []);
  const remarks = sectionsOf({ ...plan, operations: left, notes }).flatMap((section) => section.remarks);
  const lines = remarks
    .slice(0, mostLines)
    .map(({ item, message, hint }) => `${item}: ${[message, hint].filter(Boolean).join(' ')}`);
  const rest = remarks.length > mostLines ? [`… and ${remarks.length - mostLines} more`] : [];
  const items = left.map((operation) => ({ item: itemOf(operation), code: operation.finding?.code }));
  return new DocsError('partial', 'left_over', `${done}; left as they are: ${countsOf(left)}`, {
    lines: [...lines, ...rest],
    hint: commandAfter(session, plan, left),
    retryable: false,
    details: { applied, left: items },
  });
}

function leftOf(operations: readonly PlanOperation[]): PlanOperation[] {
  return operations.filter(({ action }) => action === 'finding');
}

/** Shows what would be done if the file won; without a conflict, what is left. */
function commandAfter(
  { globals, io }: Session,
  plan: Plan,
  left: readonly PlanOperation[],
): string | undefined {
  // Other commands have no folder to plan again: what they left says what to do about it.
  if (plan.folder === undefined) {
    const hint = left.map(({ finding }) => finding?.hint).find((own) => own?.startsWith('docs '));
    return hint && atPlace(hint, globals, io.platform);
  }
  const conflict = left.find(isConflict);
  const take = conflict === undefined ? '' : ` --take ${shellWord(`file=${itemOf(conflict)}`, io.platform)}`;
  const { folder } = plan;
  const dir = folder === 'org' ? '' : ` --dir ${shellWord(folder, io.platform)}`;
  return atPlace(`docs plan${take}${dir}`, globals, io.platform);
}
