import { createHash } from 'node:crypto';
import { DocsError, usageError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import { parseSpan } from '../settings/duration.js';
import { bytesOf, type Folder, hashOf, inOnePiece, linesOf, textOf } from './folder.js';
import {
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
  #found: Promise<ReadonlyMap<string, string>> | undefined;

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
    const name = (await this.#found).get(id);
    if (name !== undefined && !names.has(name)) yield `${spaceFolder(name)}/${rest}`;
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

/** Folder names by the ids that the manifests there have. */
async function foldersOf(folder: Folder): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { name } of await folder.entries('spaces')) {
    const manifest = await readSpaceManifest(folder, spaceFolder(name)).catch(unlessBad);
    if (manifest !== undefined) found.set(manifest.id, name);
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

/** What a backup holds, as of its last run or an earlier one. Paths are those of the manifests of that run. */
export interface BackupReader {
  /** The folder, absolute and without links. */
  readonly root: string;
  readonly manifest: Manifest;
  /** The manifest of a space; undefined if no run could read it. @throws DocsError configuration `bad_manifest` */
  space(entry: SpaceEntry): Promise<SpaceManifest | undefined>;
  /**
   * The bytes of a file, in pieces; those of an earlier run are checked against their hash.
   * @throws DocsError local-io `missing_in_backup`; exit 13
   */
  bytes(path: string): Promise<AsyncIterable<Uint8Array>>;
  /** A file as text; for one that is small. Errors as `bytes`. */
  text(path: string): Promise<string>;
  /** The items of a list (`members.json`), one at a time. Errors as `bytes`; SyntaxError if it is damaged. */
  items(path: string): AsyncGenerator<unknown>;
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
  if (record === undefined) return readerOf(folder, manifest);
  const past = await manifestOf(folder, record);
  return readerOf(new RunFolder(folder, record.run, past, manifest), past);
}

/** A reader of the files that a manifest lists. */
export function readerOf(folder: Pick<Folder, 'root' | 'read' | 'text'>, manifest: Manifest): BackupReader {
  const bytes = async (file: string): Promise<AsyncIterable<Uint8Array>> => {
    const found = await folder.read(file);
    if (found !== undefined) return found;
    throw new DocsError('local-io', 'missing_in_backup', `${file} is missing in ${folder.root}`, {
      outcome: 'not-sent',
    });
  };
  return {
    root: folder.root,
    manifest,
    bytes,
    space: (entry) => readSpaceManifest(folder, spaceFolder(entry.folder)),
    text: async (file) => textOf(await bytes(file)),
    async *items(file) {
      yield* linesOf(await bytes(file));
    },
  };
}

/** Where the file of a kind of a space is (`fields`, `content`); undefined if a run could not read it. Errors as `space`. */
export async function pathOf(
  reader: BackupReader,
  entry: SpaceEntry,
  kind: string,
): Promise<string | undefined> {
  const manifest = await reader.space(entry);
  const file = manifest?.files.find((one) => one.kind === kind && one.changeRequest === undefined);
  return file && `${spaceFolder(entry.folder)}/${file.path}`;
}

/** The command that tells more about a backup that is damaged. */
export function verifyCommand({ root }: Pick<BackupReader, 'root'>): string {
  return `docs backup verify ${shellWord(root, process.platform)} --offline`;
}
