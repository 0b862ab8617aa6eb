import { readFile } from 'node:fs/promises';
import { DocsError, onDisk, usageError } from '../base/errors.js';
import { isWorker } from '../base/lock.js';
import { asText, defined } from '../base/values.js';
import { isDraft } from '../base/write-file.js';
import { readEach } from '../jobs/sequence.js';
import { fingerprintOf } from '../signing/keys.js';
import { namespaces } from '../signing/ssh-signature.js';
import { countsOf } from './ages.js';
import { type Folder, linesOf } from './folder.js';
import {
  type Counts,
  type FailedEntry,
  type FileEntry,
  type Manifest,
  manifestName,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  signatureName,
  signedBy,
  spaceFolder,
} from './manifest.js';
import type { VerifyFinding } from './shapes.js';
import { deletedFolder, versionsFolder } from './trust.js';

/**
 * Who may sign: a file as `ssh-keygen -Y verify` and Git take it (ssh-keygen(1), "ALLOWED SIGNERS"). A line has
 * principals, options, and a key. Keys of certificate authorities allow nothing here.
 */
interface AllowedSigner {
  principals: string;
  publicKey: Buffer;
  options: ReadonlyMap<string, string>;
}

/** @param path absolute @throws DocsError usage `bad_allowed_signers`; local-io if it cannot be read */
export async function readAllowedSigners(path: string): Promise<AllowedSigner[]> {
  const text = await onDisk(`cannot read the allowed signers ${path}`, () => readFile(path, 'utf8'));
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return [];
    const signer = signerOf(line);
    if (signer === undefined) throw notOne(path, index + 1);
    return [signer];
  });
}

function notOne(path: string, line: number): DocsError {
  const message = `${path} is not a file of allowed signers: line ${line} has no principals and key`;
  return usageError('bad_allowed_signers', message);
}

/** Principals, options, kind of key, key: each without blanks outside of quotes. */
const pattern =
  /^\s*(?:"([^"]+)"|([^\s"]+))\s+(?:((?:[^\s"]|"[^"]*")+)\s+)?((?:ssh|ecdsa|sk)-[\w@.-]+)\s+([A-Za-z0-9+/]+=*)(?:\s|$)/;

function signerOf(line: string): AllowedSigner | undefined {
  const [, quoted, plain = '', options = '', type = '', base64] = pattern.exec(line) ?? [];
  if (base64 === undefined) return undefined;
  const publicKey = Buffer.from(base64, 'base64');
  // The key names its kind itself, after the length of the name.
  if (publicKey.subarray(4, 4 + type.length).toString('latin1') !== type) return undefined;
  const pairs = [...options.matchAll(/([\w-]+)(?:="([^"]*)")?(?:,|$)/g)];
  return {
    principals: quoted ?? plain,
    publicKey,
    options: new Map(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value])),
  };
}

/** The principals that a key signs backups for now; undefined if it is not allowed to. */
export function principalsOf(
  signers: readonly AllowedSigner[],
  publicKey: Buffer,
  nowMs: number,
): string | undefined {
  const allowed = signers.find(
    (signer) => signer.publicKey.equals(publicKey) && holds(signer.options, nowMs),
  );
  return allowed?.principals;
}

/** An option that is not known forbids, so that no restriction is overlooked. */
function holds(options: AllowedSigner['options'], nowMs: number): boolean {
  return [...options].every(([name, value]) => {
    if (name === 'namespaces') return matches(value, namespaces.backup);
    if (name === 'valid-after') return nowMs >= timeOf(value);
    if (name === 'valid-before') return nowMs < timeOf(value);
    return false;
  });
}

/**
 * Whether a text fits a pattern with `*` and `?`. A regular expression of `*a*a*a…` would take time without end; here a
 * star that fits too little takes one character more, and no star before the last one is tried again.
 */
export function globMatches(glob: string, text: string): boolean {
  let [at, within] = [0, 0];
  let star: { at: number; from: number } | undefined;
  while (at < text.length) {
    if (glob[within] === '*') {
      star = { at: within, from: at };
      within += 1;
    } else if (within < glob.length && (glob[within] === '?' || glob[within] === text[at])) {
      at += 1;
      within += 1;
    } else if (star !== undefined) {
      star.from += 1;
      at = star.from;
      within = star.at + 1;
    } else return false;
  }
  return /^\**$/.test(glob.slice(within));
}

/** A list of patterns with `*` and `?`; one with `!` before it that matches forbids. */
function matches(list: string, text: string): boolean {
  const of = (glob: string) => globMatches(glob, text);
  const patterns = list.split(',');
  const forbidden = patterns.some((one) => one.startsWith('!') && of(one.slice(1)));
  return !forbidden && patterns.some((one) => !one.startsWith('!') && of(one));
}

/** `YYYYMMDD[HHMM[SS]]`, local time or with `Z` UTC. NaN, which no time is before or after, if it is neither. */
function timeOf(text: string): number {
  const [, year, month, day, hour = '00', minute = '00', second = '00', utc = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${utc}`);
}

/** Files that are read at once. */
const filesAtOnce = 8;

export interface ReadCounts {
  spaces: number;
  files: number;
  bytes: number;
}

/**
 * Where a backup is not what its manifests say, as it is found. Reads every byte, and keeps none of them.
 * @param looked counts along
 * @param onSpace called after each space
 */
export async function* verifyFolder(
  folder: Folder,
  manifest: Manifest,
  looked: ReadCounts,
  onSpace: () => void,
): AsyncGenerator<VerifyFinding> {
  if (manifest.state === 'unfinished')
    yield { state: 'unfinished', kind: 'backup', path: manifestName, detail: 'The last run did not finish.' };
  yield* notRead(manifest.failed);
  yield* verifyFiles(folder, '', manifest.files, looked);
  yield* extraAtTop(folder, manifest);
  const counts: Record<string, number> = {};
  for (const entry of manifest.spaces) {
    yield* verifySpace(folder, entry, looked, counts);
    looked.spaces += 1;
    onSpace();
  }
  if (manifest.state === 'unfinished') return;
  const found = { ...counts, spaces: manifest.spaces.length };
  yield* miscounted(found, manifest.counts, 'backup', { path: manifestName });
}

function* notRead(failed: readonly FailedEntry[]): Generator<VerifyFinding> {
  for (const { kind, id, title, error } of failed) {
    const { message } = (error ?? {}) as { message?: unknown };
    const texts = defined({ title: asText(title), detail: asText(message) });
    yield { state: 'not-read', kind, id, ...texts };
  }
}

async function* verifyFiles(
  folder: Folder,
  at: string,
  files: readonly FileEntry[],
  looked: ReadCounts,
  space?: string,
): AsyncGenerator<VerifyFinding> {
  const look = async (entry: FileEntry) => ({ entry, ...(await stateOf(folder, at, entry)) });
  for await (const { entry, state, bytes } of readEach({ concurrency: filesAtOnce }, files, look)) {
    const { kind, id, title, path } = entry;
    looked.files += 1;
    looked.bytes += bytes;
    if (state !== undefined) yield defined({ state, kind, path: at + path, id, title, space });
  }
}

async function stateOf(
  folder: Folder,
  at: string,
  entry: FileEntry,
): Promise<{ state?: 'missing' | 'changed' | 'unsafe'; bytes: number }> {
  const path = at + entry.path;
  const stats = await statOf(folder, path);
  if (stats === undefined) return { state: 'missing', bytes: 0 };
  if (stats === 'unsafe' || !stats.isFile()) return { state: 'unsafe', bytes: 0 };
  const digest = await folder.digest(path);
  const same = digest?.sha256 === entry.sha256 && digest.bytes === entry.bytes;
  return { bytes: digest?.bytes ?? 0, ...(!same && { state: 'changed' }) };
}

/** A path that leads out of the folder is unsafe, and is not followed. */
async function statOf(folder: Folder, path: string) {
  try {
    return await folder.stat(path);
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'unsafe_link') return 'unsafe';
    throw cause;
  }
}

async function* verifySpace(
  folder: Folder,
  entry: SpaceEntry,
  looked: ReadCounts,
  counts: Record<string, number>,
): AsyncGenerator<VerifyFinding> {
  const { id, title, sha256 } = entry;
  const at = spaceFolder(entry.folder);
  const path = `${at}/${manifestName}`;
  const manifest = await readSpaceManifest(folder, at).catch((cause: unknown) => {
    if (cause instanceof DocsError && ['bad_manifest', 'unsafe_link'].includes(cause.code)) return 'bad';
    throw cause;
  });
  if (typeof manifest === 'string') return yield { state: 'bad-manifest', kind: 'space', id, title, path };
  if (manifest === undefined) return yield { state: 'missing', kind: 'space', id, title, path };
  const digest = await folder.digest(path);
  looked.bytes += digest?.bytes ?? 0;
  if (manifest.id !== id || (sha256 !== undefined && digest?.sha256 !== sha256))
    yield { state: 'changed', kind: 'manifest', id, title, path };
  if (manifest.state === 'unfinished' || sha256 === undefined)
    yield { state: 'unfinished', kind: 'space', id, title, path };
  yield* verifyFiles(folder, `${at}/`, manifest.files, looked, title);
  yield* extraInSpace(folder, at, manifest);
  yield* miscounted(await recounted(folder, at, manifest), manifest.counts, 'space', { id, title, path });
  for (const [name, count] of Object.entries(manifest.counts)) counts[name] = (counts[name] ?? 0) + count;
}

async function* extraInSpace(
  folder: Folder,
  at: string,
  manifest: SpaceManifest,
): AsyncGenerator<VerifyFinding> {
  const known = new Set(manifest.files.map(({ path }) => `${at}/${path}`));
  for await (const path of folder.walk(at)) {
    if (known.has(path) || path === `${at}/${manifestName}` || isDraft(nameOf(path))) continue;
    yield { state: 'extra', kind: 'file', path, space: manifest.title };
  }
}

/** What the manifest does not name at the top. Drafts and locks of runs do not count: the next run removes them. */
async function* extraAtTop(folder: Folder, { files, spaces }: Manifest): AsyncGenerator<VerifyFinding> {
  const known = new Set([manifestName, signatureName, ...files.map(({ path }) => path)]);
  const folders = new Set(spaces.map((space) => space.folder));
  for (const entry of await folder.entries('')) {
    if ([deletedFolder, versionsFolder, 'spaces'].includes(entry.name)) continue;
    if (!entry.isDirectory()) {
      const passing = isWorker(entry.name) || isDraft(entry.name);
      if (!known.has(entry.name) && !passing) yield { state: 'extra', kind: 'file', path: entry.name };
      continue;
    }
    for await (const path of folder.walk(entry.name))
      if (!known.has(path) && !isDraft(nameOf(path))) yield { state: 'extra', kind: 'file', path };
  }
  for (const { name } of await folder.entries('spaces'))
    if (!folders.has(name)) yield { state: 'extra', kind: 'space', path: `spaces/${name}` };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Counts of a space from its files; those of comments from their contents. */
async function recounted(folder: Folder, at: string, { files }: SpaceManifest): Promise<Counts> {
  const counts = { ...countsOf(files), comments: 0, replies: 0 };
  const own = files.find(({ kind, changeRequest }) => kind === 'comments' && changeRequest === undefined);
  const path = `${at}/${own?.path}`;
  if (own === undefined || (await statOf(folder, path)) === 'unsafe') return counts;
  const bytes = await folder.read(path);
  if (bytes === undefined) return counts;
  try {
    for await (const line of linesOf(bytes)) {
      counts.comments += 1;
      counts.replies += (line as { replies: unknown[] }).replies.length;
    }
  } catch (cause) {
    if (cause instanceof DocsError) throw cause; // A list that is not JSON is reported by its hash.
  }
  return counts;
}

function* miscounted(
  found: Counts,
  stated: Counts,
  kind: string,
  about: Pick<VerifyFinding, 'id' | 'title' | 'path'>,
): Generator<VerifyFinding> {
  for (const [name, count] of Object.entries(found)) {
    const detail = `${name}: ${stated[name] ?? 0} in the manifest, ${count} found`;
    if (count !== (stated[name] ?? 0)) yield { state: 'miscounted', kind, ...about, detail };
  }
}

export interface Signers {
  /** Who may have signed; undefined if anyone may, or no one. */
  allowed: readonly AllowedSigner[] | undefined;
  nowMs: number;
  /** Receives who signed. */
  by?: string;
}

/** What is wrong with the signature of the manifest at the top. @param text the manifest, as it was read */
export async function* verifySignature(
  folder: Folder,
  text: string,
  signers: Signers,
): AsyncGenerator<VerifyFinding> {
  const signed = await signedBy(folder, text);
  const { allowed, nowMs } = signers;
  if (signed === 'changed') {
    const detail = 'not the manifest that was signed';
    return yield { state: 'changed', kind: 'signature', path: manifestName, detail };
  }
  if (allowed === undefined) return;
  if (signed === undefined) {
    const detail = `${signatureName} not found`;
    return yield { state: 'unsigned', kind: 'signature', path: manifestName, detail };
  }
  const key = fingerprintOf(signed.by);
  const principals = principalsOf(allowed, signed.by, nowMs);
  if (principals !== undefined) signers.by = `${principals} (${key})`;
  else yield { state: 'wrong-signer', kind: 'signature', path: signatureName, detail: `signed by ${key}` };
}
