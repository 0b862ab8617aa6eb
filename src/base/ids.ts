import { consistsOf, isDigits, wordCharacters } from './characters.js';

/** Whether a text consists of what ids consist of (platform-facts, "Shapes"). */
export function canBeId(text: string): boolean {
  return text !== '' && consistsOf(text, `${wordCharacters}-`);
}

/** Whether a text is an id beyond doubt: long, with digits in it, as no word of a title is; or a number. */
export function isSurelyId(text: string): boolean {
  return canBeId(text) && ((text.length >= 16 && /\d/.test(text)) || isDigits(text));
}
