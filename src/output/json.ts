/** DEL, C1 and bidi controls: kept in JSON output, but as escapes (RELIABILITY.md). */
const unsafe = /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const eachUnsafe = new RegExp(unsafe, 'g');
const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A number kept as its digits because a double cannot hold it; printed as they are. */
export interface RawNumber {
  readonly rawJson: string;
}

/**
 * JSON text of everything that is printed; undefined prints as null. Escapes DEL, C1 and bidi controls, and
 * lone surrogates. Instances of a class with `rawJson` print their digits.
 * @param indent spaces per level; 0 for one line
 */
export function stringify(value: unknown, indent = 0): string {
  return escapeUnsafe(serialize(value, indent));
}

/** Values, each on one line, with a separator between them: escaped in one go, which is faster. */
export function stringifyEach(values: readonly unknown[], separator: string): string {
  return escapeUnsafe(values.map((value) => serialize(value, 0)).join(separator));
}

function serialize(value: unknown, indent: number): string {
  if (holdsRawNumber(value)) return withRawNumbers(value, indent);
  return JSON.stringify(value, undefined, indent) ?? 'null';
}

/** Whether a value is a number kept as digits, not an object that merely has such a key. */
export function isRawNumber(value: unknown): value is RawNumber {
  if (typeof value !== 'object' || value === null || !('rawJson' in value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const ours = prototype !== Object.prototype && prototype !== null && !Array.isArray(value);
  return ours && typeof value.rawJson === 'string' && jsonNumber.test(value.rawJson);
}

function holdsRawNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsRawNumber);
  const record = value as Record<string, unknown>;
  for (const key in record) {
    const member = record[key];
    if (typeof member === 'object' && member !== null && holdsRawNumber(member)) return true;
  }
  return isRawNumber(value);
}

/** Only for values that hold a raw number: the replacer costs several times the rest. */
function withRawNumbers(value: unknown, indent: number): string {
  const digits: string[] = [];
  const mark = crypto.randomUUID();
  const keep = function (this: Record<string, unknown>, key: string, shown: unknown) {
    const original = this[key];
    return isRawNumber(original) ? mark + (digits.push(original.rawJson) - 1) : shown;
  };
  const text = JSON.stringify(value, keep, indent);
  return text.replace(new RegExp(`"${mark}(\\d+)"`, 'g'), (_, index: string) => digits[Number(index)] ?? '');
}

/** Escapes DEL, C1 and bidi controls in JSON text, where they can only stand inside strings. */
export function escapeUnsafe(text: string): string {
  return unsafe.test(text) ? text.replace(eachUnsafe, unicodeEscape) : text;
}

/** A character of two bytes as JSON and YAML escape it: `\u202e`. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
