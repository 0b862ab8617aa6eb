import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../api/resources/change-requests.js';
import {
  type Comment,
  listChangeRequestCommentReplies,
  listChangeRequestComments,
  listCommentReplies,
  listComments,
} from '../api/resources/comments.js';
import { listSpaceFields } from '../api/resources/custom-fields.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { defined, isObject } from '../base/values.js';
import { readEach } from '../jobs/in-order.js';
import { countsOf } from './ages.js';
import {
  contentKinds,
  type KnownContent,
  knownContent,
  type Owner,
  readPages,
  readSettledContent,
  revisionOf,
} from './content.js';
import { jsonLines, jsonText } from './folder.js';
import {
  cleaned,
  folderSink,
  Gathering,
  openQuery,
  pageLimit,
  type Reading,
  type Sink,
} from './gathering.js';
import {
  type FileEntry,
  manifestName,
  type Part,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from './manifest.js';
import { namesOf } from './names.js';
import {
  computedPages,
  contentKey,
  isAsBefore,
  lastKey,
  lastManifest,
  recomputed,
  seenOf,
} from './staleness.js';
import { clearStale } from './trust.js';

interface WalkOptions {
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

interface Walked {
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

interface InSpace {
  spaceId: string;
  /** What the content of the space is read by; undefined if that is not known. */
  spaceKey: string | undefined;
  /** The content of the space; undefined if it could not be read: change requests then keep all of theirs. */
  known: KnownContent | undefined;
  keepsReplies: boolean;
  /** The key that the last run read a part by. */
  keyOf(name: string): string | undefined;
  /** Receives the keys that parts are read by now. */
  parts: Part[];
  /** Whether content that changed is not read. */
  compares: boolean;
  onDiscussed(discussed: Discussed): void;
}

/** Reads the open change requests of a space, each with its comments and the content that differs. */
async function readChangeRequests(gathering: Gathering, inSpace: InSpace): Promise<void> {
  const { spaceId } = inSpace;
  const { client } = gathering.reading;
  const open: ChangeRequest[] = [];
  const input = { path: { spaceId }, query: openQuery };
  await gathering.attempt(
    { kind: 'change-requests', id: spaceId },
    ({ changeRequest }) => changeRequest !== undefined,
    async () => {
      for await (const request of client.call(listChangeRequests, input)) open.push(request);
    },
  );
  const names = namesOf(open.map(({ id, number, subject }) => ({ id, title: `${number} ${subject}` })));
  for (const request of open) {
    const { id, subject } = request;
    const owner: Owner = { spaceId, changeRequestId: id, at: `change-requests/${names.get(id)}/` };
    await gathering.attempt(
      { kind: 'change-request', id, title: subject },
      ({ changeRequest }) => changeRequest === id,
      () => readOne(gathering, inSpace, owner, request),
    );
  }
}

async function readOne(
  gathering: Gathering,
  inSpace: InSpace,
  owner: Owner,
  request: ChangeRequest,
): Promise<void> {
  const { id, subject: title } = request;
  const latest = await readOwnContent(gathering, inSpace, owner, request);
  inSpace.onDiscussed(await writeComments(gathering, owner, inSpace.keepsReplies));
  const about = { kind: 'change-request', id, title, changeRequest: id };
  await gathering.write(`${owner.at}change-request.json`, jsonText(cleaned(latest)), about);
}

/** Keeps the content if its key and that of the space are those of the last run; else reads it. */
async function readOwnContent(
  gathering: Gathering,
  { spaceKey, known, keyOf, parts, compares }: InSpace,
  owner: Owner,
  listed: ChangeRequest,
): Promise<ChangeRequest> {
  const { id, revision } = listed;
  const name = `change-request ${id}`;
  const isContent = ({ kind, changeRequest, path }: FileEntry) =>
    changeRequest === id && contentKinds.includes(kind) && path.startsWith(owner.at);
  const keyWith = (own: string) => `${own} ${spaceKey}`;
  const last = { key: spaceKey === undefined ? undefined : keyOf(name), keyWith, isContent };
  const keeping = { readsRecomputed: compares, keepsOther: compares, known };
  const kept = await keepContent(gathering, owner, revision, last, keeping);
  if (kept !== undefined) {
    if (kept.key !== undefined) parts.push({ name, key: kept.key });
    return listed;
  }
  const path = { spaceId: owner.spaceId, changeRequestId: id };
  let latest = listed;
  const refresh = async () => {
    latest = await gathering.reading.client.call(getChangeRequest, { path });
    return latest;
  };
  const named = { ...owner, kind: 'change-request', title: listed.subject };
  const { key, whole } = await readSettledContent(gathering, named, known, listed, refresh);
  if (whole && spaceKey !== undefined) parts.push({ name, key: keyWith(key) });
  return latest;
}

/** The content of the last run, as far as it is still what the platform has. */

interface LastContent {
  /** What it was read by; undefined if it cannot be kept. */
  key: string | undefined;
  /** The key of what has a key of its own. */
  keyWith(own: string): string;
  isContent(entry: FileEntry): boolean;
}

interface Keeping {
  /** Whether, of content with computed pages that changed, these alone are read. */
  readsRecomputed: boolean;
  /** Whether content of another revision is kept, too: it is only compared. */
  keepsOther: boolean;
  known: KnownContent | undefined;
}

interface KeptContent {
  content: KnownContent | undefined;
  key: string | undefined;
  /** Whether pages were read. */
  reads: boolean;
}

/**
 * Keeps the files of content that is as it was.
 * @param revision of the content now
 * @returns undefined if all of it must be read
 */
async function keepContent(
  gathering: Gathering,
  owner: Owner,
  revision: string,
  last: LastContent,
  keeping: Keeping,
): Promise<KeptContent | undefined> {
  const { key, isContent } = last;
  if (key === undefined && !keeping.keepsOther) return undefined;
  const content = await contentOnDisk(gathering, owner);
  const isSame = key?.split(' ')[0] === revision;
  if (content !== undefined && isSame)
    return keepSameRevision(gathering, owner, { revision, content }, last, keeping);
  if (!keeping.keepsOther) return undefined;
  await gathering.keep(isContent);
  return { content, key, reads: false };
}

/** Of the same revision only computed pages may have changed: these are read. Returns as `keepContent`. */
async function keepSameRevision(
  gathering: Gathering,
  owner: Owner,
  { revision, content }: { revision: string; content: KnownContent },
  last: LastContent,
  { readsRecomputed, keepsOther, known }: Keeping,
): Promise<KeptContent | undefined> {
  const now = content.computed.length === 0 ? undefined : await revisionOf(gathering, owner);
  const computed = computedPages(now?.pages ?? []);
  const stale = recomputed(content.computed, computed);
  const key = last.keyWith(contentKey(revision, computed));
  if (now === undefined || stale.size === 0) {
    if (key !== last.key && !keepsOther) return undefined;
    const areKept = await gathering.keep(last.isContent);
    return areKept || keepsOther ? { content, key, reads: false } : undefined;
  }
  if (!readsRecomputed) return undefined;
  const stays = (entry: FileEntry) =>
    last.isContent(entry) && entry.kind !== 'content' && !stale.has(entry.id ?? '');
  if (!(await gathering.keep(stays)) && !keepsOther) return undefined;
  await readPages(gathering, owner, known, now, ({ id }) => stale.has(id) && isHeld(gathering, owner, id));
  return { content: knownContent(now), key, reads: true };
}

/** Whether the last run has a page; a change request has only those that differ from its space. */
function isHeld(gathering: Gathering, { changeRequestId }: Owner, page: string): boolean {
  const isPage = ({ kind, id, changeRequest }: FileEntry) =>
    kind === 'page' && id === page && changeRequest === changeRequestId;
  return gathering.last(isPage) !== undefined;
}

/** From its `content.json`; undefined if that cannot be parsed. */
async function contentOnDisk({ reading, at }: Gathering, owner: Owner): Promise<KnownContent | undefined> {
  try {
    const text = await reading.folder.text(`${at}${owner.at}content.json`);
    return text === undefined ? undefined : knownContent(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    return undefined;
  }
}

/** Reads comments on a space or a change request, with their replies. */

type Place = Pick<Owner, 'spaceId' | 'changeRequestId'>;

interface Discussed {
  comments: number;
  replies: number;
  /** Whether replies of the last run stand for those of the platform. */
  kept: boolean;
}

/** Replies of the last run by id of their comment. */
type Known = ReadonlyMap<string, readonly unknown[]>;

/**
 * Writes the comments with their replies as they arrive, one comment a line.
 * @param keepsReplies whether the replies to a comment that has as many as in the last run are taken from there
 */
async function writeComments(gathering: Gathering, owner: Owner, keepsReplies: boolean): Promise<Discussed> {
  const counted: Discussed = { comments: 0, replies: 0, kept: false };
  const known = keepsReplies ? await repliesOnDisk(gathering, owner) : new Map();
  const lines = jsonLines(discussions(gathering.reading, owner, counted, known));
  const { at, spaceId, changeRequestId: changeRequest } = owner;
  const about = defined({ kind: 'comments', id: changeRequest ?? spaceId, changeRequest });
  await gathering.write(`${at}comments.json`, lines, about);
  return counted;
}

const commentQuery = { format: 'markdown', limit: pageLimit } as const;

async function* discussions(
  reading: Reading,
  owner: Place,
  counted: Discussed,
  known: Known,
): AsyncGenerator<{ comment: unknown; replies: readonly unknown[] }> {
  for await (const { items } of commentsOf(reading, owner).pages()) {
    yield* readEach(reading, items, async (comment) => {
      const old = known.get(comment.id);
      const keeps = old !== undefined && old.length === comment.replies;
      if (keeps) counted.kept = true;
      const replies = keeps ? old : await repliesTo(reading, owner, comment);
      counted.comments += 1;
      counted.replies += replies.length;
      return { comment: cleaned(comment), replies };
    });
  }
}

/** Those of the last run. A change request that got another subject has them in another folder. */
async function repliesOnDisk(gathering: Gathering, { changeRequestId }: Place): Promise<Known> {
  const known = new Map<string, readonly unknown[]>();
  const isTheirs = (entry: FileEntry) => entry.kind === 'comments' && entry.changeRequest === changeRequestId;
  for await (const line of gathering.lastItems(isTheirs)) {
    const { comment, replies } = isObject(line) ? line : {};
    if (!isObject(comment) || !Array.isArray(replies) || replies.length === 0) continue;
    known.set(String(comment.id), replies);
  }
  return known;
}

function commentsOf({ client }: Reading, { spaceId, changeRequestId }: Place) {
  const query = commentQuery;
  return changeRequestId === undefined
    ? client.call(listComments, { path: { spaceId }, query })
    : client.call(listChangeRequestComments, { path: { spaceId, changeRequestId }, query });
}

async function repliesTo(
  { client }: Reading,
  { spaceId, changeRequestId }: Place,
  { id: commentId, replies: count }: Comment,
): Promise<unknown[]> {
  if (count === 0) return [];
  const [path, query] = [{ spaceId, commentId }, commentQuery];
  const replies =
    changeRequestId === undefined
      ? client.call(listCommentReplies, { path, query })
      : client.call(listChangeRequestCommentReplies, { path: { ...path, changeRequestId }, query });
  const all: unknown[] = [];
  for await (const reply of replies) all.push(cleaned(reply));
  return all;
}

interface SpaceOptions {
  folder: string;
  /** Whether everything is read, whatever the last run has. */
  full: boolean;
  /** Whether texts of replies of the last run are kept (staleness.ts). */
  keepsReplies: boolean;
  /** Folder for what no longer exists: `deleted/2026-01-31T23-59-59Z`. */
  deleted: string;
}

export interface SpaceOutcome {
  manifest: SpaceManifest;
  sha256: string;
  /** Files of the last run, if they are known. */
  before: readonly FileEntry[] | undefined;
  unchanged: boolean;
  /** Files that are no longer of it, moved to `deleted`. */
  moved: number;
  allReplies: boolean;
  older: ReadonlySet<string>;
}

/**
 * Backs up a space. What cannot be read of it is in the manifest, and its files of the last run stay; files
 * that are no longer of it are moved away. If nothing changed, only drafts of a killed run go; else the manifest says
 * `unfinished` from the first change on, and is written last.
 * @throws what no other read can survive (`unreadOf`)
 */
export async function readSpace(
  reading: Reading,
  space: Space,
  options: SpaceOptions,
): Promise<SpaceOutcome> {
  const { folder } = reading;
  const at = spaceFolder(options.folder);
  const old = await lastManifest(reading, space, options.folder);
  let marked: Promise<unknown> | undefined;
  const mark = async (): Promise<void> => {
    if (old === undefined) return;
    marked ??= writeSpaceManifest(folder, at, { ...old, state: 'unfinished' });
    await marked;
  };
  const sink = folderSink(folder, mark);
  const how = { compares: false, readsSettings: false, old, sink };
  const { manifest, ...read } = await walkSpace(reading, space, { ...options, ...how });
  const before = old?.files;
  if (!options.full && marked === undefined && isAsBefore(old, manifest)) {
    // A run may have been killed before it changed anything of the space.
    await folder.removeDrafts(at);
    const digest = await folder.digest(`${at}/${manifestName}`);
    return { manifest, sha256: digest?.sha256 ?? '', before, unchanged: true, moved: 0, ...read };
  }
  await mark();
  const moved = await clearStale(folder, at, manifest.files, options.deleted);
  const { sha256 } = await writeSpaceManifest(folder, at, manifest);
  return { manifest, sha256, before, unchanged: false, moved, ...read };
}
