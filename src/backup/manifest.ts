import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type TSchema, Type } from '../api/type.js';
import { conforms } from '../api/validate.js';
import { DocsError, onDiskSync, sentences, usageError } from '../base/errors.js';
import { forgetOthers, takeWork } from '../base/lock.js';
import { makeFolders } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { asText, defined, isObject, jsonIn } from '../base/values.js';
import { contentsOf } from '../jobs/folder-names.js';
import type { Signer } from '../signing/signer.js';
import { isSignatureOf, namespaces, parseSignature } from '../signing/ssh-signature.js';
import { type Unread, unreadFacts, unreadWords } from '../snapshot/unread.js';
import { Folder, jsonObject, type Written } from './folder.js';
import type { LoggedRun } from './shapes.js';

/**
 * The manifests of a backup: one in the folder of each space, written once all of the space is there, and
 * one at the top, written first as unfinished, and again at the end.
 */

export const manifestName = 'manifest.json';
const format = 'docs-backup/1';
const spaceFormat = 'docs-backup-space/1';
const verifyHint = 'docs backup verify <folder> --offline';
const anewHint = 'docs backup run --out <new-folder>';

/** `partial`: something could not be read. */
export type State = LoggedRun['state'];

export interface FileEntry extends Written {
  /** `page`, `page-markdown`, `file`, `comments`, `members`, … */
  kind: string;
  id?: string;
  title?: string;
  /** The change request that it belongs to. */
  changeRequest?: string;
  /** Identifies the bytes of a file without reading them. */
  version?: string;
}

/** What could not be read, as it stands in manifests. */
export type FailedEntry = Readonly<Record<string, unknown>> & { kind: string; id: string };

export type Counts = Readonly<Record<string, number>>;

/** A part of a space that is read as one; its key changes with its content. */
export interface NamedPart {
  name: string;
  key: string;
}

export interface SpaceManifest {
  id: string;
  title: string;
  state: State;
  /** The active revision that the content is of. */
  revision: string;
  /** Hash of its entry in the list of spaces (staleness.ts). */
  seen: string;
  counts: Counts;
  parts: readonly NamedPart[];
  failed: readonly FailedEntry[];
  /** Paths are below the folder of the space. */
  files: readonly FileEntry[];
}

/** A space in the manifest at the top. */
export interface SpaceEntry {
  id: string;
  title: string;
  /** Name of its folder in `spaces`. */
  folder: string;
  /** `planned` until it is read. */
  state: State | 'planned';
  revision?: string;
  counts?: Counts;
  /** Hash of the manifest of the space. */
  sha256?: string;
  /** Since when no text of a reply was taken from an earlier run (staleness.ts). */
  repliesReadAt?: string;
  /** When it was last read: the start of that run. */
  readAt?: string;
  older?: Older;
}

/** Files that a run added, changed and removed. */
export interface Changes {
  added: number;
  changed: number;
  removed: number;
}

/** What is known of a run without its files. */
export type RunEntry = Omit<LoggedRun, 'kept'>;

/**
 * What is older than the last run, and since when it is as it was read: `replies`, which are kept for some hours,
 * and kinds of things that could not be read; `space` for all of it.
 */
export type Older = Readonly<Record<string, string>>;

export interface Manifest {
  state: State;
  platform: string;
  organization: { id: string; title: string };
  /** How many runs went before. */
  runs: number;
  startedAt: string;
  finishedAt?: string;
  /** What it changed; absent if that is not known, after a run that did not finish. */
  changes?: Changes;
  /** What is kept of earlier runs: `30` runs, or those of `90d` (records.ts). */
  keep?: string;
  /** The newest run that is kept, with the hash of its manifest, so that a signature vouches for it, too. */
  before?: { run: number; manifest: string };
  /** Of an unfinished run: the run before it that finished. */
  lastFinished?: LastFinished;
  /** When what is at the top was last read: the start of that run. */
  readAt?: string;
  /** Since when no line of access.json was taken from an earlier run; null if the backup does not have that file. */
  accessReadAt?: string | null;
  /** What of the top is older than the last run: `access`, or a kind of things that could not be read. */
  older?: Older;
  counts: Counts;
  failed: readonly FailedEntry[];
  files: readonly FileEntry[];
  spaces: readonly SpaceEntry[];
  /** The runs before, the latest ones only. */
  log?: readonly RunEntry[];
}

interface LastFinished {
  state: 'whole' | 'partial';
  finishedAt: string;
}

/** The words that tell it: `members jtBm…: The platform answered 500.` */
function failedWords({ kind, id, title, space, error }: FailedEntry): string {
  const texts = defined({ title: asText(title), space: asText(space) });
  return unreadWords({ kind, id, ...texts, error: isObject(error) ? error : {} });
}

/**
 * A line for each, in the words of `failedWords`. What of a space failed for the same reason as the space itself
 * is named in the line of the space.
 */
export function failedLines(failed: readonly FailedEntry[]): string[] {
  const spaces = new Map(failed.filter(({ kind }) => kind === 'space').map((entry) => [entry.id, entry]));
  const isTold = (entry: FailedEntry): boolean => {
    const space = spaces.get(asText(entry.space) ?? '');
    return space !== undefined && space !== entry && reasonOf(space) === reasonOf(entry);
  };
  return failed.flatMap((entry) => {
    if (isTold(entry)) return [];
    const own = entry.kind === 'space' ? failed.filter((one) => one.space === entry.id && isTold(one)) : [];
    const kinds = [...new Set(own.map(({ kind }) => kind.replaceAll('-', ' ')))];
    const words = failedWords(entry);
    return [kinds.length === 0 ? words : sentences(words, `Nor were its ${andList(kinds)}.`)];
  });
}

function reasonOf({ error }: FailedEntry): unknown {
  return isObject(error) ? error.message : undefined;
}

/** `fields, comments and files`. */
function andList(words: readonly string[]): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

export function failedEntry(unread: Unread): FailedEntry {
  return unreadFacts(unread) as FailedEntry;
}

/** What could not be read and is not told yet: some lists are read for themselves, and to find spaces. */
export function untold(unread: readonly Unread[], told: readonly FailedEntry[]): FailedEntry[] {
  const isTold = ({ kind, id }: FailedEntry) => told.some((one) => one.kind === kind && one.id === id);
  return unread.map(failedEntry).filter((entry) => !isTold(entry));
}

export function spaceFolder(folder: string): string {
  return `spaces/${folder}`;
}

/** The manifest at the top, as it is written. */
export function manifestText(manifest: Manifest): string {
  const { files, spaces, failed, log = [], ...head } = manifest;
  return jsonObject({ format, ...head }, { failed, files: byPath(files), spaces, log });
}

export async function writeSpaceManifest(
  folder: Folder,
  at: string,
  manifest: SpaceManifest,
): Promise<Written> {
  return folder.write(`${at}/${manifestName}`, spaceManifestText(manifest));
}

export function spaceManifestText(manifest: SpaceManifest): string {
  const { files, parts, failed, ...head } = manifest;
  return jsonObject({ format: spaceFormat, ...head }, { failed, parts, files: byPath(files) });
}

/** The order of reading varies; the same backup has the same manifest. */
function byPath(files: readonly FileEntry[]): FileEntry[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A manifest at the top, and its text, which a signature is of. */
export interface ReadManifest {
  manifest: Manifest;
  text: string;
}

/**
 * The manifest at the top.
 * @returns undefined if there is none
 * @throws DocsError configuration `bad_manifest`
 */
export async function readManifest(folder: Folder): Promise<ReadManifest | undefined> {
  const text = await folder.text(manifestName);
  return text === undefined
    ? undefined
    : { text, manifest: parsedManifest(text, join(folder.root, manifestName), anewHint) };
}

/** The manifest at the top from its text. @throws DocsError configuration `bad_manifest` */
export function parsedManifest(text: string, path: string, hint = verifyHint): Manifest {
  return parsed(text, path, { wanted: format, hint }, ManifestShape);
}

/** The manifest of a space. Errors as in `readManifest`. */
export async function readSpaceManifest(
  folder: Pick<Folder, 'text'>,
  at: string,
): Promise<SpaceManifest | undefined> {
  const path = `${at}/${manifestName}`;
  const text = await folder.text(path);
  return text === undefined
    ? undefined
    : parsed(text, path, { wanted: spaceFormat, hint: verifyHint }, SpaceManifestShape);
}

/** The manifest of a space; undefined where there is none, it cannot be parsed, or it is that of another space. */
export async function intactManifest(
  folder: Pick<Folder, 'text'>,
  at: string,
  id?: string,
): Promise<SpaceManifest | undefined> {
  const manifest = await readSpaceManifest(folder, at).catch(unlessDamaged);
  return id === undefined || manifest?.id === id ? manifest : undefined;
}

/** @throws every failure but that a manifest is damaged */
export function unlessDamaged(cause: unknown): undefined {
  if (!(cause instanceof DocsError) || cause.code !== 'bad_manifest') throw cause;
}

function parsed<T extends object>(
  text: string,
  path: string,
  { wanted, hint }: { wanted: string; hint: string },
  schema: TSchema,
): T {
  const value = jsonIn(text);
  if (isObject(value) && value.format === wanted && conforms(schema, value)) {
    const { format: _, ...manifest } = value;
    return manifest as T;
  }
  const message = `${path} is damaged: it is not a manifest of a backup (${wanted})`;
  throw new DocsError('configuration', 'bad_manifest', message, { outcome: 'not-sent', hint });
}

/** An object with some texts, and whatever else. */
function texts<K extends string>(...keys: readonly K[]) {
  return Type.Object(Object.fromEntries(keys.map((key) => [key, Type.String()])));
}

/** What both kinds of manifests have. */
const either = {
  files: Type.Array(texts('path', 'kind', 'sha256')),
  failed: Type.Array(texts('kind', 'id')),
  counts: Type.Object({}),
  state: Type.String(),
};

const ManifestShape = Type.Object({
  ...either,
  organization: texts('id'),
  runs: Type.Number(),
  spaces: Type.Array(texts('id', 'title', 'folder', 'state')),
});

const SpaceManifestShape = Type.Object({
  ...either,
  id: Type.String(),
  parts: Type.Array(texts('name', 'key')),
});

/** What the lock of a run is named by. */
export const lockName = 'backup';

/**
 * Checks whether a backup may be written to a folder, which must be new, empty, or a backup of the same
 * organization; writes nothing.
 * @param path absolute
 * @returns with the manifest of the last run, if there was one
 * @throws DocsError usage `not_a_backup`, `other_organization`; configuration `bad_manifest`; exit 13
 */
export async function openFolder(path: string, organization: string, platform: string): Promise<Target> {
  const target = await openTarget(path);
  const { last } = target;
  if (last !== undefined) refuseOther(path, last.manifest, organization, platform);
  return target;
}

/** Where a backup can be written, with the manifest of the last run, if there was one. */
interface Target {
  folder: Folder;
  last: ReadManifest | undefined;
}

/**
 * A folder that is new, empty or a backup, of whichever organization.
 * @param path absolute
 * @throws DocsError usage `not_a_backup`; configuration `bad_manifest`; exit 13
 */
export async function openTarget(path: string): Promise<Target> {
  const target = await folderAt(path, '; nothing was written');
  if (target.last === undefined && !target.isEmpty)
    throw usageError('not_a_backup', `${path} is not empty and not a backup; nothing was written`);
  return target;
}

/** The backup in a folder. @throws DocsError usage `not_a_backup`; configuration `bad_manifest`; exit 13 */
export async function openBackup(path: string): Promise<{ folder: Folder } & ReadManifest> {
  const { folder, last } = await folderAt(path, '');
  if (last !== undefined) return { folder, ...last };
  throw usageError('not_a_backup', `${path} is not a backup: ${manifestName} not found`, {
    hint: 'docs backup run --out <folder>',
  });
}

async function folderAt(path: string, refusal: string): Promise<Target & { isEmpty: boolean }> {
  const names = await contentsOf(path, refusal);
  const folder = new Folder(names === undefined ? path : await realpath(path));
  const last = names?.includes(manifestName) ? await readManifest(folder) : undefined;
  return { folder, last, isEmpty: (names ?? []).length === 0 };
}

/**
 * Creates the folder, and locks it for this process.
 * @param alone whether a lock of another machine is that of a run which was killed: parts run wherever there is room
 * @throws DocsError local-io `backup_running`; exit 13
 */
export async function takeFolder({ root }: Folder, alone = false): Promise<{ release(): void }> {
  return onDiskSync(`cannot write ${root}`, () => {
    makeFolders(root, 0o700);
    if (alone) forgetOthers(root);
    return takeWork(root, lockName, (other) => ({
      code: 'backup_running',
      message: `another docs process (${other}) is writing to ${root}`,
      hint: `docs backup status ${shellWord(root, process.platform)}`,
    }));
  });
}

function refuseOther(path: string, { organization, platform }: Manifest, id: string, own: string): void {
  if (organization.id === id && platform === own) return;
  const [there, here] = platform === own ? ['', ''] : [` on ${platform}`, ` on ${own}`];
  const message = `${path} is a backup of organization ${organization.id}${there}, not of ${id}${here}; nothing was written`;
  throw usageError('other_organization', message);
}

/** The signature of the manifest at the top, which vouches for all others and so for every file. */

export const signatureName = `${manifestName}.sig`;

/**
 * Writes the manifest at the top, and its signature last: a run that is killed in between leaves a manifest
 * without a signature, never one with the signature of another.
 */
export async function writeSigned(
  folder: Folder,
  manifest: Manifest,
  signer: Signer | undefined,
): Promise<Written> {
  const text = manifestText(manifest);
  const signature = await signer?.sign(Buffer.from(text));
  await folder.remove(signatureName);
  const written = await folder.write(manifestName, text);
  if (signature !== undefined) await folder.write(signatureName, signature);
  return written;
}

/** `changed`: there is a signature, and it is not one of this manifest. */
type Signed = { by: Buffer } | 'changed' | undefined;

/** Who signed a manifest. @param text the manifest, as it was read */
export async function signedBy(folder: Folder, text: string): Promise<Signed> {
  const own = await folder.text(signatureName);
  if (own === undefined) return undefined;
  const signature = parseSignature(own);
  if (signature === undefined || !isSignatureOf(signature, namespaces.backup, Buffer.from(text)))
    return 'changed';
  return { by: signature.publicKey };
}
