import { usageError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { type Moment, momentMs, parseMoment } from '../../settings/moment.js';

/** `--updated-before` and `--updated-after`. */
export interface Updated {
  before: Moment | undefined;
  after: Moment | undefined;
}

/** @throws DocsError usage `invalid_time` */
export function updatedOf({ options }: ManualInput): Updated {
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
export function updatedMs(request: unknown): number | undefined {
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
