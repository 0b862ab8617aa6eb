import { usageError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { called, diffKnownSpace, diffOrganization, organizationIn } from './diff-backups.js';
import type { Folder } from './folder.js';
import {
  type FileEntry,
  type Manifest,
  type ReadManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from './manifest.js';
import { BackupReader, chooseRun, isLost, logCommand, manifestOf, RunFolder, unlessLost } from './reader.js';
import { readRecords, runOf, runsOf } from './records.js';
import type { Difference, LoggedRun, ShownChange } from './shapes.js';

/** What a run of a backup changed. */

/** A run, and the one before it that finished; undefined for the first run. */
export interface Shown {
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
  const message = `the run before run ${run} is not kept in ${root}, so its changes are unknown${counts}`;
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
