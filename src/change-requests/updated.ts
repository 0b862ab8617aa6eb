import { DocsError, usageError } from '../base/errors.js';
import { asText, defined, isObject } from '../base/values.js';
import { type Moment, momentMs, parseMoment } from '../settings/duration.js';
import type { SpaceRequest } from '../snapshot/change-requests.js';
import type { Unread } from '../snapshot/unread.js';

/** When change requests were last updated: the order of their lists, and `--updated-before` and `--updated-after`. */

/** `--updated-before` and `--updated-after`. */
export interface Updated {
  before: Moment | undefined;
  after: Moment | undefined;
}

/** @throws DocsError usage `invalid_time` */
export function updatedOf(options: Readonly<Record<string, unknown>>): Updated {
  return {
    before: momentOf('--updated-before', options.updatedBefore),
    after: momentOf('--updated-after', options.updatedAfter),
  };
}

function momentOf(flag: string, typed: unknown): Moment | undefined {
  if (typeof typed !== 'string') return undefined;
  const moment = parseMoment(typed);
  if (moment !== undefined) return moment;
  const message = `invalid ${flag} ${JSON.stringify(typed.slice(0, 40))}; expected a span such as 60d or 24h, or a date such as 2026-01-31`;
  throw usageError('invalid_time', message, { hint: `docs change-requests list ${flag} 60d` });
}

/** When a change request was last updated, in milliseconds since the epoch; undefined if its answer does not tell. */
function updatedMs(request: unknown): number | undefined {
  const updatedAt = isObject(request) ? request.updatedAt : undefined;
  const ms = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** Whether a change request was updated in the time; undefined where its answer does not tell. */
export function isWithin({ before, after }: Updated, request: unknown, nowMs: number): boolean | undefined {
  if (before === undefined && after === undefined) return true;
  const ms = updatedMs(request);
  if (ms === undefined) return undefined;
  const isEarly = before === undefined || ms < momentMs(before, nowMs);
  return isEarly && (after === undefined || ms >= momentMs(after, nowMs));
}

/** The oldest first; what does not tell its age last. */
export function byUpdate(one: SpaceRequest, other: SpaceRequest): number {
  const [own, others] = [one, other].map((request) => updatedMs(request) ?? Number.POSITIVE_INFINITY);
  return own === others ? 0 : Number(own) - Number(others);
}

/** Change requests whose place in the order, or in the time, is unknown. */
export function undated(requests: readonly SpaceRequest[]): Unread[] {
  return requests
    .filter((request) => updatedMs(request) === undefined)
    .map((request) => ({ ...undatedOne(request), space: request.space.title }));
}

export function undatedOne(request: unknown): Unread {
  const { id, subject } = (isObject(request) ? request : {}) as Record<string, unknown>;
  const message = 'the platform does not say when it was last updated';
  const error = new DocsError('bad-response', 'wrong_shape', message, {
    outcome: 'done',
    hint: 'docs doctor',
  });
  const title = asText(subject);
  return { kind: 'change-request', id: typeof id === 'string' ? id : '?', ...defined({ title }), error };
}
