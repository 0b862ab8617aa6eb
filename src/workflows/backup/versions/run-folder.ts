import { DocsError } from '../../../base/errors.js';
import type { Folder } from '../folder/folder.js';
import {
  type Manifest,
  manifestName,
  parsedManifest,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
} from '../folder/manifest.js';
import type { Hashed } from './entries.js';
import { findBytes, textOf } from './find-bytes.js';
import { isHash } from './objects.js';
import type { RunRecord } from './records.js';

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
    const file = rest === manifestName ? ownManifest(entry) : (await this.#filesOf(entry)).get(rest);
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

function ownManifest({ sha256 }: SpaceEntry): Hashed | undefined {
  return sha256 === undefined ? undefined : { path: manifestName, sha256 };
}

function byPath(files: readonly Hashed[]): ReadonlyMap<string, Hashed> {
  return new Map(files.map(({ path, sha256, bytes }) => [path, { path, sha256, ...(bytes && { bytes }) }]));
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
