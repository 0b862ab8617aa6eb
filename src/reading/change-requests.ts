import { type ChangeRequest, listChangeRequests } from '../api/resources/change-requests.js';
import type { Space } from '../api/resources/spaces.js';
import { readAll } from '../jobs/in-order.js';
import { type Reading, type Unread, unreadOf } from './reading.js';
import { allSpaces } from './spaces.js';

/** Change requests over many spaces. */

/** A space as rows name it. */
export interface SpaceName {
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
}

export type RequestStatus = 'draft' | 'open' | 'archived' | 'merged';

/**
 * The change requests of every space that can be found. A space whose counters say that it has none with the
 * status is not asked.
 * @param statuses one request a page, space and status
 * @throws DocsError as `allSpaces`
 */
export async function requestsOfAll(
  reading: Reading,
  statuses: readonly RequestStatus[],
): Promise<FoundRequests> {
  const { spaces, unread } = await allSpaces(reading, countedSpace);
  const lists = spaces.flatMap((space) =>
    statuses.filter((status) => mayHave(space, status)).map((status) => ({ space, status })),
  );
  const found: FoundRequests = { requests: [], unread: [...unread] };
  const read = await readAll(reading, lists, async ({ space, status }) => {
    const requests: SpaceRequest[] = [];
    try {
      const path = { spaceId: space.id };
      for await (const one of reading.client.call(listChangeRequests, { path, query: { status } }))
        requests.push({ ...one, space: { id: space.id, title: space.title } });
    } catch (cause) {
      const { id, title } = space;
      return { requests, unread: [unreadOf(cause, reading.signal, { kind: 'space', id, title })] };
    }
    return { requests, unread: [] };
  });
  for (const one of read) {
    found.requests.push(...one.requests);
    found.unread.push(...one.unread);
  }
  return found;
}

type CountedSpace = SpaceName & Pick<Space, 'changeRequests' | 'changeRequestsOpen' | 'changeRequestsDraft'>;

function countedSpace(space: Space): CountedSpace {
  const { id, title, changeRequests, changeRequestsOpen, changeRequestsDraft } = space;
  return { id, title, changeRequests, changeRequestsOpen, changeRequestsDraft };
}

/** Whether a space may have one; where its counters are missing, it may. */
function mayHave(space: CountedSpace, status: RequestStatus): boolean {
  const { changeRequests, changeRequestsOpen, changeRequestsDraft } = space;
  if (status === 'open') return changeRequestsOpen !== 0;
  if (status === 'draft') return changeRequestsDraft !== 0;
  return changeRequests !== 0;
}
