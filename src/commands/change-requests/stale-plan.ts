import { createChangeRequestComment } from '../../api/resources/change-request-comments.js';
import { updateChangeRequest } from '../../api/resources/change-requests.js';
import { defined } from '../../base/values.js';
import { type PlannedRequest, requestFor } from '../../jobs/request.js';
import { basisOfRequest } from '../../jobs/rules/request-basis.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import { unreadWords } from '../../reading/reading.js';
import type { Found, Stale } from '../../workflows/stale/find.js';
import { warningText } from '../../workflows/stale/message.js';
import type { StaleAction, StaleRow } from '../../workflows/stale/row.js';

/** What was found, as changes, notes and rows. */

/** Warnings first, then what is archived. Each rests on nothing having happened since it was read. */
export function draftsFor({ stale, nowMs }: Found, message: string | undefined): Draft[] {
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

function resting(one: Stale, request: PlannedRequest): Draft {
  return { key: nameOf(one), request, expect: basisOfRequest(one.request, one.discussion) };
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
export function notesOf({ stale, unread, unmatched }: Found): PlanNote[] {
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
