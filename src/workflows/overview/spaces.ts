import { sourceLists } from '../../api/organization-spaces.js';
import { type Space, spaceVisibilities } from '../../api/resources/spaces.js';
import { DocsError } from '../../errors.js';
import { RequestLists, type SpaceRequest } from '../../reading/change-requests.js';
import { type Reading, type Unread, unreadWords } from '../../reading/reading.js';
import type { Tasks } from '../../reading/tasks.js';
import { SpaceWalk } from '../../reading/walk-spaces.js';
import { countsOf } from './counts.js';
import type { Missing } from './missing.js';
import { type Overview, staleDays } from './report.js';

/** Spaces and their open change requests: found as `docs spaces list` and `docs change-requests list` find them. */

interface FoundSpaces extends Pick<Overview, 'spaces' | 'changeRequests'> {
  missing: Missing[];
}

/**
 * Adds the reads of all lists that hold spaces, and of the open change requests of spaces that have any.
 * @returns what was found, once the tasks have ended
 */
export function readSpaces(reading: Reading, tasks: Tasks): { found(nowMs: number): FoundSpaces } {
  const spaces = new Map<string, Space>();
  const lists = new RequestLists(reading, tasks, { statuses: ['open'] });
  // Some lists leave out where a space is published.
  const published = new Set<string>();
  const walk = new SpaceWalk(reading, tasks, (space) => {
    spaces.set(space.id, space);
    if ((space.urls?.published ?? space.urls?.public) !== undefined) published.add(space.id);
    lists.visit(space);
  });
  walk.begin();
  return {
    found(nowMs) {
      const { unread, order } = walk;
      const { requests, unread: missed } = lists.inOrder(order, []);
      // Nothing is known of spaces where none was found and a list of lists is missing.
      const isUnknown = spaces.size === 0 && unread.some(({ kind }) => kind in sourceLists);
      const known = isUnknown ? undefined : { spaces: [...spaces.values()], requests };
      const undated = known === undefined ? [] : requests.filter((one) => Number.isNaN(updatedMs(one)));
      return {
        spaces: known === undefined ? null : spaceFacts(known.spaces, published.size, unread.length > 0),
        changeRequests:
          known === undefined
            ? null
            : requestFacts(requests, nowMs, unread.length + missed.length + undated.length > 0),
        missing: [
          ...unread.map((one) => missing('spaces', one)),
          ...missed.map((one) => missing('changeRequests', one)),
          ...undated.map(undatedOne),
        ],
      };
    },
  };
}

function spaceFacts(spaces: readonly Space[], published: number, atLeast: boolean): Overview['spaces'] {
  const visibility = countsOf(
    spaces.map((space) => space.visibility),
    spaceVisibilities,
  );
  return { total: spaces.length, published, visibility, atLeast };
}

function requestFacts(
  requests: readonly SpaceRequest[],
  nowMs: number,
  atLeast: boolean,
): Overview['changeRequests'] {
  const beforeMs = nowMs - staleDays * 86_400_000;
  const stale = requests.filter((one) => updatedMs(one) < beforeMs).length;
  return { open: requests.length, stale, staleDays, atLeast };
}

function updatedMs({ updatedAt }: SpaceRequest): number {
  return typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
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
