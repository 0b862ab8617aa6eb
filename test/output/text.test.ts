import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { age, safeLine, safeText, wordWrapped } from '../../src/output/text.js';
import { anyText } from '../any-text.js';

const nowMs = Date.parse('2025-06-15T12:00:00Z');

describe('age', () => {
  it.each([
    ['2025-06-15T11:59:30Z', 'just now'],
    ['2025-06-15T12:00:30Z', 'just now'],
    ['2025-06-15T11:59:00Z', '1 minute ago'],
    ['2025-06-15T11:01:00Z', '59 minutes ago'],
    ['2025-06-15T11:00:10Z', '1 hour ago'],
    ['2025-06-14T13:00:00Z', '23 hours ago'],
    ['2025-06-14T12:20:00Z', '1 day ago'],
    ['2025-06-12T12:00:00Z', '3 days ago'],
    ['2025-06-20T12:00:00Z', 'in 5 days'],
    ['2025-05-17T12:00:00Z', '29 days ago'],
    ['2025-05-15T12:00:00Z', '1 month ago'],
    ['2024-07-15T12:00:00Z', '11 months ago'],
    ['2024-06-15T12:00:00Z', '1 year ago'],
    ['2015-06-15T12:00:00Z', '10 years ago'],
    ['2025-06-12T14:00:00+02:00', '3 days ago'],
  ])('of %s is %s', (moment, expected) => {
    expect(age(moment, nowMs)).toBe(expected);
  });

  it('is the text itself where that is no date', () => {
    expect(age('soon', nowMs)).toBe('soon');
  });
});

const forbidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u;

/** Text with all that is dangerous in it, far more often than chance would give. */
const hostile = fc
  .array(
    fc.oneof(
      anyText(),
      fc.constantFrom(
        ...[
          '\x1b]8;;https://evil\x07',
          '\x1b[2J',
          '\x9b',
          '\x7f',
          '\u202e',
          '\u2066',
          '\u061c',
          '\r\n',
          '\r',
        ],
      ),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0, max: 0x9f }).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((parts) => parts.join(''));

describe('safe text', () => {
  it('shows what would command a terminal', () => {
    expect(safeText('a\x1b[31mred\x07')).toBe('a␛[31mred␇');
    expect(safeText('del\x7f csi\x9b31m')).toBe('del␡ csi<U+009B>31m');
  });

  it('shows what would reorder a line, and half characters', () => {
    expect(safeText('invoice\u202egpj.exe')).toBe('invoice<U+202E>gpj.exe');
    expect(safeText('a\ud800b')).toBe('a<U+D800>b');
  });

  it('keeps newlines, tabs, emoji and every script', () => {
    const text = 'one\n\ttwo 🧑🏽‍💻 日本 עברית é';
    expect(safeText(text)).toBe(text);
    expect(safeText('one\r\ntwo\x00')).toBe('one\ntwo␀');
  });

  it('is one line where there is room for one', () => {
    expect(safeLine('one\r\ntwo\tthree\nfour\u2028five')).toBe('one two three four five');
  });

  it('lets no forbidden character through, whatever comes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(safeText(text)).not.toMatch(forbidden);
        expect(safeLine(text)).not.toMatch(forbidden);
        expect(safeLine(text)).not.toMatch(/[\n\t]/);
      }),
      { numRuns: 500 },
    );
  });

  it('does not change what is safe already, so that twice is as once', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(safeText(safeText(text))).toBe(safeText(text));
      }),
    );
  });

  it('takes a megabyte of escapes', () => {
    expect(safeText('\x1b'.repeat(1 << 20))).toBe('␛'.repeat(1 << 20));
    expect(safeLine('\r\n'.repeat(1 << 19))).toBe(' '.repeat(1 << 19));
  });
});

describe('a remark on a terminal', () => {
  const at = (columns: number) => ({ isTTY: true, columns });

  it('is broken between words, further lines indented', () => {
    expect(wordWrapped('one two three four five six', at(20))).toBe('one two three four\n  five six');
    expect(wordWrapped('  one two three four five six', at(20))).toBe('  one two three four\n    five six');
  });

  it('keeps lines that fit, commands to copy, and words longer than a line', () => {
    const command = `    docs spaces restore ${'x'.repeat(30)}`;
    expect(wordWrapped(`short\n${command}`, at(30))).toBe(`short\n${command}`);
    expect(wordWrapped(`see ${'x'.repeat(40)} there`, at(30))).toBe(`see\n  ${'x'.repeat(40)}\n  there`);
  });

  it('is left alone in a pipe, and where no width is known', () => {
    const text = 'word '.repeat(40);
    expect(wordWrapped(text, { isTTY: false, columns: 20 })).toBe(text);
    expect(wordWrapped(text, at(0))).toBe(text);
  });
});
