import { sourceLists } from '../../api/organization-spaces.js';
import { type Space, spaceVisibilities } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { type Reading, type Unread, unreadWords } from '../../reading/reading.js';
import type { Tasks } from '../../reading/tasks.js';
import { RequestLists, type SpaceRequest } from '../../snapshot/change-requests.js';
import type { OrganizationSnapshot } from '../../snapshot/organization.js';
import { SpaceWalk } from '../../snapshot/spaces.js';
import { Exempt } from '../stale/exempt.js';
import { staleAmong } from '../stale/find.js';
import { usualDays } from '../stale/row.js';
import { countsOf } from './counts.js';
import type { Missing, Overview } from './report.js';

const dayMs = 86_400_000;

/** Spaces and their open change requests: found as `docs spaces list` and `docs change-requests list` find them. */

interface FoundSpaces extends Pick<Overview, 'spaces' | 'changeRequests'> {
  missing: Missing[];
}

/** When it is, and the member whose warnings count, where that is known. */
export interface AsOf {
  nowMs(): number;
  owner: string | undefined;
}

/**
 * Adds the reads of all lists that hold spaces, and of the open change requests of spaces that have any.
 * @returns what was found, once the tasks have ended
 */
export function readSpaces(
  reading: Reading,
  whole: OrganizationSnapshot,
  tasks: Tasks,
): { found(asOf: AsOf): Promise<FoundSpaces> } {
  const spaces = new Map<string, Space>();
  const lists = new RequestLists(reading, tasks, { statuses: ['open'] });
  // Some lists leave out where a space is published.
  const published = new Set<string>();
  const walk = new SpaceWalk(
    reading,
    tasks,
    (space) => {
      spaces.set(space.id, space);
      if ((space.urls?.published ?? space.urls?.public) !== undefined) published.add(space.id);
      lists.visit(space);
    },
    whole,
  ).begin();
  return {
    async found(asOf) {
      const { unread, order } = walk;
      const { requests, unread: missed } = lists.inOrder(order, []);
      const missingSpaces = unread.map((one) => missing('spaces', one));
      const missingRequests = missed.map((one) => missing('changeRequests', one));
      // Nothing is known of spaces where none was found and a list of lists is missing.
      if (spaces.size === 0 && unread.some(({ kind }) => kind in sourceLists))
        return { spaces: null, changeRequests: null, missing: [...missingSpaces, ...missingRequests] };
      const stale = await staleOf(reading, requests, asOf);
      const isPart = unread.length + missed.length > 0;
      return {
        spaces: spaceFacts([...spaces.values()], published.size, unread.length > 0),
        changeRequests: {
          open: requests.length + countedOnly(requests, missed, spaces),
          ...{ stale: stale.count, staleDays: usualDays.olderThan, atLeast: isPart || stale.atLeast },
        },
        missing: [...missingSpaces, ...missingRequests, ...stale.missing],
      };
    },
  };
}

/** Open ones of spaces whose list could not be read, but whose counters say how many it has. */
function countedOnly(
  requests: readonly SpaceRequest[],
  missed: readonly Unread[],
  spaces: ReadonlyMap<string, Space>,
): number {
  return missed.reduce((sum, { id }) => {
    const read = requests.filter(({ space }) => space.id === id).length;
    return sum + Math.max((spaces.get(id)?.changeRequestsOpen ?? 0) - read, 0);
  }, 0);
}

function spaceFacts(spaces: readonly Space[], published: number, atLeast: boolean): Overview['spaces'] {
  const visibility = countsOf(
    spaces.map((space) => space.visibility),
    spaceVisibilities,
  );
  return { total: spaces.length, published, visibility, atLeast };
}

interface StaleCount {
  count: number;
  /** Whether there may be more. */
  atLeast: boolean;
  missing: Missing[];
}

/** As many as `docs change-requests stale --list` lists. */
async function staleOf(
  reading: Reading,
  requests: readonly SpaceRequest[],
  { nowMs, owner }: AsOf,
): Promise<StaleCount> {
  let isOwnerKnown = true;
  const terms = { olderThanMs: usualDays.olderThan * dayMs, warnMs: usualDays.warn * dayMs, archive: false };
  const asked = { ...terms, reading, exempt: new Exempt([]), nowMs, warner };
  const { stale, unread } = await staleAmong({ requests, unread: [] }, asked);
  const undated = requests.filter(({ updatedAt }) => Number.isNaN(Date.parse(String(updatedAt))));
  const missed = [...unread.map((one) => missing('changeRequests', one)), ...undated.map(undatedOne)];
  return { count: stale.length, atLeast: missed.length > 0 || !isOwnerKnown, missing: missed };

  // A ping would tell whose token it is, but an overview only reads. Among several, none is taken for the owner.
  async function warner(authors: readonly string[]): Promise<string> {
    const known = owner ?? (authors.length === 1 ? authors[0] : undefined);
    isOwnerKnown = known !== undefined;
    return known ?? '';
  }
}

function missing(part: Missing['part'], one: Unread): Missing {
  return { part, what: unreadWords(one), error: one.error };
}

/** Whether it is stale cannot be told. */
function undatedOne({ id, space }: SpaceRequest): Missing {
  const message = 'The platform does not say when it was last updated.';
  const error = new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done' });
  const what = unreadWords({ kind: 'change-request', id, space: space.title, error });
  return { part: 'changeRequests', what, error };
}
