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
