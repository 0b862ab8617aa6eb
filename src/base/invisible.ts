/**
 * Characters that nobody sees: controls, characters that reorder a line, of no width, tags (U+E0000…), variation selectors.
 * A name that holds them looks like another one, and a text can hold instructions for a program that its reader does
 * not see. Wherever a name is shown, they are made visible by this one function.
 */

// All of Cc, Cf, Zl, Zp, Cs and Default_Ignorable_Code_Point but tab, newline and the signs of Arabic and other scripts
// that can be seen (not as properties of Unicode, which take long to look up).
const characters = [
  String.raw`\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e`,
  String.raw`\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}`,
  String.raw`\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}`,
];
/** Made on first use: few texts have more than ASCII. */
let invisible: RegExp | undefined;
/** To look at a longer text takes longer than to compile the pattern. */
const shortText = 4096;

/**
 * Replaces what cannot be seen. Joiners and selectors stay where a script or an emoji needs them: between letters that
 * join, and within an emoji.
 * @param mark what stands for a character
 */
export function markInvisible(text: string, mark: (character: string) => string): string {
  if (text.length < shortText && isPlain(text)) return text;
  invisible ??= new RegExp(`[${characters.join('')}]`, 'gu');
  if (text.search(invisible) < 0) return text;
  return text.replace(invisible, (character: string, at: number) =>
    isNeeded(character, text, at) ? character : mark(character),
  );
}

/** Whether a text consists of printable ASCII, tabs and newlines. It stands here since this file also runs in pages, alone. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a) || code > 0x7e) return false;
  }
  return true;
}

/** The code point as it is written in place of a character that cannot be seen: `<U+200B>`. */
export function codePointMark(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

const literalMark = /<(?=U\+[\dA-F]{4,6}>)/g;
const eachMark = /<U\+([\dA-F]{4,6})>/g;

/** Marks that `unmarkInvisible` turns back, so that a file with them can be read again. Line breaks stay. */
export function reversibleMarks(text: string): string {
  const literal = text.includes('<U+') ? text.replace(literalMark, '<U+003C>') : text;
  return markInvisible(literal, (character) => (character === '\r' ? character : codePointMark(character)));
}

/** What `reversibleMarks` marked, as it was before. */
export function unmarkInvisible(text: string): string {
  if (!text.includes('<U+')) return text;
  return text.replace(eachMark, (mark, hex: string) => {
    const code = Number.parseInt(hex, 16);
    const character = code > 0x10ffff ? '' : String.fromCodePoint(code);
    return character === '<' || hasInvisible(character) ? character : mark;
  });
}

/** Whether a text has a character that `markInvisible` replaces. */
export function hasInvisible(text: string): boolean {
  let found = false;
  markInvisible(text, () => {
    found = true;
    return '';
  });
  return found;
}

function isNeeded(character: string, text: string, at: number): boolean {
  const last = lastOf(text.slice(Math.max(0, at - 2), at));
  const next = text.codePointAt(at + character.length);
  if (last === undefined) return false;
  if (character === '\ufe0e' || character === '\ufe0f')
    return isEmoji(last) || (isKeycap(last) && next === 0x20e3);
  if (character >= '\u180b' && character <= '\u180f') return last >= 0x1820 && last <= 0x18aa;
  if ((character !== '\u200c' && character !== '\u200d') || next === undefined) return false;
  if (joins(last) && joins(next)) return true;
  return character === '\u200d' && (isEmoji(last) || last === 0xfe0f || isSkinTone(last)) && isEmoji(next);
}

function lastOf(text: string): number | undefined {
  const end = text.slice(-2);
  return end.codePointAt(end.length === 2 && (end.codePointAt(0) ?? 0) > 0xffff ? 0 : end.length - 1);
}

/** Letters and marks from Arabic to the scripts of South Asia and Mongolia. */
function joins(code: number): boolean {
  return code >= 0x0600 && code <= 0x1cff && /[\p{L}\p{M}]/u.test(String.fromCodePoint(code));
}

function isEmoji(code: number): boolean {
  return /\p{Extended_Pictographic}/u.test(String.fromCodePoint(code));
}

function isKeycap(code: number): boolean {
  return /[0-9#*]/.test(String.fromCodePoint(code));
}

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}
