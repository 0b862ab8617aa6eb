import { usageError } from '../base/errors.js';

/** The longest delay that Node's timers support. */
const longestMs = 2 ** 31 - 1;

const unitsMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const units = Object.keys(unitsMs) as (keyof typeof unitsMs)[];

/**
 * Parses a duration: `500ms`, `30s`, `5m`, `1.5h`, or a number of seconds. `0` and `none` mean no limit.
 * @returns milliseconds, from 1 to 2,147,483,647, or `none`
 * @throws DocsError usage `invalid_duration`
 */
export function parseDuration(text: string): number | 'none' {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === 'none') return 'none';
  const match = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h)?$/.exec(trimmed);
  if (match === null) throw invalid(text, 'is not a duration');
  const amount = Number(match[1]);
  if (amount === 0) return 'none';
  const unit = units.find((known) => known === match[2]) ?? 's';
  const ms = Math.max(1, Math.round(amount * unitsMs[unit]));
  if (ms > longestMs) throw invalid(text, 'is longer than 596h');
  return ms;
}

const spanUnitsMs: Readonly<Record<string, number>> = { ...unitsMs, d: 86_400_000, w: 604_800_000 };

/** The milliseconds of a span that is not a timer, such as `90d` or `1.5h`; undefined if it is not a span. */
export function parseSpan(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h|d|w)$/.exec(text) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (spanUnitsMs[unit] ?? 1));
}

/** Formats milliseconds for `parseDuration`, in the largest unit without a fraction. */
export function formatDuration(ms: number | 'none'): string {
  if (ms === 'none') return ms;
  const unit = units.findLast((candidate) => ms % unitsMs[candidate] === 0) ?? 'ms';
  return `${ms / unitsMs[unit]}${unit}`;
}

function invalid(text: string, what: string) {
  const accepted = '500ms, 30s, 5m, 1h, a number of seconds, or 0 for no limit';
  return usageError('invalid_duration', `${JSON.stringify(text.slice(0, 40))} ${what}; use ${accepted}`);
}

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
