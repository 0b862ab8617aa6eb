import { defined } from '../base/values.js';
import { isDraft } from '../base/write-file.js';
import { fingerprintOf } from '../signing/keys.js';
import { isSignatureOf, namespaces, parseSignature } from '../signing/ssh-signature.js';
import { type Folder, textOf } from './folder.js';
import {
  type FileEntry,
  type Manifest,
  manifestName,
  readSpaceManifest,
  type SpaceEntry,
  spaceFolder,
} from './manifest.js';
import { findBytes, isLost, manifestOf, RunFolder, unlessLost } from './reader.js';
import {
  isHash,
  objectPath,
  objectsFolder,
  type RunRecord,
  readRecord,
  recordPath,
  runOf,
  runsFolder,
} from './records.js';
import type { VerifyFinding } from './shapes.js';
import { versionsFolder } from './trust.js';
import { principalsOf, type Signers } from './verify.js';

const kind = 'version';
type State = VerifyFinding['state'];

/**
 * What is wrong with the runs that a backup keeps: objects that are not what their names say, records that are not
 * of the runs that followed, and bytes that a run needs and that are nowhere. Holds the manifests of a run and of
 * one of its spaces.
 * @throws DocsError (exit 13)
 */
export async function* verifyVersions(
  folder: Folder,
  present: Manifest,
  signers: Signers,
): AsyncGenerator<VerifyFinding> {
  yield* strays(folder);
  yield* objects(folder);
  const records: RunRecord[] = [];
  for (const { name } of await folder.entries(runsFolder)) {
    const path = `${runsFolder}/${name}`;
    if (isDraft(name)) continue;
    const record = await readRecord(folder, name);
    if (record === undefined) yield await notPlain(folder, path, 'bad-manifest', 'not a record of a run');
    else if (record.run > runOf(present)) yield finding('extra', path, 'a run that was not yet');
    else if (record.run === runOf(present)) yield* presentRecord(folder, record, path);
    else records.push(record);
  }
  yield* verifyRuns(
    folder,
    present,
    records.sort((a, b) => b.run - a.run),
    signers,
  );
}

function finding(state: State, path: string, detail?: string): VerifyFinding {
  return { state, kind, path, ...(detail !== undefined && { detail }) };
}

/** A run that was killed when it started leaves a record of the run before it, which is the present one. */
async function* presentRecord(
  folder: Folder,
  { manifest }: RunRecord,
  path: string,
): AsyncGenerator<VerifyFinding> {
  if ((await folder.digest(manifestName))?.sha256 !== manifest) yield finding('changed', path);
}

/** A file that is not what it should be; a link is `unsafe`. */
async function notPlain(folder: Folder, path: string, state: State, detail?: string): Promise<VerifyFinding> {
  const isPlain = (await folder.stat(path))?.isFile() === true;
  return isPlain ? finding(state, path, detail) : finding('unsafe', path);
}

/** What is neither a record nor an object. */
async function* strays(folder: Folder): AsyncGenerator<VerifyFinding> {
  if ((await folder.stat(versionsFolder))?.isDirectory() === false) yield finding('unsafe', versionsFolder);
  for (const entry of await folder.entries(versionsFolder)) {
    const path = `${versionsFolder}/${entry.name}`;
    const isOurs = path === runsFolder || path === objectsFolder;
    if (!isOurs) yield await notPlain(folder, path, 'extra');
    else if (!entry.isDirectory()) yield finding('unsafe', path);
  }
}

async function* objects(folder: Folder): AsyncGenerator<VerifyFinding> {
  for (const { name: below } of await folder.entries(objectsFolder)) {
    const at = `${objectsFolder}/${below}`;
    if ((await folder.stat(at))?.isDirectory() !== true) {
      yield await notPlain(folder, at, 'extra');
      continue;
    }
    for (const { name } of await folder.entries(at)) {
      const path = `${at}/${name}`;
      if (isDraft(name)) continue;
      const digest = await folder.digest(path);
      if (digest === undefined) yield finding('unsafe', path);
      else if (!isHash(name) || path !== objectPath(name)) yield finding('extra', path);
      else if (digest.sha256 !== name) yield finding('changed', path);
    }
  }
}

/** @param records the newest first */
async function* verifyRuns(
  folder: Folder,
  present: Manifest,
  records: readonly RunRecord[],
  signers: Signers,
): AsyncGenerator<VerifyFinding> {
  /** Hashes of manifests that were read, and of bytes that a finding names already. */
  const seen = new Set<string>();
  let before = present.before;
  for (const record of records) {
    const path = recordPath(record.run);
    if (before !== undefined && before.run > record.run) {
      yield finding('missing', recordPath(before.run), `run ${before.run} is not listed, but older runs are`);
      before = undefined;
    }
    if (before?.run === record.run && before.manifest !== record.manifest)
      yield finding('changed', path, 'not the run that the next one followed');
    yield* verifySignature(folder, record, signers);
    try {
      const manifest = await manifestOf(folder, record);
      if (runOf(manifest) !== record.run)
        yield finding('changed', path, `its manifest is of run ${runOf(manifest)}`);
      before = manifest.before;
      yield* new RunCheck(folder, record.run, manifest, present, seen).findings();
    } catch (cause) {
      if (!isLost(cause)) throw cause;
      before = undefined;
      yield finding('missing', objectPath(record.manifest), `manifest of run ${record.run}`);
    }
  }
}

async function* verifySignature(
  folder: Folder,
  { run, manifest, signature }: RunRecord,
  { allowed, nowMs }: Signers,
): AsyncGenerator<VerifyFinding> {
  const path = recordPath(run);
  if (signature === undefined) {
    if (allowed !== undefined) yield finding('unsigned', path, `run ${run} was not signed`);
    return;
  }
  const [text, signed] = await Promise.all(
    [signature, manifest].map(async (sha256) => {
      const bytes = await findBytes(folder, { sha256 }, []);
      return bytes && textOf(bytes);
    }),
  );
  if (text === undefined) return yield finding('missing', objectPath(signature), `signature of run ${run}`);
  if (signed === undefined) return;
  const parsed = parseSignature(text);
  if (parsed === undefined || !isSignatureOf(parsed, namespaces.backup, Buffer.from(signed)))
    return yield finding('changed', path, `the signature of run ${run} is not of its manifest`);
  if (allowed !== undefined && principalsOf(allowed, parsed.publicKey, nowMs) === undefined)
    yield finding('wrong-signer', path, `run ${run} was signed by ${fingerprintOf(parsed.publicKey)}`);
}

/** Looks for the bytes of a run. Those that the present backup lists at the same place are verified with it. */
class RunCheck {
  readonly #files: RunFolder;
  readonly #manifest: Manifest;
  readonly #present: Manifest;
  readonly #seen: Set<string>;
  readonly #folder: Folder;
  readonly #run: number;

  constructor(folder: Folder, run: number, manifest: Manifest, present: Manifest, seen: Set<string>) {
    this.#files = new RunFolder(folder, run, manifest, present);
    this.#manifest = manifest;
    this.#present = present;
    this.#seen = seen;
    this.#folder = folder;
    this.#run = run;
  }

  async *findings(): AsyncGenerator<VerifyFinding> {
    // After a run that did not finish, files are not those that the manifest lists.
    const { files, spaces } =
      this.#present.state === 'unfinished' ? { files: [], spaces: [] } : this.#present;
    yield* this.#missing(this.#manifest.files, files, '');
    const now = new Map(spaces.map((entry) => [entry.id, entry]));
    for (const entry of this.#manifest.spaces) {
      const { id, title, sha256 } = entry;
      const later = now.get(id);
      if (sha256 === undefined || sha256 === later?.sha256 || this.#seen.has(sha256)) continue;
      this.#seen.add(sha256);
      const at = `${spaceFolder(entry.folder)}/`;
      const path = at + manifestName;
      if (!(await this.#isThere(path))) yield { state: 'missing', kind, path, id, title };
      else {
        const own = (await this.#files.space(entry))?.files ?? [];
        yield* this.#missing(own, await this.#presentFiles(later), at, title);
      }
    }
  }

  async *#missing(
    files: readonly FileEntry[],
    present: readonly FileEntry[],
    at: string,
    space?: string,
  ): AsyncGenerator<VerifyFinding> {
    const there = new Map(present.map(({ path, sha256 }) => [path, sha256]));
    for (const { path, sha256, id, title } of files) {
      if (there.get(path) === sha256 || this.#seen.has(sha256)) continue;
      if (isHash(sha256) && (await this.#folder.stat(objectPath(sha256)))?.isFile()) continue;
      if (await this.#isThere(at + path)) continue;
      this.#seen.add(sha256);
      const detail = `run ${this.#run} needs it: SHA-256 ${sha256}`;
      yield { state: 'missing', kind, path: at + path, detail, ...defined({ id, title, space }) };
    }
  }

  /** Files of a space in the present backup. */
  async #presentFiles(entry: SpaceEntry | undefined): Promise<readonly FileEntry[]> {
    const at = entry && spaceFolder(entry.folder);
    const manifest = at && (await readSpaceManifest(this.#folder, at).catch(unlessLost));
    return (manifest || undefined)?.files ?? [];
  }

  async #isThere(path: string): Promise<boolean> {
    try {
      for await (const _ of (await this.#files.read(path)) ?? []);
      return true;
    } catch (cause) {
      return unlessLost(cause) ?? false;
    }
  }
}
