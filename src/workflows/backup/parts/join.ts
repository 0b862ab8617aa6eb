import { DocsError } from '../../../base/errors.js';
import { defined, isObject } from '../../../base/values.js';
import { shardOf, shardWords, unfinished } from '../../../shards/shard.js';
import type { Signer } from '../../../signing/signer.js';
import { lastAges, unreadSpace } from '../ages.js';
import type { Distrusted } from '../distrusted.js';
import type { RunOutcome } from '../execute.js';
import { Checkpoints } from '../folder/checkpoints.js';
import { clearGone } from '../folder/clear-gone.js';
import { clearStale, deletedFolder } from '../folder/clear-stale.js';
import { Digest, digested, same } from '../folder/digest.js';
import type { Folder } from '../folder/folder.js';
import { jsonLines, linesOf } from '../folder/json-files.js';
import {
  type Counts,
  type FailedEntry,
  type FileEntry,
  failedEntry,
  type Manifest,
  manifestName,
  readManifest,
  readSpaceManifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from '../folder/manifest.js';
import { openFolder, takeFolder } from '../folder/open-folder.js';
import { placeSpaces } from '../folder/place-spaces.js';
import { setAllAside, type Trust, trustIn, trustInSpace } from '../folder/trust.js';
import { type AccessLine, isAccess, isAccessLine } from '../read/access.js';
import { summed } from '../read/counts.js';
import { writeSigned } from '../signature/signed-manifest.js';
import { type KeepAsked, openVersions, type Versions } from '../versions/versions.js';
import { checkParts, partSpace } from './check-parts.js';
import type { Part } from './open-parts.js';

/**
 * `access.json` of the whole: the lines of all parts in the order of the members, which the first part has read.
 * Lines of members who are not in it, as they joined while the parts were read, come last.
 * @returns undefined where no part has any
 */
export function joinedAccess(parts: readonly Part[]): AsyncIterable<Uint8Array> | undefined {
  return parts.some(({ manifest }) => manifest.files.some(isAccess)) ? jsonLines(lines(parts)) : undefined;
}

async function* lines(parts: readonly Part[]): AsyncGenerator<AccessLine> {
  const queues = parts.map((part) => new Lines(part));
  try {
    const [first] = parts;
    for await (const id of first === undefined ? [] : membersIn(first)) {
      const line = await queues[shardOf(id, parts.length) - 1]?.of(id);
      if (line !== undefined) yield line;
    }
    for (const queue of queues) yield* queue.rest();
  } finally {
    for (const queue of queues) await queue.close();
  }
}

async function* membersIn({ folder, manifest }: Part): AsyncGenerator<string> {
  const entry = manifest.files.find(({ kind }) => kind === 'members');
  if (entry === undefined) return;
  for await (const member of itemsOf(folder, entry.path))
    if (isObject(member) && typeof member.id === 'string') yield member.id;
}

async function* itemsOf(folder: Folder, path: string): AsyncGenerator<unknown> {
  const bytes = await folder.read(path);
  if (bytes !== undefined) yield* linesOf(bytes);
}

/** The lines of a part. They are in the order in which they are asked for, with few exceptions. */
class Lines {
  readonly #source: AsyncGenerator<unknown>;
  /** Read before they were asked for. */
  readonly #held = new Map<string, AccessLine>();

  constructor({ folder, manifest }: Part) {
    const path = manifest.files.find(isAccess)?.path;
    this.#source = path === undefined ? none() : itemsOf(folder, path);
  }

  async of(member: string): Promise<AccessLine | undefined> {
    const held = this.#held.get(member);
    this.#held.delete(member);
    if (held !== undefined) return held;
    for (;;) {
      const line = await this.#next();
      if (line === undefined || line.member === member) return line;
      this.#held.set(line.member, line);
    }
  }

  async *rest(): AsyncGenerator<AccessLine> {
    yield* this.#held.values();
    for (let line = await this.#next(); line !== undefined; line = await this.#next()) yield line;
  }

  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  async #next(): Promise<AccessLine | undefined> {
    for (;;) {
      const { done, value } = await this.#source.next();
      if (done) return undefined;
      if (isAccessLine(value)) return value;
    }
  }
}

async function* none(): AsyncGenerator<unknown> {}

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

/**
 * Spaces that a part has found which started after the part they belong to, and that one does not have: they are new
 * since then. What an earlier part found and a later one did not is gone.
 */
export function foundLater(parts: readonly Part[]): FailedEntry[] {
  const late = new Map<string, FailedEntry>();
  const own = parts.map(({ manifest }) => new Set(manifest.spaces.map(({ id }) => id)));
  for (const { record } of parts)
    for (const id of record.found) {
      const at = shardOf(id, parts.length) - 1;
      const [part, has] = [parts[at], own[at]];
      if (part === undefined || has?.has(id) || part.record.startedAt >= record.startedAt) continue;
      const message = `It is new since ${shardWords(part.shard)} was backed up.`;
      const error = new DocsError('partial', 'not_in_part', message, { retryable: true });
      late.set(id, failedEntry({ kind: 'space', id, error }));
    }
  return [...late.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What the manifest of the whole says that follows from the parts alone. */
interface PartFacts extends Pick<Manifest, 'platform' | 'organization' | 'startedAt'> {
  /** When the first of the parts was done: a monitor takes the whole for as old as its oldest part. */
  finishedAt: string;
  ages: Pick<Manifest, 'readAt' | 'accessReadAt' | 'older'>;
  /** What was counted of the organization itself. */
  tally: Counts;
  failed: FailedEntry[];
  /** Whether every part could read every list of spaces. */
  whole: boolean;
}

function factsOf(parts: readonly [Part, ...Part[]]): PartFacts {
  const [first] = parts;
  const { platform, organization, readAt } = first.manifest;
  const access = earliest(parts.map(({ manifest }) => manifest.accessReadAt ?? undefined));
  return {
    platform,
    organization,
    startedAt: earliest(parts.map(({ record }) => record.startedAt)) ?? first.record.startedAt,
    finishedAt: earliest(parts.map(({ record }) => record.finishedAt)) ?? first.record.finishedAt,
    ages: defined({ readAt, accessReadAt: access ?? null, older: olderOf(parts) }),
    tally: tallyOf(parts),
    failed: failedOf(parts),
    whole: parts.every(({ record }) => record.whole),
  };
}

function olderOf(parts: readonly Part[]): Manifest['older'] {
  const kinds = new Set(parts.flatMap(({ manifest }) => Object.keys(manifest.older ?? {})));
  if (kinds.size === 0) return undefined;
  const times = [...kinds].sort().map((kind) => {
    return [kind, earliest(parts.map(({ manifest }) => manifest.older?.[kind])) ?? ''] as const;
  });
  return Object.fromEntries(times);
}

/** Times of one form are in the order of their texts. */
function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter((time) => time !== undefined).sort()[0];
}

/** The counts that no space has; what several parts counted is of different things. */
function tallyOf(parts: readonly Part[]): Counts {
  const tally: Record<string, number> = {};
  for (const { manifest } of parts) {
    const ofSpaces = summed({}, manifest.spaces);
    for (const [name, count] of Object.entries(manifest.counts))
      if (!(name in ofSpaces)) tally[name] = (tally[name] ?? 0) + count;
  }
  return tally;
}

/** Each failure once: every part reads the lists of spaces. */
function failedOf(parts: readonly Part[]): FailedEntry[] {
  const all = parts.flatMap(({ manifest }) => manifest.failed);
  const keyOf = ({ kind, id, space }: FailedEntry) => JSON.stringify([kind, id, space]);
  return [...new Map([...all].reverse().map((entry) => [keyOf(entry), entry])).values()].reverse();
}

/** The copy of a space, or of the files at the top, from a part into the whole. */

/** Whether a space is in the whole as a part has it: the same manifest, and its files in their sizes. */
async function isInWhole(
  folder: Folder,
  known: SpaceEntry | undefined,
  { sha256, state }: SpaceEntry,
): Promise<boolean> {
  if (known === undefined || sha256 === undefined || known.sha256 !== sha256 || known.state !== state)
    return false;
  const at = spaceFolder(known.folder);
  if ((await folder.digest(`${at}/${manifestName}`))?.sha256 !== sha256) return false;
  const manifest = await manifestIn(folder, at);
  for (const { path, bytes } of manifest?.files ?? []) {
    const stats = await folder.stat(`${at}/${path}`);
    if (stats?.isFile() !== true || stats.size !== bytes) return false;
  }
  return manifest !== undefined;
}

interface Joined {
  /** Its files in the whole before, if they are known. */
  before: readonly FileEntry[] | undefined;
  after: readonly FileEntry[];
  moved: number;
}

/**
 * Copies a space. Its manifest says `unfinished` from the first change on, and is written last.
 * @param name of its folder in the whole
 * @param deleted folder for what no longer exists
 * @throws DocsError partial `part_missing` where the part was changed since it was checked; exit 13
 */
async function joinSpace(
  folder: Folder,
  part: Part,
  entry: SpaceEntry,
  { name, deleted, again }: { name: string; deleted: string; again: string },
): Promise<Joined> {
  const manifest = await partSpace(part.folder, entry);
  if (manifest === undefined) throw changed(part, again);
  const at = spaceFolder(name);
  const old = await manifestIn(folder, at);
  if (old?.id === entry.id) await writeSpaceManifest(folder, at, { ...old, state: 'unfinished' });
  for (const file of manifest.files)
    await copyFile(folder, part, file, { from: spaceFolder(entry.folder), to: at, again });
  const moved = await clearStale(folder, at, manifest.files, deleted);
  await writeSpaceManifest(folder, at, manifest);
  return { before: old?.id === entry.id ? old.files : undefined, after: manifest.files, moved };
}

/** Copies a file, unless the same is there; one that is not as its part wrote it replaces nothing. */
async function copyFile(
  folder: Folder,
  part: Part,
  file: FileEntry,
  { from, to, again }: { from: string; to: string; again: string },
): Promise<void> {
  const place = (at: string) => (at === '' ? file.path : `${at}/${file.path}`);
  if (same(await folder.digest(place(to)), file)) return;
  const bytes = await part.folder.read(place(from));
  if (bytes === undefined) throw changed(part, again);
  const digest = new Digest();
  await folder.write(place(to), digested(bytes, digest), async () => {
    if (!same(digest.result(file.path), file)) throw changed(part, again);
  });
}

async function manifestIn(folder: Folder, at: string): Promise<SpaceManifest | undefined> {
  return readSpaceManifest(folder, at).catch((cause: unknown) => {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  });
}

function changed({ shard }: Part, again: string): DocsError {
  return unfinished([{ ...shard, why: 'damaged: it was changed while it was joined' }], again);
}
