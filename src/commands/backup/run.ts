import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { warnReader } from '../../cli/run/output-flags.js';
import { DocsError, usageError } from '../../errors.js';
import { counted, grouped } from '../../output/counted.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { safeText } from '../../output/safe-text.js';
import { shellWord } from '../../settings/shell-word.js';
import { type RunOptions, type RunOutcome, runBackup } from '../../workflows/backup/execute.js';
import { failedWords } from '../../workflows/backup/folder/manifest.js';
import { planBackup } from '../../workflows/backup/plan.js';
import { PlannedSpace, resultOf, sentenceOf } from '../../workflows/backup/report.js';
import { unreadWords } from '../../workflows/reading/reading.js';
import { platformOf } from './platform.js';

/** `docs backup run`: backs up an organization, or shows with `--dry-run` what it would read. */

const planView: View = {
  columns: ['state', 'title', 'id'].map((path) => ({ path })),
  ...fieldPaths(PlannedSpace),
  empty: 'No spaces.',
};

/** @throws DocsError partial (exit 3); as `runBackup` */
export async function run(session: Session, input: ManualInput, view: View): Promise<void> {
  const out = input.options.out;
  if (typeof out !== 'string' || out === '')
    throw usageError('missing_out', 'missing --out: the folder to write the backup to', {
      hint: 'docs backup run --out <folder>',
    });
  const { globals, printer, io } = session;
  await printer.check(globals.dryRun ? planView : view);
  const concurrency = concurrencyOf(input);
  const organization = await contextId(session, 'org');
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const options: RunOptions = {
    client,
    organization,
    concurrency,
    platform: platformOf(session),
    path: resolve(io.cwd, out),
    full: input.options.full === true,
    signal: io.signal,
    now: () => io.now(),
  };
  if (globals.dryRun) await showPlan(session, options);
  else await backUp(session, options, out, view);
}

async function showPlan(session: Session, options: RunOptions): Promise<void> {
  const { printer, io, globals } = session;
  const progress = startProgress(io, { text: 'Looking for spaces', quiet: globals.quiet ?? false });
  const { spaces, failed } = await planBackup(options).finally(() => progress.stop());
  await printer.list(spaces, planView);
  const of = (state: PlannedSpace['state']) => spaces.filter((space) => space.state === state).length;
  const states = (['new', 'changed', 'unchanged', 'removed'] as const).filter((state) => of(state) > 0);
  const words = states.map((state) => `${grouped(of(state))} ${state}`).join(', ');
  printer.note(`Dry run: ${words === '' ? 'no spaces' : words}; nothing was written.`);
  if (failed.length === 0) return;
  for (const one of failed) printer.warn(`Not read: ${failedWords(one)}`);
  throw new DocsError('partial', 'not_all_read', `${counted(failed.length, 'read')} failed`, {
    details: { failed },
  });
}

async function backUp(session: Session, options: RunOptions, out: string, view: View): Promise<void> {
  const { io, globals } = session;
  const quiet = globals.quiet ?? false;
  let progress = startProgress(io, { text: 'Reading the organization', quiet });
  let reached: Reached | undefined;
  const onProgress = (total: number, done: number, failed: number): void => {
    const began = reached !== undefined;
    reached = { total, done };
    if (!began) {
      progress.stop();
      progress = startProgress(io, { text: 'Backing up spaces', quiet, total });
    }
    progress.count(done, failed);
  };
  const run = runBackup({ ...options, onProgress });
  const outcome = await run
    .catch((cause: unknown) => {
      throw io.signal.aborted && cause instanceof DocsError ? stopped(session, reached, out) : cause;
    })
    .finally(() => progress.stop());
  await tell(session, outcome, out, view);
}

/** Progress of a run, in spaces. */
interface Reached {
  total: number;
  done: number;
}

/** The failure of a run that was stopped by a signal; the next run continues. */
function stopped({ io }: Session, reached: Reached | undefined, out: string): DocsError {
  const kind = String(io.signal.reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
  const { total, done } = reached ?? { total: 0, done: 0 };
  const of =
    reached === undefined ? 'before the first space' : `${grouped(done)} of ${counted(total, 'space')} done`;
  const hint = `docs backup run --out ${shellWord(out, io.platform)}`;
  return new DocsError(kind, kind, `${kind}: ${of}; the next run continues there`, { hint });
}

/** The result; what could not be read, one a line; then the failure, if there is one. */
async function tell(session: Session, outcome: RunOutcome, out: string, view: View): Promise<void> {
  const { io, printer } = session;
  const result = resultOf(outcome, resolve(io.cwd, out));
  await printer.done(result, sentenceOf(outcome, out), view);
  const { failed } = result;
  if (failed.length === 0) return;
  const unread = failed.map((one) => `Not read: ${safeText(unreadWords(one))}`);
  warnReader(session, unread);
  const message = `${counted(failed.length, 'thing')} could not be read; the rest is backed up`;
  throw new DocsError('partial', 'not_all_read', message, {
    details: { failed },
    retryable: true,
    hint: `docs backup run --out ${shellWord(out, io.platform)}`,
  });
}
