import { isWorker } from '../base/lock.js';
import { fileNameKey, isDraft } from '../base/write-file.js';
import { storedFolderNames } from '../model/stored.js';
import type { Signer } from '../signing/signer.js';
import { type Folder, hashOf } from './folder.js';
import {
  intactManifest,
  type Manifest,
  manifestName,
  type SpaceEntry,
  signatureName,
  signedBy,
  spaceFolder,
  spaceManifestText,
} from './manifest.js';
import { type Named, namesOf } from './names.js';

/** Folder of what no longer exists, by the time of the run. */
export const deletedFolder = 'deleted';
/** Folder of what earlier runs had (versions.ts). */
export const versionsFolder = 'versions';

/**
 * What of the last run may be reused. The manifest at the top has the hash of the manifest of each space, which
 * has those of the files: what does not fit was changed by someone else. It is set aside and read again, so that
 * a run never makes it look whole.
 */

export interface Trust {
  /** The last run, without what may not be reused of it. */
  previous: Manifest | undefined;
  /** - `changed`: the manifest is not the one that was signed
   *  - `not-signed`: this run signs, and the last did not with the same key: only what it reads is signed */
  doubt?: 'changed' | 'not-signed';
}

/** @param last manifest of the last run, and its text */
export async function trustIn(
  folder: Folder,
  last: { manifest: Manifest; text: string } | undefined,
  signer: Signer | undefined,
): Promise<Trust> {
  if (last === undefined) return { previous: undefined };
  const signed = await signedBy(folder, last.text);
  if (signed === 'changed') return { previous: namesOnly(last.manifest), doubt: 'changed' };
  if (signer === undefined || signed?.by.equals(signer.publicKey)) return { previous: last.manifest };
  return { previous: namesOnly(last.manifest), doubt: 'not-signed' };
}

/** Which spaces there were: they are looked for, and nothing of them is reused. */
function namesOnly(manifest: Manifest): Manifest {
  const spaces = manifest.spaces.map(({ id, title, folder }): SpaceEntry => {
    return { id, title, folder, state: 'planned' };
  });
  return { ...manifest, files: [], spaces };
}

/**
 * - `unknown`: the last run was cut off before it noted the manifest: read again
 * - `changed`: neither the manifest that the last run noted, nor that one marked as unfinished
 */
export async function trustInSpace(
  folder: Folder,
  { folder: name, sha256, state }: SpaceEntry,
  last: Manifest | undefined,
): Promise<'same' | 'unknown' | 'changed'> {
  const at = spaceFolder(name);
  const digest = await folder.digest(`${at}/${manifestName}`);
  if (digest === undefined || digest.sha256 === sha256) return 'same';
  if (sha256 === undefined) return 'unknown';
  const manifest = await intactManifest(folder, at);
  if (manifest?.state === 'unfinished' && state !== 'planned') {
    if (hashOf(spaceManifestText({ ...manifest, state })) === sha256) return 'same';
  }
  return last?.state === 'unfinished' ? 'unknown' : 'changed';
}

/** Moves lists at the top that no manifest names into `deleted`. @returns how many */
async function setUnnamedAside(
  folder: Folder,
  files: readonly { path: string }[],
  deleted: string,
): Promise<number> {
  const named = new Set([manifestName, ...files.map(({ path }) => path)]);
  const entries = await folder.entries('');
  const unnamed = entries.filter(
    (entry) => !entry.isDirectory() && entry.name.endsWith('.json') && !named.has(entry.name),
  );
  for (const { name } of unnamed) await folder.moveInto(deleted, name);
  return unnamed.length;
}

const staying = new Set([deletedFolder, versionsFolder, manifestName, signatureName]);

/** Moves everything but versions into `deleted`, with copies of the manifest and its signature. @returns how much was moved */
export async function setAllAside(folder: Folder, deleted: string): Promise<number> {
  for (const name of [manifestName, signatureName]) {
    const text = await folder.text(name);
    if (text !== undefined) await folder.write(`${deleted}/${name}`, text);
  }
  let moved = 0;
  for (const { name } of await folder.entries('')) {
    if (staying.has(name) || isWorker(name) || isDraft(name)) continue;
    await folder.moveInto(deleted, name);
    moved += 1;
  }
  return moved;
}

/**
 * Moves away what a backup has left behind: folders of spaces, and files of teams, specs and sites.
 * @param left the spaces, and the files at the top, that the backup has now
 * @param deleted folder for what no longer exists
 * @returns how many were moved
 */
export async function clearGone(
  folder: Folder,
  left: Pick<Manifest, 'spaces' | 'files'> & Pick<Trust, 'doubt'>,
  deleted: string,
): Promise<number> {
  const { spaces, files, doubt } = left;
  let moved = 0;
  const folders = new Set(spaces.map((entry) => fileNameKey(entry.folder)));
  for (const { name } of await folder.entries('spaces')) {
    if (folders.has(fileNameKey(name))) continue;
    await folder.discard(deleted, `spaces/${name}`);
    moved += 1;
  }
  if (doubt !== undefined) moved += await setUnnamedAside(folder, files, deleted);
  for (const kind of storedFolderNames) {
    const below = files.filter(({ path }) => path.startsWith(`${kind}/`));
    const wanted = below.map(({ path }) => ({ path: path.slice(kind.length + 1) }));
    moved += await clearStale(folder, kind, wanted, deleted);
  }
  return moved;
}

/**
 * Gives each space its folder; the folder of a renamed space moves.
 * @param entries those of the last run; each space gets one
 * @param keepsOthers whether spaces that are not among them may still exist, and keep their names
 */
export async function placeSpaces(
  folder: Folder,
  entries: Map<string, SpaceEntry>,
  spaces: readonly Named[],
  keepsOthers: boolean,
): Promise<void> {
  const others = keepsOthers ? [...entries.values()] : [];
  const names = namesOf([...new Map([...others, ...spaces].map((space) => [space.id, space])).values()]);
  for (const { id, title } of spaces) {
    const old = entries.get(id);
    const name = names.get(id) ?? id;
    if (old !== undefined && old.folder !== name) {
      const [from, to] = [spaceFolder(old.folder), spaceFolder(name)];
      const free = (await folder.stat(to)) === undefined;
      if (free && (await folder.stat(from))?.isDirectory()) await folder.move(from, to);
    }
    entries.set(id, { ...(old ?? { state: 'planned' }), id, title, folder: name });
  }
}

/** Spaces between two checkpoints are at most this part of all: manifests of large backups are large. */
const parts = 64;

/**
 * Notes at the top which spaces are read, while a run goes on: the next run reuses what is noted. Written one
 * after the other; a run that is killed loses a small part of its work.
 */
export class Checkpoints {
  total = 0;
  readonly #write: () => Promise<void>;
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Counts a space that was read. @throws what the writing throws */
  async add(): Promise<void> {
    this.#waiting += 1;
    if (this.#waiting >= Math.ceil(this.total / parts)) await this.#next();
  }

  /** Writes what is not noted yet. */
  async end(): Promise<void> {
    if (this.#waiting > 0) await this.#next();
  }

  #next(): Promise<void> {
    this.#waiting = 0;
    this.#writing = this.#writing.then(this.#write);
    return this.#writing;
  }
}

/**
 * Moves everything but the wanted files of a folder into `deleted`, or into versions, so that nothing stale looks current, and
 * removes the drafts of a killed run.
 * @param at folder that the paths are below
 * @returns how many files were moved
 */
export async function clearStale(
  folder: Folder,
  at: string,
  wanted: readonly { path: string }[],
  deleted: string,
): Promise<number> {
  await folder.removeDrafts(at);
  const paths = new Set([manifestName, ...wanted.map(({ path }) => path)]);
  const found = new Set<string>();
  for await (const path of folder.walk(at)) found.add(path.slice(at.length + 1));
  // On a file system that ignores case, a new name may differ from the old in case alone: the same file.
  const renamed = new Set([...paths].filter((path) => !found.has(path)).map(fileNameKey));
  const stale = [...found].filter((path) => !paths.has(path) && !renamed.has(fileNameKey(path)));
  for (const path of stale) await folder.discard(deleted, `${at}/${path}`);
  if (stale.length > 0) await folder.removeEmpty(at);
  return stale.length;
}
