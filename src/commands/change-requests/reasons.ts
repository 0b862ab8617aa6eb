import type { SpaceRequest } from '../../snapshot/change-requests.js';

/** Why a change request waits for somebody. From what was read alone. */

/** The most urgent first: others wait for an answer, then what stands in the way, then what can be done any time. */
export const reasons = ['unanswered', 'outdated', 'ready', 'to-review', 'draft'] as const;
export type Reason = (typeof reasons)[number];

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
  return reasons.filter((reason) => holds[reason]);
}

function authorOf({ createdBy }: Known['request']): string | undefined {
  return createdBy?.id;
}
