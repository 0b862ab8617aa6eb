import { join, relative, resolve, sep } from 'node:path';
import { olderSpaces } from '../../backup/ages.js';
import { type FailedEntry, failedLines, type Manifest, openFolder } from '../../backup/manifest.js';
import { type JoinOptions, joinParts, spacesThere } from '../../backup/merge.js';
import { openParts, runPart } from '../../backup/parts.js';
import { parseKeep } from '../../backup/records.js';
import { planBackup, type RunOptions, runBackup } from '../../backup/run.js';
import { type BackupResult, type Distrusted, PlannedSpace } from '../../backup/shapes.js';
import { trustIn } from '../../backup/trust.js';
import type { KeepAsked } from '../../backup/versions.js';
import type { RunOutcome } from '../../backup/writer.js';
import { DocsError, endedBy, sentences, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { originOf } from '../../cli/run/origin.js';
import { failureToPrint, warnReader } from '../../cli/run/output.js';
import { platformOf } from '../../cli/run/session-job.js';
import { partTimes, tellTimes } from '../../cli/run/shards.js';
import { recordRun } from '../../jobs/last-runs.js';
import { checked } from '../../output/messages.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import type { View } from '../../output/printer.js';
import { type Progress, showProgress, startProgress } from '../../output/progress.js';
import { counted, grouped, safeText } from '../../output/text.js';
import { parseShard, partName, type Shard, shardWords } from '../../shards/shard.js';
import { openSigner, type Signer } from '../../signing/signer.js';
import { namespaces } from '../../signing/ssh-signature.js';
import { notAllRead } from '../../snapshot/unread.js';

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
    full: input.options.again === true,
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
  const { printer } = session;
  const planned = await showProgress(session, 'Looking for spaces', () => planBackup(options));
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

async function backUp(session: Session, options: RunOptions, place: BackupTarget, view: View): Promise<void> {
  const { io, globals } = session;
  const quiet = globals.quiet ?? false;
  const progress = startProgress(io, { text: 'Reading the organization', quiet });
  let reached: Reached | undefined;
  const onProgress: RunOptions['onProgress'] = (what, total, done, failed) => {
    const began = reached?.what === what;
    reached = { what, total, done };
    if (!began) progress.next(what === 'member' ? 'Reading permissions' : 'Backing up spaces', total);
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
  if (shard === undefined) await remember(session, outcome.manifest, options);
  await tell(session, outcome, { place, view, signer: options.signer });
}

/** That the backup is there is what `docs overview` tells. */
async function remember(
  session: Session,
  { state, finishedAt, startedAt, failed }: Manifest,
  { organization, path: folder }: { organization: string; path: string },
): Promise<void> {
  const run = { at: finishedAt ?? startedAt, folder, state, failed: failed.length };
  await recordRun(session.io, { origin: originOf(session), organization }, 'backup', run);
}

/** Progress of a run: first in members whose permissions are read, then in spaces. */
interface Reached {
  what: 'member' | 'space';
  total: number;
  done: number;
}

/** The failure of a run that was stopped by a signal; the next run continues. */
function stopped({ io }: Session, reached: Reached | undefined, { again: hint }: BackupTarget): DocsError {
  const kind = endedBy(io.signal);
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
function cutOff(cause: DocsError, reached: Reached | undefined, { again: hint }: BackupTarget): DocsError {
  if (cause.kind !== 'local-io' || reached === undefined || cause.failure.hint !== undefined) return cause;
  return cause.changed(
    { hint },
    sentences(cause.message, 'The backup is unfinished; the next run continues there'),
  );
}

/** Of `--dry-run` where a backup is written. */
const planView: View = {
  columns: ['state', 'title', 'id'].map((path) => ({ path })),
  ...fieldPaths(PlannedSpace),
  empty: 'No spaces.',
};

/** What the commands that write a backup have in common: their flags, and what they tell. */

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

/** The folder of a run as it is named to a person, and the command that runs it again. */
interface BackupTarget {
  folder: string;
  again: string;
}

/** The result; what could not be read, one a line; then the failure, if there is one. */
export async function tell(
  session: Session,
  outcome: RunOutcome,
  { place, view, signer }: { place: BackupTarget; view: View; signer: Signer | undefined },
): Promise<void> {
  const { io, printer } = session;
  const result = resultOf(outcome, resolve(io.cwd, place.folder), signer?.fingerprint);
  const isGood = outcome.distrusted.length === 0 && outcome.manifest.failed.length === 0;
  const said = sentenceOf(outcome, place.folder);
  const sentence = isGood ? checked(io, said) : said;
  const unprinted = await failureToPrint(() => printer.done(result, sentence, view));
  if (outcome.anew) printer.note(`${notSigned}: nothing of it was reused, everything was read again.`);
  if (unprinted !== undefined && isGood) throw unprinted;
  if (unprinted !== undefined) printer.warn(unprinted.message);
  if (!isGood) failRun(session, outcome, place);
}

/** What was changed in the backup, or could not be read, as the failure of a run. */
function failRun(
  session: Session,
  { distrusted, manifest: { failed, state } }: RunOutcome,
  { folder, again: hint }: BackupTarget,
): never {
  const unread = `${counted(failed.length, 'thing')} could not be read`;
  const now = state === 'whole' ? 'the backup is whole again' : unread;
  if (distrusted.length > 0)
    failChanged(session, { distrusted, failed }, folder, `nothing of it was reused, and ${now}`);
  warnReader(session, notRead(failed));
  throw notAllRead(`${unread}; the rest is backed up`, { details: { failed }, retryable: true, hint });
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

/** `docs backup merge`: joins the parts of `docs backup run --shard`. */

/** @throws DocsError usage; partial (exit 3), as `openParts`, `joinParts`; findings (exit 17) as a run */
export async function merge(session: Session, input: ManualInput, view: View): Promise<void> {
  const { globals, printer, io } = session;
  const [from, out] = [String(input.args.folder), String(input.options.out)];
  await printer.check(globals.dryRun ? planView : view);
  const path = resolve(io.cwd, out);
  const source = resolve(io.cwd, from);
  if (isWithin(path, source) && isWithin(source, path))
    throw usageError(
      'contradiction',
      '--out is the folder of the parts; the whole needs a folder of its own',
    );
  const signer = await signerOf(session, input);
  const again = `docs backup run --out ${shellWord(from, io.platform)}`;
  const [first, ...others] = await openParts(source, again);
  if (first === undefined) throw new Error('There is no part.');
  const parts: JoinOptions['parts'] = [first, ...others];
  const options: JoinOptions = { parts, path, again, keep: keepOf(input), now: () => io.now() };
  const signed = { ...options, ...(signer && { signer }) };
  tellTimes(session, partTimes(parts.map(({ record }) => record)));
  if (globals.dryRun) return showMergePlan(session, signed);
  const total = parts.reduce((sum, { manifest }) => sum + manifest.spaces.length, 0);
  const join = (progress: Progress) =>
    joinParts({ ...signed, onProgress: (_, done) => progress.count(done, 0) });
  const outcome = await showProgress(session, 'Joining spaces', join, total);
  const { organization, platform } = outcome.manifest;
  if (originOf(session) !== '' && platformOf(session) === platform)
    await remember(session, outcome.manifest, { organization: organization.id, path });
  const place = {
    folder: out,
    again: `docs backup merge ${shellWord(from, io.platform)} --out ${shellWord(out, io.platform)}`,
  };
  await tell(session, outcome, { place, view, signer });
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}

async function showMergePlan(session: Session, options: JoinOptions): Promise<void> {
  const { printer } = session;
  const { parts, path, signer } = options;
  const { record } = parts[0];
  const { folder, last } = await openFolder(path, record.organization, record.platform);
  const trust = await trustIn(folder, last, signer);
  const there = await spacesThere(folder, trust, parts);
  const known = new Set((trust.previous?.spaces ?? []).map(({ id }) => id));
  const spaces = parts.flatMap(({ manifest }) => manifest.spaces);
  const rows = spaces.map(({ id, title }): PlannedSpace => {
    return { id, title, state: there.has(id) ? 'unchanged' : known.has(id) ? 'changed' : 'new' };
  });
  const found = new Set(spaces.map(({ id }) => id));
  const gone = (trust.previous?.spaces ?? []).filter(({ id }) => !found.has(id));
  if (parts.every((part) => part.record.whole))
    for (const { id, title } of gone) rows.push({ id, title, state: 'removed' });
  await printer.list(
    rows.sort((a, b) => (a.id < b.id ? -1 : 1)),
    planView,
  );
  printer.note(
    `Dry run: ${counted(parts.length, 'part')} with ${counted(spaces.length, 'space')}; nothing was written.`,
  );
}

/** @param folder absolute path of the backup */
function resultOf(outcome: RunOutcome, folder: string, signedBy?: string): BackupResult {
  const { manifest, sha256, unchanged, moved, kept, distrusted } = outcome;
  const { spaces = 0, pages = 0, files = 0, fileBytes = 0, ...counts } = manifest.counts;
  const status = manifest.state === 'whole' ? 'whole' : 'partial';
  const head = { id: manifest.organization.id, status, folder, manifest: sha256 } as const;
  const ages = { older: olderSpaces(manifest).length, accessReadAt: manifest.accessReadAt ?? null };
  const numbers = { spaces, unchanged, ...ages, moved, kept, pages, files, fileBytes, counts };
  const failed = manifest.failed as BackupResult['failed'];
  return defined({ ...head, ...numbers, failed, distrusted: [...distrusted], signedBy });
}

/** `Backed up Acme Docs to backup: 5 spaces (4 unchanged), 19 pages, 2 files, 7 members.` */
function sentenceOf({ manifest, unchanged }: RunOutcome, out: string): string {
  const { spaces = 0, pages = 0, files = 0, members = 0 } = manifest.counts;
  const same = unchanged === 0 ? '' : ` (${grouped(unchanged)} unchanged)`;
  const rest = [counted(pages, 'page'), counted(files, 'file'), counted(members, 'member')].join(', ');
  return `Backed up ${manifest.organization.title} to ${out}: ${counted(spaces, 'space')}${same}, ${rest}.`;
}
