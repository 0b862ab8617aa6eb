import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCell, safeCell } from '../../src/base/formula.js';
import { hasInvisible } from '../../src/base/invisible.js';
import { stringify } from '../../src/output/json.js';
import { safeLine, safeText } from '../../src/output/text.js';
import { anyText } from '../any-text.js';

/** Texts made of what both directions look for. */
const marksAndSigns = fc
  .array(
    fc.constantFrom(
      '<',
      'U+',
      '200B',
      '003C',
      '>',
      '<U+200B>',
      "'",
      '=',
      ';',
      '\r',
      '\n',
      '\t',
      '\u200b',
      '\ud800',
    ),
  )
  .map((parts) => parts.join(''));

/** What nobody sees is made visible, and nothing else is. */

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
/** Format characters that have a picture of their own: signs before Arabic, Syriac and Kaithi numbers, hieroglyphs. */
const seen = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{13430}-\u{1343f}]/u;
const stays = (character: string) => '\t\n'.includes(character) || seen.test(character);

it('over all of Unicode, by the properties of its characters', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code);
    const marked = safeText(`a${character}b`) !== `a${character}b`;
    if (marked !== (unseen.test(character) && !stays(character))) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

it.each([
  ['tags', 'Ok\u{e0049}\u{e0067}', 'Ok<U+E0049><U+E0067>'],
  ['no width', 'Ad\u200bmin\u2060', 'Ad<U+200B>min<U+2060>'],
  ['another direction', '\u202egpj.exe', '<U+202E>gpj.exe'],
  ['a selector beyond emoji', 'a\ufe0fb\u{e0101}', 'a<U+FE0F>b<U+E0101>'],
  ['a joiner between Latin letters', 'a\u200db\u200cc', 'a<U+200D>b<U+200C>c'],
  ['two joiners', 'می\u200c\u200cخواهم', 'می<U+200C><U+200C>خواهم'],
  ['two selectors', '❤\ufe0f\ufe0f', '❤\ufe0f<U+FE0F>'],
  ['a filler', '\u3164\uffa0\u115f', '<U+3164><U+FFA0><U+115F>'],
])('%s', (_, text, shown) => {
  expect(safeLine(text)).toBe(shown);
  expect(hasInvisible(text)).toBe(true);
  expect(JSON.parse(stringify(text))).toBe(text);
  expect(stringify(text)).not.toBe(JSON.stringify(text));
});

describe('stays as it is', () => {
  it.each(['👨‍👩‍👧', '❤️', '1️⃣', '👩🏽‍🚀', '🏳️‍🌈', 'می‌خواهم', 'क्‍ष', 'ᠮᠣᠩᠭᠣᠯ᠋', 'Ünïcødé', '日本語', 'สวัสดี'])(
    '%s',
    (text) => {
      expect(safeText(text)).toBe(text);
      expect(hasInvisible(text)).toBe(false);
    },
  );
});

describe('a cell of CSV', () => {
  it('shows all characters but line breaks and tabs, and is read as it was', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), marksAndSigns), (text) => {
        const cell = safeCell(text);
        expect(hasInvisible(cell.replaceAll('\r', ''))).toBe(false);
        expect(plainCell(cell)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves a mark alone that stands for a character one can see, or for none', () => {
    expect(plainCell('<U+0041><U+FFFFFF><U+20>')).toBe('<U+0041><U+FFFFFF><U+20>');
  });
});
