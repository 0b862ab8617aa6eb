import { resolve } from 'node:path';
import { called, diffKnownSpace, diffOrganization, organizationIn } from '../../backup/diff-backups.js';
import type { Folder } from '../../backup/folder.js';
import {
  type FileEntry,
  type Manifest,
  openBackup,
  type ReadManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from '../../backup/manifest.js';
import {
  BackupReader,
  chooseRun,
  isLost,
  logCommand,
  manifestOf,
  RunFolder,
  unlessLost,
} from '../../backup/reader.js';
import { readRecords, runOf, runsOf } from '../../backup/records.js';
import type { Difference, LoggedRun, ShownChange } from '../../backup/shapes.js';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Offers } from '../../cli/declare/takers.js';
import type { Report } from '../../cli/run/run-report.js';
import type { Page, View } from '../../output/printer.js';
import { counted } from '../../output/text.js';

/** `docs backup show`: lists what a run changed. */

type ShownRun = Awaited<ReturnType<typeof showRun>> & { count: number; byHash: number };

/** As `openBackup`, `showRun`. */
export const showReport: Report<ShownRun> = {
  async read({ session: { io }, input: { args } }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    return { ...(await showRun(folder, read, String(args.run), io.now())), count: 0, byHash: 0 };
  },
  rows: (shown) => ({ items: pagesOf(shown) }),
  // The note below says it, with what was compared.
  rowView: ({ view: { empty: _, ...shown } }) => shown,
  notes({ run, before, count }) {
    const words = count === 0 ? 'no differences' : counted(count, 'difference');
    const from = before === undefined ? 'the first run' : `compared with run ${before.run}`;
    return [`Run ${run.run}, ${from}: ${words}.`];
  },
  end({ run, byHash }, { session: { printer } }) {
    if (byHash > 0)
      printer.warn(
        `${counted(byHash, 'difference')} by hash alone: the files of that run are lost or damaged.`,
      );
    if (run.state !== 'whole')
      printer.warn(`Run ${run.run} is ${run.state}: what it lacks is listed as removed, or not at all.`);
    return undefined;
  },
};

async function* pagesOf(shown: ShownRun): AsyncGenerator<Page> {
  for await (const change of shown.changes) {
    shown.count += 1;
    if (change.compared === 'hashes') shown.byHash += 1;
    yield { items: [change], next: 'more' };
  }
}

/** A run, and the one before it that finished; undefined for the first run. */
interface Shown {
  run: LoggedRun;
  before: LoggedRun | undefined;
  changes: AsyncGenerator<ShownChange>;
}

/**
 * What a run changed against the run before it.
 * @param at as for `chooseRun`
 * @throws DocsError usage `unknown_run`, `invalid_run`, `before_not_kept`; exit 13
 */
export async function showRun(
  folder: Folder,
  present: ReadManifest,
  at: string,
  nowMs: number,
): Promise<Shown> {
  const record = await chooseRun(folder, present.manifest, at, nowMs);
  const number = record?.run ?? runOf(present.manifest);
  const runs = await runsOf(folder, present);
  const run = runs.find((one) => one.run === number) as LoggedRun;
  const before = runs.find((one) => one.run < number && one.state !== 'unfinished');
  if (before === undefined ? number > 1 : !before.kept) throw notKept(folder, run);
  const later = await openRun(folder, present.manifest, number);
  const nothing = { ...later.manifest, files: [], spaces: [] };
  const earlier = before
    ? await openRun(folder, present.manifest, before.run)
    : new BackupReader(folder, nothing);
  return { run, before, changes: changesOf(earlier, later) };
}

async function openRun(folder: Folder, present: Manifest, run: number): Promise<BackupReader> {
  const record = (await readRecords(folder)).find((one) => one.run === run);
  if (record === undefined || run === runOf(present)) return new BackupReader(folder, present);
  const manifest = await manifestOf(folder, record);
  return new BackupReader(new RunFolder(folder, run, manifest, present), manifest);
}

async function* changesOf(a: BackupReader, b: BackupReader): AsyncGenerator<ShownChange> {
  const kept = new Set(b.manifest.spaces.map(({ id }) => id));
  for (const old of a.manifest.spaces)
    if (!kept.has(old.id)) yield { change: 'removed', kind: 'space', ...called(old), compared: 'values' };
  yield* orByHash(diffOrganization(organizationIn(a), organizationIn(b)), () =>
    differingFiles(a.manifest, b.manifest, ''),
  );
  const spaces = new Map(a.manifest.spaces.map((entry) => [entry.id, entry]));
  for (const now of b.manifest.spaces) {
    const old = spaces.get(now.id);
    if (old === undefined) yield { change: 'added', kind: 'space', ...called(now), compared: 'values' };
    else yield* orByHash(diffKnownSpace(a, old, b, now), () => filesOfSpace(a, old, b, now));
  }
}

/** The differences of one space or of the organization; if bytes are lost, the files that differ. */
async function* orByHash(
  differences: AsyncIterable<Difference>,
  files: () => AsyncIterable<Difference> | Iterable<Difference>,
): AsyncGenerator<ShownChange> {
  const found: Difference[] = [];
  try {
    for await (const difference of differences) found.push(difference);
  } catch (cause) {
    if (!isLost(cause)) throw cause;
    for await (const difference of files()) yield { ...difference, compared: 'hashes' };
    return;
  }
  for (const difference of found) yield { ...difference, compared: 'values' };
}

async function* filesOfSpace(
  a: BackupReader,
  old: SpaceEntry,
  b: BackupReader,
  now: SpaceEntry,
): AsyncGenerator<Difference> {
  const before = await a.space(old).catch(unlessLost);
  const after = await b.space(now).catch(unlessLost);
  const at = spaceFolder(now.folder);
  if (before && after) yield* differingFiles(before, after, `${at}/`, now.title);
  else yield { change: 'changed', kind: 'space', ...called(now) };
}

function notKept({ root }: Folder, { run, added, changed, removed }: LoggedRun) {
  const counts =
    added === undefined ? '' : `; it added ${added} files, changed ${changed} and removed ${removed}`;
  const message = `the run before run ${run} is not kept in ${root}, so what it changed is not known${counts}`;
  return usageError('before_not_kept', message, { hint: logCommand(root) });
}

/** What differs in the files of a space, or at the top, by path and hash: for where the bytes are lost. */
function* differingFiles(
  before: Pick<SpaceManifest, 'files'>,
  after: Pick<SpaceManifest, 'files'>,
  at: string,
  space?: string,
): Generator<Difference> {
  const old = new Map(before.files.map((file) => [file.path, file]));
  for (const file of after.files) {
    const was = old.get(file.path);
    old.delete(file.path);
    if (was === undefined) yield differing('added', file, at, space);
    else if (was.sha256 !== file.sha256)
      yield { ...differing('changed', file, at, space), detail: `bytes: ${was.bytes} → ${file.bytes}` };
  }
  for (const file of old.values()) yield differing('removed', file, at, space);
}

function differing(
  change: Difference['change'],
  { kind, id, title, path }: FileEntry,
  at: string,
  space: string | undefined,
): Difference {
  return { change, kind, id: id ?? path, ...defined({ title, space, path: at + path }) };
}

/** `docs backup log`: lists the runs of a backup. */

/** @throws DocsError as `openBackup` */
export async function log(session: Session, input: ManualInput, view: View): Promise<void> {
  const { printer, io } = session;
  await printer.check(view);
  const { folder, ...read } = await openBackup(resolve(io.cwd, String(input.args.folder)));
  await printer.list(await runsOf(folder, read), view);
}

/** The runs of a backup that can be shown, newest first. */
export const keptRuns: Offers = {
  none: 'The backup has no run.',
  async list({ io }, { args }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    const runs = (await runsOf(folder, read)).filter(({ kept }) => kept);
    return runs.map(({ run, startedAt, state, spaces }) => ({
      value: String(run),
      name: `${run}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${state}  ${counted(spaces, 'space')}`,
    }));
  },
};
