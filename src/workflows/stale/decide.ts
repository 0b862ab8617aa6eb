import type { ChangeRequest } from '../../api/resources/change-requests.js';
import type { Comment } from '../../api/resources/comments.js';
import { type Activity, activitiesIn, type Discussion, editOf, msOf } from './activity.js';
import { dayOf, type Marker, markerIn, namedRevision, stateOf, wasWarning } from './marker.js';
import type { StaleAction } from './row.js';

/** What becomes of a change request, from what was read of it alone. */

export interface Terms {
  nowMs: number;
  olderThanMs: number;
  warnMs: number;
  archive: boolean;
  /** Whose comments count as warnings; undefined where no comment carries a marker. */
  warner: string | undefined;
}

export type Dated = Pick<
  ChangeRequest,
  'revision' | 'subject' | 'status' | 'createdAt' | 'updatedAt' | 'createdBy'
>;

export interface Decision {
  action: StaleAction;
  why: string;
  /** The newest thing that happened on it. */
  lastMs: number;
  /** The day after which it will be, or would be, archived, ISO 8601. */
  archiveAfter?: string;
  /** The comment whose marker is damaged. */
  comment?: string;
}

/** The warning itself may move `updatedAt`; a change of subject or status within this time shows in the marker. */
const warningMovesMs = 60_000;

const dayMs = 86_400_000;

/**
 * @param exemption why it is exempt
 * @returns undefined where it is not stale and has no warning
 */
export function decide(
  request: Dated,
  discussion: Discussion,
  terms: Terms,
  exemption?: string,
): Decision | undefined {
  const found = decided(request, discussion, terms);
  if (found === undefined || exemption === undefined) return found;
  return { action: 'exempt', why: exemption, lastMs: found.lastMs };
}

function decided(request: Dated, discussion: Discussion, terms: Terms): Decision | undefined {
  const { nowMs, olderThanMs, warnMs } = terms;
  const activities = activitiesIn(discussion, nowMs);
  const warning = newestWarning(discussion.comments, terms);
  const times = [request.createdAt, request.updatedAt].map((moment) => msOf(moment, nowMs));
  times.push(...activities.map(({ atMs }) => atMs));
  const news = warning && newSince(warning, request, activities, nowMs);
  if (warning !== undefined && news === undefined) return warnedBefore(warning, times, terms);
  const lastMs = latest(times);
  const ageMs = nowMs - lastMs;
  const damaged = damagedWarning(discussion.comments, terms, warning);
  if (ageMs >= olderThanMs && damaged !== undefined) {
    const why = `the warning of ${dayOf(msOf(damaged.postedAt, nowMs))} has lost its marker`;
    return { action: 'damaged', why, lastMs, comment: damaged.id };
  }
  if (ageMs >= olderThanMs) {
    const days = Math.floor(ageMs / dayMs);
    const why = `nothing new for ${days === 1 ? '1 day' : `${days} days`}`;
    return { action: 'warn', why, lastMs, archiveAfter: dayOf(nowMs + warnMs) };
  }
  if (warning === undefined) return undefined;
  return { action: 'spared', why: `${news} since the warning of ${dayOf(warning.atMs)}`, lastMs };
}

/** Nothing is new since the warning, so its time runs, or is up. Both the span and what it promised must be over. */
function warnedBefore(
  { atMs, marker }: Warning,
  times: readonly number[],
  { nowMs, warnMs, archive }: Terms,
): Decision {
  const dueMs = Math.max(atMs + warnMs, Date.parse(marker.archiveAfter));
  const archiveAfter = dayOf(dueMs);
  const before = times.filter((ms) => ms < atMs);
  const lastMs = before.length === 0 ? atMs : latest(before);
  const why = `warned on ${dayOf(atMs)}`;
  if (nowMs < dueMs) return { action: 'warned', why, lastMs, archiveAfter };
  return {
    action: archive ? 'archive' : 'due',
    why: `${why}, and nothing new since`,
    lastMs,
    archiveAfter,
  };
}

function latest(times: readonly number[]): number {
  return times.reduce((newest, ms) => Math.max(newest, ms), Number.NEGATIVE_INFINITY);
}

interface Warning {
  comment: Comment;
  marker: Marker;
  atMs: number;
}

/** An edited comment may have become a warning later than its time says, so it does not count. */
function newestWarning(comments: readonly Comment[], { warner, nowMs }: Terms): Warning | undefined {
  let newest: Warning | undefined;
  for (const comment of comments) {
    const marker = markerOf(comment);
    if (marker === undefined || comment.postedBy.id !== warner) continue;
    const atMs = msOf(comment.postedAt, nowMs);
    if (newest === undefined || atMs > newest.atMs) newest = { comment, marker, atMs };
  }
  return newest;
}

/** The marker of a comment that may be a warning, whoever wrote it. */
export function markerOf(comment: Comment): Marker | undefined {
  return editOf(comment) === undefined ? markerIn(comment.body.markdown) : undefined;
}

/**
 * A warning that the platform, or whoever handled its text, did not keep whole. Another one would meet the same fate,
 * so the author would be commented on for ever. A resolved comment is settled.
 * @param known the newest warning whose marker is whole: what came before it does not matter
 */
function damagedWarning(
  comments: readonly Comment[],
  { warner, nowMs }: Terms,
  known: Warning | undefined,
): Comment | undefined {
  return comments.find(
    (comment) =>
      isDamaged(comment) &&
      comment.postedBy.id === warner &&
      comment.status !== 'resolved' &&
      msOf(comment.postedAt, nowMs) > (known?.atMs ?? Number.NEGATIVE_INFINITY),
  );
}

/** Whether a comment may be a warning whose marker is damaged, whoever wrote it. Edits are the work of people. */
function isDamaged(comment: Comment): boolean {
  const { markdown } = comment.body;
  return editOf(comment) === undefined && markerIn(markdown) === undefined && wasWarning(markdown);
}

/** Whether it matters whose comment this is. */
export function mayBeWarning(comment: Comment): boolean {
  return markerOf(comment) !== undefined || isDamaged(comment);
}

/** What happened since a warning; undefined where nothing did. */
function newSince(
  { comment, marker, atMs }: Warning,
  request: Dated,
  activities: readonly Activity[],
  nowMs: number,
): string | undefined {
  if (namedRevision(request) !== marker.revision) return 'a new revision';
  if (stateOf(request) !== marker.state) return 'another subject or status';
  if (comment.status === 'resolved') return 'a resolved comment';
  if (comment.replies > 0) return 'a reply';
  const posted = ({ what, comment: id }: Activity) => what === 'a comment' && id === comment.id;
  // What has the very time of the warning may have come after it.
  const since = activities.find((activity) => activity.atMs >= atMs && !posted(activity));
  if (since !== undefined) return since.what;
  return msOf(request.updatedAt, nowMs) > atMs + warningMovesMs ? 'an update' : undefined;
}
