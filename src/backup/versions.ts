import type { Space } from '../api/resources/spaces.js';
import { defined } from '../base/values.js';
import { isDraft } from '../base/write-file.js';
import type { Folder } from './folder.js';
import {
  type Changes,
  type FileEntry,
  type Manifest,
  manifestName,
  type ReadManifest,
  type RunEntry,
  readSpaceManifest,
  type SpaceEntry,
  signatureName,
  spaceFolder,
} from './manifest.js';
import { isLost, manifestOf, RunFolder, unlessLost } from './reader.js';
import {
  addChanges,
  entryOf,
  expired,
  isHash,
  isRecordName,
  type Keep,
  keepInManifest,
  keepObject,
  keepText,
  nextLog,
  objectPath,
  objectsFolder,
  type RunRecord,
  readRecords,
  recordPath,
  runsFolder,
  writeRecord,
} from './records.js';
import { deletedFolder, type Trust, versionsFolder } from './trust.js';

/** Objects that are looked at in one pass: their names are held in memory. */
const mostAtOnce = 50_000;

/**
 * Removes the objects that no kept run refers to. If a manifest of a kept run is damaged, it is not known what
 * that run refers to, and nothing is removed.
 * @returns how many were removed
 * @throws DocsError (exit 13)
 */
async function sweep(folder: Folder, present: Manifest): Promise<number> {
  const records = await readRecords(folder);
  let removed = 0;
  for await (const names of passes(folder)) {
    try {
      for await (const hash of referred(folder, records, present)) names.delete(hash);
    } catch (cause) {
      if (isLost(cause)) return removed;
      throw cause;
    }
    for (const name of names) await folder.remove(objectPath(name));
    removed += names.size;
  }
  if (removed > 0) await folder.removeEmpty(objectsFolder);
  return removed;
}

async function* passes(folder: Folder): AsyncGenerator<Set<string>> {
  let names = new Set<string>();
  for (const { name: below } of await folder.entries(objectsFolder)) {
    for (const { name } of await folder.entries(`${objectsFolder}/${below}`)) {
      if (isHash(name) && name.startsWith(below)) names.add(name);
      else if (isDraft(name)) await folder.removeDraft(`${objectsFolder}/${below}/${name}`);
    }
    if (names.size < mostAtOnce) continue;
    yield names;
    names = new Set();
  }
  if (names.size > 0) yield names;
}

/** Hashes of all that the runs consist of. Manifests of spaces that several runs share are read once. */
async function* referred(
  folder: Folder,
  records: readonly RunRecord[],
  present: Manifest,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  for (const record of records) {
    yield record.manifest;
    if (record.signature !== undefined) yield record.signature;
    const manifest = await manifestOf(folder, record);
    const files = new RunFolder(folder, record.run, manifest, present);
    for (const { sha256 } of manifest.files) yield sha256;
    for (const entry of manifest.spaces) {
      if (entry.sha256 === undefined || seen.has(entry.sha256)) continue;
      seen.add(entry.sha256);
      yield entry.sha256;
      for (const { sha256 } of (await files.space(entry))?.files ?? []) yield sha256;
    }
  }
}

/** Removes all versions, first what lists them. Files that are not ours stay. @throws DocsError (exit 13) */
async function removeVersions(folder: Folder): Promise<void> {
  for (const at of [runsFolder, objectsFolder]) {
    for await (const path of folder.walk(at)) {
      const name = path.split('/').at(-1) ?? '';
      if (isHash(name) || isRecordName(name) || isDraft(name)) await folder.remove(path);
    }
  }
  await folder.removeIfEmpty(versionsFolder);
}

/** Written many times in a run; those of finished runs are kept when the next one starts (versions.ts). */
const atTop = new Set([manifestName, signatureName]);

/** `none`: what is kept so far is removed; undefined: as the last run had it. */
export type KeepAsked = Keep | 'none' | undefined;

/**
 * What a run does for earlier ones. With `keep`, before the run writes anything, the last run gets a record and
 * from then on each file gets an object before it is replaced or removed. So whenever the run is
 * killed, all that a record refers to is in the backup or among the objects. Records expire at the end of a run;
 * then the objects that no record refers to are removed.
 * @param last manifest of the last run as it is on disk
 * @throws DocsError (exit 13)
 */
export async function openVersions(
  folder: Folder,
  last: ReadManifest | undefined,
  { doubt }: Trust,
  asked: KeepAsked,
): Promise<Versions> {
  // Someone else changed the manifest, so neither what it lists nor what it says to keep is reused.
  const known = doubt === 'changed' ? undefined : last;
  const entry = known && (await entryOf(folder, known));
  const all = await readRecords(folder);
  let records = all.filter(({ run }) => entry === undefined || run < entry.run);
  const keep = asked === 'none' ? undefined : (asked ?? (await keepOf(folder, known, records)));
  if (keep === undefined) {
    // Without the flag, only what a run left that was killed before it noted what it keeps.
    await removeVersions(folder);
    records = [];
  }
  if (keep !== undefined) {
    for (const { name } of await folder.entries(runsFolder))
      await folder.removeDraft(`${runsFolder}/${name}`);
    if (entry !== undefined && entry.state !== 'unfinished')
      records = [...records, await recordLast(folder, entry)];
    // Each file becomes an object before the run replaces or removes it, whatever it does that for.
    folder.keep = async (path, old) => {
      const [top] = path.split('/');
      if (atTop.has(path) || top === versionsFolder || top === deletedFolder) return;
      await keepObject(folder, path, old);
    };
  }
  const runs = Math.max((last?.manifest.runs ?? -1) + 1, records.at(-1)?.run ?? 0);
  return new Versions(folder, { known, entry, keep, records, runs });
}

/** What the last run kept; if that is not known, and there are earlier runs, what the run before did. */
async function keepOf(
  folder: Folder,
  known: ReadManifest | undefined,
  records: readonly RunRecord[],
): Promise<Keep | undefined> {
  const newest = records.at(-1);
  const keep = keepInManifest(known?.manifest.keep);
  if (keep !== undefined || newest === undefined) return keep;
  const before = await manifestOf(folder, newest).catch(unlessLost);
  // There are versions, so some are to be kept, until someone says otherwise.
  return keepInManifest(before?.keep) ?? { runs: records.length };
}

/** Makes a record of the last run, which replaces any other of that number. */
async function recordLast(folder: Folder, entry: RunEntry): Promise<RunRecord> {
  const manifest = await keepObject(folder, manifestName);
  if (manifest === undefined) throw new Error(`${manifestName} was read and is not there`);
  const signature = await keepObject(folder, signatureName);
  const hashes = defined({ manifest: manifest.sha256, signature: signature?.sha256 });
  const record: RunRecord = { ...entry, ...hashes };
  await writeRecord(folder, record);
  return record;
}

interface Opened {
  /** The manifest of the last run, if it may be reused. */
  known: ReadManifest | undefined;
  entry: RunEntry | undefined;
  keep: Keep | undefined;
  /** The oldest first. */
  records: readonly RunRecord[];
  runs: number;
}

export class Versions {
  readonly #folder: Folder;
  readonly #opened: Opened;
  readonly #changes: Changes = { added: 0, changed: 0, removed: 0 };
  #isCounted = true;

  constructor(folder: Folder, opened: Opened) {
    this.#folder = folder;
    this.#opened = opened;
  }

  /** What the manifest at the top says of runs. Numbers of kept runs are not used again. */
  head(): Pick<Manifest, 'runs' | 'keep' | 'before' | 'log'> {
    const { known, entry, keep, runs } = this.#opened;
    const log = known && entry ? nextLog(known.manifest, entry) : [];
    return defined({ runs, keep: keep && keepText(keep), before: keep && this.#before(), log });
  }

  /** The last run, or that before one which did not finish. */
  #before(): Manifest['before'] {
    const { known, entry, records } = this.#opened;
    const newest = records.at(-1);
    if (entry?.state === 'unfinished') return known?.manifest.before;
    return newest && { run: newest.run, manifest: newest.manifest };
  }

  /** Counts what changed in a space. @param before its files in the last run, if they are known */
  took(id: string, before: readonly FileEntry[] | undefined, after: readonly FileEntry[]): void {
    const had = this.#opened.known?.manifest.spaces.find((entry) => entry.id === id);
    if (before === undefined && had?.sha256 !== undefined) this.#isCounted = false;
    addChanges(this.#changes, before ?? [], after);
  }

  /** Counts the files of spaces that no longer exist, before their folders are reused. */
  async tookGone(spaces: readonly Pick<Space, 'id'>[]): Promise<void> {
    const there = new Set(spaces.map(({ id }) => id));
    for (const { id, folder } of this.#opened.known?.manifest.spaces ?? []) {
      if (there.has(id)) continue;
      const manifest = await readSpaceManifest(this.#folder, spaceFolder(folder)).catch(unlessLost);
      if (manifest?.id === id) this.took(id, manifest.files, []);
      else this.#isCounted = false;
    }
  }

  /**
   * What the run changed: by comparison with the run before, if that is kept, else as it was counted. Undefined
   * if neither tells: after a run that did not finish, or where someone changed the backup.
   */
  async changes(files: readonly FileEntry[], spaces: readonly SpaceEntry[]): Promise<Changes | undefined> {
    const { known, entry, records, runs } = this.#opened;
    const newest = records.at(-1);
    if (newest !== undefined && newest.run === this.#before()?.run)
      return countChanges(this.#folder, newest, { files, spaces });
    if (!this.#isCounted || entry?.state === 'unfinished' || (known === undefined && runs > 0))
      return undefined;
    addChanges(this.#changes, known?.manifest.files ?? [], files);
    return this.#changes;
  }

  /**
   * Removes what has expired, once the manifest of the run is written.
   * @returns how many earlier runs are kept; undefined if none are to be
   * @throws DocsError (exit 13)
   */
  async finish(present: Manifest, nowMs: number): Promise<number | undefined> {
    const { keep, records, known, runs } = this.#opened;
    if (keep === undefined) return undefined;
    // Of a changed manifest it is not sure what was to be kept.
    const gone = known === undefined && runs > 0 ? [] : expired(records, keep, nowMs);
    for (const { run } of gone) await this.#folder.remove(recordPath(run));
    await sweep(this.#folder, present);
    return records.length - gone.length;
  }
}

/**
 * How many files a run changed since a kept one. Spaces whose manifests are equal are not read.
 * @returns undefined if a manifest of the kept run is lost
 * @throws DocsError (exit 13)
 */
async function countChanges(
  folder: Folder,
  record: RunRecord,
  now: Pick<Manifest, 'files' | 'spaces'>,
): Promise<Changes | undefined> {
  const changes: Changes = { added: 0, changed: 0, removed: 0 };
  try {
    const old = await manifestOf(folder, record);
    const files = new RunFolder(folder, record.run, old, now);
    addChanges(changes, old.files, now.files);
    const there = new Map(now.spaces.map((entry) => [entry.id, entry]));
    for (const entry of old.spaces) {
      const later = there.get(entry.id);
      there.delete(entry.id);
      if (later?.sha256 === entry.sha256) continue;
      const before = await files.space(entry);
      addChanges(changes, before?.files ?? [], later ? await filesOf(folder, later) : []);
    }
    for (const entry of there.values()) addChanges(changes, [], await filesOf(folder, entry));
    return changes;
  } catch (cause) {
    if (isLost(cause)) return undefined;
    throw cause;
  }
}

async function filesOf(folder: Folder, entry: SpaceEntry): Promise<readonly FileEntry[]> {
  return (await readSpaceManifest(folder, spaceFolder(entry.folder)))?.files ?? [];
}
