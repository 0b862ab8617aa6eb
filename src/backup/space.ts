import {
  type ChangeRequest,
  getChangeRequest,
  listChangeRequests,
} from '../api/resources/change-requests.js';
import { type Comment, listCommentReplies, listComments } from '../api/resources/comments.js';
import { listSpaceFields } from '../api/resources/custom-fields.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { defined, isObject } from '../base/values.js';
import { readEach } from '../jobs/sequence.js';
import { operationIn } from '../model/operations.js';
import { allItems } from '../snapshot/unread.js';
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
import { cleaned, folderSink, Gathering, pageLimit, type Reading, type Sink } from './gathering.js';
import {
  type FileEntry,
  intactManifest,
  manifestName,
  type NamedPart,
  type SpaceManifest,
  spaceFolder,
  writeSpaceManifest,
} from './manifest.js';
import { namesOf } from './names.js';
import { computedPages, contentKey, isAsBefore, lastKey, recomputed, seenOf } from './staleness.js';
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
  readonly #parts: NamedPart[] = [];
  readonly #seen: string;
  #space: Space;
  /** Whether `#space` was read itself, instead of from a list. */
  #isFresh = false;
  /** What the content of the space is read by; undefined if that is not known. */
  #key: string | undefined;
  /** The content of the space; undefined if it could not be read: change requests then keep all of theirs. */
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
    await this.#content();
    await this.#settings();
    await this.#fields();
    const { comments, replies } = await this.#comments();
    await this.#changeRequests();
    const { files, failed, older } = this.#gathering;
    const { id, title, revision } = this.#space;
    const state = failed.length === 0 ? 'whole' : 'partial';
    const counts = { ...countsOf(files), comments, replies };
    const head = { id, title, revision, seen: this.#seen, state, counts } as const;
    if (this.#keptReplies) older.add('replies');
    const allReplies = !this.#keptReplies && failed.length === 0;
    return { manifest: { ...head, parts: this.#parts, failed, files }, allReplies, older };
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
    const kept = await keepContent(trial, owner, {
      ...{ revision, key, keyWith: (own: string) => own, isContent: isOwnContent },
      ...{ readsRecomputed: true, keepsOther: compares, known: undefined },
    });
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
    const about = { kind: 'space', id, title };
    if (old !== undefined) this.#gathering.files.push(old);
    else await this.#gathering.write('space.json', jsonText(cleaned(this.#space)), about);
  }

  async #fields(): Promise<void> {
    const about = { kind: 'fields', id: this.#space.id };
    const { client } = this.#gathering.reading;
    const isFields = ({ kind }: FileEntry) => kind === 'fields';
    await this.#gathering.attempt(about, isFields, async () => {
      const fields = await client.call(listSpaceFields, { path: { spaceId: about.id } });
      await this.#gathering.write('fields.json', jsonText(fields.map(cleaned)), about);
    });
  }

  async #comments(): Promise<{ comments: number; replies: number }> {
    const { id } = this.#space;
    const { comments = 0, replies = 0 } = this.#options.old?.counts ?? {};
    let counts = { comments, replies };
    const isOwn = ({ kind, changeRequest }: FileEntry) => kind === 'comments' && changeRequest === undefined;
    await this.#gathering.attempt({ kind: 'comments', id }, isOwn, async () => {
      counts = await this.#discussions({ spaceId: id, at: '' });
    });
    return counts;
  }

  async #discussions(owner: Owner): Promise<Discussed> {
    const discussed = await writeComments(this.#gathering, owner, this.#options.keepsReplies);
    this.#keptReplies ||= discussed.kept;
    return discussed;
  }

  /**
   * The open change requests, each with its comments and the content that differs. Not asked for where the space says
   * that there are none, and there were none.
   */
  async #changeRequests(): Promise<void> {
    const { id: spaceId, changeRequestsOpen } = this.#space;
    const { old, full } = this.#options;
    const isTheirs = ({ changeRequest }: FileEntry) => changeRequest !== undefined;
    if (changeRequestsOpen === 0 && !full && old?.files.some(isTheirs) === false) return;
    const open: ChangeRequest[] = [];
    const { client } = this.#gathering.reading;
    const input = { path: { spaceId }, query: { status: 'open', limit: pageLimit } } as const;
    await this.#gathering.attempt({ kind: 'change-requests', id: spaceId }, isTheirs, async () => {
      for await (const request of client.call(listChangeRequests, input)) open.push(request);
    });
    const names = namesOf(open.map(({ id, number, subject }) => ({ id, title: `${number} ${subject}` })));
    for (const request of open) {
      const { id, subject: title } = request;
      const owner = { spaceId, changeRequestId: id, at: `change-requests/${names.get(id)}/` };
      const isOwn = ({ changeRequest }: FileEntry) => changeRequest === id;
      await this.#gathering.attempt({ kind: 'change-request', id, title }, isOwn, async () => {
        const latest = await this.#ownContent(owner, request);
        await this.#discussions(owner);
        const about = { kind: 'change-request', id, title, changeRequest: id };
        await this.#gathering.write(`${owner.at}change-request.json`, jsonText(cleaned(latest)), about);
      });
    }
  }

  /** Keeps the content if its key and that of the space are those of the last run; else reads it. */
  async #ownContent(owner: Owner, listed: ChangeRequest): Promise<ChangeRequest> {
    const { id, revision, subject: title } = listed;
    const [gathering, known, spaceKey] = [this.#gathering, this.#known, this.#key];
    const { old, full, compares } = this.#options;
    const name = `change-request ${id}`;
    const isContent = ({ kind, changeRequest, path }: FileEntry) =>
      changeRequest === id && contentKinds.includes(kind) && path.startsWith(owner.at);
    const keyWith = (own: string) => `${own} ${spaceKey}`;
    const key = spaceKey === undefined ? undefined : lastKey(old, full, name);
    const last = { revision, key, keyWith, isContent };
    const how = { readsRecomputed: compares, keepsOther: compares, known };
    const kept = await keepContent(gathering, owner, { ...last, ...how });
    if (kept !== undefined) {
      if (kept.key !== undefined) this.#parts.push({ name, key: kept.key });
      return listed;
    }
    let latest = listed;
    const refresh = async () => {
      const path = { spaceId: owner.spaceId, changeRequestId: id };
      latest = await gathering.reading.client.call(getChangeRequest, { path });
      return latest;
    };
    const named = { ...owner, kind: 'change-request', title };
    const read = await readSettledContent(gathering, named, known, listed, refresh);
    if (read.whole && spaceKey !== undefined) this.#parts.push({ name, key: keyWith(read.key) });
    return latest;
  }
}

/** Whether a file is content of the space itself, not of a change request. */
function isOwnContent({ kind, changeRequest }: FileEntry): boolean {
  return changeRequest === undefined && contentKinds.includes(kind);
}

/** The content of the last run, and how far it may stand for what the platform has. */
interface LastContent {
  /** Of the content now. */
  revision: string;
  /** What it was read by; undefined if it cannot be kept. */
  key: string | undefined;
  /** The key of what has a key of its own. */
  keyWith(own: string): string;
  isContent(entry: FileEntry): boolean;
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

/** Keeps the files of content that is as it was. @returns undefined if all of it must be read */
async function keepContent(
  gathering: Gathering,
  owner: Owner,
  last: LastContent,
): Promise<KeptContent | undefined> {
  const { key, keepsOther, revision } = last;
  if (key === undefined && !keepsOther) return undefined;
  const content = await contentOnDisk(gathering, owner);
  const isSame = key?.split(' ')[0] === revision;
  if (content !== undefined && isSame) return keepSameRevision(gathering, owner, content, last);
  if (!keepsOther) return undefined;
  await gathering.keep(last.isContent);
  return { content, key, reads: false };
}

/** Of the same revision only computed pages may have changed: these are read. Returns as `keepContent`. */
async function keepSameRevision(
  gathering: Gathering,
  owner: Owner,
  content: KnownContent,
  last: LastContent,
): Promise<KeptContent | undefined> {
  const { keepsOther, isContent } = last;
  const now = content.computed.length === 0 ? undefined : await revisionOf(gathering, owner);
  const computed = computedPages(now?.pages ?? []);
  const stale = recomputed(content.computed, computed);
  const key = last.keyWith(contentKey(last.revision, computed));
  if (now === undefined || stale.size === 0) {
    if (key !== last.key && !keepsOther) return undefined;
    const areKept = await gathering.keep(isContent);
    return areKept || keepsOther ? { content, key, reads: false } : undefined;
  }
  if (!last.readsRecomputed) return undefined;
  const stays = (entry: FileEntry) =>
    isContent(entry) && entry.kind !== 'content' && !stale.has(entry.id ?? '');
  if (!(await gathering.keep(stays)) && !keepsOther) return undefined;
  // A change request has only the pages that differ from its space.
  const isHeld = (page: string) =>
    gathering.last(
      ({ kind, id, changeRequest }) =>
        kind === 'page' && id === page && changeRequest === owner.changeRequestId,
    ) !== undefined;
  await readPages(gathering, owner, last.known, now, ({ id }) => stale.has(id) && isHeld(id));
  return { content: knownContent(now), key, reads: true };
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

interface Discussed {
  comments: number;
  replies: number;
  /** Whether replies of the last run stand for those of the platform. */
  kept: boolean;
}

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

/** @param known replies of the last run by id of their comment */
async function* discussions(
  reading: Reading,
  owner: Owner,
  counted: Discussed,
  known: ReadonlyMap<string, readonly unknown[]>,
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
async function repliesOnDisk(gathering: Gathering, { changeRequestId }: Owner) {
  const known = new Map<string, readonly unknown[]>();
  const isTheirs = (entry: FileEntry) => entry.kind === 'comments' && entry.changeRequest === changeRequestId;
  for await (const line of gathering.lastItems(isTheirs)) {
    const { comment, replies } = isObject(line) ? line : {};
    if (!isObject(comment) || !Array.isArray(replies) || replies.length === 0) continue;
    known.set(String(comment.id), replies);
  }
  return known;
}

function commentsOf({ client }: Reading, owner: Owner) {
  return client.call(operationIn(listComments, owner), { path: { ...owner }, query: commentQuery });
}

async function repliesTo(
  { client }: Reading,
  owner: Owner,
  { id: commentId, replies: count }: Comment,
): Promise<unknown[]> {
  if (count === 0) return [];
  const input = { path: { ...owner, commentId }, query: commentQuery };
  const replies = client.call(operationIn(listCommentReplies, owner), input);
  return (await allItems<unknown>(replies)).map(cleaned);
}

export interface SpaceOptions extends Pick<WalkOptions, 'folder' | 'full' | 'keepsReplies'> {
  /** Folder for what no longer exists: `deleted/2026-01-31T23-59-59Z`. */
  deleted: string;
}

export interface SpaceOutcome extends Walked {
  sha256: string;
  /** Files of the last run, if they are known. */
  before: readonly FileEntry[] | undefined;
  unchanged: boolean;
  /** Files of the last run that the space does not have now, moved to `deleted`. */
  moved: number;
}

/**
 * Backs up a space. What cannot be read of it is in the manifest, and its files of the last run stay. Files that the space
 * does not have now are moved away. If nothing changed, only drafts of a killed run go; else the manifest says
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
  const old = await intactManifest(folder, at, space.id);
  let marked: Promise<unknown> | undefined;
  const mark = async (): Promise<void> => {
    if (old === undefined) return;
    marked ??= writeSpaceManifest(folder, at, { ...old, state: 'unfinished' });
    await marked;
  };
  const how = { compares: false, readsSettings: false, old, sink: folderSink(folder, mark) };
  const walked = await walkSpace(reading, space, { ...options, ...how });
  const before = old?.files;
  if (!options.full && marked === undefined && isAsBefore(old, walked.manifest)) {
    // A run may have been killed before it changed anything of the space.
    await folder.removeDrafts(at);
    const digest = await folder.digest(`${at}/${manifestName}`);
    return { ...walked, sha256: digest?.sha256 ?? '', before, unchanged: true, moved: 0 };
  }
  await mark();
  const moved = await clearStale(folder, at, walked.manifest.files, options.deleted);
  const { sha256 } = await writeSpaceManifest(folder, at, walked.manifest);
  return { ...walked, sha256, before, unchanged: false, moved };
}
