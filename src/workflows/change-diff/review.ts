import {
  type Comment,
  listChangeRequestCommentReplies,
  listChangeRequestComments,
} from '../../api/resources/comments.js';
import { type Static, Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { readEach } from '../../jobs/in-order.js';
import { closed, Failure, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';
import { readFailure } from '../../snapshot/unread.js';
import { ContentChange } from './change.js';
import type { Difference } from './compare-content.js';
import { type ChangeReading, mostAhead, type Opened, type RequestAt, readChange } from './read-changes.js';

/** The changes of a change request, each page with what was said about it. */

const Reply = closed({ author: text, postedAt: text, text });

export const Thread = closed({
  id: text,
  author: text,
  postedAt: text,
  status: stateOf('open', 'resolved'),
  text,
  resolvedBy: maybe,
  replyCount: Type.Integer({ minimum: 0 }),
  replies: Type.Array(Reply, { description: 'Not read of resolved threads' }),
  error: Type.Optional(Failure),
});
export type Thread = Static<typeof Thread>;

const { kind: _, ...common } = ContentChange.properties;

export const Reviewed = closed({
  kind: oneOf('page', 'file', 'reusable-content', 'change-request'),
  ...common,
  comments: Type.Array(Thread),
});
export type Reviewed = Static<typeof Reviewed>;

/** What is shown of one item: a difference, or what carries comments alone. */
export interface ReviewItem {
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
    error = readFailure(cause, signal).toJSON() as Thread['error'];
  }
  comments.sort((one, other) => Date.parse(one.postedAt) - Date.parse(other.postedAt));
  return { comments, ...(error && { error }) };
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
    const error = readFailure(cause, signal).toJSON() as Thread['error'];
    return { ...thread, ...(error && { error }) };
  }
}
