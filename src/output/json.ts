import { formatJson } from '../api/transport/json-text.js';

/** DEL, C1 and bidi controls: kept in JSON output, but as escapes (RELIABILITY.md). */
const unsafe = /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const eachUnsafe = new RegExp(unsafe, 'g');

/**
 * JSON text of everything that is printed; undefined prints as null. Escapes DEL, C1 and bidi controls, and
 * lone surrogates. Numbers kept as digits print as these.
 * @param indent spaces per level; 0 for one line
 */
export function stringify(value: unknown, indent = 0): string {
  return escapeUnsafe(formatJson(value ?? null, indent) ?? 'null');
}

/** Values, each on one line, with a separator between them: escaped in one go, which is faster. */
export function stringifyEach(values: readonly unknown[], separator: string): string {
  return escapeUnsafe(values.map((value) => formatJson(value ?? null)).join(separator));
}

/** Escapes DEL, C1 and bidi controls in JSON text, where they can only stand inside strings. */
export function escapeUnsafe(text: string): string {
  return unsafe.test(text) ? text.replace(eachUnsafe, unicodeEscape) : text;
}

/** A character of two bytes as JSON and YAML escape it: `\u202e`. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
