/** Measures and cuts text by the columns that it takes on a terminal: 2 for wide characters and emoji. */
export interface TextWidth {
  /** Columns of sanitised text without newlines. */
  of(text: string): number;
  /** The text in at most `columns`, its end replaced by `…` where it does not fit. */
  cut(text: string, columns: number): string;
  /** The text in lines of at most `columns`, broken at spaces where there are any. */
  wrap(text: string, columns: number): string[];
}

/** A character may consist of many that take no room of their own; more than this is not looked at. */
const mostPerColumn = 16;
const mostKnown = 10_000;

const ascii = /^[\x20-\x7e]*$/;
/** ASCII that was cut, too: the one other text that is common. */
const oneColumnEach = /^[\x20-\x7e]*…?$/;

/** Loads what measures wide characters. */
export async function createTextWidth(): Promise<TextWidth> {
  const { default: stringWidth } = await import('string-width');
  return new Meter(stringWidth);
}

class Meter implements TextWidth {
  readonly #segmenter = new Intl.Segmenter();
  readonly #stringWidth: (text: string) => number;
  /** Texts use few different characters, and measuring one costs more than finding it. */
  readonly #known = new Map<string, number>();

  constructor(stringWidth: (text: string) => number) {
    this.#stringWidth = stringWidth;
  }

  of(text: string): number {
    if (oneColumnEach.test(text)) return text.length;
    let columns = 0;
    for (const { segment } of this.#segmenter.segment(text)) columns += this.#measure(segment);
    return columns;
  }

  cut(text: string, columns: number): string {
    // No cell is wider than a terminal: what is far beyond is not worth measuring.
    const near = text.slice(0, columns * mostPerColumn);
    if (near.length === text.length && this.of(text) <= columns) return text;
    if (columns <= 1) return '…'.slice(0, columns);
    const end = this.#fitting(near, columns - 1);
    const kept = near.slice(0, end).replace(/[\s\ud800-\udbff]+$/, '');
    return this.of(kept) <= columns - 1 ? `${kept}…` : '…';
  }

  wrap(text: string, columns: number): string[] {
    return text.split('\n').flatMap((line) => this.#wrapLine(line, columns));
  }

  #wrapLine(line: string, columns: number): string[] {
    const lines: string[] = [];
    let rest = line;
    for (;;) {
      const near = rest.slice(0, columns * mostPerColumn);
      const end = this.#fitting(near, columns);
      if (end === rest.length) break;
      const space = rest[end] === ' ' ? end : rest.lastIndexOf(' ', end - 1);
      const at = space < 1 || rest.slice(0, space).trim() === '' ? end : space;
      lines.push(rest.slice(0, at).trimEnd());
      rest = rest.slice(at).trimStart();
    }
    return rest === '' && lines.length > 0 ? lines : [...lines, rest];
  }

  /** Columns of what is seen as one character. */
  #measure(character: string): number {
    const known = this.#known.get(character);
    if (known !== undefined) return known;
    const columns = this.#stringWidth(character);
    if (this.#known.size < mostKnown) this.#known.set(character, columns);
    return columns;
  }

  /** The longest beginning that fits, as an index into the text; at least one character. */
  #fitting(text: string, columns: number): number {
    if (text.length <= columns && ascii.test(text)) return text.length;
    if (ascii.test(text.slice(0, columns + 1))) return Math.max(1, columns);
    let used = 0;
    for (const { segment, index } of this.#segmenter.segment(text)) {
      used += this.#measure(segment);
      if (used > columns && index > 0) return index;
    }
    return text.length;
  }
}
