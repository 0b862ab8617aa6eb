import { parseSpan } from './duration.js';

/** A point in time as people type it: so long before now, or a date. */
export type Moment = { agoMs: number } | { atMs: number };

/**
 * Parses `60d`, `1.5h`, `2026-01-31` (from its first moment, in UTC) or `2026-01-31T09:00Z`.
 * @returns undefined if it is neither a span nor a date
 */
export function parseMoment(text: string): Moment | undefined {
  const agoMs = parseSpan(text);
  if (agoMs !== undefined) return { agoMs };
  const [, day] =
    /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  if (day === undefined) return undefined;
  const [atMs, dayMs] = [Date.parse(text), Date.parse(day)];
  // Date.parse takes the 30th of February for the 2nd of March.
  const exists = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
  return exists && !Number.isNaN(atMs) ? { atMs } : undefined;
}

/** @param nowMs what spans are counted back from, in milliseconds since the epoch */
export function momentMs(moment: Moment, nowMs: number): number {
  return 'atMs' in moment ? moment.atMs : nowMs - moment.agoMs;
}
