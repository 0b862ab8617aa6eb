import { isObject } from '../../base/values.js';

/** Levels of arrays and objects that a value may have (RELIABILITY.md, "Time, memory, signals"). */
export const maxDepth = 1000;

/** Texts longer than this are measured before parsing: the parser's memory grows with the depth. */
const measureFromBytes = 1 << 20;

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A number that a double cannot hold. JSON has its digits as they are; everything else may treat it as text. */
export class RawNumber {
  readonly rawJson: string;

  constructor(rawJson: string) {
    if (!jsonNumber.test(rawJson)) throw new Error(`${rawJson} is not a number.`);
    this.rawJson = rawJson;
  }

  toString(): string {
    return this.rawJson;
  }
}

/** Whether a value is a JSON object, and no number kept as digits. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof RawNumber);
}

export type Parsed = { ok: true; value: unknown } | { ok: false; code: 'not_json' | 'too_deep' };

/**
 * Parses UTF-8 JSON, with or without a byte order mark, at little more than the cost of `JSON.parse`.
 * Numbers that a double cannot hold become `RawNumber`: integers beyond 2^53, `1e400`, `1e-400`. A text nested
 * over 1,000 levels is refused.
 * @param text the same as text
 */
export function parseJson(bytes: Uint8Array, text = jsonText(bytes)): Parsed {
  if (bytes.length > measureFromBytes && depthOf(bytes) > maxDepth) return { ok: false, code: 'too_deep' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'not_json' };
  }
  if (isContainer(value) && mayBeTooDeep(text) && isTooDeep(value, 1)) return { ok: false, code: 'too_deep' };
  return { ok: true, value: hasBeyondDouble(text) ? keepDigits(text, value) : value };
}

/** Writes a value as JSON, raw numbers as their digits. @param indent spaces per level; 0 for one line */
export function formatJson(value: unknown, indent = 0): string {
  // The replacer costs several times the rest.
  if (!holdsRawNumber(value)) return JSON.stringify(value, undefined, indent);
  const tag = crypto.randomUUID();
  const digits = (_: string, item: unknown) => (item instanceof RawNumber ? tag + item.rawJson : item);
  return JSON.stringify(value, digits, indent).replace(new RegExp(`"${tag}([^"]*)"`, 'g'), '$1');
}

function holdsRawNumber(value: unknown): boolean {
  if (!isContainer(value)) return false;
  if (Array.isArray(value)) return value.some(holdsRawNumber);
  const record = value as Record<string, unknown>;
  for (const key in record) if (isContainer(record[key]) && holdsRawNumber(record[key])) return true;
  return value instanceof RawNumber;
}

/** The text of JSON, without a byte order mark. */
export function jsonText(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * Whether a text has as many brackets as levels are allowed: few answers do, and those need not be walked through. What
 * begins beside the object that ends there does not stand in it.
 */
function mayBeTooDeep(text: string): boolean {
  let left = maxDepth;
  for (let at = text.indexOf(beside); at >= 0; at = text.indexOf(beside, at + 1)) left += 1;
  for (const bracket of '{[')
    for (let at = text.indexOf(bracket); at >= 0 && left >= 0; at = text.indexOf(bracket, at + 1)) left -= 1;
  return left < 0;
}

/** In a string, it hides no level either, since its bracket counts as one. */
const beside = '},{';

/** The recursion ends at the limit. Written for speed: every answer passes through here. */
export function isTooDeep(value: object, depth: number): boolean {
  if (depth > maxDepth) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isContainer(item) && isTooDeep(item, depth + 1)) return true;
    return false;
  }
  const record = value as Record<string, unknown>;
  for (const key in record) {
    const item = record[key];
    if (isContainer(item) && isTooDeep(item, depth + 1)) return true;
  }
  return false;
}

/**
 * An integer of 16 digits, since those of fewer are exact, or an exponent of three, as only numbers near or beyond the
 * limits of a double have. It begins where a number may: random ids have `3e456` in them, and links that carry whole
 * revisions have thousands of ids.
 */
const mayBeBeyondDouble = /(?:^|[\s:,[])-?\d(?:\d{15}|[\d.]*[eE][+-]?\d{3})/;

/** In such a text numbers are looked for without an expression: the first one of a run takes longer to make than this. */
const shortText = 2048;

/** Whether a text of JSON may have a number that a double does not hold. */
function hasBeyondDouble(text: string): boolean {
  return (text.length > shortText || hasLongNumber(text)) && mayBeBeyondDouble.test(text);
}

/** Whether a text of JSON has a number with an exponent, or with 16 digits. */
function hasLongNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character >= '0' && character <= '9') digits += 1;
    else if (digits > 0 && (character === 'e' || character === 'E')) return true;
    else if (character !== '.') digits = 0;
    if (digits > 15) return true;
    if (character === '"') at = closingQuote(text, at);
  }
  return false;
}

/** Where the string ends that begins at a place. */
function closingQuote(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/** The shortest number that a double does not hold: `1e309`. */
const leastLong = 5;

/** Strings and numbers of a JSON text; nothing else of it matters here. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const integer = /^-?\d+$/;

/** Whether a double does not hold a number: an integer of too many digits, or what is too large or too small. */
function isBeyondDouble(token: string): boolean {
  const value = Number(token);
  if (integer.test(token)) return !Number.isSafeInteger(value);
  return !Number.isFinite(value) || (value === 0 && /[1-9]/.test(token.split(/[eE]/)[0] ?? ''));
}

/**
 * Parses once more, with inexact numbers as strings behind a tag that the sender cannot know. Only for texts
 * that may hold one: it costs several times an ordinary parse. @param value the text as parsed before
 */
function keepDigits(text: string, value: unknown): unknown {
  const tag = crypto.randomUUID();
  let found = false;
  const tagged = text.replace(stringOrNumber, (token) => {
    if (token.startsWith('"') || token.length < leastLong || !isBeyondDouble(token)) return token;
    found = true;
    return `"${tag}${token}"`;
  });
  if (!found) return value;
  return JSON.parse(tagged, (_, item: unknown) =>
    typeof item === 'string' && item.startsWith(tag) ? new RawNumber(item.slice(tag.length)) : item,
  );
}

const quote = 0x22;
const backslash = 0x5c;

/** The deepest level of a JSON text, strings left out. */
export function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
  return deepest;
}

/** The place of the quote that ends the string beginning at `at`, or the end of the text. */
function endOfString(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  return end;
}
