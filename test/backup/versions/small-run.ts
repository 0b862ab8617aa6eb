import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Folder } from '../../../src/backup/folder.js';
import {
  type FileEntry,
  type Manifest,
  readManifest,
  readSpaceManifest,
  type SpaceEntry,
  writeSigned,
  writeSpaceManifest,
} from '../../../src/backup/manifest.js';
import { type BackupReader, openReader, type StoredFiles } from '../../../src/backup/reader.js';
import { clearStale } from '../../../src/backup/trust.js';
import { type KeepAsked, openVersions, type Versions } from '../../../src/backup/versions.js';
import { filesIn } from '../../e2e/backup-home.js';

/** Runs of a backup without a platform: the steps on the disk in the order of a real run. */

/** Spaces by id: the name of the folder, and texts by path. */
export type Organization = Record<string, { name: string; files: Record<string, string> }>;

/** As `kill -9` at a step on the disk. */
export class Killed extends Error {}

/** A folder whose process dies after some steps. */
class MortalFolder extends Folder {
  #left: number;

  constructor(root: string, steps: number) {
    super(root);
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  #step(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new Killed();
  }

  override async write(...args: Parameters<Folder['write']>) {
    this.#step();
    const written = await super.write(args[0], args[1], async () => {
      await args[2]?.();
      this.#step();
    });
    this.#step();
    return written;
  }

  override async move(from: string, to: string) {
    this.#step();
    await super.move(from, to);
    this.#step();
  }

  override async link(from: string, to: string) {
    this.#step();
    await super.link(from, to);
    this.#step();
  }

  override async remove(path: string) {
    this.#step();
    await super.remove(path);
    this.#step();
  }
}

export interface RunHow {
  keep?: KeepAsked;
  /** Steps on the disk before the process dies. */
  steps?: number;
  nowMs?: number;
}

/** @returns the steps it took @throws Killed */
export async function smallRun(
  root: string,
  organization: Organization,
  { keep, steps = 1e9, nowMs = Date.now() }: RunHow = {},
): Promise<number> {
  mkdirSync(root, { recursive: true });
  const folder = new MortalFolder(root, steps);
  const last = await readManifest(folder);
  const versions = await openVersions(folder, last, { previous: last?.manifest }, keep);
  const startedAt = new Date(nowMs).toISOString();
  const deleted = 'deleted/now';
  const entries = new Map((last?.manifest.spaces ?? []).map((entry) => [entry.id, entry]));
  const head = (state: Manifest['state'], files: readonly FileEntry[]): Manifest => ({
    ...{ state, platform: 'sandbox', organization: { id: 'o1', title: 'Acme' } },
    ...versions.head(),
    ...{ startedAt, counts: {}, failed: [], files },
    spaces: [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  });
  const note = (files: readonly FileEntry[]) => writeSigned(folder, head('unfinished', files), undefined);
  await note(last?.manifest.files ?? []);
  const list = await folder.write('members.json', JSON.stringify(Object.keys(organization)));
  const files: FileEntry[] = [{ ...list, kind: 'members' }];
  for (const [id, { name }] of Object.entries(organization)) {
    const old = entries.get(id);
    if (old !== undefined && old.folder !== name && (await folder.stat(`spaces/${name}`)) === undefined)
      if ((await folder.stat(`spaces/${old.folder}`))?.isDirectory())
        await folder.move(`spaces/${old.folder}`, `spaces/${name}`);
    entries.set(id, { ...(old ?? { state: 'planned' }), id, title: name, folder: name });
  }
  await note(files);
  for (const [id, space] of Object.entries(organization)) {
    entries.set(id, await runSpace(folder, versions, id, space, deleted));
    await note(files);
  }
  for (const id of entries.keys()) if (organization[id] === undefined) entries.delete(id);
  const names = new Set([...entries.values()].map((entry) => entry.folder));
  for (const { name } of await folder.entries('spaces'))
    if (!names.has(name)) await folder.discard(deleted, `spaces/${name}`);
  const whole = head('whole', files);
  const changes = await versions.changes(files, whole.spaces);
  const manifest = { ...whole, finishedAt: startedAt, ...(changes && { changes }) };
  await writeSigned(folder, manifest, undefined);
  await versions.finish(manifest, nowMs);
  return steps - folder.left;
}

async function runSpace(
  folder: Folder,
  versions: Versions,
  id: string,
  { name, files: texts }: Organization[string],
  deleted: string,
): Promise<SpaceEntry> {
  const at = `spaces/${name}`;
  const files: FileEntry[] = [];
  const old = await readSpaceManifest(folder, at);
  for (const [path, text] of Object.entries(texts)) {
    const { bytes, sha256 } = await folder.write(`${at}/${path}`, text);
    files.push({ path, bytes, sha256, kind: 'page' });
  }
  await clearStale(folder, at, files, deleted);
  const manifest = { id, title: name, state: 'whole', revision: 'r', seen: 's' } as const;
  const { sha256 } = await writeSpaceManifest(folder, at, {
    ...manifest,
    ...{ counts: {}, parts: [], failed: [], files },
  });
  versions.took(id, old?.id === id ? old.files : undefined, files);
  return { id, title: name, folder: name, state: 'whole', revision: 'r', sha256 };
}

/** Every file of a run as its reader gives it, by path. */
export async function readBack(root: string, at: string): Promise<Map<string, string>> {
  const reader = await openReader(root, { at });
  const found = new Map<string, string>();
  const spaces = await Promise.all(reader.manifest.spaces.map((entry) => reader.filesOf(entry)));
  for (const files of [reader.top, ...spaces])
    for (const entry of files?.entries ?? [])
      found.set(`${files?.at}${entry.path}`, (await files?.text(entry)) ?? '');
  return found;
}

/** A file of a backup by its path. */
export async function fileAt(reader: BackupReader, path: string): Promise<[StoredFiles, FileEntry]> {
  const spaces = await Promise.all(reader.manifest.spaces.map((entry) => reader.filesOf(entry)));
  for (const files of [reader.top, ...spaces]) {
    const entry = files?.entries.find((one) => files.at + one.path === path);
    if (files !== undefined && entry !== undefined) return [files, entry];
  }
  throw new Error(`No file ${path}`);
}

export async function textAt(reader: BackupReader, path: string): Promise<string> {
  const [files, entry] = await fileAt(reader, path);
  return files.text(entry);
}

/** What `readBack` is to give. */
export function textsOf(organization: Organization): Map<string, string> {
  const found = new Map([['members.json', JSON.stringify(Object.keys(organization))]]);
  for (const { name, files } of Object.values(organization))
    for (const [path, text] of Object.entries(files)) found.set(`spaces/${name}/${path}`, text);
  return found;
}

export interface TemporaryFolder {
  root: string;
  /** A copy of it, as it is now. */
  copy(): string;
  remove(): void;
}

export function temporaryFolder(): TemporaryFolder {
  const above = mkdtempSync(join(tmpdir(), 'docs-versions-'));
  const root = join(above, 'b');
  let copies = 0;
  return {
    root,
    copy() {
      copies += 1;
      const to = join(above, `copy${copies}`);
      cpSync(root, to, { recursive: true });
      return to;
    },
    remove: () => rmSync(above, { recursive: true, force: true }),
  };
}

/** Bytes on the disk: a file with two names counts once. */
export function diskUse(root: string): number {
  const seen = new Map<number, number>();
  for (const path of filesIn(root).keys()) {
    const { ino, size } = lstatSync(join(root, path));
    seen.set(ino, size);
  }
  return [...seen.values()].reduce((sum, size) => sum + size, 0);
}

export function recordsIn(root: string): number[] {
  const names = readdirSync(join(root, 'versions', 'runs'));
  return names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b);
}
