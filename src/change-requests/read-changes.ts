import type { CallOptions } from '../api/client.js';
import {
  type ChangeRequest,
  getChangeRequest,
  getChangeRequestContent,
  getChangeRequestPage,
} from '../api/resources/change-requests.js';
import {
  type Comment,
  listChangeRequestCommentReplies,
  listChangeRequestComments,
} from '../api/resources/comments.js';
import { type ContentPage, getContent, getPage } from '../api/resources/content.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import { defined } from '../base/values.js';
import { readEach } from '../jobs/sequence.js';
import { type Reading, readFailure } from '../snapshot/unread.js';
import { type ContentChange, changeOf, type Reviewed, type Thread } from './change.js';
import { compareContent, type Difference, filesWithoutHash, placedPages } from './compare-content.js';
import { compareTexts } from './compare-texts.js';

/**
 * Reads what a change request changes, compared with the content that its space has now, and what was said about
 * it.
 */

/** What is shown of one item: a difference, or what carries comments alone. */
interface ReviewItem {
  difference:
    | Difference
    | { change: Omit<ContentChange, 'kind'> & { kind: Reviewed['kind'] }; reads: 'none' };
  comments: Comment[];
}

const unchanged: Pick<ContentChange, 'change' | 'changes'> = { change: 'none', changes: [] };

/** All comments of the change request that can be read; why others cannot. */
export async function readComments(
  { client, signal }: ChangeReading,
  path: RequestAt,
): Promise<{ comments: Comment[]; error?: Thread['error'] }> {
  const comments: Comment[] = [];
  const query = { format: 'markdown', status: 'all' } as const;
  let error: Thread['error'];
  try {
    for await (const comment of client.call(listChangeRequestComments, { path, query }))
      comments.push(comment);
  } catch (cause) {
    error = failureFacts(cause, signal);
  }
  comments.sort((one, other) => Date.parse(one.postedAt) - Date.parse(other.postedAt));
  return { comments, error };
}

/** The differences with their comments; then pages that have comments alone, then the change request itself. */
export function reviewItems(
  { at, request }: Opened,
  differences: Difference[],
  comments: Comment[],
): ReviewItem[] {
  const byPage = new Map<string, Comment[]>();
  for (const comment of comments) {
    const page = comment.target.page?.id ?? '';
    byPage.set(page, [...(byPage.get(page) ?? []), comment]);
  }
  const items: ReviewItem[] = differences.map((difference) => {
    const { kind, id } = difference.change;
    const own = kind === 'page' ? (byPage.get(id) ?? []) : [];
    if (kind === 'page') byPage.delete(id);
    return { difference, comments: own };
  });
  const general = byPage.get('') ?? [];
  byPage.delete('');
  for (const [id, own] of byPage) {
    const { title = id, path } = own[0]?.target.page ?? {};
    const change = { kind: 'page' as const, id, title, ...defined({ path }), ...unchanged };
    items.push({ difference: { change, reads: 'none' }, comments: own });
  }
  const { id = at.changeRequestId, subject: title } = request;
  const change = { kind: 'change-request' as const, id, title, ...unchanged };
  if (general.length > 0) items.push({ difference: { change, reads: 'none' }, comments: general });
  return items;
}

/** As `readChanges`, with the threads of each page; replies of resolved threads are not read. */
export async function* readReview(
  reading: ChangeReading,
  { at }: Opened,
  items: readonly ReviewItem[],
): AsyncGenerator<Reviewed> {
  const { concurrency } = reading;
  const read = async ({ difference, comments }: ReviewItem): Promise<Reviewed> => {
    const { change, reads } = difference;
    const [found, threads] = await Promise.all([
      reads === 'none' ? change : readChange(reading, at, difference as Difference),
      Promise.all(comments.map((comment) => readThread(reading, at, comment))),
    ]);
    return { ...found, comments: threads };
  };
  for await (const reviewed of readEach({ concurrency, ahead: mostAhead }, items, read))
    if (reviewed.changes.length + reviewed.comments.length > 0) yield reviewed;
}

async function readThread(
  { client, signal }: ChangeReading,
  at: RequestAt,
  comment: Comment,
): Promise<Thread> {
  const { id, postedBy, postedAt, status, body, resolvedBy, replies: replyCount } = comment;
  const thread: Thread = {
    ...{ id, author: postedBy.displayName, postedAt },
    status: status === 'resolved' ? 'resolved' : 'open',
    text: body.markdown ?? '',
    ...defined({ resolvedBy: resolvedBy?.displayName }),
    ...{ replyCount, replies: [] },
  };
  if (replyCount === 0 || thread.status === 'resolved') return thread;
  const [path, query] = [{ ...at, commentId: id }, { format: 'markdown' } as const];
  try {
    for await (const reply of client.call(listChangeRequestCommentReplies, { path, query })) {
      const said = reply.body.markdown ?? '';
      thread.replies.push({ author: reply.postedBy.displayName, postedAt: reply.postedAt, text: said });
    }
    return thread;
  } catch (cause) {
    return { ...thread, error: failureFacts(cause, signal) };
  }
}

export type ChangeReading = Pick<Reading, 'client' | 'concurrency' | 'signal'>;

/** Where a change request is. */
interface RequestAt {
  spaceId: string;
  changeRequestId: string;
}

/** What is known before any text is read. */
export interface Opened {
  at: RequestAt;
  request: ChangeRequest;
  space: Space;
  differences: Difference[];
  /** Files that are taken for the same because name and size are. */
  bySize: number;
  /** Pages on each side, those below others included. */
  pages: ReadonlySet<string>;
}

/** Pages whose texts are read before what comes before them is printed. */
const mostAhead = 16;

/**
 * @param about what the change request is in errors
 * @throws DocsError where the change request, the space, or a list of pages cannot be read
 */
export async function openChanges(
  { client }: ChangeReading,
  at: RequestAt,
  about: CallOptions = {},
): Promise<Opened> {
  const { spaceId } = at;
  const [request, space, before, after] = await Promise.all([
    client.call(getChangeRequest, { path: at }, about),
    client.call(getSpace, { path: { spaceId } }, about),
    client.call(getContent, { path: { spaceId } }, about),
    client.call(getChangeRequestContent, { path: at }, about),
  ]);
  const pages = new Set([...placedPages(before.pages).keys(), ...placedPages(after.pages).keys()]);
  const [differences, bySize] = [compareContent(before, after), filesWithoutHash(before, after)];
  return { at, request, space, differences, bySize, pages };
}

/**
 * The changes in order, each as soon as its texts are read; eight pages are read at once. A page that cannot be read
 * is `unknown`. Once the caller stops, nothing more is read.
 * @throws what would stop every other read, too
 */
export async function* readChanges(
  reading: ChangeReading,
  { at }: Opened,
  differences: readonly Difference[],
): AsyncGenerator<ContentChange> {
  const { concurrency } = reading;
  const read = (difference: Difference) => readChange(reading, at, difference);
  for await (const change of readEach({ concurrency, ahead: mostAhead }, differences, read))
    if (change.changes.length > 0) yield change;
}

/** One change with its text. @throws what would stop every other read, too */
async function readChange(
  { client, signal }: ChangeReading,
  at: RequestAt,
  { change, reads }: Difference,
): Promise<ContentChange> {
  if (reads === 'none') return change;
  const query = { format: 'markdown' } as const;
  const { id: pageId } = change;
  const { spaceId } = at;
  try {
    const [before, after] = await Promise.all([
      reads === 'after' ? '' : client.call(getPage, { path: { spaceId, pageId }, query }).then(textOf),
      reads === 'before'
        ? ''
        : client.call(getChangeRequestPage, { path: { ...at, pageId }, query }).then(textOf),
    ]);
    const found = compareTexts(before, after);
    if (found === undefined) return { ...change, words: { added: 0, removed: 0 } };
    const changes = reads === 'both' ? [...change.changes, 'edited' as const] : change.changes;
    return { ...change, change: changeOf(changes), changes, ...found };
  } catch (cause) {
    const error = failureFacts(cause, signal);
    const changes = [...change.changes, 'unknown' as const];
    return { ...change, change: changeOf(changes), changes, error };
  }
}

/** @throws DocsError bad-response where the answer has only the structured content */
function textOf({ markdown, document }: ContentPage): string {
  if (markdown !== undefined || document === undefined) return markdown ?? '';
  throw new DocsError(
    'bad-response',
    'no_markdown',
    'the platform answered without the Markdown of the page',
  );
}

/** Whether the change request or the space got other content since they were opened. */
export async function changedMeanwhile(
  { client }: ChangeReading,
  { at, request, space }: Opened,
): Promise<boolean> {
  const [now, spaceNow] = await Promise.all([
    client.call(getChangeRequest, { path: at }),
    client.call(getSpace, { path: { spaceId: at.spaceId } }),
  ]);
  return now.revision !== request.revision || spaceNow.revision !== space.revision;
}

/** For programs. @throws what would stop every other read, too */
function failureFacts(cause: unknown, signal: AbortSignal): ContentChange['error'] {
  return readFailure(cause, signal).toJSON() as ContentChange['error'];
}

/** What a change request is in the errors of its reads: where it was not found, the list of its space is next. */
export function aboutRequest(
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string },
  platform: NodeJS.Platform,
): CallOptions {
  const at = `--space ${shellWord(spaceId, platform)}`;
  const show = `docs change-requests get ${shellWord(changeRequestId, platform)} ${at}`;
  const subject = { what: `change request ${changeRequestId}`, showCommand: show };
  return { subject: { ...subject, listCommand: `docs change-requests list ${at}` } };
}
