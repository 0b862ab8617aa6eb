/** Words, as a reader sees them, in any script. */

/** Scripts that put no spaces between words: each character stands for itself. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const marks = '\\p{M}\\u200d\\ufe0f\\u{1f3fb}-\\u{1f3ff}';
/** An emoji with what belongs to it, which colours must not tear apart; a flag is two letters. */
const emoji = `\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}(?:[${marks}]|\\p{Extended_Pictographic}(?<=\\u200d.))*`;
const token = new RegExp(
  `\\n|[^\\S\\n]+|[${unspaced}][\\p{M}]*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+|${emoji}|[^]`,
  'gu',
);
const word = new RegExp(`[${unspaced}]|[^\\s${unspaced}]+`, 'gu');

/** The text in pieces: words, spaces, line breaks, punctuation. Joined, they are the text again. */
export function tokensOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** What stands between spaces counts as a word; so does each character of a script that has no spaces. */
export function countWords(text: string): number {
  let count = 0;
  word.lastIndex = 0;
  while (word.exec(text) !== null) count += 1;
  return count;
}
