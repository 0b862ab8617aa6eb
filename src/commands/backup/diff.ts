import { resolve } from 'node:path';
import { isJsonObject } from '../../api/transport/json-text.js';
import { hasAccess } from '../../backup/ages.js';
import {
  called,
  diffBackups,
  diffKnownSpace,
  diffOrganization,
  organizationIn,
} from '../../backup/diff-backups.js';
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
  openReader,
  RunFolder,
  unlessLost,
} from '../../backup/reader.js';
import { readRecords, runOf, runsOf } from '../../backup/records.js';
import type { Difference, LoggedRun, ShownChange } from '../../backup/shapes.js';
import { DocsError, usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { Offers } from '../../cli/declare/takers.js';
import { outputFormat } from '../../cli/run/output.js';
import type { Page, Report, Session } from '../../cli/run/run-report.js';
import type { Cell, ChangedItem, Document } from '../../document/document.js';
import { plainText } from '../../output/cells.js';
import { counted, grouped, utcText } from '../../output/text.js';

/** `docs backup show`: lists what a run changed. */

type ShownRun = Awaited<ReturnType<typeof showRun>> & { count: number; byHash: number };

/** As `openBackup`, `showRun`. */
export const showReport: Report<ShownRun> = {
  async read({ session: { io }, input: { args } }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    return { ...(await showRun(folder, read, String(args.run), io.now())), count: 0, byHash: 0 };
  },
  rows: (shown) => ({ items: changePages(shown) }),
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

async function* changePages(shown: ShownRun): AsyncGenerator<Page> {
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

/** As `openBackup`. */
export const logReport: Report<LoggedRun[]> = {
  async read({ session: { io }, input: { args } }) {
    const { folder, ...read } = await openBackup(resolve(io.cwd, String(args.folder)));
    return runsOf(folder, read);
  },
  rows: (runs) => runs,
};

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

/** `docs backup diff`: lists what changed from one backup to another. */

interface BackupsRead {
  /** As they were typed. */
  names: readonly [string, string];
  opened: readonly [BackupReader, BackupReader];
  count: number;
  /** For the page, and where differences are folded. */
  kept: Difference[];
  /** Permissions that are folded into a role. */
  followed: number;
}

/** Findings (exit 17) with `--exit-code` if something differs; as `openReader`. */
export const diffReport: Report<BackupsRead> = {
  async read({ session: { io, printer }, input: { args } }) {
    const names = [String(args.a), String(args.b)] as const;
    const open = (name: string) => openReader(resolve(io.cwd, name));
    const opened = await Promise.all([open(names[0]), open(names[1])]);
    for (const { root, manifest } of opened)
      if (manifest.state !== 'whole')
        printer.warn(`${root} is ${manifest.state}: what it lacks is listed as removed, or not at all.`);
    return { names, opened, count: 0, kept: [], followed: 0 };
  },
  rows: (read, { session, page }) => ({ items: pagesOf(read, isForReading(session), page) }),
  // The note at the end says it everywhere.
  rowView: ({ view: { empty: _, ...shown } }) => shown,
  notes({ opened }) {
    const without = opened.filter(({ manifest }) => !hasAccess(manifest)).map(({ root }) => root);
    if (without.length === 0) return [];
    return [`Permissions in spaces are not compared: ${without.join(' and ')} does not have them.`];
  },
  page({ kept, names: [a, b], opened: [one, other] }) {
    return diffPage(kept, [
      { name: a, manifest: one.manifest },
      { name: b, manifest: other.manifest },
    ]);
  },
  end({ count, followed }, { input }) {
    const follows =
      followed === 0 ? '' : `, ${grouped(followed)} of them permissions that follow from a new role`;
    const words = count === 0 ? 'No differences.' : `${counted(count, 'difference')}${follows}.`;
    if (count === 0 || input.options.exitCode !== true) return { note: words };
    return { failure: new DocsError('findings', 'backups_differ', words) };
  },
};

async function* pagesOf(read: BackupsRead, folds: boolean, isPaged: boolean): AsyncGenerator<Page> {
  for await (const difference of diffBackups(...read.opened)) {
    read.count += 1;
    if (isPaged || folds) read.kept.push(difference);
    if (!folds) yield { items: [difference], next: 'more' };
  }
  if (!folds) return;
  const { differences, followed } = foldedForReading(read.kept);
  read.followed = followed;
  yield { items: differences };
}

/** Formats for people; a person who names fields, or an order, gets a row for each difference. */
function isForReading(session: Session): boolean {
  const { settings, globals, sorts } = session;
  const isNamed = (settings.fields ?? globals.jq ?? sorts) !== undefined;
  return !isNamed && outputFormat(session) === 'table';
}

/** Differences for people: what is gone first, and permissions that follow from a new role as part of that. */

interface Folded {
  differences: Difference[];
  /** Permissions that are part of a role now. */
  followed: number;
  /** Where a role is the permission now, too, by the id of its member: `the same in 46 spaces: …`. */
  also: ReadonlyMap<string, string>;
}

/** Spaces that a role names; of more, only the number. */
const mostNamed = 3;

export function foldedForReading(all: readonly Difference[]): Folded {
  const roles = new Map(all.filter((one) => one.kind === 'member').flatMap(roleOf));
  const followers = new Map<string, Difference[]>();
  const rest = all.filter((one) => {
    if (one.kind !== 'access' || !isSame(roles.get(one.id), changeOf(one, 'permission'))) return true;
    followers.set(one.id, [...(followers.get(one.id) ?? []), one]);
    return false;
  });
  const also = new Map([...followers].map(([id, own]) => [id, alsoIn(own)]));
  const differences = rest.map((one) => {
    const where = one.kind === 'member' ? also.get(one.id) : undefined;
    return where === undefined ? one : { ...one, detail: `${one.detail}; ${where}` };
  });
  const isGone = ({ change }: Difference) => change === 'removed';
  return {
    differences: [...differences.filter(isGone), ...differences.filter((one) => !isGone(one))],
    followed: all.length - rest.length,
    also,
  };
}

type Change = { before: unknown; after: unknown } | undefined;

function changeOf({ fields = [] }: Difference, name: string): Change {
  const found = fields.find(({ field }) => field === name);
  return found && { before: found.before, after: found.after };
}

function roleOf(difference: Difference): [string, Change][] {
  const role = changeOf(difference, 'role');
  return role === undefined ? [] : [[difference.id, role]];
}

function isSame(role: Change, permission: Change): boolean {
  return role !== undefined && role.before === permission?.before && role.after === permission?.after;
}

/** `the same in 46 spaces: API, Guide, Welcome and 43 more`. */
function alsoIn(followers: readonly Difference[]): string {
  const names = followers.slice(0, mostNamed).map(({ space, spaceId }) => space ?? spaceId ?? '');
  const more = followers.length - names.length;
  const where = followers.length === 1 ? '1 space' : `${followers.length} spaces`;
  return `the same in ${where}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A backup as it is named in the report of a comparison. */
export interface ComparedBackup {
  /** Its folder, as typed. */
  name: string;
  manifest: Pick<Manifest, 'organization' | 'platform' | 'state' | 'startedAt' | 'finishedAt' | 'files'>;
}

/** What changed between two backups, as a page: each thing with its fields before and after. */
export function diffPage(
  differences: readonly Difference[],
  [a, b]: readonly [ComparedBackup, ComparedBackup],
): Document {
  const { organization, platform } = b.manifest;
  const folded = foldedForReading(differences);
  const missing = [a, b].flatMap(({ name, manifest: { state } }) =>
    state === 'whole' ? [] : [`${name} is ${state}: what it lacks is listed as removed, or not at all.`],
  );
  const without = [a, b].filter(({ manifest }) => !hasAccess(manifest)).map(({ name }) => name);
  if (without.length > 0)
    missing.push(`Permissions in spaces are not compared: ${without.join(' and ')} does not have them.`);
  return {
    title: `Changes in ${organization.title}`,
    about: [differences.length === 0 ? 'No differences.' : `${counted(differences.length, 'difference')}.`],
    missing,
    facts: [
      ['Organization', `${organization.title} (${organization.id})`],
      ['Platform', platform],
      ['Earlier backup', backupWords(a)],
      ['Later backup', backupWords(b)],
    ],
    parts: [
      {
        ...{ kind: 'changes', title: 'Differences', empty: 'No differences.' },
        items: folded.differences.map((one) => itemOf(one, folded.also)),
      },
    ],
  };
}

function backupWords({ name, manifest: { startedAt, finishedAt = startedAt } }: ComparedBackup): string {
  return `${name}, ${utcText(finishedAt)}`;
}

/** Pages of reports name what is done; a list names what was. */
const actions: Readonly<Record<Difference['change'], string>> = {
  added: 'add',
  removed: 'remove',
  changed: 'change',
  moved: 'move',
};

function itemOf(
  { change, kind, id, title, space, path, from, fields = [] }: Difference,
  also: ReadonlyMap<string, string>,
): ChangedItem {
  const where = kind === 'member' ? also.get(id) : undefined;
  const place = path === undefined ? [] : [`File: ${path}`];
  return {
    action: actions[change],
    as: kind,
    title: title ?? id,
    id,
    notes: [
      ...(space === undefined ? [] : [`Space: ${space}`]),
      ...(from === undefined ? place : []),
      ...(where === undefined ? [] : [`Its permission: ${where}`]),
    ],
    fields: [
      ...(from === undefined ? [] : [{ name: 'path', before: from, after: path ?? null }]),
      ...fields.map(({ field, before, after }) => ({
        name: field,
        before: cellOf(before),
        after: cellOf(after),
      })),
    ],
  };
}

/** A value: texts line by line, elements of lists one a line; what is nested is JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined) return null;
  if (value === null) return 'null';
  if (typeof value === 'string') return value.includes('\n') ? value.split('\n') : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(elementText);
  return plainText(value);
}

function elementText(value: unknown): string {
  return isJsonObject(value) ? plainText(value) : String(value);
}
