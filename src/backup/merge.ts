import { DocsError } from '../base/errors.js';
import { defined, isObject } from '../base/values.js';
import { shardOf, shardWords, unfinished } from '../shards/shard.js';
import { type AccessLine, isAccess, isAccessLine } from './access.js';
import { summed, unreadSpace } from './ages.js';
import { Digest, digested, type Folder, jsonLines, linesOf, same } from './folder.js';
import {
  type Counts,
  type FailedEntry,
  type FileEntry,
  failedEntry,
  intactManifest,
  type Manifest,
  manifestName,
  type SpaceEntry,
  spaceFolder,
  writeSpaceManifest,
} from './manifest.js';
import { type BackupPart, checkParts, partSpace } from './parts.js';
import { clearStale, placeSpaces, type Trust } from './trust.js';
import type { Versions } from './versions.js';
import { BackupWriter, type RunOutcome, type Target, type WriterOptions, writeInto } from './writer.js';

/**
 * `access.json` of the whole: the lines of all parts in the order of the members, which the first part has read.
 * Lines of members who are not in it, as they joined while the parts were read, come last.
 * @returns undefined where no part has any
 */
export function joinedAccess(parts: readonly BackupPart[]): AsyncIterable<Uint8Array> | undefined {
  return parts.some(({ manifest }) => manifest.files.some(isAccess)) ? jsonLines(lines(parts)) : undefined;
}

async function* lines(parts: readonly BackupPart[]): AsyncGenerator<AccessLine> {
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

async function* membersIn({ folder, manifest }: BackupPart): AsyncGenerator<string> {
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

  constructor({ folder, manifest }: BackupPart) {
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

export interface JoinOptions extends WriterOptions {
  /** All of them, in order. */
  parts: readonly [BackupPart, ...BackupPart[]];
  /** The command that backs up a part, without `--shard`. */
  again: string;
  onProgress?(total: number, done: number): void;
}

/**
 * Joins the parts of a backup into a folder, as one run would have written it. All that is to be copied is read and
 * compared with its hashes first; from then on each file is put in its place in one step, and the manifest at the top
 * says `unfinished` until the end, so that a merge which is killed can be run again.
 * @throws DocsError partial `part_missing` (exit 3); as `writeInto`; exit 13
 */
export async function joinParts(options: JoinOptions): Promise<RunOutcome> {
  const { parts, again } = options;
  const { organization, platform } = parts[0].record;
  return writeInto(options, { organization, platform, alone: false }, async (target) => {
    const there = await spacesThere(target.folder, target.trust, parts);
    await checkParts(parts, async ({ id }) => there.has(id), again);
    return new Join(options, target, await target.openVersions(), there).run();
  });
}

/** Ids of the spaces that the whole has as the parts have them. */
export async function spacesThere(
  folder: Folder,
  { previous }: Trust,
  parts: readonly BackupPart[],
): Promise<Set<string>> {
  const known = new Map((previous?.spaces ?? []).map((entry) => [entry.id, entry]));
  const there = new Set<string>();
  for (const { manifest } of parts)
    for (const entry of manifest.spaces)
      if (await isInWhole(folder, known.get(entry.id), entry)) there.add(entry.id);
  return there;
}

class Join extends BackupWriter {
  readonly #options: JoinOptions;
  readonly #there: ReadonlySet<string>;
  readonly #facts: PartFacts;

  constructor(options: JoinOptions, target: Target, versions: Versions, there: ReadonlySet<string>) {
    const facts = factsOf(options.parts);
    const { platform, organization, startedAt } = facts;
    const at = new Date(options.now()).toISOString();
    super(target, versions, { platform, organization, startedAt }, { signer: options.signer, at });
    this.#options = options;
    this.#there = there;
    this.#facts = facts;
  }

  async run(): Promise<RunOutcome> {
    const { parts, now } = this.#options;
    const { ages, whole, failed } = this.#facts;
    const spaces = parts.flatMap(({ manifest }) => manifest.spaces);
    await this.begin();
    await this.#joinTop();
    await this.#joinSpaces(spaces);
    this.failed = [...failed, ...foundLater(parts)];
    await this.clear(spaces, whole);
    const { older: _, ...last } = this.ages;
    this.ages = { ...last, ...ages };
    return this.finish(this.#facts, now);
  }

  /** What the first part has read of the organization, and the permissions, which every part has some of. */
  async #joinTop(): Promise<void> {
    const { parts } = this.#options;
    const [first] = parts;
    for (const file of first.manifest.files) {
      if (isAccess(file)) continue;
      await this.#copyFile(first, file, { from: '', to: '' });
      this.files = [...this.files, file];
    }
    const access = joinedAccess(parts);
    const entry = parts.flatMap(({ manifest }) => manifest.files.find(isAccess) ?? [])[0];
    if (access === undefined || entry === undefined) return;
    this.files = [...this.files, { ...entry, ...(await this.folder.write(entry.path, access)) }];
  }

  async #joinSpaces(spaces: readonly SpaceEntry[]): Promise<void> {
    const { parts, onProgress = () => {} } = this.#options;
    if (this.#facts.whole) await this.versions.tookGone(spaces);
    await placeSpaces(this.folder, this.entries, spaces, !this.#facts.whole);
    this.checkpoints.total = spaces.length;
    let done = 0;
    try {
      for (const part of parts)
        for (const entry of part.manifest.spaces) {
          await this.#joinSpace(part, entry);
          done += 1;
          onProgress(spaces.length, done);
        }
    } finally {
      await this.checkpoints.end();
    }
  }

  async #joinSpace(part: BackupPart, entry: SpaceEntry): Promise<void> {
    const { id } = entry;
    const known = this.entries.get(id);
    const name = known?.folder ?? id;
    if (entry.sha256 === undefined) {
      // The part could not read it at all: what an earlier run read stays.
      if (known !== undefined) this.entries.set(id, unreadSpace(known));
      return;
    }
    if (this.#there.has(id)) {
      this.unchanged += 1;
      this.entries.set(id, { ...entry, folder: name });
      return;
    }
    await this.setAside(id);
    await this.#copySpace(part, entry, spaceFolder(name));
    this.entries.set(id, { ...entry, folder: name });
    await this.checkpoints.add();
  }

  /**
   * Copies a space. Its manifest says `unfinished` from the first change on, and is written last.
   * @throws DocsError partial `part_missing` where the part was changed since it was checked; exit 13
   */
  async #copySpace(part: BackupPart, entry: SpaceEntry, at: string): Promise<void> {
    const [folder, { id }] = [this.folder, entry];
    const manifest = await partSpace(part.folder, entry);
    if (manifest === undefined) throw this.#changed(part);
    const old = await intactManifest(folder, at, id);
    if (old !== undefined) await writeSpaceManifest(folder, at, { ...old, state: 'unfinished' });
    for (const file of manifest.files)
      await this.#copyFile(part, file, { from: `${spaceFolder(entry.folder)}/`, to: `${at}/` });
    this.moved += await clearStale(folder, at, manifest.files, this.deleted);
    await writeSpaceManifest(folder, at, manifest);
    this.versions.took(id, old?.files, manifest.files);
  }

  /** Copies a file, unless the same is there; one that is not as its part wrote it replaces nothing. */
  async #copyFile(
    part: BackupPart,
    file: FileEntry,
    { from, to }: { from: string; to: string },
  ): Promise<void> {
    const { path } = file;
    if (same(await this.folder.digest(to + path), file)) return;
    const bytes = await part.folder.read(from + path);
    if (bytes === undefined) throw this.#changed(part);
    const digest = new Digest();
    await this.folder.write(to + path, digested(bytes, digest), async () => {
      if (!same(digest.result(path), file)) throw this.#changed(part);
    });
  }

  #changed({ shard }: BackupPart): DocsError {
    const why = 'damaged: it was changed while it was joined';
    return unfinished([{ ...shard, why }], this.#options.again);
  }
}

/**
 * Spaces that a part has found which started after the part they belong to, and that one does not have: they are new
 * since then. What an earlier part found and a later one did not is gone.
 */
export function foundLater(parts: readonly BackupPart[]): FailedEntry[] {
  const late = new Map<string, FailedEntry>();
  const own = parts.map(({ manifest }) => new Set(manifest.spaces.map(({ id }) => id)));
  for (const { record } of parts)
    for (const id of record.found) {
      const at = shardOf(id, parts.length) - 1;
      const [part, has] = [parts[at], own[at]];
      if (part === undefined || has?.has(id) || part.record.startedAt >= record.startedAt) continue;
      const message = `it is new since ${shardWords(part.shard)} was backed up`;
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

function factsOf(parts: readonly [BackupPart, ...BackupPart[]]): PartFacts {
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

function olderOf(parts: readonly BackupPart[]): Manifest['older'] {
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
function tallyOf(parts: readonly BackupPart[]): Counts {
  const tally: Record<string, number> = {};
  for (const { manifest } of parts) {
    const ofSpaces = summed({}, manifest.spaces);
    for (const [name, count] of Object.entries(manifest.counts))
      if (!(name in ofSpaces)) tally[name] = (tally[name] ?? 0) + count;
  }
  return tally;
}

/** Each failure once: every part reads the lists of spaces. */
function failedOf(parts: readonly BackupPart[]): FailedEntry[] {
  const all = parts.flatMap(({ manifest }) => manifest.failed);
  const keyOf = ({ kind, id, space }: FailedEntry) => JSON.stringify([kind, id, space]);
  return [...new Map([...all].reverse().map((entry) => [keyOf(entry), entry])).values()].reverse();
}

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
  const manifest = await intactManifest(folder, at);
  for (const { path, bytes } of manifest?.files ?? []) {
    const stats = await folder.stat(`${at}/${path}`);
    if (stats?.isFile() !== true || stats.size !== bytes) return false;
  }
  return manifest !== undefined;
}
