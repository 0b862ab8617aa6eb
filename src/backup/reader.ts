import { createHash } from 'node:crypto';
import { DocsError, usageError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import { readEach } from '../jobs/sequence.js';
import { parseSpan } from '../settings/duration.js';
import {
  bytesOf,
  Digest,
  digested,
  type Folder,
  hashOf,
  inOnePiece,
  jsonOf,
  linesOf,
  same,
  textOf,
} from './folder.js';
import {
  type FileEntry,
  type Manifest,
  manifestName,
  openBackup,
  parsedManifest,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from './manifest.js';
import { type Hashed, isHash, objectPath, type RunRecord, readRecords, runOf } from './records.js';

/** Files up to this size are checked in memory; larger ones are read twice. In bytes. */
const mostInMemory = 1 << 20;

/**
 * The bytes that have a hash: of the object, or of a file of the present backup that is still the same.
 * @param places where else to look, in this order
 * @returns undefined if they are nowhere
 * @throws DocsError (exit 13)
 */
export async function findBytes(
  folder: Folder,
  file: Pick<Hashed, 'sha256' | 'bytes'>,
  places: AsyncIterable<string> | Iterable<string>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const object = objectPath(file.sha256);
  const first = await checked(folder, object, file);
  if (first !== undefined) return first;
  for await (const place of places) {
    const found = await checked(folder, place, file);
    if (found !== undefined) return found;
  }
  // A run may have replaced the file since, and made the object.
  return checked(folder, object, file);
}

async function checked(
  folder: Folder,
  path: string,
  { sha256, bytes }: Pick<Hashed, 'sha256' | 'bytes'>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const stats = await folder.stat(path);
  if (stats?.isFile() !== true || (bytes !== undefined && stats.size !== bytes)) return undefined;
  if (stats.size > mostInMemory) {
    const same = (await folder.digest(path))?.sha256 === sha256;
    const stream = same ? await folder.read(path) : undefined;
    return stream && checkedAlong(stream, sha256, path);
  }
  const whole = await bytesOf((await folder.read(path)) ?? []);
  return hashOf(whole) === sha256 ? inOnePiece(whole) : undefined;
}

/** A run may replace the file between the check and the reading. */
async function* checkedAlong(
  stream: AsyncIterable<Uint8Array>,
  sha256: string,
  path: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of stream) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') === sha256) return;
  throw new DocsError('local-io', 'changed_in_backup', `${path} was changed while it was read`, {
    outcome: 'not-sent',
    retryable: true,
  });
}

const dayMs = 86_400_000;

/**
 * The run that `--at` names: a number, `latest`, a time, or an age such as `2d`: the last run that started at or
 * before it. A date means the end of that day (UTC).
 * @returns undefined for the run of the present backup
 * @throws DocsError usage `unknown_run`, `invalid_run`; exit 13
 */
export async function chooseRun(
  folder: Folder,
  present: Manifest,
  at: string,
  nowMs: number,
): Promise<RunRecord | undefined> {
  if (at === 'latest') return undefined;
  const records = await readRecords(folder);
  if (/^\d+$/.test(at)) {
    if (Number(at) === runOf(present)) return undefined;
    return records.find(({ run }) => run === Number(at)) ?? unknown(folder, present, records, `run ${at}`);
  }
  const ms = instantOf(at, nowMs);
  if (present.state !== 'unfinished' && Date.parse(present.startedAt) <= ms) return undefined;
  const last = records.findLast(({ startedAt }) => Date.parse(startedAt) <= ms);
  return last ?? unknown(folder, present, records, `a run at or before ${new Date(ms).toISOString()}`);
}

function instantOf(at: string, nowMs: number): number {
  const span = parseSpan(at.replace(/\s+ago$/, ''));
  if (span !== undefined) return nowMs - span;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(at);
  const isTime = isDay || /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/.test(at);
  const ms = isTime ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(ms))
    throw usageError('invalid_run', `${JSON.stringify(at.slice(0, 40))} is not a run`, {
      hint: 'docs backup log <folder>',
    });
  return isDay ? ms + dayMs - 1 : ms;
}

/** The command that lists the runs of a backup. */
export function logCommand(root: string): string {
  return `docs backup log ${shellWord(root, process.platform)}`;
}

function unknown({ root }: Folder, present: Manifest, records: readonly RunRecord[], what: string): never {
  const last = runOf(present);
  const runs = records.map(({ run }) => run);
  const there = runs.length === 0 ? `only run ${last} is` : `runs ${rangesOf([...runs, last])} are`;
  throw usageError('unknown_run', `${what} not found in ${root}: ${there} there`, {
    hint: logCommand(root),
    details: { runs: [...runs, last] },
  });
}

/** `1, 3 to 7`. */
function rangesOf(runs: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const run of runs) {
    const last = ranges.at(-1);
    if (last !== undefined && run === last[1] + 1) last[1] = run;
    else ranges.push([run, run]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
}

/** Whether a failure says that bytes of a run are lost. */
export function isLost(cause: unknown): boolean {
  return cause instanceof DocsError && ['missing_in_backup', 'bad_manifest'].includes(cause.code);
}

/** @throws every failure but that bytes of a run are lost */
export function unlessLost(cause: unknown): undefined {
  if (!isLost(cause)) throw cause;
}

/** Manifests of spaces that are held at once, for those who read the files of a few spaces in turn. */
const mostHeld = 8;

/** The manifest of a kept run. @throws DocsError local-io `missing_in_backup`; configuration `bad_manifest` */
export async function manifestOf(folder: Folder, { run, manifest }: RunRecord): Promise<Manifest> {
  const bytes = await findBytes(folder, { sha256: manifest }, [manifestName]);
  if (bytes === undefined) throw missing(folder, run, manifestName);
  return parsedManifest(await textOf(bytes), `${manifestName} of run ${run}`);
}

/**
 * The files of an earlier run, by the paths of that run. Each is a file of the present backup that still has
 * the hash of that time, or an object; other bytes are never given out.
 */
export class RunFolder {
  readonly root: string;
  readonly #folder: Folder;
  readonly #run: number;
  readonly #spaces: ReadonlyMap<string, SpaceEntry>;
  readonly #top: ReadonlyMap<string, Hashed>;
  /** Folder names of the present backup, by ids of spaces. */
  readonly #present: ReadonlyMap<string, string>;
  readonly #held = new Map<string, Promise<ReadonlyMap<string, Hashed>>>();
  #found: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  /** @param present manifest of the present backup */
  constructor(folder: Folder, run: number, manifest: Manifest, present: Pick<Manifest, 'spaces'>) {
    this.root = folder.root;
    this.#folder = folder;
    this.#run = run;
    this.#top = byPath(manifest.files);
    this.#spaces = new Map(manifest.spaces.map((entry) => [entry.folder, entry]));
    this.#present = new Map(present.spaces.map(({ id, folder: name }) => [id, name]));
  }

  /**
   * The bytes of a file; undefined if the run had no such file.
   * @throws DocsError local-io `missing_in_backup`, `changed_in_backup` if they are lost; exit 13
   */
  async read(path: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const [top, name = '', ...below] = path.split('/');
    const entry = top === 'spaces' ? this.#spaces.get(name) : undefined;
    if (entry === undefined) return this.#open(this.#top.get(path), path, [path]);
    const rest = below.join('/');
    const { sha256 = '' } = entry;
    const own = sha256 === '' ? undefined : { path: manifestName, sha256 };
    const file = rest === manifestName ? own : (await this.#filesOf(entry)).get(rest);
    return this.#open(file, path, this.#placesOf(entry, rest));
  }

  /** The text of a file. Returns and errors as `read`. */
  async text(path: string): Promise<string | undefined> {
    const bytes = await this.read(path);
    return bytes && textOf(bytes);
  }

  /** The manifest of a space; undefined if that run never read it. Errors as `read`; `bad_manifest`. */
  space({ folder }: SpaceEntry): Promise<SpaceManifest | undefined> {
    return readSpaceManifest(this, spaceFolder(folder));
  }

  async #open(file: Hashed | undefined, path: string, places: AsyncIterable<string> | string[]) {
    if (file === undefined) return undefined;
    const bytes = isHash(file.sha256) ? await findBytes(this.#folder, file, places) : undefined;
    if (bytes === undefined) throw missing(this.#folder, this.#run, path);
    return bytes;
  }

  /** Where a file of a space may be now: its folder may have another name. */
  async *#placesOf({ id, folder }: SpaceEntry, rest: string): AsyncGenerator<string> {
    const names = new Set([this.#present.get(id) ?? folder, folder]);
    for (const name of names) yield `${spaceFolder(name)}/${rest}`;
    // A run that was killed may have renamed the folder without having noted it.
    this.#found ??= foldersOf(this.#folder);
    for (const name of (await this.#found).get(id) ?? [])
      if (!names.has(name)) yield `${spaceFolder(name)}/${rest}`;
  }

  #filesOf(entry: SpaceEntry): Promise<ReadonlyMap<string, Hashed>> {
    const held = this.#held.get(entry.id);
    if (held !== undefined) return held;
    const [oldest] = this.#held.keys();
    if (oldest !== undefined && this.#held.size >= mostHeld) this.#held.delete(oldest);
    const files = this.space(entry).then((manifest) => byPath(manifest?.files ?? []));
    this.#held.set(entry.id, files);
    return files;
  }
}

function byPath(files: readonly Hashed[]): ReadonlyMap<string, Hashed> {
  return new Map(files.map(({ path, sha256, bytes }) => [path, { path, sha256, bytes: bytes || undefined }]));
}

/** Folder names by the ids that the manifests there have: one space may have two, where names were swapped. */
async function foldersOf(folder: Folder): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const { name } of await folder.entries('spaces')) {
    const manifest = await readSpaceManifest(folder, spaceFolder(name)).catch(unlessBad);
    if (manifest !== undefined) found.set(manifest.id, [...(found.get(manifest.id) ?? []), name]);
  }
  return found;
}

function unlessBad(cause: unknown): undefined {
  if (!(cause instanceof DocsError && ['bad_manifest', 'unsafe_link'].includes(cause.code))) throw cause;
}

function missing({ root }: Folder, run: number, path: string): DocsError {
  const message = `${path} of run ${run} is missing in ${root}, or was changed there`;
  return new DocsError('local-io', 'missing_in_backup', message, { outcome: 'not-sent' });
}

/** Where files of a backup are read: its folder, an earlier run of it, or what was captured of the platform. */
export interface Files {
  readonly root: string;
  read(path: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  text(path: string): Promise<string | undefined>;
}

/** What is thrown where a file is not what its manifest says, or is missing. */
export interface Refusals {
  damaged(path: string, cause?: unknown): DocsError;
  missing(cause: DocsError): DocsError;
}

/** Files that are read at once. */
const filesAtOnce = 8;

/**
 * The files that a manifest lists: those at the top, those of a space, or some of them. With refusals each is hashed
 * as it is read, once; what was read of a file must not be kept unless reading it ended well.
 */
export class StoredFiles {
  readonly source: Files;
  /** Folder of the files, with `/` at its end; '' for the top. */
  readonly at: string;
  readonly entries: readonly FileEntry[];
  readonly #refusals: Refusals | undefined;
  readonly #checked = new Set<FileEntry>();

  constructor(source: Files, at: string, entries: readonly FileEntry[], refusals?: Refusals) {
    this.source = source;
    this.at = at;
    this.entries = entries;
    this.#refusals = refusals;
  }

  /** Some of the files. */
  only(entries: readonly FileEntry[]): StoredFiles {
    return new StoredFiles(this.source, this.at, entries, this.#refusals);
  }

  /** The file of a kind, and of a resource if its id is given; undefined if there is none. */
  find(kind: string, id?: string): FileEntry | undefined {
    return this.entries.find((entry) => entry.kind === kind && (id === undefined || entry.id === id));
  }

  all(kind: string): FileEntry[] {
    return this.entries.filter((entry) => entry.kind === kind);
  }

  /** Those of the space itself, without those of change requests. */
  get own(): StoredFiles {
    return this.only(this.entries.filter(({ changeRequest }) => changeRequest === undefined));
  }

  /**
   * The bytes of a file, in pieces; those of an earlier run are checked against their hash. Undefined if it is missing.
   * @throws DocsError (exit 13); as the refusals
   */
  async read(entry: FileEntry): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = this.at + entry.path;
    const bytes = await this.source.read(path);
    if (this.#refusals === undefined) return bytes;
    if (bytes === undefined) throw this.#refusals.missing(missingIn(this.source, path));
    return this.#checkedBytes(bytes, entry, this.#refusals);
  }

  /** As `read`. @throws DocsError local-io `missing_in_backup` */
  async open(entry: FileEntry): Promise<AsyncIterable<Uint8Array>> {
    const bytes = await this.read(entry);
    if (bytes === undefined) throw missingIn(this.source, this.at + entry.path);
    return bytes;
  }

  /** Errors as `open`. */
  async bytes(entry: FileEntry): Promise<Buffer> {
    return bytesOf(await this.open(entry));
  }

  /** Errors as `open`. */
  async text(entry: FileEntry): Promise<string> {
    return (await this.bytes(entry)).toString('utf8');
  }

  /** The value of a JSON file; undefined without a file. Errors as `open`; SyntaxError if it is damaged. */
  async json<T>(entry: FileEntry | undefined): Promise<T | undefined> {
    return entry === undefined ? undefined : this.parsed(entry, await this.text(entry));
  }

  /** @throws as the refusals; SyntaxError without them */
  parsed<T>(entry: FileEntry, text: string): T {
    try {
      return jsonOf(text) as T;
    } catch (cause) {
      throw this.#damaged(entry, cause);
    }
  }

  /** The items of a list, one at a time; none without a file. Errors as `json`. */
  async *items<T>(entry: FileEntry | undefined): AsyncGenerator<T> {
    if (entry === undefined) return;
    try {
      for await (const item of linesOf(await this.open(entry))) yield item as T;
    } catch (cause) {
      throw cause instanceof SyntaxError ? this.#damaged(entry, cause) : cause;
    }
  }

  /** Reads what nobody has read. Errors as `open`. */
  async checkRest(): Promise<void> {
    const rest = this.entries.filter((entry) => !this.#checked.has(entry));
    const check = async (entry: FileEntry) => {
      for await (const _ of await this.open(entry));
    };
    for await (const _ of readEach({ concurrency: filesAtOnce }, rest, check));
  }

  async *#checkedBytes(
    pieces: AsyncIterable<Uint8Array>,
    entry: FileEntry,
    refusals: Refusals,
  ): AsyncGenerator<Uint8Array> {
    const digest = new Digest();
    yield* digested(pieces, digest);
    if (!same(digest.result(entry.path), entry)) throw refusals.damaged(this.at + entry.path);
    this.#checked.add(entry);
  }

  #damaged({ path }: FileEntry, cause: unknown): unknown {
    return this.#refusals?.damaged(this.at + path, cause) ?? cause;
  }
}

function missingIn({ root }: Pick<Files, 'root'>, path: string): DocsError {
  const message = `${path} is missing in ${root}`;
  return new DocsError('local-io', 'missing_in_backup', message, { outcome: 'not-sent' });
}

/** What a backup holds, as of its last run or an earlier one. Paths are those of the manifests of that run. */
export class BackupReader {
  /** The folder, absolute and without links. */
  readonly root: string;
  readonly manifest: Manifest;
  /** The files at the top. */
  readonly top: StoredFiles;
  readonly #files: Files;
  readonly #refusals: Refusals | undefined;

  constructor(files: Files, manifest: Manifest, refusals?: Refusals) {
    this.root = files.root;
    this.manifest = manifest;
    this.top = new StoredFiles(files, '', manifest.files, refusals);
    this.#files = files;
    this.#refusals = refusals;
  }

  /** The same backup, with each file compared with its hash. */
  refusing(refusals: Refusals): BackupReader {
    return new BackupReader(this.#files, this.manifest, refusals);
  }

  /** The manifest of a space; undefined if no run could read it. @throws DocsError configuration `bad_manifest` */
  space({ folder }: SpaceEntry): Promise<SpaceManifest | undefined> {
    return readSpaceManifest(this.#files, spaceFolder(folder));
  }

  /**
   * The files of a space; undefined if no run could read it.
   * @throws DocsError configuration `bad_manifest`; as the refusals where the manifest is not that of the run
   */
  async filesOf(entry: SpaceEntry): Promise<StoredFiles | undefined> {
    const at = `${spaceFolder(entry.folder)}/`;
    const refusals = this.#refusals;
    if (refusals !== undefined && entry.sha256 === undefined) return undefined;
    const manifest = await this.space(entry);
    if (refusals !== undefined && (manifest?.id !== entry.id || !(await this.isAsNoted(entry))))
      throw refusals.damaged(at + manifestName);
    return manifest && new StoredFiles(this.#files, at, manifest.files, refusals);
  }

  /** Whether the manifest of a space is the one that the manifest at the top has. */
  async isAsNoted({ folder, sha256 }: SpaceEntry): Promise<boolean> {
    return hashOf((await this.#files.text(`${spaceFolder(folder)}/${manifestName}`)) ?? '') === sha256;
  }
}

export interface ReaderOptions {
  /** A run: its number, `latest`, a time (`2026-01-31`) or an age (`2d`): the last run at or before it. */
  at?: string | undefined;
  /** For ages; the present if absent. */
  nowMs?: number;
}

/**
 * Opens the backup in a folder.
 * @throws DocsError usage `not_a_backup`, `unknown_run`, `invalid_run`; configuration `bad_manifest`; exit 13
 */
export async function openReader(
  path: string,
  { at, nowMs = Date.now() }: ReaderOptions = {},
): Promise<BackupReader> {
  const { folder, manifest } = await openBackup(path);
  const record = at === undefined ? undefined : await chooseRun(folder, manifest, at, nowMs);
  if (record === undefined) return new BackupReader(folder, manifest);
  const past = await manifestOf(folder, record);
  return new BackupReader(new RunFolder(folder, record.run, past, manifest), past);
}

/** The command that tells more about a backup that is damaged. */
export function verifyCommand({ root }: Pick<BackupReader, 'root'>): string {
  return `docs backup verify ${shellWord(root, process.platform)} --offline`;
}
