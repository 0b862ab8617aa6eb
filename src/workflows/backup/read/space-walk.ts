import { listSpaceFields } from '../../../api/resources/space-fields.js';
import { getSpace, type Space } from '../../../api/resources/spaces.js';
import { jsonText } from '../folder/json-files.js';
import { type FileEntry, type Part, type SpaceManifest, spaceFolder } from '../folder/manifest.js';
import { lastKey, seenOf } from '../staleness.js';
import { readChangeRequests } from './change-requests.js';
import { cleaned } from './cleaned.js';
import { contentKinds, type KnownContent, type Owner, readSettledContent } from './content.js';
import { countsOf } from './counts.js';
import { type Discussed, writeComments } from './discussions.js';
import { Gathering, type Reading } from './gathering.js';
import { keepContent } from './kept-content.js';
import type { Sink } from './sink.js';

export interface WalkOptions {
  /** Name of its folder in `spaces`. */
  folder: string;
  old: SpaceManifest | undefined;
  /** Whether everything is read, whatever the last run has. */
  full: boolean;
  /** Whether texts of replies of the last run are kept (staleness.ts). */
  keepsReplies: boolean;
  /** Whether pages and files of another revision are not read, but kept. */
  compares: boolean;
  /** Whether settings are read even if the list of spaces shows no change. */
  readsSettings: boolean;
  sink: Sink;
}

export interface Walked {
  manifest: SpaceManifest;
  /** Whether replies were read, all of them, instead of taken from the last run. */
  allReplies: boolean;
  /** What is as an earlier run read it (`Gathering.older`). */
  older: ReadonlySet<string>;
}

/**
 * Reads a space, in a backup's files: what is unchanged stays, the rest goes to a sink.
 * @throws what no other read can survive (`unreadOf`)
 */
export function walkSpace(reading: Reading, space: Space, options: WalkOptions): Promise<Walked> {
  return new SpaceWalk(reading, space, options).run();
}

class SpaceWalk {
  readonly #gathering: Gathering;
  readonly #options: WalkOptions;
  readonly #parts: Part[] = [];
  readonly #seen: string;
  #space: Space;
  /** Whether `#space` was read itself, instead of from a list. */
  #isFresh = false;
  #key: string | undefined;
  #known: KnownContent | undefined;
  #keptReplies = false;

  constructor(reading: Reading, space: Space, options: WalkOptions) {
    this.#space = space;
    this.#seen = seenOf(space);
    this.#options = options;
    const { old, folder, sink } = options;
    const at = `${spaceFolder(folder)}/`;
    this.#gathering = new Gathering(reading, { at, old: old?.files ?? [], sink, space: space.id });
  }

  async run(): Promise<Walked> {
    const gathering = this.#gathering;
    await this.#content();
    await this.#settings();
    await this.#fields();
    const { comments, replies } = await this.#comments();
    await this.#changeRequests();
    const { files, failed } = gathering;
    const { id, title, revision } = this.#space;
    const manifest: SpaceManifest = {
      id,
      title,
      revision,
      seen: this.#seen,
      state: failed.length === 0 ? 'whole' : 'partial',
      counts: { ...countsOf(files), comments, replies },
      parts: this.#parts,
      failed,
      files,
    };
    if (this.#keptReplies) gathering.older.add('replies');
    return { manifest, allReplies: !this.#keptReplies && failed.length === 0, older: gathering.older };
  }

  /** Pages and files; those of the same revision stay as they are. */
  async #content(): Promise<void> {
    const { id, title } = this.#space;
    const owner = { kind: 'space', spaceId: id, at: '', title };
    await this.#gathering.attempt({ kind: 'space', id, title }, isOwnContent, async () => {
      if (await this.#keepContent(owner)) return;
      const refresh = () => this.#refresh();
      const read = await readSettledContent(this.#gathering, owner, undefined, this.#space, refresh);
      this.#took(read.content, read.whole ? read.key : undefined);
    });
  }

  /** @returns false if all of the content is to be read */
  async #keepContent(owner: Owner): Promise<boolean> {
    const { old, full, compares } = this.#options;
    const key = lastKey(old, full, 'content');
    if ((key !== undefined || compares) && !(await this.#isSeen())) await this.#refresh();
    const { revision } = this.#space;
    const trial = this.#gathering.fork();
    const last = { key, keyWith: (own: string) => own, isContent: isOwnContent };
    const keeping = { readsRecomputed: true, keepsOther: compares, known: undefined };
    const kept = await keepContent(trial, owner, revision, last, keeping);
    if (kept === undefined) return false;
    // Pages that were read must be of the revision of those that were kept.
    if (kept.reads && !compares && (await this.#refresh()).revision !== revision) return false;
    this.#gathering.join(trial);
    this.#took(kept.content, trial.failed.length === 0 ? kept.key : undefined);
    return true;
  }

  #took(content: KnownContent | undefined, key: string | undefined): void {
    this.#known = content;
    this.#key = key;
    if (key !== undefined) this.#parts.push({ name: 'content', key });
  }

  /** Whether the list of spaces shows what the last run saw there. */
  async #isSeen(): Promise<boolean> {
    const { old, full, readsSettings } = this.#options;
    if (full || readsSettings || old?.state !== 'whole' || old.seen !== this.#seen) return false;
    return (await this.#gathering.kept('space.json')) !== undefined;
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

  async #fields(): Promise<void> {
    const { id } = this.#space;
    const { client } = this.#gathering.reading;
    await this.#gathering.attempt(
      { kind: 'fields', id },
      ({ kind }) => kind === 'fields',
      async () => {
        const fields = await client.call(listSpaceFields, { path: { spaceId: id } });
        await this.#gathering.write('fields.json', jsonText(fields.map(cleaned)), { kind: 'fields', id });
      },
    );
  }

  async #comments(): Promise<Pick<Discussed, 'comments' | 'replies'>> {
    const { id } = this.#space;
    const { old, keepsReplies } = this.#options;
    const { comments = 0, replies = 0 } = old?.counts ?? {};
    let discussed: Discussed = { comments, replies, kept: false };
    await this.#gathering.attempt(
      { kind: 'comments', id },
      ({ kind, changeRequest }) => kind === 'comments' && changeRequest === undefined,
      async () => {
        discussed = await writeComments(this.#gathering, { spaceId: id, at: '' }, keepsReplies);
        this.#keptReplies ||= discussed.kept;
      },
    );
    return discussed;
  }

  /** Not asked for where the space says that there are none, and there were none. */
  async #changeRequests(): Promise<void> {
    const { id, changeRequestsOpen } = this.#space;
    const { old, full, keepsReplies, compares } = this.#options;
    const had = old === undefined || old.files.some(({ changeRequest }) => changeRequest !== undefined);
    if (changeRequestsOpen === 0 && !full && !had) return;
    await readChangeRequests(this.#gathering, {
      spaceId: id,
      spaceKey: this.#key,
      known: this.#known,
      keepsReplies,
      compares,
      keyOf: (name: string) => lastKey(old, full, name),
      parts: this.#parts,
      onDiscussed: ({ kept }) => {
        this.#keptReplies ||= kept;
      },
    });
  }
}

/** Whether a file is content of the space itself, not of a change request. */
function isOwnContent({ kind, changeRequest }: FileEntry): boolean {
  return changeRequest === undefined && contentKinds.includes(kind);
}
