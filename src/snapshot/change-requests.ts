import { type ChangeRequest, listChangeRequests } from '../api/resources/change-requests.js';
import { getSpace, type Space } from '../api/resources/spaces.js';
import { defined } from '../base/values.js';
import { isIn, type Shard } from '../shards/shard.js';
import { orUnlisted, SpaceWalk } from './spaces.js';
import { Tasks } from './tasks.js';
import { hasId, itemWithoutId, type Reading, type Unread, unreadOf } from './unread.js';

/** Change requests over many spaces. */

/** A space as rows name it. */
interface SpaceName {
  id: string;
  title: string;
}

/** A change request, and the space that it belongs to. */
export interface SpaceRequest extends ChangeRequest {
  space: SpaceName;
}

export interface FoundRequests {
  /** In the order of the spaces, then of the platform. */
  requests: SpaceRequest[];
  /** Spaces and lists that could not be read. */
  unread: Unread[];
  /** How many spaces were found. */
  spaces: number;
}

export type RequestStatus = 'draft' | 'open' | 'archived' | 'merged' | (string & {});

interface Narrowing {
  /** Only those that this user contributed to, by id. */
  contributor?: string | undefined;
  /** Items per request. */
  pageSize?: number | undefined;
  /** Only in spaces of this part. */
  shard?: Shard | undefined;
}

/**
 * The change requests of every space that can be found. The lists of a space are asked for as soon as the space is
 * found. A space whose counters say that it has none with the status is not asked.
 * @param statuses one request a page, space and status
 * @param onRead called with the number of lists of change requests that were read
 * @throws DocsError if nothing is found where a list of lists could not be read
 */
export async function requestsOfAll(
  reading: Reading,
  statuses: readonly RequestStatus[],
  { onRead = () => {}, ...narrowing }: Narrowing & { onRead?: (lists: number) => void } = {},
): Promise<FoundRequests> {
  const tasks = new Tasks(reading.concurrency);
  const lists = new RequestLists(reading, tasks, { statuses, narrowing, onRead });
  const walk = new SpaceWalk(reading, tasks, (space) => lists.visit(space)).begin();
  await tasks.ended();
  const { order, unread } = walk;
  orUnlisted(order.length, unread);
  return { ...lists.inOrder(order, unread), spaces: order.length };
}

/**
 * The change requests of the given spaces, by id; of all spaces where none is given. A named space is asked for its
 * title and its counters.
 * @param shard only the spaces of this part
 * @throws DocsError as `requestsOfAll`
 */
export async function requestsOf(
  reading: Reading,
  spaces: readonly string[],
  statuses: readonly RequestStatus[],
  shard?: Shard,
): Promise<FoundRequests> {
  if (spaces.length === 0) return requestsOfAll(reading, statuses, { shard });
  const tasks = new Tasks(reading.concurrency);
  const lists = new RequestLists(reading, tasks, { statuses });
  const named = [...new Set(spaces)].filter((id) => isIn(shard, id));
  const unread = new Map<string, Unread>();
  for (const spaceId of named)
    tasks.add(async () => {
      try {
        const space = await reading.client.call(getSpace, { path: { spaceId } });
        if (!hasId(space)) throw itemWithoutId('space');
        lists.visit({ ...space, id: spaceId });
      } catch (cause) {
        unread.set(spaceId, unreadOf(cause, reading.signal, { kind: 'space', id: spaceId }));
      }
    }, true);
  await tasks.ended();
  const missed = named.flatMap((id) => unread.get(id) ?? []);
  return { ...lists.inOrder(named, missed), spaces: named.length };
}

interface RequestQuery {
  statuses: readonly RequestStatus[];
  narrowing?: Narrowing;
  onRead?(lists: number): void;
  /** Called with each change request, when it is read. */
  onRequest?(request: SpaceRequest): void;
}

/** Of one space: by id, since a list that changes while it is read may repeat an item. */
interface ListOfSpace {
  requests: Map<string, SpaceRequest>;
  unread: Unread[];
}

/** The lists of change requests of spaces, each of which is asked for once. */
export class RequestLists {
  readonly #reading: Reading;
  readonly #tasks: Tasks;
  readonly #wanted: RequestQuery;
  readonly #lists = new Map<string, Map<RequestStatus, ListOfSpace>>();
  #read = 0;

  constructor(reading: Reading, tasks: Tasks, wanted: RequestQuery) {
    this.#reading = reading;
    this.#tasks = tasks;
    this.#wanted = wanted;
  }

  /** Adds the reads of the lists that a space may have. The counters may differ from list to list of spaces. */
  visit(space: Space): void {
    if (!isIn(this.#wanted.narrowing?.shard, space.id)) return;
    const lists = this.#lists.get(space.id) ?? new Map<RequestStatus, ListOfSpace>();
    this.#lists.set(space.id, lists);
    for (const status of this.#wanted.statuses) {
      if (lists.has(status) || !mayHave(space, status)) continue;
      const list: ListOfSpace = { requests: new Map(), unread: [] };
      lists.set(status, list);
      this.#tasks.add(() => this.#readList(nameOf(space), status, list));
    }
  }

  /** What was read, space by space, and by status in the order in which they are wanted. */
  inOrder(spaces: readonly string[], unlisted: readonly Unread[]): Omit<FoundRequests, 'spaces'> {
    const lists = spaces.flatMap((id) =>
      this.#wanted.statuses.flatMap((status) => this.#lists.get(id)?.get(status) ?? []),
    );
    return {
      requests: lists.flatMap(({ requests }) => [...requests.values()]),
      unread: [...unlisted, ...lists.flatMap(({ unread }) => unread)],
    };
  }

  async #readList(space: SpaceName, status: RequestStatus, list: ListOfSpace): Promise<void> {
    const { client, signal } = this.#reading;
    const { narrowing = {}, onRequest, onRead } = this.#wanted;
    const query = defined({ status, contributor: narrowing.contributor, limit: narrowing.pageSize });
    try {
      for await (const one of client.call(listChangeRequests, { path: { spaceId: space.id }, query })) {
        if (!hasId(one)) throw itemWithoutId('change request');
        if (list.requests.has(one.id)) continue;
        const request = { ...one, space };
        list.requests.set(one.id, request);
        onRequest?.(request);
      }
    } catch (cause) {
      list.unread.push(unreadOf(cause, signal, { kind: 'space', ...space }));
    }
    this.#read += 1;
    onRead?.(this.#read);
  }
}

function nameOf({ id, title }: Space): SpaceName {
  return { id, title: typeof title === 'string' ? title : id };
}

/** Whether a space may have one; where its counters are missing, it may. */
function mayHave(space: Space, status: RequestStatus): boolean {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = space;
  if (status === 'open') return changeRequestsOpen !== 0;
  if (status === 'draft') return changeRequestsDraft !== 0;
  return changeRequests !== 0;
}
