import { inflateSync } from 'node:zlib';

/** What a test sees in a PDF that pdfkit wrote. */
export interface SeenPdf {
  /** The text of each sheet, its pieces in order. */
  sheets: string[];
  /** Addresses that links lead to, and names of places in the file. */
  links: string[];
  /** Width and height of each image, in pixels. */
  images: string[];
  /** Titles of the outline. */
  outline: string[];
  /** Names of the fonts, without the tags of subsets. */
  fonts: string[];
}

/** Reads a PDF: objects, streams, and the tables that turn glyphs into text. */
export function seePdf(bytes: Uint8Array): SeenPdf {
  const file = Buffer.from(bytes).toString('latin1');
  if (!/^%PDF-1\.\d\n/.test(file) || !/%%EOF\s*$/.test(file)) throw new Error('This is not a whole PDF.');
  const objects = new Map<string, { head: string; stream: string }>();
  for (const [, id = '', body = ''] of file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body.indexOf('stream\n');
    const [head, raw] =
      at === -1 ? [body, ''] : [body.slice(0, at), body.slice(at + 7, body.lastIndexOf('\nendstream'))];
    const packed = /\/Filter \/FlateDecode/.test(head) && !head.includes('/Subtype /Image');
    objects.set(id, {
      head,
      stream: packed ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw,
    });
  }
  const get = (id: string | undefined) => objects.get(id ?? '') ?? { head: '', stream: '' };
  const all = [...objects.values()];
  const texts = (key: string) =>
    all.flatMap(({ head }) =>
      Array.from(
        head.matchAll(new RegExp(`/${key} (<[0-9A-Fa-f]*>|\\((?:\\\\.|[^\\\\)])*\\))`, 'g')),
        ([, text = '']) => stringOf(text),
      ),
    );
  const sheets = all.filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  return {
    sheets: sheets.map(({ head }) => textOf(head, get)),
    links: [...texts('URI'), ...texts('D')],
    images: all
      .filter(({ head }) => head.includes('/Subtype /Image') && !head.includes('/DeviceGray'))
      .map(({ head }) => `${/\/Width (\d+)/.exec(head)?.[1]}x${/\/Height (\d+)/.exec(head)?.[1]}`),
    outline: all
      .filter(({ head }) => /\/Dest|\/Parent/.test(head) && head.includes('/Title'))
      .map(({ head }) => stringOf(/\/Title (<[^>]*>|\((?:\\.|[^\\)])*\))/.exec(head)?.[1] ?? '')),
    fonts: [
      ...new Set(all.flatMap(({ head }) => /\/BaseFont \/(?:[A-Z]{6}\+)?([\w-]+)/.exec(head)?.[1] ?? [])),
    ].sort(),
  };
}

type Get = (id: string | undefined) => { head: string; stream: string };

function textOf(page: string, get: Get): string {
  const resources = get(/\/Resources (\d+) 0 R/.exec(page)?.[1]).head;
  const fonts = new Map(
    Array.from(resources.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id]) => [
      name,
      glyphsOf(get(id).head, get),
    ]),
  );
  const { stream } = get(/\/Contents (\d+) 0 R/.exec(page)?.[1]);
  let glyphs = new Map<string, string>();
  let text = '';
  for (const [, font, shown] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font !== undefined) glyphs = fonts.get(font) ?? new Map();
    for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-fA-F]*)>/g)) {
      for (const glyph of hex.match(/.{4}/g) ?? []) text += glyphs.get(glyph.toLowerCase()) ?? '?';
    }
  }
  return text;
}

/** The text of each glyph, by the font's own table. */
function glyphsOf(font: string, get: Get): Map<string, string> {
  const { stream } = get(/\/ToUnicode (\d+) 0 R/.exec(font)?.[1]);
  const glyphs = new Map<string, string>();
  for (const [, from = '', , list = ''] of stream.matchAll(
    /<([0-9a-fA-F]{4})> <([0-9a-fA-F]{4})> \[([^\]]*)\]/g,
  )) {
    for (const [index, [, hex = '']] of [...list.matchAll(/<([0-9a-fA-F ]*)>/g)].entries()) {
      const code = (Number.parseInt(from, 16) + index).toString(16).padStart(4, '0');
      glyphs.set(code, utf16(hex.replaceAll(' ', '')));
    }
  }
  return glyphs;
}

function stringOf(text: string): string {
  if (text.startsWith('<')) return utf16(text.slice(1, -1)).replace('\ufeff', '');
  const plain = text.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  return plain.startsWith('\u00fe\u00ff')
    ? utf16(Buffer.from(plain.slice(2), 'latin1').toString('hex'))
    : plain;
}

function utf16(hex: string): string {
  return Buffer.from(hex, 'hex').swap16().toString('utf16le');
}
