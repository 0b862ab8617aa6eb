import { counted } from './counted.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** The mean month and year of the calendar, in milliseconds. */
const month = 30.436875 * day;
const year = 365.2425 * day;

/** `3 days ago`, `in 5 days`, `just now`; a text that is no ISO 8601 date-time is given back. */
export function age(moment: string, nowMs: number): string {
  const differenceMs = Date.parse(moment) - nowMs;
  if (Number.isNaN(differenceMs)) return moment;
  const distance = Math.abs(differenceMs);
  if (distance < 45_000) return 'just now';
  return differenceMs < 0 ? `${describe(distance)} ago` : `in ${describe(distance)}`;
}

/** Units, each up to where the next one reads better: never `60 minutes` or `24 hours`. */
const units = [
  { unit: 'minute', ms: minute, below: 59.5 * minute },
  { unit: 'hour', ms: hour, below: 23.5 * hour },
  { unit: 'day', ms: day, below: 29.5 * day },
  { unit: 'month', ms: month, below: 11.5 * month },
];

function describe(distanceMs: number): string {
  const { unit, ms } = units.find(({ below }) => distanceMs < below) ?? { unit: 'year', ms: year };
  return counted(Math.max(1, Math.round(distanceMs / ms)), unit);
}

/** Whether a value is a date-time as the platform writes it. */
export function isDateTime(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= 40 &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** A difference between two clocks that a reader of a time should know of, in milliseconds. */
const clocksDifferMs = 5 * minute;

/**
 * The end of a time span by the platform's clock, to the minute; says so where this machine's clock differs.
 * @param clocks milliseconds since the epoch; the platform's is undefined before its first answer
 */
export function untilText(spanMs: number, clocks: { platformMs: number | undefined; ownMs: number }): string {
  const { ownMs, platformMs = ownMs } = clocks;
  const differ = Math.abs(platformMs - ownMs) > clocksDifferMs;
  return `${toTheMinute(platformMs + spanMs)}${differ ? " by the platform's clock" : ''}`;
}

/** An ISO moment for a person: `2025-06-22 12:00:31 UTC`. */
export function utcText(moment: string): string {
  return moment.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC');
}

/** A moment to the minute: `2025-06-22 12:00 UTC`. */
export function toTheMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
