import { getOrg } from '../api/resources/orgs.js';
import type { Space } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { readEach } from '../jobs/sequence.js';
import { unreadOf } from '../snapshot/unread.js';
import { isAccess } from './access.js';
import { diffOrganization, diffSpace } from './diff-backups.js';
import type { Folder } from './folder.js';
import { Capture, Gathering, type Reading } from './gathering.js';
import {
  type FailedEntry,
  type FileEntry,
  failedEntry,
  intactManifest,
  type Manifest,
  spaceFolder,
  untold,
} from './manifest.js';
import { findSpaces, readOrganization, writeOrders } from './organization.js';
import { StoredFiles } from './reader.js';
import type { Difference, VerifyFinding } from './shapes.js';
import { walkSpace } from './space.js';
import { type ReadCounts, type Signers, verifyFolder, verifySignature } from './verify.js';
import { verifyVersions } from './verify-versions.js';

/** What of a backup is verified beside the manifest, and what takes note of it. */
interface Verified {
  signers: Signers;
  looked: ReadCounts;
  /** Called after each space that was read, of the folder and of the platform. */
  onSpace(): void;
  /** Without it, only the files are verified. */
  platform: (Pick<Comparing, 'access' | 'unread'> & Omit<Reading, 'organizationId' | 'folder'>) | undefined;
}

/** What is wrong with a backup, or changed since. @throws as `verifyFolder`, `verifyPlatform` */
export async function* verifyBackup(
  { folder, manifest, text }: { folder: Folder; manifest: Manifest; text: string },
  { signers, looked, onSpace, platform }: Verified,
): AsyncGenerator<VerifyFinding> {
  yield* verifySignature(folder, text, signers);
  yield* verifyFolder(folder, manifest, looked, onSpace);
  yield* verifyVersions(folder, manifest, signers);
  if (platform === undefined) return;
  const { access, unread, ...how } = platform;
  const reading = { ...how, organizationId: manifest.organization.id, folder };
  yield* verifyPlatform({ reading, manifest, access, unread, onSpace });
}

/** Spaces that are compared at once. */
const spacesAtOnce = 4;
/** That a file is damaged is found without the platform. */
const isThere = async () => true;

/** What is compared, and what takes note of it. */
export interface Comparing {
  reading: Reading;
  manifest: Manifest;
  /** Whether permissions are compared, if the backup has them: a request for each member. */
  access: boolean;
  /** Takes what could not be read, and was not compared. */
  unread: FailedEntry[];
  /** Called after each space. */
  onSpace(): void;
}

/**
 * What changed on the platform since a backup: all that a backup holds is read again and compared, but for
 * pages and files, which are compared by the revision they are of; of computed pages, also the text.
 * @throws what no other read can survive (`unreadOf`)
 */
export async function* verifyPlatform(comparing: Comparing): AsyncGenerator<VerifyFinding> {
  const { reading, manifest, unread } = comparing;
  const { client, organizationId, signal } = reading;
  const organization = await client.call(getOrg, { path: { organizationId } }).catch((cause: unknown) => {
    unread.push(failedEntry(unreadOf(cause, signal, { kind: 'organization', id: organizationId })));
  });
  if (organization === undefined) return;
  const sink = new Capture('', manifest.files, isThere);
  const gathering = new Gathering(reading, { at: '', old: manifest.files, sink });
  const access = comparing.access && manifest.files.some(isAccess);
  await readOrganization(gathering, organization, { access });
  unread.push(...gathering.failed);
  const found = await findSpaces(reading, manifest.spaces);
  unread.push(...untold(found.unread, unread));
  await writeOrders(gathering, found);
  const { folder } = reading;
  const files = await comparable(folder, '', manifest, gathering.files);
  const before = { top: new StoredFiles(folder, '', files.before), spaces: manifest.spaces };
  const after = { top: new StoredFiles(sink, '', files.after), spaces: found.spaces };
  for await (const difference of diffOrganization(before, after)) yield findingOf(difference);
  const ids = new Set(found.spaces.map(({ id }) => id));
  const compare = (space: Space) => compareSpace(comparing, space);
  for await (const findings of readEach({ concurrency: spacesAtOnce }, found.spaces, compare)) {
    comparing.onSpace();
    yield* findings;
  }
  if (found.unread.length > 0) return;
  for (const { id, title } of manifest.spaces)
    if (!ids.has(id)) yield { state: 'gone', kind: 'space', id, title };
}

async function compareSpace(
  { reading, manifest, unread }: Comparing,
  space: Space,
): Promise<VerifyFinding[]> {
  const { id, title } = space;
  const entry = manifest.spaces.find((one) => one.id === id);
  if (entry?.revision === undefined) return [{ state: 'not-backed-up', kind: 'space', id, title }];
  const old = await intactManifest(reading.folder, spaceFolder(entry.folder), id);
  if (old === undefined) return []; // A missing or bad manifest is a finding already.
  const at = `${spaceFolder(entry.folder)}/`;
  const sink = new Capture(at, old.files, isThere);
  const how = { keepsReplies: false, compares: true, readsSettings: true, full: false };
  const walked = await walkSpace(reading, space, { folder: entry.folder, old, sink, ...how });
  unread.push(...walked.manifest.failed);
  const files = await comparable(reading.folder, at, old, walked.manifest.files);
  const before = { files: new StoredFiles(reading.folder, at, files.before), space: old };
  const after = { files: new StoredFiles(sink, at, files.after), space: walked.manifest };
  const findings: VerifyFinding[] = [];
  for await (const one of diffSpace(before, after, { withRevision: true })) findings.push(findingOf(one));
  return findings;
}

const states = { added: 'not-backed-up', removed: 'gone', changed: 'outdated', moved: 'outdated' } as const;

/** What differs from the backup, as a finding. */
function findingOf({ change, from, path, ...difference }: Difference): VerifyFinding {
  const place = change === 'added' ? {} : { path };
  return { state: states[change], ...difference, ...(place.path !== undefined && { path: place.path }) };
}

/** The files of a place: as the manifest has them, and as they would be now. */
interface Compared {
  before: readonly FileEntry[];
  after: readonly FileEntry[];
}

/**
 * Leaves out what is a finding without the platform: files that are missing or damaged, which would look as
 * if all of it were new, and what the last run could not read.
 * @param at folder of the files, with `/` at its end; '' for the top
 */
async function comparable(
  folder: Folder,
  at: string,
  { files, failed }: { files: readonly FileEntry[]; failed: readonly FailedEntry[] },
  now: readonly FileEntry[],
): Promise<Compared> {
  const hashes = new Map(now.map((entry) => [keyOf(entry), entry.sha256]));
  const had = new Set(files.map(({ kind }) => kind));
  const unread = new Set(failed.map(({ kind }) => kind).filter((kind) => !had.has(kind)));
  const damaged = new Set<string>();
  for (const entry of files) {
    const key = keyOf(entry);
    if (hashes.get(key) !== entry.sha256 && !(await isIntact(folder, at, entry))) damaged.add(key);
  }
  const isCompared = (entry: FileEntry) => !damaged.has(keyOf(entry)) && !unread.has(entry.kind);
  return { before: files.filter(isCompared), after: now.filter(isCompared) };
}

function keyOf({ kind, id, changeRequest }: FileEntry): string {
  return JSON.stringify([kind, id, changeRequest]);
}

async function isIntact(folder: Folder, at: string, { path, sha256 }: FileEntry): Promise<boolean> {
  try {
    return (await folder.digest(at + path))?.sha256 === sha256;
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'unsafe_link') return false;
    throw cause;
  }
}
