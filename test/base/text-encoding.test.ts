import { describe, expect, it } from 'vitest';
import { decodeText, type Encoding } from '../../src/base/text-encoding.js';

/** Texts of a person: as they are, or refused; no byte becomes a replacement character. */

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const bytes = (...parts: (string | number | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part as string))),
  );

describe('a text is read', () => {
  it.each<[string, Buffer, Encoding | undefined]>([
    ['as UTF-8', bytes('Zürich 😀'), undefined],
    ['as UTF-8 without its mark', bytes('\ufeffZürich 😀'), undefined],
    ['as UTF-16 by its mark, little end first', bytes(Buffer.from('\ufeffZürich 😀', 'utf16le')), undefined],
    ['as UTF-16 by its mark, big end first', bytes(utf16be('\ufeffZürich 😀')), undefined],
    ['as UTF-16 without a mark', bytes(Buffer.from('Zürich 😀', 'utf16le')), 'utf-16le'],
    ['as UTF-16 without a mark, big end first', bytes(utf16be('Zürich 😀')), 'utf-16be'],
    ['as UTF-16 with the mark it is said to have', bytes(utf16be('\ufeffZürich 😀')), 'utf-16be'],
  ])('%s', (_, given, encoding) => {
    expect(decodeText(given, 'a.csv', encoding)).toBe('Zürich 😀');
  });

  it('as Latin-1, and as windows-1252 with its quotes, dashes and the euro', () => {
    expect(decodeText(Buffer.of(0x5a, 0xfc, 0xdf), 'a', 'latin1')).toBe('Züß');
    expect(decodeText(Buffer.of(0x80, 0x93, 0xfc, 0x94, 0x96, 0x9f), 'a', 'windows-1252')).toBe('€“ü”–Ÿ');
  });

  it('whatever its length, and empty', () => {
    expect(decodeText(Buffer.alloc(0), 'a')).toBe('');
    expect(decodeText(Buffer.from('ü'.repeat(100_000)), 'a')).toHaveLength(100_000);
  });

  it('from the middle of a larger buffer', () => {
    expect(decodeText(Buffer.from('--Zürich--').subarray(2, 9), 'a')).toBe('Zürich');
  });
});

describe('a text that is not what it is said to be is refused, with line, byte and the likely encoding', () => {
  it.each<[string, Buffer, Encoding | undefined, object]>([
    ['Latin-1', bytes('a\nbc', 0xfc, 'd'), undefined, { line: 2, byte: 5, encoding: 'windows-1252' }],
    ['windows-1252', bytes(0x80, '5'), undefined, { line: 1, byte: 1, encoding: 'windows-1252' }],
    ['a mistake in UTF-8', bytes('ü', 0xe4, 'b'), undefined, { line: 1, byte: 3 }],
    ['a character cut in its middle', bytes('ä', 0xe2, 0x82), undefined, { line: 1, byte: 3 }],
    ['a character cut by another', bytes('abc', 0xe2, 0x82, 'x', 'ä'), undefined, { line: 1, byte: 4 }],
    [
      'UTF-16 without a mark',
      Buffer.from('a\nb', 'utf16le'),
      undefined,
      { line: 1, byte: 2, encoding: 'utf-16le' },
    ],
    ['the other UTF-16', utf16be('a\nb'), undefined, { line: 1, byte: 1, encoding: 'utf-16be' }],
    ['half a UTF-16 character', bytes('\ufeff', Buffer.of(0xfe)), 'utf-16be', {}],
    ['half a pair', Buffer.from('a\n\ud800b', 'utf16le'), 'utf-16le', { line: 2, byte: 5 }],
    ['what windows-1252 has not', Buffer.of(0x0a, 0x81), 'windows-1252', { line: 2, byte: 2 }],
    ['a control character', Buffer.of(0x41, 0x80), 'latin1', { line: 1, byte: 2, encoding: 'windows-1252' }],
    ['NUL', bytes('user\nu', 0, '1'), undefined, { line: 2, byte: 7 }],
  ])('%s', (_, given, encoding, details) => {
    const refused = expect(() => decodeText(given, 'a.csv', encoding));
    refused.toThrow(expect.objectContaining({ kind: 'usage' }));
    if ('line' in details)
      refused.toThrow(
        expect.objectContaining({ code: 'bad_encoding', failure: expect.objectContaining({ details }) }),
      );
  });

  it('in one sentence', () => {
    expect(() => decodeText(bytes('a\nM', 0xfc), 'teams.csv')).toThrow(
      'teams.csv is not UTF-8 text: byte 4 (0xFC) on line 2; nothing was sent; it looks like windows-1252',
    );
  });

  it('a mark that names another encoding, and UTF-32', () => {
    expect(() => decodeText(bytes('\ufeffa'), 'a.csv', 'latin1')).toThrow(
      'a.csv begins with a byte order mark of utf-8, and --encoding says latin1; nothing was sent',
    );
    expect(() => decodeText(Buffer.of(0xff, 0xfe, 0, 0, 65, 0, 0, 0), 'a.csv')).toThrow(/UTF-32/);
  });
});
