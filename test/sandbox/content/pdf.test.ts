import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { logoPng } from '../../../src/sandbox/content/logo.js';
import { pictureOf } from '../../../src/sandbox/content/pdf/pictures.js';
import { eastAsianFonts } from '../../../src/sandbox/content/pdf/system-fonts.js';
import { type PdfPage, writePdf } from '../../../src/sandbox/content/pdf/write-pdf.js';
import { seePdf } from './pdf-text.js';

const page = (markdown: string, more: Partial<PdfPage> = {}): PdfPage => ({
  ...{ id: 'p1', title: 'Title', description: '', level: 0, cover: undefined, markdown },
  link: (target) => (target.startsWith('https:') ? { url: target } : undefined),
  picture: () => undefined,
  ...more,
});

const write = async (pages: PdfPage[], folders: string[] = []) =>
  seePdf(await writePdf({ title: 'Špace — 空', createdAt: 0, pages }, folders));

describe('text', () => {
  test.each([
    ['Latin', 'Ærøskøbing, Żółć, “naïve” – 5 € ½ ﬁn'],
    ['Cyrillic', 'Съешь же ещё этих мягких французских булок; Їжак'],
    ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία'],
    ['combining marks', 'x̄ and ñ'],
    ['symbols', '→ ✓ ≤ ∞ ☑'],
  ])('in %s is set with the fonts of the program', async (_, text) => {
    const { sheets, fonts } = await write([page(text)]);
    expect(sheets[0]?.normalize('NFKC').replaceAll(' ', '')).toContain(
      text.normalize('NFKC').replaceAll(' ', ''),
    );
    expect(sheets[0]).not.toContain('□');
    expect(fonts.every((font) => font.startsWith('DejaVu'))).toBe(true);
  });

  test('is bold, italic and code by fonts of its own', async () => {
    const { fonts } = await write([page('**Б** *и* ***оба*** `код` обычный')]);
    expect(fonts).toEqual([
      ...['DejaVuSans', 'DejaVuSans-Bold', 'DejaVuSans-BoldOblique', 'DejaVuSans-Oblique', 'DejaVuSansMono'],
    ]);
  });

  test('without a font becomes boxes, and the last sheet says which characters', async () => {
    const { sheets } = await write([page('Kanji: 日本, 日'), page('Plain', { id: 'p2' })]);
    expect(sheets[0]).toContain('Kanji: □□, □');
    expect(sheets.at(-1)).toContain(
      'No font on this system has these characters, shown as □: U+65E5, U+672C.',
    );
    expect(sheets[0]).not.toContain('No font');
  });

  test('takes a font of the system for what the program has none for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docs-fonts-'));
    try {
      const latin = createRequire(import.meta.url).resolve(
        '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
      );
      mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
      copyFileSync(latin, join(folder, 'deep', 'other.ttf'));
      copyFileSync(latin, join(folder, 'deep', 'er', 'wqy-zenhei.ttc'));
      writeFileSync(join(folder, 'NotoSansCJK-Regular.ttc'), 'not a font');
      expect(eastAsianFonts([folder, join(folder, 'none')])).toEqual([
        ...[join(folder, 'NotoSansCJK-Regular.ttc'), join(folder, 'deep', 'er', 'wqy-zenhei.ttc')],
      ]);
      // Neither has the character; both are tried, and the broken one does no harm.
      const { sheets } = await write([page('日')], [folder]);
      expect(sheets.at(-1)).toContain('U+65E5');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('goes on on another sheet, and each page begins one', async () => {
    const long = Array.from({ length: 90 }, (_, index) => `Paragraph ${index}.`).join('\n\n');
    const { sheets, outline } = await write([
      page(long),
      page('Next', { id: 'p2', title: 'Second', level: 1 }),
    ]);
    expect(sheets.length).toBeGreaterThan(2);
    expect(sheets.slice(0, -1).join('')).toContain('Paragraph 89.');
    expect(sheets.at(-1)).toBe('SecondNext');
    expect(outline.sort()).toEqual(['Second', 'Title']);
  });

  test('has lists, tables, quotes, code and headings', async () => {
    const markdown =
      '## Head\n\n1. one\n2. two\n   - deep\n\n- [x] done\n\n| A | B |\n| - | - |\n| c | **d** |\n\n> quoted\n\n---\n\n```sh\nif x\n  y\n```\n\nlast <b>html</b>';
    const { sheets } = await write([page(markdown)]);
    expect(sheets[0]?.replaceAll('\u00a0', ' ')).toBe(
      'TitleHead1.one2.two•deep☑doneABcdquotedif x  ylast html',
    );
  });

  test('of a table with a row higher than a sheet is not lost', async () => {
    const cell = Array.from({ length: 1500 }, (_, index) => `w${index}`).join(' ');
    const { sheets } = await write([page(`| A | B |\n| - | - |\n| ${cell} | end |`)]);
    expect(sheets.length).toBeGreaterThan(1);
    expect(sheets.join('')).toContain('w1499');
    expect(sheets.join('')).toContain('end');
  });
});

describe('links and images', () => {
  test('lead to addresses, and to pages of the document', async () => {
    const link = (target: string) => (target === 'two.md' ? { page: 'p2' } : { url: target });
    const markdown =
      'See [the **web**](https://docs.example/a), [two](two.md), <https://auto.example/> and [ref][x].\n\n[x]: https://ref.example/';
    const { links, sheets } = await write([page(markdown, { link }), page('', { id: 'p2' })]);
    expect([...new Set(links)].sort()).toEqual([
      ...['https://auto.example/', 'https://docs.example/a', 'https://ref.example/', 'p2'],
    ]);
    expect(sheets[0]).toContain('See the web, two, https://auto.example/ and ref.');
  });

  test('shows PNGs and covers; others are their descriptions', async () => {
    const picture = (target: string) => (target === 'logo.png' ? pictureOf(logoPng()) : undefined);
    const { images, sheets } = await write([
      page('Before ![The logo](logo.png) after ![A film](film.webm)', {
        picture,
        cover: pictureOf(logoPng()),
      }),
    ]);
    expect(images).toEqual(['32x32', '32x32']);
    expect(sheets[0]).toBe('TitleBefore  after [A film]');
  });

  const changed = (change: (png: Buffer) => unknown) => {
    const png = Buffer.from(logoPng());
    change(png);
    return png;
  };
  test.each([
    ['cut short', logoPng().slice(0, 200)],
    ['with other bytes inside', changed((png) => png.fill(0xff, 60, 90))],
    ['without dimensions', changed((png) => png.writeUInt32BE(0, 16))],
    ['of other dimensions', changed((png) => png.writeUInt32BE(3200, 20))],
    ['too large', changed((png) => png.writeUInt32BE(2 ** 30, 16))],
    ['GIF', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')],
  ])('leaves out an image %s', (_, bytes) => {
    expect(pictureOf(bytes)).toBeUndefined();
  });

  test('the same content makes the same bytes', async () => {
    const content = { title: 'T', createdAt: 5, pages: [page('Текст **жирный**')] };
    expect(Buffer.from(await writePdf(content, [])).equals(Buffer.from(await writePdf(content, [])))).toBe(
      true,
    );
  });
});
