import type { Signer } from '../signing/signer.js';
import { type Ages, lastAges, summed, unreadSpace } from './ages.js';
import type { Folder } from './folder.js';
import {
  type Counts,
  type FailedEntry,
  type FileEntry,
  type Manifest,
  manifestName,
  openFolder,
  readManifest,
  type SpaceEntry,
  spaceFolder,
  takeFolder,
  writeSigned,
} from './manifest.js';
import type { Distrusted } from './shapes.js';
import {
  Checkpoints,
  clearGone,
  deletedFolder,
  setAllAside,
  type Trust,
  trustIn,
  trustInSpace,
} from './trust.js';
import { type KeepAsked, openVersions, type Versions } from './versions.js';

export interface WriterOptions {
  /** Absolute. */
  path: string;
  /** Signs the manifest. */
  signer?: Signer;
  /** What is kept of earlier runs. */
  keep?: KeepAsked;
  now(): number;
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

/** A folder that this process may write, with what of the last run may be reused. */
export interface Target {
  folder: Folder;
  trust: Trust;
  /** Called before anything is written. */
  openVersions(): Promise<Versions>;
}

/**
 * Locks the folder of a backup for as long as it is written.
 * @param alone as for `takeFolder`
 * @throws DocsError as `openFolder`, `takeFolder`
 */
export async function writeInto<T>(
  { path, signer, keep }: WriterOptions,
  { organization, platform, alone }: { organization: string; platform: string; alone: boolean },
  write: (target: Target) => Promise<T>,
): Promise<T> {
  const { folder } = await openFolder(path, organization, platform);
  const taken = await takeFolder(folder, alone);
  try {
    // Another run may have ended since.
    const last = await readManifest(folder);
    const trust = await trustIn(folder, last, signer);
    return await write({ folder, trust, openVersions: () => openVersions(folder, last, trust, keep) });
  } finally {
    taken.release();
  }
}

/** Writes the manifest at the top, and puts aside what a run or a merge of parts has left behind. */
export class BackupWriter {
  protected readonly folder: Folder;
  /** The last run, without what may not be reused of it. */
  protected readonly previous: Manifest | undefined;
  protected readonly versions: Versions;
  /** Folder for what no longer exists. */
  protected readonly deleted: string;
  protected readonly entries: Map<string, SpaceEntry>;
  protected readonly checkpoints = new Checkpoints(() => this.writeUnfinished());
  /** At the top. */
  protected files: readonly FileEntry[] = [];
  protected ages: Ages;
  protected failed: FailedEntry[] = [];
  protected unchanged = 0;
  protected moved = 0;
  readonly #doubt: Trust['doubt'];
  readonly #about: Pick<Manifest, 'platform' | 'organization' | 'startedAt'>;
  readonly #signer: Signer | undefined;
  readonly #distrusted: Distrusted[] = [];

  /** @param at when it began to write */
  constructor(
    { folder, trust: { previous, doubt } }: Target,
    versions: Versions,
    about: Pick<Manifest, 'platform' | 'organization' | 'startedAt'>,
    { signer, at }: { signer: Signer | undefined; at: string },
  ) {
    this.folder = folder;
    this.previous = previous;
    this.versions = versions;
    this.deleted = `${deletedFolder}/${at.slice(0, 19).replaceAll(':', '-')}Z`;
    this.entries = new Map(previous?.spaces.map((entry) => [entry.id, entry]));
    this.ages = lastAges(previous);
    this.#doubt = doubt;
    this.#about = about;
    this.#signer = signer;
  }

  protected async begin(): Promise<void> {
    for (const { name } of await this.folder.entries('')) await this.folder.removeDraft(name);
    if (this.#doubt === 'changed') {
      this.moved += await setAllAside(this.folder, this.deleted);
      const { id } = this.#about.organization;
      this.#distrusted.push({ kind: 'manifest', id, path: `${this.deleted}/${manifestName}` });
    }
    await this.writeUnfinished();
  }

  /** Unfinished until the end, so that a run which was killed never looks whole. */
  protected async writeUnfinished(): Promise<void> {
    await writeSigned(this.folder, this.#head('unfinished'), this.#signer);
  }

  /** Takes care that nothing is reused of a space that is not as the last run left it. */
  protected async setAside(id: string): Promise<void> {
    const entry = this.entries.get(id);
    const trust = entry && (await trustInSpace(this.folder, entry, this.previous));
    if (trust === undefined || trust === 'same') return;
    const { title, folder: name } = entry as SpaceEntry;
    this.entries.set(id, { id, title, folder: name, state: 'planned' });
    const at = spaceFolder(name);
    if (trust === 'unknown') return this.folder.remove(`${at}/${manifestName}`);
    const path = await this.folder.moveInto(this.deleted, at);
    this.moved += 1;
    this.#distrusted.push({ kind: 'space', id, title, path });
  }

  /**
   * Moves away what no longer exists.
   * @param isWhole whether every list of spaces could be read; if not, spaces that were not found stay
   */
  protected async clear(spaces: readonly { id: string }[], isWhole: boolean): Promise<void> {
    const found = new Set(spaces.map(({ id }) => id));
    for (const [id, entry] of [...this.entries]) {
      if (found.has(id)) continue;
      if (isWhole) this.entries.delete(id);
      else this.entries.set(id, unreadSpace(entry));
    }
    const left = { spaces: [...this.entries.values()], files: this.files, doubt: this.#doubt };
    this.moved += await clearGone(this.folder, left, this.deleted);
  }

  /**
   * @param tally counts of the organization itself
   * @param onWritten called once the manifest is written, before earlier runs go
   */
  protected async finish(
    { tally, finishedAt }: { tally: Counts; finishedAt: string },
    now: () => number,
    onWritten?: (folder: Folder, manifest: Manifest, sha256: string) => Promise<void>,
  ): Promise<RunOutcome> {
    const head = this.#head(this.failed.length === 0 ? 'whole' : 'partial');
    const changes = await this.versions.changes(head.files, head.spaces);
    const counts = summed(tally, head.spaces);
    const manifest: Manifest = { ...head, lastFinished: undefined, finishedAt, changes, counts };
    const { sha256 } = await writeSigned(this.folder, manifest, this.#signer);
    await onWritten?.(this.folder, manifest, sha256);
    const kept = await this.versions.finish(manifest, now());
    const [unchanged, moved, distrusted] = [this.unchanged, this.moved, this.#distrusted];
    return { manifest, sha256, unchanged, moved, kept, distrusted, anew: this.#doubt === 'not-signed' };
  }

  #head(state: Manifest['state']): Manifest {
    const spaces = [...this.entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const { platform, organization, startedAt } = this.#about;
    return {
      ...{ state, platform, organization, ...this.versions.head(), startedAt, ...this.ages },
      ...{ counts: {}, failed: this.failed, files: this.files, spaces },
    };
  }
}
