import { listSpaceFields } from '../../api/resources/space-fields.js';
import { getSpace, type Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../errors.js';
import { readChangeRequests } from './change-requests.js';
import { cleaned } from './cleaned.js';
import { type KnownContent, knownContent, type Owner, readContent } from './content.js';
import { type Discussed, writeComments } from './discussions.js';
import { Gathering, type Reading } from './gathering.js';
import { jsonText } from './json-files.js';
import {
  type FileEntry,
  type Part,
  readSpaceManifest,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from './manifest.js';
import { isAsBefore, type Looks, noLooks, probesOf, seenOf } from './probe.js';
import { clearStale } from './stale.js';

/** One space: whether it is as it was, and all of it where it is not. */

export interface SpaceOptions {
  /** Name of its folder. */
  folder: string;
  /** Whether everything is read, whatever the run before has. */
  full: boolean;
  /** Number of the run: which of the things that may change is looked at. */
  turn: number;
  /** Folder that what is no longer there is moved to: `deleted/2026-01-31T23-59-59Z`. */
  deleted: string;
}

export interface SpaceOutcome {
  manifest: SpaceManifest;
  /** Hash of the manifest file. */
  sha256: string;
  unchanged: boolean;
  /** Files that were no longer of it, moved away. */
  moved: number;
}

/** How often content is read that changes while it is read. */
const mostReadings = 3;

/**
 * The manifest of the run before, where the space is as it was then: one request, or none where the list
 * of spaces tells already that it changed.
 */
export async function unchangedSpace(
  reading: Reading,
  space: Space,
  { folder, full, turn }: Omit<SpaceOptions, 'deleted'>,
): Promise<SpaceManifest | undefined> {
  const old = full ? undefined : await oldManifest(reading, space, folder);
  if (old?.state !== 'whole' || old.seen !== seenOf(space)) return undefined;
  const gathering = new Gathering(reading, `${spaceFolder(folder)}/`, old.files, space.id);
  if (!(await gathering.keep(() => true))) return undefined;
  return (await isAsBefore(reading, space, old.probes, turn)) ? old : undefined;
}

/**
 * Backs up a space. What cannot be read of it is in the manifest, and what the run before had of that
 * stays; files that are no longer of it are moved away. The manifest is written last.
 * @throws what no other read can survive (`unreadOf`)
 */
export async function readSpace(
  reading: Reading,
  space: Space,
  options: SpaceOptions,
): Promise<SpaceOutcome> {
  const at = spaceFolder(options.folder);
  const same = await unchangedSpace(reading, space, options).catch(unlessRefused);
  if (same !== undefined) {
    const digest = await reading.folder.digest(`${at}/manifest.json`);
    return { manifest: same, sha256: digest?.sha256 ?? '', unchanged: true, moved: 0 };
  }
  const old = await oldManifest(reading, space, options.folder);
  if (old !== undefined) await writeSpaceManifest(reading.folder, at, { ...old, state: 'unfinished' });
  const walk = new SpaceWalk(reading, space, options, old);
  const manifest = await walk.run();
  const moved = await clearStale(reading.folder, at, manifest.files, options.deleted);
  const { sha256 } = await writeSpaceManifest(reading.folder, at, manifest);
  return { manifest, sha256, unchanged: false, moved };
}

/** A look that fails is no reason not to try: the reads tell what fails. */
function unlessRefused(cause: unknown): undefined {
  if (!(cause instanceof DocsError) || cause.kind === 'local-io' || cause.kind === 'unauthenticated')
    throw cause;
}

/** The manifest of the run before; one that cannot be read is none: everything is read anew. */
async function oldManifest(
  { folder }: Reading,
  { id }: Space,
  name: string,
): Promise<SpaceManifest | undefined> {
  try {
    const manifest = await readSpaceManifest(folder, spaceFolder(name));
    return manifest?.id === id ? manifest : undefined;
  } catch (cause) {
    if (cause instanceof DocsError && cause.code === 'bad_manifest') return undefined;
    throw cause;
  }
}

class SpaceWalk {
  readonly #gathering: Gathering;
  readonly #options: SpaceOptions;
  readonly #old: SpaceManifest | undefined;
  readonly #parts: Part[] = [];
  #space: Space;
  /** Whether `#space` is what the space itself says. */
  #isFresh = false;

  constructor(reading: Reading, space: Space, options: SpaceOptions, old: SpaceManifest | undefined) {
    this.#space = space;
    this.#options = options;
    this.#old = old;
    const at = `${spaceFolder(options.folder)}/`;
    this.#gathering = new Gathering(reading, at, old?.files ?? [], space.id);
  }

  async run(): Promise<SpaceManifest> {
    const { id, title } = this.#space;
    const gathering = this.#gathering;
    const looks: Looks = { ...noLooks };
    const known = await this.#content();
    const seen = seenOf(this.#space);
    await this.#settings();
    await this.#fields(looks);
    const discussed = await this.#comments(looks);
    await readChangeRequests(gathering, {
      ...{ spaceId: id, spaceRevision: this.#space.revision, known, looks },
      ...{ keyOf: (name: string) => this.#keyOf(name), parts: this.#parts },
    });
    return {
      ...{ id, title, revision: this.#space.revision, seen, probes: probesOf(looks) },
      state: gathering.failed.length === 0 ? 'whole' : 'partial',
      counts: { ...countsOf(gathering.files), ...discussed },
      ...{ parts: this.#parts, failed: gathering.failed, files: gathering.files },
    };
  }

  /** What the run before read a part by; undefined where it is to be read in any case. */
  #keyOf(name: string): string | undefined {
    if (this.#options.full) return undefined;
    return this.#old?.parts.find((part) => part.name === name)?.key;
  }

  /** Pages and files; those of the same revision stay as they are. */
  async #content(): Promise<KnownContent | undefined> {
    const { id, title } = this.#space;
    const isContent = ({ kind, changeRequest }: FileEntry) =>
      changeRequest === undefined && contentKinds.includes(kind);
    let known: KnownContent | undefined;
    await this.#gathering.attempt({ kind: 'space', id, title }, isContent, async () => {
      if (this.#keyOf('content') !== undefined) await this.#refresh();
      const { revision } = this.#space;
      const kept = this.#keyOf('content') === revision ? await contentOnDisk(this.#gathering) : undefined;
      if (kept !== undefined && (await this.#gathering.keep(isContent))) {
        known = kept;
        this.#parts.push({ name: 'content', key: revision });
      } else known = await this.#settledContent({ spaceId: id, at: '' });
    });
    return known;
  }

  /** Reads again what changed while it was read, so that all of it is of one revision. */
  async #settledContent(owner: Owner): Promise<KnownContent> {
    for (let tries = 1; ; tries++) {
      const trial = this.#gathering.fork();
      const before = this.#space.revision;
      const known = await readContent(trial, owner, undefined);
      await this.#refresh();
      const settled = this.#space.revision === before;
      if (!settled && tries < mostReadings) continue;
      this.#gathering.join(trial);
      if (!settled) this.#gathering.fail(restless(this.#space));
      else if (trial.failed.length === 0) this.#parts.push({ name: 'content', key: before });
      return known;
    }
  }

  /** What a list says of a space may be less than what the space itself says. */
  async #refresh(): Promise<void> {
    const { client } = this.#gathering.reading;
    this.#space = await client.call(getSpace, { path: { spaceId: this.#space.id } });
    this.#isFresh = true;
  }

  /** Where only a list tells of the space, what the run before had is better. */
  async #settings(): Promise<void> {
    const { id, title } = this.#space;
    const old = this.#isFresh ? undefined : await this.#gathering.kept('space.json');
    if (old !== undefined) this.#gathering.files.push(old);
    else
      await this.#gathering.write('space.json', jsonText(cleaned(this.#space)), { kind: 'space', id, title });
  }

  async #fields(looks: Looks): Promise<void> {
    const { id } = this.#space;
    const { client } = this.#gathering.reading;
    await this.#gathering.attempt(
      { kind: 'fields', id },
      ({ kind }) => kind === 'fields',
      async () => {
        const fields = await client.call(listSpaceFields, { path: { spaceId: id } });
        looks.fields = fields;
        await this.#gathering.write('fields.json', jsonText(fields.map(cleaned)), { kind: 'fields', id });
      },
    );
  }

  async #comments(looks: Looks): Promise<Discussed> {
    const { id } = this.#space;
    const old = this.#old?.counts ?? {};
    let discussed: Discussed = { comments: old.comments ?? 0, replies: old.replies ?? 0 };
    await this.#gathering.attempt(
      { kind: 'comments', id },
      ({ kind, changeRequest }) => kind === 'comments' && changeRequest === undefined,
      async () => {
        let pages = 0;
        discussed = await writeComments(this.#gathering, { spaceId: id, at: '' }, (comments) => {
          if (pages++ === 0) looks.comments = comments;
        });
      },
    );
    return discussed;
  }
}

const contentKinds = ['content', 'page', 'page-markdown', 'file'];

/** What the kept content consists of; undefined where that cannot be told. */
async function contentOnDisk({ reading, at }: Gathering): Promise<KnownContent | undefined> {
  try {
    const text = await reading.folder.text(`${at}content.json`);
    return text === undefined ? undefined : knownContent(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    return undefined;
  }
}

function restless({ id, title }: Space) {
  const message = `Its content changed ${mostReadings} times while it was read; pages of several revisions are there.`;
  const error = new DocsError('conflict', 'kept_changing', message, { retryable: true });
  return { kind: 'space', id, title, error };
}

/** What files hold; the pages and files of change requests, which are those that differ, do not count. */
export function countsOf(files: readonly FileEntry[]): Record<string, number> {
  const own = files.filter(({ changeRequest }) => changeRequest === undefined);
  const bytes = own.filter(({ kind }) => kind === 'file').map((file) => file.bytes);
  return {
    pages: own.filter(({ kind }) => kind === 'page').length,
    files: bytes.length,
    fileBytes: bytes.reduce((sum, size) => sum + size, 0),
    changeRequests: files.filter(({ kind }) => kind === 'change-request').length,
  };
}
