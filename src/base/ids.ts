import { consistsOf, isDigits, wordCharacters } from './characters.js';
import { asText } from './values.js';

/** Whether a text consists of what ids consist of (platform-facts, "Shapes"). */
export function canBeId(text: string): boolean {
  return text !== '' && consistsOf(text, `${wordCharacters}-`);
}

/** What was typed as an id, where it is none of a title; where somebody is at the terminal, beyond doubt. */
export function isTypedId(text: unknown, attended: boolean): text is string {
  return typeof text === 'string' && (attended ? isSurelyId(text) : canBeId(text));
}

/** Whether a text is an id beyond doubt: long, with digits in it, as no word of a title is; or a number. */
export function isSurelyId(text: string): boolean {
  return canBeId(text) && ((text.length >= 16 && /\d/.test(text)) || isDigits(text));
}

/** The id of a resource that an answer refers to in either form. */
export function idOf(resource: unknown): string | undefined {
  const found =
    typeof resource === 'object' && resource !== null ? (resource as { id?: unknown }).id : resource;
  return asText(found);
}
