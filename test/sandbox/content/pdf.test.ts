import { describe, expect, test } from 'vitest';
import { writePdf } from '../../../src/sandbox/content/pdf.js';
import { seePdf } from './pdf-text.js';

const page = (markdown: string, title = 'Title', description = '') => ({ title, description, markdown });
const write = (...pages: ReturnType<typeof page>[]) =>
  seePdf(writePdf({ title: 'Špace — 空', createdAt: 0, pages }));

describe('a PDF', () => {
  test('has the title of the space, and of each page title, description and text on a new sheet', () => {
    expect(write(page('One.', 'First', 'About one.'), page('Two.', 'Second'))).toEqual({
      title: 'Špace — 空',
      sheets: ['First\nAbout one.\nOne.', 'Second\nTwo.'],
    });
    expect(write().sheets).toEqual(['']);
  });

  test('has the text of Markdown without its marks, and code as it is', () => {
    const markdown =
      '## Head (a)\n\n1. one\n   - deep\n\n| A | B |\n| - | - |\n| c | **d** |\n\n> [quoted](x.md) ![a logo](y.png)\n\n```sh\n# if \\x\n  y\n```\n\nlast <b>html</b>';
    expect(write(page(markdown)).sheets).toEqual([
      'Title\nHead (a)\n1. one\n   - deep\nA   B\nc   d\nquoted a logo\n```sh\n# if \\x\n  y\n```\nlast html',
    ]);
  });

  test('has the letters of Windows-1252; others are ?, and the last sheet says so', () => {
    const letters = 'Ærøskøbing, naïve, “quoted” – 5 € ½ Ÿ';
    expect(write(page(letters)).sheets).toEqual([`Title\n${letters}`]);
    expect(write(page('Kanji: 日本, 👩‍💻 n\u0303 a\u00adb'), page('Plain')).sheets).toEqual([
      'Title\nKanji: ??, ?? ñ ab',
      'Title\nPlain\nCharacters outside of Windows-1252 are shown as ?.',
    ]);
  });

  test('breaks lines at spaces and cuts words that are too long; nothing is lost', () => {
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');
    const [sheet = ''] = write(page(`${words}\n\n${'W'.repeat(500)}`)).sheets;
    const lines = sheet.split('\n').slice(1);
    expect(lines.length).toBeGreaterThan(25);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(110);
    expect(lines.filter((line) => !line.startsWith('W')).join(' ')).toBe(words);
    expect(lines.filter((line) => line.startsWith('W')).join('')).toBe('W'.repeat(500));
  });

  test('goes on on another sheet', () => {
    const long = Array.from({ length: 90 }, (_, index) => `Paragraph ${index}.`);
    const { sheets } = write(page(long.join('\n\n')));
    expect(sheets.length).toBeGreaterThan(2);
    expect(sheets.join('\n').split('\n')).toEqual(['Title', ...long]);
  });
});
