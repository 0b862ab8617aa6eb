import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeLine, safeText } from '../../src/output/text.js';
import { anyText } from '../any-text.js';

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
