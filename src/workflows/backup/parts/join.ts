import { defined } from '../../../base/values.js';
import type { Signer } from '../../../signing/signer.js';
import { lastAges, unreadSpace } from '../ages.js';
import type { Distrusted } from '../distrusted.js';
import type { RunOutcome } from '../execute.js';
import { Checkpoints } from '../folder/checkpoints.js';
import { clearGone } from '../folder/clear-gone.js';
import { deletedFolder } from '../folder/clear-stale.js';
import type { Folder } from '../folder/folder.js';
import {
  type FailedEntry,
  type FileEntry,
  type Manifest,
  manifestName,
  readManifest,
  type SpaceEntry,
  spaceFolder,
} from '../folder/manifest.js';
import { openFolder, takeFolder } from '../folder/open-folder.js';
import { placeSpaces } from '../folder/place-spaces.js';
import { setAllAside, type Trust, trustIn, trustInSpace } from '../folder/trust.js';
import { isAccess } from '../read/access.js';
import { summed } from '../read/counts.js';
import { writeSigned } from '../signature/signed-manifest.js';
import { type KeepAsked, openVersions, type Versions } from '../versions/versions.js';
import { checkParts } from './check-parts.js';
import { factsOf } from './facts.js';
import { foundLater } from './found-later.js';
import { joinedAccess } from './join-access.js';
import { copyFile, isInWhole, joinSpace } from './join-space.js';
import type { Part } from './open-parts.js';

export interface JoinOptions {
  /** All of them, in order. */
  parts: readonly [Part, ...Part[]];
  /** Absolute: the whole, new or an earlier backup. */
  path: string;
  /** The command that backs up a part, without `--shard`. */
  again: string;
  signer?: Signer;
  keep?: KeepAsked;
  now(): number;
  onProgress?(total: number, done: number): void;
}

/**
 * Joins the parts of a backup into a folder, as one run would have written it. All that is to be copied is read and
 * compared with its hashes first; from then on each file is put in its place in one step, and the manifest at the top
 * says `unfinished` until the end, so that a merge which is killed can be run again.
 * @throws DocsError partial `part_missing` (exit 3); as `openFolder`, `takeFolder`; exit 13
 */
export async function joinParts(options: JoinOptions): Promise<RunOutcome> {
  const { parts, path, signer, keep } = options;
  const { record } = parts[0];
  const { folder } = await openFolder(path, record.organization, record.platform);
  const taken = await takeFolder(folder);
  try {
    const last = await readManifest(folder);
    const trust = await trustIn(folder, last, signer);
    const there = await spacesThere(folder, trust, parts);
    await checkParts(parts, async ({ id }) => there.has(id), options.again);
    const versions = await openVersions(folder, last, trust, keep);
    return await new Join(options, folder, trust, versions, there).run();
  } finally {
    taken.release();
  }
}

/** Ids of the spaces that the whole has as the parts have them. */
export async function spacesThere(
  folder: Folder,
  { previous }: Trust,
  parts: readonly Part[],
): Promise<Set<string>> {
  const known = new Map((previous?.spaces ?? []).map((entry) => [entry.id, entry]));
  const there = new Set<string>();
  for (const { manifest } of parts)
    for (const entry of manifest.spaces)
      if (await isInWhole(folder, known.get(entry.id), entry)) there.add(entry.id);
  return there;
}

class Join {
  readonly #options: JoinOptions;
  readonly #folder: Folder;
  readonly #trust: Trust;
  readonly #versions: Versions;
  readonly #there: ReadonlySet<string>;
  readonly #entries = new Map<string, SpaceEntry>();
  readonly #files: FileEntry[] = [];
  readonly #distrusted: Distrusted[] = [];
  readonly #facts: ReturnType<typeof factsOf>;
  readonly #deleted: string;
  readonly #checkpoints: Checkpoints;
  #failed: readonly FailedEntry[] = [];
  #unchanged = 0;
  #moved = 0;

  constructor(
    options: JoinOptions,
    folder: Folder,
    trust: Trust,
    versions: Versions,
    there: ReadonlySet<string>,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#trust = trust;
    this.#versions = versions;
    this.#there = there;
    this.#facts = factsOf(options.parts);
    const at = new Date(options.now()).toISOString().slice(0, 19).replaceAll(':', '-');
    this.#deleted = `${deletedFolder}/${at}Z`;
    for (const entry of trust.previous?.spaces ?? []) this.#entries.set(entry.id, entry);
    this.#checkpoints = new Checkpoints(() => this.#writeUnfinished());
  }

  async run(): Promise<RunOutcome> {
    const [folder, { parts, signer, now }] = [this.#folder, this.#options];
    for (const { name } of await folder.entries('')) await folder.removeDraft(name);
    if (this.#trust.doubt === 'changed') {
      this.#moved += await setAllAside(folder, this.#deleted);
      const { organization: id } = parts[0].record;
      this.#distrusted.push({ kind: 'manifest', id, path: `${this.#deleted}/${manifestName}` });
    }
    await this.#writeUnfinished();
    await this.#joinTop();
    await this.#joinSpaces();
    const late = foundLater(parts);
    this.#failed = [...this.#facts.failed, ...late];
    await this.#clear();
    const head = this.#head(this.#failed.length === 0 ? 'whole' : 'partial');
    const changes = await this.#versions.changes(head.files, head.spaces);
    const { lastFinished: _, ...done } = head;
    const { finishedAt, tally } = this.#facts;
    const counts = summed(tally, [...this.#entries.values()]);
    const manifest: Manifest = { ...done, ...defined({ finishedAt, changes }), counts };
    const { sha256 } = await writeSigned(folder, manifest, signer);
    const kept = await this.#versions.finish(manifest, now());
    const anew = this.#trust.doubt === 'not-signed';
    const [unchanged, moved, distrusted] = [this.#unchanged, this.#moved, this.#distrusted];
    return { manifest, sha256, unchanged, moved, kept, distrusted, anew };
  }

  #head(state: Manifest['state']): Manifest {
    const { platform, organization, startedAt, ages } = this.#facts;
    const { older: _, ...last } = lastAges(this.#trust.previous);
    const own = state === 'unfinished' ? lastAges(this.#trust.previous) : { ...last, ...ages };
    const spaces = [...this.#entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const runs = this.#versions.head();
    const parts = { failed: this.#failed, files: this.#files, spaces };
    return { state, platform, organization, ...runs, startedAt, ...own, counts: {}, ...parts };
  }

  /** Unfinished until the end, so that a merge which was killed never looks whole. */
  async #writeUnfinished(): Promise<void> {
    await writeSigned(this.#folder, this.#head('unfinished'), this.#options.signer);
  }

  /** What the first part has read of the organization, and the permissions, which every part has some of. */
  async #joinTop(): Promise<void> {
    const { parts, again } = this.#options;
    const [first] = parts;
    for (const file of first.manifest.files) {
      if (isAccess(file)) continue;
      await copyFile(this.#folder, first, file, { from: '', to: '', again });
      this.#files.push(file);
    }
    const access = joinedAccess(parts);
    const entry = parts.flatMap(({ manifest }) => manifest.files.find(isAccess) ?? [])[0];
    if (access === undefined || entry === undefined) return;
    this.#files.push({ ...entry, ...(await this.#folder.write(entry.path, access)) });
  }

  async #joinSpaces(): Promise<void> {
    const { parts, onProgress = () => {} } = this.#options;
    const spaces = parts.flatMap(({ manifest }) => manifest.spaces);
    if (this.#facts.whole) await this.#versions.tookGone(spaces);
    await placeSpaces(this.#folder, this.#entries, spaces, !this.#facts.whole);
    this.#checkpoints.total = spaces.length;
    let done = 0;
    try {
      for (const part of parts)
        for (const entry of part.manifest.spaces) {
          await this.#joinSpace(part, entry);
          done += 1;
          onProgress(spaces.length, done);
        }
    } finally {
      await this.#checkpoints.end();
    }
  }

  async #joinSpace(part: Part, entry: SpaceEntry): Promise<void> {
    const { id } = entry;
    const known = this.#entries.get(id);
    const name = known?.folder ?? id;
    if (entry.sha256 === undefined) {
      // The part could not read it at all: what an earlier run read stays.
      if (known !== undefined) this.#entries.set(id, unreadSpace(known));
      return;
    }
    if (this.#there.has(id)) this.#unchanged += 1;
    else {
      if (known !== undefined) await this.#setAside(known);
      const again = { name, deleted: this.#deleted, again: this.#options.again };
      const { before, after, moved } = await joinSpace(this.#folder, part, entry, again);
      this.#versions.took(id, before, after);
      this.#moved += moved;
    }
    this.#entries.set(id, { ...entry, folder: name });
    if (!this.#there.has(id)) await this.#checkpoints.add();
  }

  /** Takes care that nothing is reused of a space that is not as the last run left it. */
  async #setAside(known: SpaceEntry): Promise<void> {
    const { id, title, folder: name } = known;
    const trust = await trustInSpace(this.#folder, known, this.#trust.previous);
    if (trust === 'same') return;
    const at = spaceFolder(name);
    if (trust === 'unknown') return this.#folder.remove(`${at}/${manifestName}`);
    const path = await this.#folder.moveInto(this.#deleted, at);
    this.#moved += 1;
    this.#distrusted.push({ kind: 'space', id, title, path });
  }

  /** Moves away what no part has; if a list of spaces could not be read, they stay. */
  async #clear(): Promise<void> {
    const found = new Set(this.#options.parts.flatMap(({ manifest }) => manifest.spaces.map(({ id }) => id)));
    for (const [id, entry] of [...this.#entries]) {
      if (found.has(id)) continue;
      if (this.#facts.whole) this.#entries.delete(id);
      else this.#entries.set(id, unreadSpace(entry));
    }
    const { doubt } = this.#trust;
    const left = { spaces: [...this.#entries.values()], files: this.#files, doubt };
    this.#moved += await clearGone(this.#folder, left, this.#deleted);
  }
}
