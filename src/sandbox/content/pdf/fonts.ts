import { readFileSync } from 'node:fs';
import { create, type Font, type FontCollection } from 'fontkit';
import { packageFile } from '../../../own-program.js';
import { eastAsianFonts } from './system-fonts.js';
import { unpackWoff } from './woff.js';

/** How text is set. */
export interface Style {
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
}

/** Text in one font. */
export interface Piece {
  text: string;
  font: Font;
}

/** DejaVu, which comes as a package, has Latin, Cyrillic, Greek, Hebrew, Arabic and many symbols. */
const files = {
  plain: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff',
  bold: '@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff',
  italic: '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-italic.woff',
  boldItalic: '@fontsource/dejavu-sans/files/dejavu-sans-latin-700-italic.woff',
  code: '@fontsource/dejavu-mono/files/dejavu-mono-latin-400-normal.woff',
  boldCode: '@fontsource/dejavu-mono/files/dejavu-mono-latin-700-normal.woff',
};

const missingSign = '□';

/** The fonts of a document: those of the package, and the system's for Chinese, Japanese and Korean. */
export class Fonts {
  readonly #folders: readonly string[];
  readonly #opened = new Map<string, Font>();
  /** Opened as characters need them; undefined before the first one. */
  #system: { paths: string[]; fonts: Font[] } | undefined;
  /** Characters that no font has. */
  readonly missing = new Set<string>();

  /** @param folders in which to look for fonts of the system */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Cuts a text at every change of font. A character that no font has becomes a box. */
  pieces(text: string, style: Style = {}): Piece[] {
    const own = this.#own(style);
    const pieces: Piece[] = [];
    for (const letter of text.normalize('NFC')) {
      const font = this.#fontOf(letter, own, pieces.at(-1)?.font);
      if (font === undefined && /\p{Default_Ignorable_Code_Point}|\p{Cc}/u.test(letter)) continue;
      if (font === undefined) this.missing.add(letter);
      const next = { text: font === undefined ? missingSign : letter, font: font ?? this.#open(files.plain) };
      const last = pieces.at(-1);
      if (last?.font === next.font) last.text += next.text;
      else pieces.push(next);
    }
    return pieces;
  }

  /** A mark stays with the letter before it. */
  #fontOf(letter: string, own: Font, before: Font | undefined): Font | undefined {
    if (letter === '\n') return before ?? own;
    const code = letter.codePointAt(0) ?? 0;
    const has = (font: Font | undefined) => font?.hasGlyphForCodePoint(code);
    if (before !== undefined && /\p{M}/u.test(letter) && has(before)) return before;
    if (has(own)) return own;
    const plain = this.#open(files.plain);
    return has(plain) ? plain : this.#systemFont(code);
  }

  #own({ bold, italic, code }: Style): Font {
    if (code) return this.#open(bold ? files.boldCode : files.code);
    if (bold) return this.#open(italic ? files.boldItalic : files.bold);
    return this.#open(italic ? files.italic : files.plain);
  }

  #open(file: string): Font {
    const known = this.#opened.get(file);
    if (known !== undefined) return known;
    const font = create(unpackWoff(readFileSync(packageFile(file)))) as Font;
    this.#opened.set(file, font);
    return font;
  }

  #systemFont(code: number): Font | undefined {
    if (code < 0x80) return undefined;
    this.#system ??= { paths: eastAsianFonts(this.#folders), fonts: [] };
    const { paths, fonts } = this.#system;
    for (;;) {
      const found = fonts.find((font) => font.hasGlyphForCodePoint(code));
      const path = found === undefined ? paths.shift() : undefined;
      if (path === undefined) return found;
      fonts.push(...fontsIn(path));
    }
  }
}

/** The fonts of a file; none if it cannot be read. */
function fontsIn(path: string): Font[] {
  try {
    const opened = create(readFileSync(path)) as Font | FontCollection;
    return 'fonts' in opened ? opened.fonts.slice(0, 1) : [opened];
  } catch {
    return [];
  }
}
