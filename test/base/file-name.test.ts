import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctFileName, fileNameKey, safeFileName } from '../../src/base/write-file.js';
import { anyText } from '../any-text.js';

const hostile = fc
  .array(
    fc.oneof(
      anyText({ maxLength: 40 }),
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        'CON',
        'nul.txt',
        'com1',
        ' ',
        '-',
        ':',
        '\0',
        '\u202e',
        '.pdf',
        'e\u0301',
        '日本'.repeat(60),
      ),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
    ),
  )
  .map((parts) => parts.join(''));

describe('file names from the platform', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.exe', 'evil.exe'],
    ['..', 'file'],
    ['', 'file'],
    ['/', 'file'],
    ['a<b>c:d"e|f?g*h', 'a_b_c_d_e_f_g_h'],
    ['invoice\u202egpj.exe', 'invoice_gpj.exe'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['console.log', 'console.log'],
    ['.npmrc', 'npmrc'],
    ['-rf', 'rf'],
    ['name. . ', 'name'],
    ['e\u0301.md', 'é.md'],
    ['日本.png', '日本.png'],
    ['CON .\ud800', '_CON._'],
    ['LPT9', '_LPT9'],
    ['com\u00b9.txt', '_com\u00b9.txt'],
    ['ConIn$', '_ConIn$'],
    ['aux .md', '_aux.md'],
    ['NUL:', 'NUL_'],
    ['report.pdf:evil', 'report.pdf_evil'],
    ['C:evil', 'C_evil'],
    ['\\\\server\\share\\a.txt', 'a.txt'],
  ])('%j becomes %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });

  it('are cut before the extension, between characters', () => {
    const name = safeFileName(`${'日'.repeat(100)}.png`);
    expect(name).toBe(`${'日'.repeat(65)}.png`);
  });

  it('are always safe and always inside the folder', () => {
    const folder = resolve('/downloads');
    fc.assert(
      fc.property(hostile, (text) => {
        const name = safeFileName(text);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        expect(name).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]|\p{Surrogate}/u);
        expect(name).not.toMatch(/^[\s.-]|[\s.]$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(name.normalize('NFC')).toBe(name);
        expect(resolve(folder, name)).toBe(join(folder, name));
        expect(resolve(folder, name).startsWith(folder + sep)).toBe(true);
      }),
      { numRuns: 200, seed: 20261127 },
    );
  });

  it('stay what they are once they are safe', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(safeFileName(safeFileName(text))).toBe(safeFileName(text));
      }),
      { numRuns: 200, seed: 20261127 },
    );
  });

  it('are told apart by case and form of their characters', () => {
    const taken = new Set(['report.pdf', 'Ångström.md'].map(fileNameKey));
    const isTaken = (key: string) => taken.has(key);
    expect(distinctFileName('other.pdf', isTaken)).toBe('other.pdf');
    expect(distinctFileName('REPORT.pdf', isTaken)).toBe('REPORT (2).pdf');
    expect(distinctFileName('A\u030angstro\u0308m.md', isTaken)).toBe('A\u030angstro\u0308m (2).md');
    taken.add(fileNameKey('report (2).pdf'));
    expect(distinctFileName('report.pdf', isTaken)).toBe('report (3).pdf');
    expect(
      Buffer.byteLength(distinctFileName('x'.repeat(200), (key) => key.length === 200 && !key.includes('('))),
    ).toBe(200);
  });
});
