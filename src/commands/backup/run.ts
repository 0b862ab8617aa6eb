import { resolve } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { failureToPrint, warnReader } from '../../cli/run/output-flags.js';
import { originOf } from '../../cli/run/session-job.js';
import { DocsError, usageError } from '../../errors.js';
import { checked } from '../../output/check-mark.js';
import { counted, grouped } from '../../output/counted.js';
import { fieldPaths } from '../../output/field-paths.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { safeText } from '../../output/safe-text.js';
import { shellWord } from '../../settings/shell-word.js';
import { namespaces } from '../../signing/namespaces.js';
import { openSigner, type Signer } from '../../signing/signer.js';
import type { Distrusted } from '../../workflows/backup/distrusted.js';
import { type RunOptions, type RunOutcome, runBackup } from '../../workflows/backup/execute.js';
import { type FailedEntry, failedLines } from '../../workflows/backup/folder/manifest.js';
import { planBackup } from '../../workflows/backup/plan.js';
import { BackupResult, PlannedSpace, resultOf, sentenceOf } from '../../workflows/backup/report.js';
import { parseKeep } from '../../workflows/backup/versions/keep.js';
import type { KeepAsked } from '../../workflows/backup/versions/versions.js';
import { recordRun } from '../../workflows/last-runs/last-runs.js';
import { platformOf } from './platform.js';

/** `docs backup run`: backs up an organization, or shows with `--dry-run` what it would read. */

const plannedStates = ['new', 'changed', 'unchanged', 'removed', 'distrusted'] as const;

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
  if (globals.jq !== undefined && !globals.dryRun) await printer.tryFilter(BackupResult);
  const concurrency = concurrencyOf(input);
  const signer = await signerOf(session, input);
  const organization = await contextId(session, 'org');
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const options: RunOptions = {
    client,
    organization,
    concurrency,
    platform: platformOf(session),
    path: resolve(io.cwd, out),
    full: input.options.full === true,
    access: input.options.access !== false,
    signal: io.signal,
    now: () => io.now(),
    ...(signer && { signer }),
    keep: keepOf(input),
  };
  if (globals.dryRun) await showPlan(session, options, out);
  else await backUp(session, options, out, view);
}

/** What `--keep` asks for. @throws DocsError usage `invalid_keep` */
function keepOf({ options }: ManualInput): KeepAsked {
  const typed = options.keep as string | undefined;
  return typed === undefined ? undefined : (parseKeep(typed) ?? 'none');
}

/** The key of `--sign`, which is tried before anything is read. @throws DocsError as `openSigner` */
async function signerOf({ io }: Session, { options }: ManualInput): Promise<Signer | undefined> {
  const key = options.sign as string | undefined;
  if (key === undefined) return undefined;
  const { env, cwd, signal } = io;
  return openSigner(resolve(cwd, key), namespaces.backup, { env, cwd, signal });
}

async function showPlan(session: Session, options: RunOptions, out: string): Promise<void> {
  const { printer, io, globals } = session;
  const progress = startProgress(io, { text: 'Looking for spaces', quiet: globals.quiet ?? false });
  const planned = await planBackup(options).finally(() => progress.stop());
  const { spaces, failed } = planned;
  await printer.list(spaces, planView);
  const of = (state: PlannedSpace['state']) => spaces.filter((space) => space.state === state).length;
  const states = plannedStates.filter((state) => of(state) > 0);
  const words = states.map((state) => `${grouped(of(state))} ${state}`).join(', ');
  printer.note(`Dry run: ${words === '' ? 'no spaces' : words}; nothing was written.`);
  if (planned.anew) printer.note(`${notSigned}: a run would read everything again.`);
  if (planned.distrusted.length > 0) failChanged(session, planned, out, 'a run would reuse nothing of it');
  if (failed.length === 0) return;
  warnReader(session, notRead(failed));
  throw new DocsError('partial', 'not_all_read', `${counted(failed.length, 'read')} failed`, {
    details: { failed },
  });
}

async function backUp(session: Session, options: RunOptions, out: string, view: View): Promise<void> {
  const { io, globals } = session;
  const quiet = globals.quiet ?? false;
  let progress = startProgress(io, { text: 'Reading the organization', quiet });
  let reached: Reached | undefined;
  const onProgress: RunOptions['onProgress'] = (what, total, done, failed) => {
    const began = reached?.what === what;
    reached = { what, total, done };
    if (!began) {
      progress.stop();
      const text = what === 'member' ? 'Reading permissions' : 'Backing up spaces';
      progress = startProgress(io, { text, quiet, total });
    }
    progress.count(done, failed);
  };
  const run = runBackup({ ...options, onProgress });
  const outcome = await run
    .catch((cause: unknown) => {
      if (!(cause instanceof DocsError)) throw cause;
      throw io.signal.aborted ? stopped(session, reached, out) : cutOff(session, cause, reached, out);
    })
    .finally(() => progress.stop());
  await remember(session, outcome, options);
  await tell(session, outcome, { out, view, signer: options.signer });
}

/** That the run finished is what `docs overview` tells. */
async function remember(
  session: Session,
  { manifest: { state, finishedAt, failed } }: RunOutcome,
  { organization, path }: RunOptions,
): Promise<void> {
  const at = finishedAt ?? new Date(session.io.now()).toISOString();
  const run = { at, folder: path, state, failed: failed.length };
  await recordRun(session.io, { origin: originOf(session), organization }, 'backup', run);
}

/** Progress of a run: first in members whose permissions are read, then in spaces. */
interface Reached {
  what: 'member' | 'space';
  total: number;
  done: number;
}

/** The failure of a run that was stopped by a signal; the next run continues. */
function stopped({ io }: Session, reached: Reached | undefined, out: string): DocsError {
  const kind = String(io.signal.reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
  const { what, total, done } = reached ?? { what: 'member', total: 0, done: 0 };
  const of = `${grouped(done)} of ${counted(total, what)}`;
  const part = reached === undefined ? '' : `, permissions of ${of} read`;
  const words =
    what === 'space'
      ? `${of} done; the next run continues there`
      : `no space read yet${part}; files of earlier runs are kept, and the next run starts again`;
  const hint = `docs backup run --out ${shellWord(out, io.platform)}`;
  return new DocsError(kind, kind, `${kind}: ${words}`, { hint });
}

/** A failure of the disk, such as a full one, with what follows for the backup. */
function cutOff({ io }: Session, cause: DocsError, reached: Reached | undefined, out: string): DocsError {
  const { kind, code, message, failure } = cause;
  if (kind !== 'local-io' || reached === undefined || failure.hint !== undefined) return cause;
  const hint = `docs backup run --out ${shellWord(out, io.platform)}`;
  const words = `${message} The backup is unfinished; the next run continues there.`;
  return new DocsError(kind, code, words, { ...failure, hint });
}

/** The result; what could not be read, one a line; then the failure, if there is one. */
async function tell(
  session: Session,
  outcome: RunOutcome,
  { out, view, signer }: { out: string; view: View; signer: Signer | undefined },
): Promise<void> {
  const { io, printer } = session;
  const result = resultOf(outcome, resolve(io.cwd, out), signer?.fingerprint);
  const isGood = outcome.distrusted.length === 0 && outcome.manifest.failed.length === 0;
  const said = sentenceOf(outcome, out);
  const sentence = isGood ? checked(io, said) : said;
  const unprinted = await failureToPrint(() => printer.done(result, sentence, view));
  if (outcome.anew) printer.note(`${notSigned}: nothing of it was reused, everything was read again.`);
  if (unprinted !== undefined && isGood) throw unprinted;
  if (unprinted !== undefined) printer.warn(unprinted.message);
  if (!isGood) failRun(session, outcome, out);
}

/** What was changed in the backup, or could not be read, as the failure of a run. */
function failRun(
  session: Session,
  { distrusted, manifest: { failed, state } }: RunOutcome,
  out: string,
): never {
  const { io } = session;
  const unread = `${counted(failed.length, 'thing')} could not be read`;
  const now = state === 'whole' ? 'the backup is whole again' : unread;
  if (distrusted.length > 0)
    failChanged(session, { distrusted, failed }, out, `nothing of it was reused, and ${now}`);
  warnReader(session, notRead(failed));
  throw new DocsError('partial', 'not_all_read', `${unread}; the rest is backed up`, {
    details: { failed },
    retryable: true,
    hint: `docs backup run --out ${shellWord(out, io.platform)}`,
  });
}

const notSigned = 'The last run was not signed by this key';

function notRead(failed: readonly FailedEntry[]): string[] {
  return failedLines(failed).map((words) => `Not read: ${safeText(words)}`);
}

/** What was changed in the backup since the last run, and could not be read. */
interface Changed {
  distrusted: readonly (Omit<Distrusted, 'path'> & Partial<Distrusted>)[];
  failed: readonly FailedEntry[];
}

/** Exit 17, whatever could not be read. @param so what follows for the backup */
function failChanged(session: Session, { distrusted, failed }: Changed, out: string, so: string): never {
  const lines = distrusted.map(({ kind, id, title, path }) => {
    const what = kind === 'manifest' ? 'the signed manifest' : `space ${title ?? id} (${id})`;
    return safeText(`Changed since the last run: ${what}${path === undefined ? '' : `; see ${path}`}`);
  });
  warnReader(session, [...lines, ...notRead(failed)]);
  const what = distrusted.some(({ kind }) => kind === 'manifest')
    ? 'the signed manifest was'
    : `${counted(distrusted.length, 'space')} ${distrusted.length === 1 ? 'was' : 'were'}`;
  const message = `${what} changed in the backup since the last run; ${so}`;
  throw new DocsError('findings', 'backup_changed', message, {
    details: { distrusted, failed },
    hint: `docs backup verify ${shellWord(out, session.io.platform)}`,
  });
}
