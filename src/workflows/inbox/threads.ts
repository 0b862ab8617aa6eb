import { listChangeRequestCommentReplies } from '../../api/resources/change-request-comment-replies.js';
import { listChangeRequestComments } from '../../api/resources/change-request-comments.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import type { Tasks } from '../../reading/tasks.js';
import type { SpaceRequest } from '../../snapshot/change-requests.js';
import { hasId, itemWithoutId } from '../../snapshot/lists.js';
import type { Thread } from './reasons.js';

/** The unresolved threads of change requests: a read for the comments of each, and one for the replies to each. */
export class Threads {
  readonly #reading: Reading;
  readonly #tasks: Tasks;
  readonly #byRequest = new Map<string, Thread[]>();
  readonly #unread = new Map<string, Unread>();

  constructor(reading: Reading, tasks: Tasks) {
    this.#reading = reading;
    this.#tasks = tasks;
  }

  /** Adds the reads for a change request; none where its counter says that it has no open comment. */
  read(request: SpaceRequest): void {
    const threads: Thread[] = [];
    this.#byRequest.set(request.id, threads);
    if (request.comments !== 0) this.#tasks.add(() => this.#readComments(request, threads), true);
  }

  /** Undefined where they, or some of them, could not be read. */
  of({ id }: SpaceRequest): readonly Thread[] | undefined {
    return this.#unread.has(id) ? undefined : this.#byRequest.get(id);
  }

  get unread(): Unread[] {
    return [...this.#unread.values()];
  }

  async #readComments(request: SpaceRequest, threads: Thread[]): Promise<void> {
    const path = { spaceId: request.space.id, changeRequestId: request.id };
    await this.#orUnread(request, async () => {
      const input = { path, query: { status: 'open' } };
      for await (const comment of this.#reading.client.call(listChangeRequestComments, input)) {
        if (!hasId(comment)) throw itemWithoutId('comment');
        if (comment.status === 'resolved') continue; // The platform may ignore the filter.
        const first = comment.postedBy?.id;
        if (comment.replies === 0) threads.push([first]);
        else this.#tasks.add(() => this.#readReplies(request, comment.id, first, threads));
      }
    });
  }

  async #readReplies(
    request: SpaceRequest,
    commentId: string,
    first: string | undefined,
    threads: Thread[],
  ): Promise<void> {
    const path = { spaceId: request.space.id, changeRequestId: request.id, commentId };
    await this.#orUnread(request, async () => {
      const replies: { by: string | undefined; at: string }[] = [];
      for await (const reply of this.#reading.client.call(listChangeRequestCommentReplies, { path })) {
        if (!hasId(reply)) throw itemWithoutId('reply');
        replies.push({ by: reply.postedBy?.id, at: String(reply.postedAt) });
      }
      const inTime = replies.toSorted((one, other) => compare(Date.parse(one.at), Date.parse(other.at)));
      threads.push([first, ...inTime.map(({ by }) => by)]);
    });
  }

  async #orUnread(request: SpaceRequest, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (cause) {
      const { id, subject, space } = request;
      const title = typeof subject === 'string' ? { title: subject } : {};
      const what = { kind: 'comments-of-change-request', id, ...title, space: space.title };
      this.#unread.set(id, unreadOf(cause, this.#reading.signal, what));
    }
  }
}

/** Times that cannot be told apart keep the order of the platform. */
function compare(one: number, other: number): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
