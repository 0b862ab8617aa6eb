import type { ListNode, Node } from '../../files/yaml/node.js';

/** Edits of a text by its offsets. What no edit touches stays as it is, byte by byte. */

export interface Edit {
  start: number;
  end: number;
  /** A function makes it of parts that may be edited themselves, so edits inside are its own affair. */
  text: string | (() => string);
}

export class TextEdits {
  readonly #edits: Edit[] = [];
  #sorted: readonly Edit[] | undefined;
  readonly eol: string;
  /** The edits that make lists anew: what is taken out of such a list is not to be made by it. */
  readonly lists = new WeakMap<ListNode, Edit>();
  /** Items that go to another list, with the comments before them. */
  readonly moved = new WeakSet<Node>();

  constructor(readonly text: string) {
    this.eol = text.includes('\r\n') ? '\r\n' : '\n';
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** @param text of what contains other edits, a function that takes its parts by `slice` */
  replace(start: number, end: number, text: Edit['text']): Edit {
    const edit = { start, end, text };
    this.#edits.push(edit);
    this.#sorted = undefined;
    return edit;
  }

  /** The whole text, edited. */
  result(): string {
    return this.slice(0, this.text.length);
  }

  /**
   * A part of the text, edited. An insertion at the start of the part belongs to what is before it.
   * @param without an edit to leave out
   */
  slice(from: number, to: number, without?: Edit): string {
    let result = '';
    let at = from;
    // The end of an edit that made its own text: what is inserted there is in that text.
    let covered = -1;
    for (const edit of this.#from(from)) {
      if (edit.start > to) break;
      const isInsertion = edit.start === edit.end;
      const isOutside = edit.end > to || (isInsertion && edit.start === from && from > 0);
      if (edit === without || isOutside || edit.start < at || (isInsertion && edit.start === covered))
        continue;
      const { text } = edit;
      result += this.text.slice(at, edit.start) + (typeof text === 'string' ? text : text());
      at = edit.end;
      if (typeof text !== 'string') covered = at;
    }
    return result + this.text.slice(at, to);
  }

  /** Edits that begin at an offset or after it, the longest of those that begin together first. */
  #from(offset: number): Iterable<Edit> {
    this.#sorted ??= [...this.#edits].sort((a, b) => a.start - b.start || b.end - a.end);
    const all = this.#sorted;
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle] as Edit).start < offset) low = middle + 1;
      else high = middle;
    }
    return tail(all, low);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** After the line break that ends the line of an offset. */
  lineEnd(offset: number): number {
    const at = this.text.indexOf('\n', offset);
    return at < 0 ? this.text.length : at + 1;
  }

  /** The blanks before an offset on its line, or as many as there are characters. */
  indentOf(offset: number): string {
    return ' '.repeat(offset - this.lineStart(offset));
  }

  /** Lines as text for a place where a line begins. */
  lines(lines: readonly string[], at: number): string {
    const open = at > 0 && this.text[at - 1] !== '\n' ? this.eol : '';
    return open + lines.map((line) => line + this.eol).join('');
  }
}

function* tail<T>(all: readonly T[], from: number): Iterable<T> {
  for (let at = from; at < all.length; at += 1) yield all[at] as T;
}
