import { listSpaceFields } from '../../../api/resources/space-fields.js';
import { getSpace, type Space } from '../../../api/resources/spaces.js';
import { DocsError } from '../../../errors.js';
import { clearStale } from '../folder/clear-stale.js';
import { jsonText } from '../folder/json-files.js';
import {
  type FileEntry,
  type Part,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from '../folder/manifest.js';
import {
  type Looks,
  lastKey,
  lastManifest,
  noLooks,
  probesOf,
  type StalenessOptions,
  seenOf,
  unchangedSpace,
} from '../staleness.js';
import { readChangeRequests } from './change-requests.js';
import { cleaned } from './cleaned.js';
import { contentKinds, type KnownContent, knownContent, readSettledContent } from './content.js';
import { type Discussed, writeComments } from './discussions.js';
import { Gathering, type Reading } from './gathering.js';

export interface SpaceOptions extends StalenessOptions {
  /** Folder for what no longer exists: `deleted/2026-01-31T23-59-59Z`. */
  deleted: string;
}

export interface SpaceOutcome {
  manifest: SpaceManifest;
  sha256: string;
  unchanged: boolean;
  /** Files that are no longer of it, moved to `deleted`. */
  moved: number;
}

/**
 * Backs up a space, unless it is unchanged. What cannot be read of it is in the manifest, and its files of
 * the last run stay; files that are no longer of it are moved away. The manifest is written last.
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
  const old = await lastManifest(reading, space, options.folder);
  if (old !== undefined) await writeSpaceManifest(reading.folder, at, { ...old, state: 'unfinished' });
  const manifest = await new SpaceWalk(reading, space, options, old).run();
  const moved = await clearStale(reading.folder, at, manifest.files, options.deleted);
  const { sha256 } = await writeSpaceManifest(reading.folder, at, manifest);
  return { manifest, sha256, unchanged: false, moved };
}

/** A failed check for changes is not fatal: the reads that follow report what fails. */
function unlessRefused(cause: unknown): undefined {
  if (!(cause instanceof DocsError) || cause.kind === 'local-io' || cause.kind === 'unauthenticated')
    throw cause;
}

class SpaceWalk {
  readonly #gathering: Gathering;
  readonly #options: SpaceOptions;
  readonly #old: SpaceManifest | undefined;
  readonly #parts: Part[] = [];
  #space: Space;
  /** Whether `#space` was read itself, instead of from a list. */
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
      spaceId: id,
      spaceRevision: this.#space.revision,
      known,
      looks,
      keyOf: (name: string) => lastKey(this.#old, this.#options.full, name),
      parts: this.#parts,
    });
    const { files, failed } = gathering;
    const state = failed.length === 0 ? 'whole' : 'partial';
    return {
      id,
      title,
      revision: this.#space.revision,
      seen,
      probes: probesOf(looks),
      state,
      counts: { ...countsOf(files), ...discussed },
      parts: this.#parts,
      failed,
      files,
    };
  }

  /** Pages and files; those of the same revision stay as they are. */
  async #content(): Promise<KnownContent | undefined> {
    const { id, title } = this.#space;
    const isContent = ({ kind, changeRequest }: FileEntry) =>
      changeRequest === undefined && contentKinds.includes(kind);
    let known: KnownContent | undefined;
    await this.#gathering.attempt({ kind: 'space', id, title }, isContent, async () => {
      const key = lastKey(this.#old, this.#options.full, 'content');
      if (key !== undefined) await this.#refresh();
      const { revision } = this.#space;
      const kept = key === revision ? await contentOnDisk(this.#gathering) : undefined;
      if (kept !== undefined && (await this.#gathering.keep(isContent))) {
        known = kept;
        this.#parts.push({ name: 'content', key: revision });
      } else {
        const owner = { kind: 'space', spaceId: id, at: '', title };
        const refresh = () => this.#refresh();
        const read = await readSettledContent(this.#gathering, owner, undefined, this.#space, refresh);
        if (read.whole) this.#parts.push({ name: 'content', key: read.revision });
        known = read.content;
      }
    });
    return known;
  }

  /** The entry of a list may have fewer fields than the space itself. */
  async #refresh(): Promise<Space> {
    const { client } = this.#gathering.reading;
    this.#space = await client.call(getSpace, { path: { spaceId: this.#space.id } });
    this.#isFresh = true;
    return this.#space;
  }

  /** If the space was read from a list only, the file of the last run is better. */
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

/** The content that is kept, from `content.json`; undefined if that cannot be parsed. */
async function contentOnDisk({ reading, at }: Gathering): Promise<KnownContent | undefined> {
  try {
    const text = await reading.folder.text(`${at}content.json`);
    return text === undefined ? undefined : knownContent(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    return undefined;
  }
}

/** Counts of files by what they hold; pages and files of change requests do not count. */
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
