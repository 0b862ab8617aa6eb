import { join, resolve } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { warnReader } from '../../cli/run/output.js';
import { originOf } from '../../cli/run/session-job.js';
import { counted, grouped } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { partName } from '../../shards/part-folders.js';
import { parseShard, type Shard, shardWords } from '../../shards/shard.js';
import { notAllRead } from '../../snapshot/unread.js';
import { type RunOptions, type RunOutcome, runBackup } from '../../workflows/backup/execute.js';
import { runPart } from '../../workflows/backup/parts/part.js';
import { planBackup } from '../../workflows/backup/plan.js';
import type { PlannedSpace } from '../../workflows/backup/report.js';
import { recordRun } from '../../workflows/last-runs/last-runs.js';
import { planView } from './plan-view.js';
import { platformOf } from './platform.js';
import { failChanged, keepOf, notRead, notSigned, type Place, signerOf, tell } from './tell-run.js';

/** `docs backup run`: backs up an organization, or shows with `--dry-run` what it would read. */

const plannedStates = ['new', 'changed', 'unchanged', 'removed', 'distrusted'] as const;

/** @throws DocsError partial (exit 3); as `runBackup` */
export async function run(session: Session, input: ManualInput, view: View): Promise<void> {
  const out = input.options.out;
  if (typeof out !== 'string' || out === '')
    throw usageError('missing_out', 'missing --out: the folder to write the backup to', {
      hint: 'docs backup run --out <folder>',
    });
  const shard = shardIn(input);
  const { globals, printer, io } = session;
  await printer.check(globals.dryRun ? planView : view);
  const concurrency = concurrencyOf(input);
  const signer = await signerOf(session, input);
  const organization = await contextId(session, 'org');
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const options: RunOptions = {
    client,
    organization,
    concurrency,
    platform: platformOf(session),
    path: join(resolve(io.cwd, out), shard === undefined ? '' : partName(shard)),
    full: input.options.full === true,
    access: input.options.access !== false,
    signal: io.signal,
    now: () => io.now(),
    ...(signer && { signer }),
    ...(shard && { shard }),
    keep: keepOf(input),
  };
  if (shard !== undefined) printer.note(partWords(session, shard, out));
  const folder = shard === undefined ? out : join(out, partName(shard));
  if (globals.dryRun) await showPlan(session, options, folder);
  else await backUp(session, options, { folder, again: againWords(session, out, shard) }, view);
}

/** What `--shard` asks for. @throws DocsError usage `invalid_shard`, `contradiction` */
function shardIn({ options }: ManualInput): Shard | undefined {
  const shard = parseShard(options.shard);
  if (shard !== undefined && options.keep !== undefined)
    throw usageError('contradiction', '--keep belongs to docs backup merge, which keeps runs of the whole');
  return shard;
}

function partWords({ io }: Session, shard: Shard, out: string): string {
  const merge = `docs backup merge ${shellWord(out, io.platform)} --out <folder>`;
  return `This is ${shardWords(shard)}; "${merge}" joins all.`;
}

/** The command that runs it again. */
function againWords({ io }: Session, out: string, shard: Shard | undefined): string {
  const part = shard === undefined ? '' : ` --shard ${shard.index}/${shard.of}`;
  return `docs backup run --out ${shellWord(out, io.platform)}${part}`;
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
  throw notAllRead(`${counted(failed.length, 'read')} failed`, { details: { failed } });
}

async function backUp(session: Session, options: RunOptions, place: Place, view: View): Promise<void> {
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
  const { shard } = options;
  const all = { ...options, onProgress };
  const run = shard === undefined ? runBackup(all) : runPart({ ...all, shard });
  const outcome = await run
    .catch((cause: unknown) => {
      if (!(cause instanceof DocsError)) throw cause;
      throw io.signal.aborted ? stopped(session, reached, place) : cutOff(cause, reached, place);
    })
    .finally(() => progress.stop());
  if (shard === undefined) await remember(session, outcome, options);
  await tell(session, outcome, { place, view, signer: options.signer });
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
function stopped({ io }: Session, reached: Reached | undefined, { again: hint }: Place): DocsError {
  const kind = String(io.signal.reason).includes('SIGTERM') ? 'terminated' : 'interrupted';
  const { what, total, done } = reached ?? { what: 'member', total: 0, done: 0 };
  const of = `${grouped(done)} of ${counted(total, what)}`;
  const part = reached === undefined ? '' : `, permissions of ${of} read`;
  const words =
    what === 'space'
      ? `${of} done; the next run continues there`
      : `no space read yet${part}; files of earlier runs are kept, and the next run starts again`;
  return new DocsError(kind, kind, `${kind}: ${words}`, { hint });
}

/** A failure of the disk, such as a full one, with what follows for the backup. */
function cutOff(cause: DocsError, reached: Reached | undefined, { again: hint }: Place): DocsError {
  const { kind, code, message, failure } = cause;
  if (kind !== 'local-io' || reached === undefined || failure.hint !== undefined) return cause;
  const words = `${message} The backup is unfinished; the next run continues there.`;
  return new DocsError(kind, code, words, { ...failure, hint });
}
