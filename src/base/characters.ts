/**
 * What a text consists of, without regular expressions: V8 compiles each of those at each start, which takes longer than
 * to look at a short text.
 */

/** Whether each character is of visible ASCII: no space, no control character. */
export function isVisibleAscii(text: string): boolean {
  return isWithin(text, 0x21, 0x7e);
}

/** Whether a text consists of visible ASCII and spaces. */
export function isPrintableAscii(text: string): boolean {
  return isWithin(text, 0x20, 0x7e);
}

/** Whether each character of a text is one of these. */
export function consistsOf(text: string, characters: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!characters.includes(text.charAt(at))) return false;
  return true;
}

const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Letters, digits and `_`, as in regular expressions. */
export const wordCharacters = `${letters}${letters.toUpperCase()}${digits}_`;

/** Whether a text is a number of digits. */
export function isDigits(text: string): boolean {
  return text !== '' && consistsOf(text, digits);
}

/** Without the slashes at its end. */
export function withoutFinalSlashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}

/** Without one line break at its end. */
export function withoutFinalNewline(text: string): string {
  if (!text.endsWith('\n')) return text;
  return text.slice(0, text.endsWith('\r\n') ? -2 : -1);
}

function isWithin(text: string, first: number, last: number): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < first || code > last) return false;
  }
  return true;
}
