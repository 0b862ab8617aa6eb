import { updateChangeRequest } from '../api/resources/change-requests.js';
import {
  type Comment,
  createChangeRequestComment,
  listChangeRequestComments,
} from '../api/resources/comments.js';
import { takeWork } from '../base/lock.js';
import { defined } from '../base/values.js';
import { type Change, requestFor } from '../jobs/change.js';
import { JobFolder } from '../jobs/job-folder.js';
import { basisOfRequest, discussionQuery } from '../jobs/rules/discussions.js';
import { readAll } from '../jobs/sequence.js';
import type { Draft, PlanNote } from '../plans/plan.js';
import { partName, type Shard } from '../shards/shard.js';
import { type Reading, type Unread, unreadOf, unreadWords } from '../snapshot/unread.js';
import type { Stale, StaleSearch } from './find-stale.js';
import {
  markedState,
  markerOf,
  namedRevision,
  type StaleAction,
  type StaleRow,
  warningText,
} from './stale.js';

/** What is done about stale change requests: warnings and archivings as drafts, one run at a time, read again afterwards. */

/** Warnings first, then what is archived. Each rests on nothing having happened since it was read. */
export function draftsFor({ stale, nowMs }: StaleSearch, message: string | undefined): Draft[] {
  const of = (action: Stale['action']) => stale.filter((one) => one.action === action);
  return [
    ...of('warn').map((one) => warning(one, nowMs, message)),
    ...of('archive').map((one) => archiving(one)),
    ...of('damaged').map((one) => damaged(one)),
  ];
}

/** What a person must settle: a second comment would be damaged, too. */
function damaged(one: Stale): Draft {
  const { request, why, comment = '' } = one;
  const { id, space } = request;
  return {
    kind: 'change-requests',
    key: nameOf(one),
    action: 'finding',
    finding: {
      code: 'marker_damaged',
      message: `${sentenceOf(why)} No second comment is posted while that one is there and unresolved.`,
      hint: `docs comments delete ${comment} --space ${space.id} --change-request ${id}`,
    },
  };
}

function sentenceOf(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

function warning(one: Stale, nowMs: number, message: string | undefined): Draft {
  const { request, lastMs, archiveAfter = '' } = one;
  const markdown = warningText({ request, nowMs, lastMs, archiveAfter }, message);
  const planned = requestFor(createChangeRequestComment, pathOf(one), { body: { markdown } });
  const warned = { ...planned, id: request.id };
  return { ...resting(one, warned), action: 'create', fields: { warning: { after: markdown } } };
}

function archiving(one: Stale): Draft {
  return resting(one, requestFor(updateChangeRequest, pathOf(one), { status: 'archived' }));
}

function resting(one: Stale, request: Change): Draft {
  const expect = basisOfRequest(one.request, one.discussion);
  return { key: nameOf(one), change: { ...request, expect } };
}

function pathOf({ request: { id, space } }: Stale): Record<string, string> {
  return { spaceId: space.id, changeRequestId: id };
}

/** `Handbook/12`, as `--exempt` takes it. */
export function nameOf({ request: { space, number } }: Pick<Stale, 'request'>): string {
  return `${space.title}/${number}`;
}

/** Of these there are drafts. */
const planned: readonly StaleAction[] = ['warn', 'archive', 'damaged'];

/** What nothing is sent for. */
export function notesOf({ stale, unread, unmatched }: StaleSearch): PlanNote[] {
  const about = ({ archiveAfter, ...one }: Stale): PlanNote => {
    const { action, why } = one;
    const tail = action === 'warned' && archiveAfter ? `; it can be archived after ${archiveAfter}` : '';
    const hint = action === 'due' ? 'To archive it, add --archive.' : undefined;
    const message = sentenceOf(`${why}${tail}`);
    return { code: action, item: nameOf(one), message, ...defined({ hint }) };
  };
  return [
    ...stale.filter(({ action }) => !planned.includes(action)).map(about),
    ...unmatched.map(({ text, place = '--exempt' }) => ({
      code: 'unmatched',
      item: text,
      message: `Matches none of the change requests that were read (${place}).`,
    })),
    ...unread.map((one) => ({ code: 'unread', item: one.title ?? one.id, message: unreadWords(one) })),
  ];
}

export function rowOf(one: Stale, nowMs: number): StaleRow {
  const { request, action, why, lastMs, archiveAfter } = one;
  const { id, number, subject, createdBy, updatedAt, space, urls } = request;
  const author = createdBy && {
    id: createdBy.id,
    displayName: createdBy.displayName,
    ...defined({ email: createdBy.email }),
  };
  const age = Math.max(0, Math.floor((nowMs - lastMs) / 86_400_000));
  return {
    ...{ space, number, id, subject },
    ...defined({ author }),
    ...{ updatedAt, lastActivityAt: new Date(lastMs).toISOString(), age, action, why },
    ...defined({ archiveAfter, url: urls?.app }),
  };
}

/**
 * Runs work while no other process of this machine does the same in the organization: two that read at the same time
 * would both find no comment, and each would post one.
 * @param shard its part of the spaces, which no other part touches
 * @throws DocsError local-io `stale_running`, `journal_unwritable`; whatever `work` throws
 */
export async function inTurn<T>(
  io: ConstructorParameters<typeof JobFolder>[0],
  { organization, shard }: { organization: string; shard: Shard | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const folder = new JobFolder(io);
  folder.make();
  const part = shard === undefined ? '' : `-${partName(shard)}`;
  const turn = takeWork(folder.path, `stale-${organization.replace(/[^\w-]/g, '_')}${part}`, (other) => ({
    code: 'stale_running',
    message: `Another docs change-requests stale is running (${other}); nothing was sent.`,
    hint: 'docs jobs list',
  }));
  return work().finally(() => turn.release());
}

/** Whether later runs will know the warnings again that were posted: an answer of the platform alone proves nothing. */
export interface ReadBack {
  /** Whose comment does not show its marker. */
  lost: Stale[];
  /** Whose comment is by somebody else than the member whose comments count. */
  foreign: Stale[];
  unread: Unread[];
}

/** @param warner whose comments count, where that was asked */
export async function readWarnings(
  reading: Reading,
  warned: readonly Stale[],
  warner: string | undefined,
): Promise<ReadBack> {
  const found: ReadBack = { lost: [], foreign: [], unread: [] };
  await readAll(reading, warned, async (one) => {
    const { id, subject: title, space } = one.request;
    try {
      const comment = await warningOn(reading, one);
      if (comment === undefined) found.lost.push(one);
      else if (warner !== undefined && comment.postedBy.id !== warner) found.foreign.push(one);
    } catch (cause) {
      const about = { kind: 'change-request', id, title, space: space.id };
      found.unread.push(unreadOf(cause, reading.signal, about));
    }
  });
  return found;
}

/** The warning that this run posted, as a later run would know it. */
async function warningOn(
  { client }: Reading,
  { request, discussion, archiveAfter }: Stale,
): Promise<Comment | undefined> {
  const before = new Set(discussion.comments.map(({ id }) => id));
  const path = { spaceId: request.space.id, changeRequestId: request.id };
  for await (const one of client.call(listChangeRequestComments, { path, query: discussionQuery })) {
    const marker = before.has(one.id) ? undefined : markerOf(one);
    const isOwn = marker?.archiveAfter === archiveAfter && marker?.revision === namedRevision(request);
    if (isOwn && marker?.state === markedState(request)) return one;
  }
  return undefined;
}
