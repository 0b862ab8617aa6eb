import type { Client } from '../api/client.js';
import { getOrg, type Organization } from '../api/resources/orgs.js';
import type { Space } from '../api/resources/spaces.js';
import { readAll, readEach } from '../jobs/sequence.js';
import { isFirst, type Shard } from '../shards/shard.js';
import { unreadOf } from '../snapshot/unread.js';
import { agesNow, spaceAges, unreadSpace } from './ages.js';
import type { Folder } from './folder.js';
import { Capture, folderSink, Gathering, type Reading } from './gathering.js';
import {
  type FailedEntry,
  failedEntry,
  intactManifest,
  type Manifest,
  openFolder,
  type SpaceEntry,
  spaceFolder,
  untold,
} from './manifest.js';
import { namesOf } from './names.js';
import { findSpaces, readOrganization, writeOrders } from './organization.js';
import type { Distrusted, PlannedSpace } from './shapes.js';
import { readSpace, type SpaceOutcome, walkSpace } from './space.js';
import { isAsBefore, keepsReplies, seenOf } from './staleness.js';
import { placeSpaces, trustIn, trustInSpace } from './trust.js';
import type { Versions } from './versions.js';
import { BackupWriter, type RunOutcome, type Target, type WriterOptions, writeInto } from './writer.js';

export interface RunOptions extends WriterOptions {
  client: Client;
  organization: string;
  platform: string;
  /** Whether everything is read, whatever the last run has. */
  full: boolean;
  /** Whether who can access which space is read: a request for each member. */
  access: boolean;
  concurrency: number;
  signal: AbortSignal;
  /** Only this part of the organization; the folder is that of the part (parts.ts). */
  shard?: Shard;
  /** Called with the ids of all spaces that were found, and whether every list of them was read. */
  onFound?(all: readonly string[], whole: boolean): void;
  /** Called once the manifest is written, with its hash, while the folder is locked. */
  onWritten?(folder: Folder, manifest: Manifest, sha256: string): Promise<void>;
  /** Called as permissions of members, then spaces are read: how many in all, done, and of those not whole. */
  onProgress?(what: 'member' | 'space', total: number, done: number, failed?: number): void;
}

/** Spaces that are read at once; each reads its pages at once too. */
const spacesAtOnce = 4;

/**
 * Backs up an organization, then its spaces, some at a time. Nothing is written unless the organization can
 * be read and the folder may be written; from then on each file is put in its place in one step, so that the
 * next run can continue after one that was killed.
 * @throws DocsError if nothing, or nothing more, could be done; reads that failed are in the manifest
 */
export async function runBackup(options: RunOptions): Promise<RunOutcome> {
  const { client, organization, platform, shard } = options;
  const org = await client.call(getOrg, { path: { organizationId: organization } });
  const place = { organization: org.id, platform, alone: shard !== undefined };
  return writeInto(options, place, async (target) =>
    new BackupRun(options, org, target, await target.openVersions()).run(),
  );
}

class BackupRun extends BackupWriter {
  readonly #options: RunOptions;
  readonly #org: Organization;
  readonly #startedAt: string;
  readonly #reading: Reading;
  readonly #gathering: Gathering;

  constructor(options: RunOptions, org: Organization, target: Target, versions: Versions) {
    const { client, signal, concurrency, platform, signer } = options;
    const { id, title } = org;
    const startedAt = new Date(options.now()).toISOString();
    super(target, versions, { platform, organization: { id, title }, startedAt }, { signer, at: startedAt });
    const { folder } = target;
    this.files = this.previous?.files ?? [];
    this.#options = options;
    this.#org = org;
    this.#startedAt = startedAt;
    this.#reading = { client, organizationId: id, folder, signal, concurrency };
    this.#gathering = new Gathering(this.#reading, { at: '', old: this.files, sink: folderSink(folder) });
  }

  async run(): Promise<RunOutcome> {
    const { shard, onFound, onWritten, now } = this.#options;
    await this.begin();
    await this.#readOrganization();
    const found = await findSpaces(this.#reading, this.previous?.spaces ?? [], shard);
    const isWhole = found.unread.length === 0;
    onFound?.(found.all, isWhole);
    if (isFirst(shard)) await writeOrders(this.#gathering, found);
    this.ages = agesNow(this.previous, this.#startedAt, this.#gathering);
    const { failed, files } = this.#gathering;
    this.failed = [...failed, ...untold(found.unread, failed)];
    this.files = files;
    if (isWhole) await this.versions.tookGone(found.spaces);
    // If a list could not be read, spaces that were not found may still exist.
    await placeSpaces(this.folder, this.entries, found.spaces, !isWhole);
    await this.writeUnfinished();
    await this.#readSpaces(found.spaces);
    await this.clear(found.spaces, isWhole);
    const finishedAt = new Date(now()).toISOString();
    return this.finish({ tally: this.#gathering.tally, finishedAt }, now, onWritten);
  }

  async #readOrganization(): Promise<void> {
    const { access, shard, onProgress } = this.#options;
    const onMember = (done: number) => onProgress?.('member', this.#gathering.tally.members ?? done, done);
    await readOrganization(this.#gathering, this.#org, { access, onMember, shard });
  }

  async #readSpaces(spaces: readonly Space[]): Promise<void> {
    const { onProgress = () => {} } = this.#options;
    const concurrency = Math.min(spacesAtOnce, this.#options.concurrency);
    let [done, failed] = [0, 0];
    onProgress('space', spaces.length, done, failed);
    this.checkpoints.total = spaces.length;
    try {
      for await (const whole of readEach({ concurrency }, spaces, (space) => this.#readSpace(space))) {
        done += 1;
        if (!whole) failed += 1;
        onProgress('space', spaces.length, done, failed);
      }
    } finally {
      await this.checkpoints.end();
    }
  }

  async #readSpace(space: Space): Promise<boolean> {
    const { id, title } = space;
    const { folder = id } = this.entries.get(id) ?? {};
    const { full, now } = this.#options;
    try {
      await this.setAside(id);
      const keeps = keepsReplies(this.entries.get(id)?.repliesReadAt, full, now());
      const options = { folder, full, keepsReplies: keeps, deleted: this.deleted };
      const outcome = await readSpace(this.#reading, space, options);
      this.#took(space, folder, outcome);
      if (!outcome.unchanged) await this.checkpoints.add();
    } catch (cause) {
      this.failed.push(failedEntry(unreadOf(cause, this.#reading.signal, { kind: 'space', id, title })));
      const entry = this.entries.get(id);
      if (entry !== undefined) this.entries.set(id, unreadSpace(entry));
    }
    return this.entries.get(id)?.state === 'whole';
  }

  #took({ id, title }: Space, folder: string, outcome: SpaceOutcome): void {
    const { manifest, sha256, unchanged, moved, before } = outcome;
    const { state, revision, counts, failed, files } = manifest;
    const ages = spaceAges(this.entries.get(id), this.#startedAt, outcome);
    this.entries.set(id, { id, title, folder, state, revision, counts, sha256, ...ages });
    this.versions.took(id, before, files);
    this.failed.push(...failed);
    if (unchanged) this.unchanged += 1;
    this.moved += moved;
  }
}

interface Planned {
  spaces: PlannedSpace[];
  /** What could not be read. */
  failed: FailedEntry[];
  /** What is not as the last run left it: a run would set it aside. */
  distrusted: Omit<Distrusted, 'path'>[];
  /** As of `RunOutcome`. */
  anew: boolean;
}

/** What a run would do: sends every read that decides it, and writes nothing. Errors as in `runBackup`. */
export async function planBackup(options: RunOptions): Promise<Planned> {
  const { client, organization, platform, path, signal, concurrency, shard } = options;
  const org = await client.call(getOrg, { path: { organizationId: organization } });
  const { folder, last } = await openFolder(path, org.id, platform);
  const { previous, doubt } = await trustIn(folder, last, options.signer);
  const reading: Reading = { client, organizationId: org.id, folder, signal, concurrency };
  const found = await findSpaces(reading, previous?.spaces ?? [], shard);
  const failed = found.unread.map(failedEntry);
  const spaces = await planned(reading, found.spaces, options, previous, failed);
  const there = new Set(found.spaces.map(({ id }) => id));
  const gone = (previous?.spaces ?? []).filter(({ id }) => !there.has(id) && found.unread.length === 0);
  for (const { id, title } of gone) spaces.push({ id, title, state: 'removed' });
  const forged = spaces.filter(({ state }) => state === 'distrusted');
  const distrusted: Planned['distrusted'] = forged.map(({ id, title }) => ({ kind: 'space', id, title }));
  if (doubt === 'changed') distrusted.unshift({ kind: 'manifest', id: org.id });
  return { spaces, failed, distrusted, anew: doubt === 'not-signed' };
}

async function planned(
  reading: Reading,
  spaces: readonly Space[],
  options: RunOptions,
  previous: Manifest | undefined,
  failed: FailedEntry[],
): Promise<PlannedSpace[]> {
  const names = namesOf(spaces);
  const known = new Map((previous?.spaces ?? []).map((entry) => [entry.id, entry]));
  return readAll(reading, spaces, async (space): Promise<PlannedSpace> => {
    const { id, title } = space;
    if (previous === undefined) return { id, title, state: 'new' };
    const entry = known.get(id) ?? { id, title, folder: names.get(id) ?? id, state: 'planned' };
    const trust = await trustInSpace(reading.folder, entry, previous);
    if (trust === 'changed') return { id, title, state: 'distrusted' };
    if (trust === 'same' && (await isUnchanged(reading, space, entry, options, failed)))
      return { id, title, state: 'unchanged' };
    return { id, title, state: known.has(id) ? 'changed' : 'new' };
  });
}

/** Compares a space with the last run, unless the list of spaces shows a change already. */
async function isUnchanged(
  reading: Reading,
  space: Space,
  { folder, repliesReadAt }: SpaceEntry,
  { full, now }: RunOptions,
  failed: FailedEntry[],
): Promise<boolean> {
  const old = full ? undefined : await intactManifest(reading.folder, spaceFolder(folder), space.id);
  if (old?.state !== 'whole' || old.seen !== seenOf(space)) return false;
  const { holds } = folderSink(reading.folder);
  const sink = new Capture(`${spaceFolder(folder)}/`, old.files, holds);
  const keeps = keepsReplies(repliesReadAt, full, now());
  const how = { folder, old, full, keepsReplies: keeps, compares: true, readsSettings: false, sink };
  const { manifest } = await walkSpace(reading, space, how);
  failed.push(...manifest.failed);
  return isAsBefore(old, manifest);
}
