import { formatJson } from '../api/transport/json-text.js';
import { markInvisible } from '../base/invisible.js';

/**
 * JSON text of everything that is printed; undefined prints as null. Escapes what cannot be seen, and lone
 * surrogates. Numbers kept as digits print as these.
 * @param indent spaces per level; 0 for one line
 */
export function stringify(value: unknown, indent = 0): string {
  return escapeUnsafe(formatJson(value ?? null, indent) ?? 'null');
}

/** Values, each on one line, with a separator between them: escaped in one go, which is faster. */
export function stringifyEach(values: readonly unknown[], separator: string): string {
  return escapeUnsafe(values.map((value) => formatJson(value ?? null)).join(separator));
}

/** Escapes what cannot be seen in JSON text (RELIABILITY.md), where it can only stand inside strings. */
export function escapeUnsafe(text: string): string {
  return markInvisible(text, unicodeEscape);
}

/** A character as JSON escapes it: `\u202e`; of four bytes as two. */
export function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join('');
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
