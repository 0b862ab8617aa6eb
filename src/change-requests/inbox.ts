import { mergeChangeRequest } from '../api/resources/change-requests.js';
import { listChangeRequestCommentReplies, listChangeRequestComments } from '../api/resources/comments.js';
import { listMemberSpaces } from '../api/resources/members.js';
import type { Space } from '../api/resources/spaces.js';
import { type Role, roles } from '../api/shapes.js';
import { DocsError } from '../base/errors.js';
import { inboxReasons } from '../output/printed-shapes.js';
import { RequestLists, type SpaceRequest } from '../snapshot/change-requests.js';
import { orUnlisted, SpaceWalk } from '../snapshot/spaces.js';
import { Tasks } from '../snapshot/tasks.js';
import { hasId, itemWithoutId, type Reading, type Unread, unreadOf } from '../snapshot/unread.js';

/** Reads what waits for a member, over all spaces that they can access. */

/** The unresolved threads of change requests: a read for the comments of each, and one for the replies to each. */
class Threads {
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

export interface Waiting {
  request: SpaceRequest;
  /** The most urgent first. */
  reasons: Reason[];
  /** Threads that wait for an answer; null where comments were not read. */
  unanswered: number | null;
}

export interface Inbox {
  /** By the most urgent reason, then the oldest update. */
  waiting: Waiting[];
  unread: Unread[];
  /** How many spaces were looked at. */
  spaces: number;
}

interface Question {
  /** Id of the member. */
  me: string;
  /** Whether the token is theirs: what it cannot see then cannot wait for them. */
  isOwner: boolean;
  /** The reasons that are asked for. What only others need is not read. */
  reasons: readonly Reason[];
  onRead?(lists: number): void;
}

/** @throws DocsError where no list of spaces can be read */
export async function readInbox(reading: Reading, question: Question): Promise<Inbox> {
  const { me, onRead } = question;
  const asked = (...some: Reason[]) => some.some((reason) => question.reasons.includes(reason));
  const tasks = new Tasks(reading.concurrency);
  const threads = new Threads(reading, tasks);
  const lists = new RequestLists(reading, tasks, {
    statuses: asked('draft', 'outdated', 'unanswered') ? ['open', 'draft'] : ['open'],
    onRequest: asked('unanswered') ? (request) => threads.read(request) : undefined,
    onRead,
  });
  const spaces = new MemberSpaces(reading, tasks, question, (space) => lists.visit(space));
  tasks.add(() => spaces.read(), true);
  await tasks.ended();
  const { order, unread } = spaces;
  orUnlisted(order.length, unread);
  const found = lists.inOrder(order, unread);
  const waiting = found.requests.flatMap((request): Waiting[] => {
    const mayMerge = spaces.mayMerge.get(request.space.id);
    const known = { request, threads: threads.of(request), mayMerge };
    const all = reasonsFor(me, known);
    if (!asked(...all)) return [];
    return [{ request, reasons: all, unanswered: unansweredBy(me, known) }];
  });
  return {
    waiting: waiting.toSorted(byUrgency),
    unread: [...found.unread, ...threads.unread],
    spaces: order.length,
  };
}

function byUrgency(one: Waiting, other: Waiting): number {
  const urgency = ({ reasons: [first] }: Waiting) => (first === undefined ? 0 : inboxReasons.indexOf(first));
  const updated = ({ request }: Waiting) => Date.parse(request.updatedAt);
  const [own, others] = [updated(one), updated(other)];
  return urgency(one) - urgency(other) || (own < others ? -1 : own > others ? 1 : 0);
}

/**
 * The spaces that a member can access: one list, which says what they may do there. Where the token may not read
 * it and is theirs, every list of the organization instead.
 */
class MemberSpaces {
  /** By id of the space; absent where it is not known. */
  readonly mayMerge = new Map<string, boolean>();
  readonly #reading: Reading;
  readonly #tasks: Tasks;
  readonly #question: Question;
  readonly #visit: (space: Space) => void;
  readonly #order: string[] = [];
  readonly #unread: Unread[] = [];
  #walk: SpaceWalk<void> | undefined;

  constructor(reading: Reading, tasks: Tasks, question: Question, visit: (space: Space) => void) {
    this.#reading = reading;
    this.#tasks = tasks;
    this.#question = question;
    this.#visit = visit;
  }

  get order(): readonly string[] {
    return this.#walk?.order ?? [...new Set(this.#order)];
  }

  get unread(): Unread[] {
    const walked = this.#walk?.unread.filter(({ error }) => error.code !== 'hidden_space');
    return [...this.#unread, ...(walked ?? [])];
  }

  async read(): Promise<void> {
    const { client, organizationId, signal } = this.#reading;
    const { me: userId, isOwner } = this.#question;
    try {
      const path = { organizationId, userId };
      for await (const item of client.call(listMemberSpaces, { path })) {
        if (!hasId(item?.space)) throw itemWithoutId('space');
        const may = mayMergeAs(item.permission);
        if (may !== undefined) this.mayMerge.set(item.space.id, may);
        this.#order.push(item.space.id);
        this.#visit(item.space);
      }
    } catch (cause) {
      const isRefused = cause instanceof DocsError && ['forbidden', 'not-found'].includes(cause.kind);
      if (isOwner && isRefused && this.#order.length === 0) return this.#walkAll();
      if (this.#order.length === 0) throw cause;
      this.#unread.push(unreadOf(cause, signal, { kind: 'spaces-of-member', id: userId }));
    }
  }

  #walkAll(): void {
    this.#walk = new SpaceWalk(this.#reading, this.#tasks, (space) => {
      const may = space.permissions?.merge;
      if (typeof may === 'boolean') this.mayMerge.set(space.id, may);
      this.#visit(space);
    }).begin();
  }
}

/** Whether a role in a space lets its holder merge; undefined for a role that is not known. */
function mayMergeAs(role: Role): boolean | undefined {
  const rank = (known: Role) => roles.indexOf(known);
  return rank(role) < 0 ? undefined : rank(role) <= rank(mergeChangeRequest.needs);
}

export type Reason = (typeof inboxReasons)[number];

/** An unresolved comment with its replies: the ids of who wrote, in order; undefined for an unknown author. */
export type Thread = readonly (string | undefined)[];

/** What is known of a change request that is open or a draft. */
export interface Known {
  request: Pick<SpaceRequest, 'status' | 'createdBy' | 'outdated' | 'comments'>;
  /** Its unresolved threads; undefined where they were not read. */
  threads: readonly Thread[] | undefined;
  /** Whether the member may merge in its space; undefined where that is not known. */
  mayMerge: boolean | undefined;
}

/** How many threads wait for an answer of this member; null where they were not read. */
export function unansweredBy(me: string, { request, threads }: Known): number | null {
  if (threads === undefined) return null;
  const isMine = authorOf(request) === me;
  return threads.filter((thread) => waitsFor(me, thread, isMine)).length;
}

/**
 * Somebody else has the last word, and the member is in it: as the author of the change request, or because they
 * wrote in the thread.
 */
function waitsFor(me: string, thread: Thread, isMine: boolean): boolean {
  if (thread.length === 0 || thread.at(-1) === me) return false;
  return isMine || thread.includes(me);
}

/** The reasons, the most urgent first. */
export function reasonsFor(me: string, known: Known): Reason[] {
  const { request, threads, mayMerge } = known;
  const isMine = authorOf(request) === me;
  const isOpen = request.status === 'open';
  const isQuiet = threads === undefined ? request.comments === 0 : threads.length === 0;
  const holds: Record<Reason, boolean> = {
    unanswered: (unansweredBy(me, known) ?? 0) > 0,
    outdated: isMine && request.outdated === true,
    ready: isMine && isOpen && mayMerge === true && request.outdated === false && isQuiet,
    'to-review': !isMine && isOpen && mayMerge === true,
    draft: isMine && request.status === 'draft',
  };
  return inboxReasons.filter((reason) => holds[reason]);
}

function authorOf({ createdBy }: Known['request']): string | undefined {
  return createdBy?.id;
}
