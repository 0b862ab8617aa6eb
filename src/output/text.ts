import { codePointMark, markInvisible } from '../base/invisible.js';

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

/**
 * Makes text safe for a terminal or an error message: whatever could command a terminal, reorder the line or hide in it
 * becomes visible (ESC is `␛`, U+202E is `<U+202E>`). Newlines and tabs stay; CRLF becomes a newline.
 * (RELIABILITY.md, "What the platform sends is not trusted")
 */
export function safeText(text: string): string {
  return markInvisible(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text, visible);
}

/** The same for a place of one line, such as a table cell: a newline or a tab becomes a space. */
export function safeLine(text: string): string {
  return safeText(text.replace(/\r\n|[\n\r\t\u2028\u2029]/g, ' '));
}

/** A forbidden character as something that can be seen: control pictures, else its code point. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return codePointMark(character);
}

/** A number with its noun: `1 page`, `12,500 pages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `3 of 5 items are done`. */
export function doneOf(done: number, total: number): string {
  return `${done} of ${total} ${total === 1 ? 'item is' : 'items are'} done`;
}

/** A number with its thousands apart: `12,500`. */
export function grouped(value: number): string {
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** A size in bytes in decimal units: `1.2 MB`. */
export function byteSize(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = value;
  let unit = 0;
  for (; size >= 999.5 && unit < units.length - 1; unit += 1) size /= 1000;
  const whole = unit === 0 || size >= 100;
  return `${whole ? Math.round(size) : size.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`;
}

/** Sanitised text, broken between words to fit a terminal. Lines indented by four are commands: left whole. */
export function wordWrapped(text: string, stream: { isTTY?: boolean; columns?: number }): string {
  const columns = stream.isTTY === true ? (stream.columns ?? 0) : 0;
  if (columns < 20) return text;
  return text
    .split('\n')
    .map((line) => (line.length <= columns || line.startsWith('    ') ? line : broken(line, columns)))
    .join('\n');
}

/** Further lines are indented by two more than the first. */
function broken(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(' ')) {
    const empty = current.trim() === '';
    if (!empty && current.length + 1 + word.length > columns) {
      lines.push(current);
      current = `${indent}  ${word}`;
    } else current = empty ? `${current}${word}` : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** Values as one line of TSV. */
export function tabbedLine(values: readonly string[]): string {
  const inOneLine = (text: string) => text.replace(/[\\\0-\x1f\x7f-\x9f\ud800-\udfff]/gu, escapeOne);
  return `${values.map(inOneLine).join('\t')}\n`;
}

function escapeOne(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).toUpperCase();
  return shortEscapes[character] ?? (code > 0xff ? `\\u${hex}` : `\\x${hex.padStart(2, '0')}`);
}
