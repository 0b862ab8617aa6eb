import type { Client } from '../../api/client.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import type { Space } from '../../api/resources/spaces.js';
import { defined } from '../../base/values.js';
import { readEach } from '../../jobs/in-order.js';
import { isFirst, type Shard } from '../../shards/shard.js';
import type { Signer } from '../../signing/signer.js';
import { unreadOf } from '../../snapshot/unread.js';
import { agesNow, lastAges, spaceAges, unreadSpace } from './ages.js';
import type { Distrusted } from './distrusted.js';
import { Checkpoints } from './folder/checkpoints.js';
import { clearGone } from './folder/clear-gone.js';
import { deletedFolder } from './folder/clear-stale.js';
import type { Folder } from './folder/folder.js';
import {
  type FailedEntry,
  failedEntry,
  type Manifest,
  manifestName,
  readManifest,
  type SpaceEntry,
  spaceFolder,
  untold,
} from './folder/manifest.js';
import { openFolder, takeFolder } from './folder/open-folder.js';
import { placeSpaces } from './folder/place-spaces.js';
import { setAllAside, type Trust, trustIn, trustInSpace } from './folder/trust.js';
import { summed } from './read/counts.js';
import { type FoundSpaces, findSpaces } from './read/find-spaces.js';
import { Gathering, type Reading } from './read/gathering.js';
import { writeOrders } from './read/orders.js';
import { readOrganization, type Tally } from './read/organization.js';
import { folderSink } from './read/sink.js';
import { readSpace, type SpaceOutcome } from './read/space.js';
import { writeSigned } from './signature/signed-manifest.js';
import { keepsReplies } from './staleness.js';
import { type KeepAsked, openVersions, type Versions } from './versions/versions.js';

export interface RunOptions {
  client: Client;
  organization: string;
  platform: string;
  /** Absolute. */
  path: string;
  /** Whether everything is read, whatever the last run has. */
  full: boolean;
  /** Whether who can access which space is read: a request for each member. */
  access: boolean;
  concurrency: number;
  signal: AbortSignal;
  /** Signs the manifest. */
  signer?: Signer;
  /** What is kept of earlier runs. */
  keep?: KeepAsked;
  /** Only this part of the organization; the folder is that of the part (parts/). */
  shard?: Shard;
  /** Called with the ids of all spaces that were found, and whether every list of them was read. */
  onFound?(all: readonly string[], whole: boolean): void;
  /** Called once the manifest is written, with its hash, while the folder is locked. */
  onWritten?(folder: Folder, manifest: Manifest, sha256: string): Promise<void>;
  now(): number;
  /** Called as permissions of members, then spaces are read: how many in all, done, and of those not whole. */
  onProgress?(what: 'member' | 'space', total: number, done: number, failed?: number): void;
}

export interface RunOutcome {
  manifest: Manifest;
  /** Hash of the manifest, which identifies the whole backup. */
  sha256: string;
  unchanged: number;
  /** Files and folders moved to `deleted` or versions. */
  moved: number;
  /** Earlier runs that are kept; undefined if none are to be. */
  kept: number | undefined;
  /** What was not as the last run had left it, and was read again. */
  distrusted: readonly Distrusted[];
  /** The run signs, and the last one did not with this key: nothing of that was reused. */
  anew: boolean;
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
  const { client, organization, platform, path } = options;
  const org = await client.call(getOrg, { path: { organizationId: organization } });
  const { folder } = await openFolder(path, org.id, platform);
  const taken = await takeFolder(folder, options.shard !== undefined);
  try {
    // Another run may have ended since.
    const last = await readManifest(folder);
    const trust = await trustIn(folder, last, options.signer);
    const versions = await openVersions(folder, last, trust, options.keep);
    return await new BackupRun(options, org, folder, trust, versions).run();
  } finally {
    taken.release();
  }
}

class BackupRun {
  readonly #options: RunOptions;
  readonly #reading: Reading;
  readonly #trust: Trust;
  readonly #versions: Versions;
  readonly #previous: Manifest | undefined;
  readonly #gathering: Gathering;
  readonly #tally: Tally = {};
  readonly #org: Organization;
  readonly #startedAt: string;
  readonly #deleted: string;
  readonly #entries = new Map<string, SpaceEntry>();
  readonly #distrusted: Distrusted[] = [];
  readonly #checkpoints: Checkpoints;
  #ages: ReturnType<typeof lastAges>;
  #failed: FailedEntry[] = [];
  #unchanged = 0;
  #moved = 0;

  constructor(options: RunOptions, org: Organization, folder: Folder, trust: Trust, versions: Versions) {
    const { client, signal, concurrency } = options;
    const { previous } = trust;
    this.#options = options;
    this.#org = org;
    this.#trust = trust;
    this.#versions = versions;
    this.#previous = previous;
    this.#ages = lastAges(previous);
    this.#reading = { client, organizationId: org.id, folder, signal, concurrency };
    this.#gathering = new Gathering(this.#reading, {
      at: '',
      old: previous?.files ?? [],
      sink: folderSink(folder),
    });
    this.#startedAt = new Date(options.now()).toISOString();
    this.#deleted = `${deletedFolder}/${this.#startedAt.slice(0, 19).replaceAll(':', '-')}Z`;
    for (const entry of previous?.spaces ?? []) this.#entries.set(entry.id, entry);
    this.#checkpoints = new Checkpoints(() => this.#writeUnfinished(this.#gathering.files));
  }

  async run(): Promise<RunOutcome> {
    const { folder } = this.#reading;
    for (const { name } of await folder.entries('')) await folder.removeDraft(name);
    if (this.#trust.doubt === 'changed') {
      this.#moved += await setAllAside(folder, this.#deleted);
      this.#distrusted.push({ kind: 'manifest', id: this.#org.id, path: `${this.#deleted}/${manifestName}` });
    }
    await this.#writeUnfinished(this.#previous?.files ?? []);
    const { access, shard, onProgress, onFound } = this.#options;
    const onMember = (done: number) => onProgress?.('member', this.#tally.members ?? done, done);
    await readOrganization(this.#gathering, this.#org, this.#tally, { access, onMember, shard });
    const found = await findSpaces(this.#reading, this.#previous?.spaces ?? [], shard);
    onFound?.(found.all, found.unread.length === 0);
    if (isFirst(shard)) await writeOrders(this.#gathering, found);
    this.#ages = agesNow(this.#previous, this.#startedAt, this.#gathering);
    const { failed } = this.#gathering;
    this.#failed = [...failed, ...untold(found.unread, failed)];
    await this.#plan(found);
    await this.#writeUnfinished(this.#gathering.files);
    await this.#readSpaces(found.spaces);
    await this.#clear(found);
    const state = this.#failed.length === 0 ? 'whole' : 'partial';
    const finishedAt = new Date(this.#options.now()).toISOString();
    const head = this.#head(state, this.#gathering.files);
    const changes = await this.#versions.changes(head.files, head.spaces);
    const { lastFinished: _, ...done } = head;
    const manifest: Manifest = {
      ...done,
      ...defined({ finishedAt, changes }),
      counts: summed(this.#tally, [...this.#entries.values()]),
    };
    const { sha256 } = await writeSigned(this.#reading.folder, manifest, this.#options.signer);
    await this.#options.onWritten?.(this.#reading.folder, manifest, sha256);
    const kept = await this.#versions.finish(manifest, this.#options.now());
    const [distrusted, anew] = [this.#distrusted, this.#trust.doubt === 'not-signed'];
    return { manifest, sha256, unchanged: this.#unchanged, moved: this.#moved, kept, distrusted, anew };
  }

  #head(state: Manifest['state'], files: Manifest['files']): Manifest {
    const { id, title } = this.#org;
    return {
      state,
      platform: this.#options.platform,
      organization: { id, title },
      ...this.#versions.head(),
      startedAt: this.#startedAt,
      ...this.#ages,
      counts: {},
      failed: this.#failed,
      files,
      spaces: [...this.#entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    };
  }

  /** Unfinished until the end, so that a killed run never looks whole. */
  async #writeUnfinished(files: Manifest['files']): Promise<void> {
    await writeSigned(this.#reading.folder, this.#head('unfinished', files), this.#options.signer);
  }

  /** Gives each space its folder; the folder of a renamed space moves. */
  async #plan({ spaces, unread }: FoundSpaces): Promise<void> {
    const { folder } = this.#reading;
    if (unread.length === 0) await this.#versions.tookGone(spaces);
    // If a list could not be read, spaces that were not found may still exist.
    await placeSpaces(folder, this.#entries, spaces, unread.length > 0);
  }

  async #readSpaces(spaces: readonly Space[]): Promise<void> {
    const { onProgress = () => {} } = this.#options;
    const concurrency = Math.min(spacesAtOnce, this.#options.concurrency);
    let [done, failed] = [0, 0];
    onProgress('space', spaces.length, done, failed);
    this.#checkpoints.total = spaces.length;
    try {
      for await (const whole of readEach({ concurrency }, spaces, (space) => this.#readSpace(space))) {
        done += 1;
        if (!whole) failed += 1;
        onProgress('space', spaces.length, done, failed);
      }
    } finally {
      await this.#checkpoints.end();
    }
  }

  async #readSpace(space: Space): Promise<boolean> {
    const { id, title } = space;
    const { folder = id } = this.#entries.get(id) ?? {};
    const { full, now } = this.#options;
    try {
      await this.#setAside(space, folder);
      const { repliesReadAt } = this.#entries.get(id) ?? {};
      const keeps = keepsReplies(repliesReadAt, full, now());
      const options = { folder, full, keepsReplies: keeps, deleted: this.#deleted };
      const outcome = await readSpace(this.#reading, space, options);
      this.#took(space, folder, outcome);
      if (!outcome.unchanged) await this.#checkpoints.add();
    } catch (cause) {
      const unread = unreadOf(cause, this.#reading.signal, { kind: 'space', id, title });
      this.#failed.push(failedEntry(unread));
      const entry = this.#entries.get(id);
      if (entry !== undefined) this.#entries.set(id, unreadSpace(entry));
    }
    return this.#entries.get(id)?.state === 'whole';
  }

  /** Takes care that nothing is reused of a space that is not as the last run left it. */
  async #setAside({ id, title }: Space, name: string): Promise<void> {
    const { folder } = this.#reading;
    const entry = this.#entries.get(id);
    const trust = entry && (await trustInSpace(folder, entry, this.#previous));
    if (trust === undefined || trust === 'same') return;
    this.#entries.set(id, { id, title, folder: name, state: 'planned' });
    const at = spaceFolder(name);
    if (trust === 'unknown') return folder.remove(`${at}/${manifestName}`);
    const path = await folder.moveInto(this.#deleted, at);
    this.#moved += 1;
    this.#distrusted.push({ kind: 'space', id, title, path });
  }

  #took({ id, title }: Space, folder: string, outcome: SpaceOutcome): void {
    const { manifest, sha256, unchanged, moved } = outcome;
    const { state, revision, counts, failed } = manifest;
    const ages = spaceAges(this.#entries.get(id), this.#startedAt, outcome);
    this.#entries.set(id, { ...defined({ id, title, folder, state, revision, counts, sha256 }), ...ages });
    this.#versions.took(id, outcome.before, manifest.files);
    this.#failed.push(...failed);
    if (unchanged) this.#unchanged += 1;
    this.#moved += moved;
  }

  /** Moves away what no longer exists; if a list could not be read, spaces that were not found stay. */
  async #clear({ spaces, unread }: FoundSpaces): Promise<void> {
    const { folder } = this.#reading;
    const found = new Set(spaces.map(({ id }) => id));
    for (const [id, entry] of [...this.#entries]) {
      if (found.has(id)) continue;
      if (unread.length === 0) this.#entries.delete(id);
      else this.#entries.set(id, unreadSpace(entry));
    }
    const { doubt } = this.#trust;
    const left = { spaces: [...this.#entries.values()], files: this.#gathering.files, doubt };
    this.#moved += await clearGone(folder, left, this.#deleted);
  }
}
