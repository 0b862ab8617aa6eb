import type { Painter } from '../colors.js';
import { widthOf, wrap } from '../text-width.js';

/** A stretch of text of one look, sanitised. A newline is a break that the author wants. */
export interface Piece {
  text: string;
  paint: Painter;
}

/** Part of a word: it is not broken off the parts beside it. */
type Part = Piece & { width: number };

/** Pieces as painted lines of at most `columns`; broken between words, and within one only where it is longer. */
export function flow(pieces: readonly Piece[], columns: number): string[] {
  const lines = new Lines(Math.max(1, columns));
  for (const { text, paint } of pieces) {
    for (const token of text.split(/(\n| +)/)) {
      if (token === '\n') lines.end();
      else if (token.startsWith(' ')) lines.space(paint);
      else if (token !== '') lines.part({ text: token, paint, width: widthOf(token) });
    }
  }
  return lines.all();
}

class Lines {
  readonly #columns: number;
  readonly #done: string[] = [];
  #line: Part[] = [];
  #used = 0;
  #word: Part[] = [];
  /** The space before the word, if there is one. */
  #space: Painter | undefined;

  constructor(columns: number) {
    this.#columns = columns;
  }

  part(part: Part): void {
    this.#word.push(part);
  }

  space(paint: Painter): void {
    this.#endWord();
    this.#space = paint;
  }

  end(): void {
    this.#endWord();
    this.#endLine();
  }

  all(): string[] {
    this.#endWord();
    if (this.#line.length > 0 || this.#done.length === 0) this.#endLine();
    return this.#done;
  }

  #endWord(): void {
    const word = this.#word;
    if (word.length === 0) return;
    this.#word = [];
    const width = word.reduce((sum, part) => sum + part.width, 0);
    const space = this.#space !== undefined && this.#used > 0 ? 1 : 0;
    if (this.#used > 0 && this.#used + space + width > this.#columns) this.#endLine();
    else if (space > 0 && this.#space !== undefined) this.#put({ text: ' ', paint: this.#space, width: 1 });
    this.#space = undefined;
    for (const part of word) this.#putWhole(part);
  }

  /** Puts a part, broken where it is longer than what is left of the line. */
  #putWhole(part: Part): void {
    if (this.#used + part.width <= this.#columns) {
      this.#put(part);
      return;
    }
    if (this.#used > 0 && part.width <= this.#columns) this.#endLine();
    const room = this.#columns - this.#used;
    const [first = '', ...rest] = room > 1 ? wrap(part.text, room) : ['', ...wrap(part.text, this.#columns)];
    this.#put({ ...part, text: first, width: widthOf(first) });
    const below = room > 1 ? wrap(part.text.slice(first.length), this.#columns) : rest;
    for (const text of below) {
      if (text === '') continue;
      this.#endLine();
      this.#put({ ...part, text, width: widthOf(text) });
    }
  }

  #put(part: Part): void {
    this.#line.push(part);
    this.#used += part.width;
  }

  /** Neighbours of one look are painted together. */
  #endLine(): void {
    let painted = '';
    for (let at = 0; at < this.#line.length; ) {
      const paint = this.#line[at]?.paint;
      let text = '';
      for (; at < this.#line.length && this.#line[at]?.paint === paint; at += 1) text += this.#line[at]?.text;
      painted += paint?.(text) ?? text;
    }
    this.#done.push(painted);
    [this.#line, this.#used, this.#space] = [[], 0, undefined];
  }
}
