/**
 * Cuts JSON into the objects of its list, or of its lines, while it comes: what is held is one object, so the text
 * may be longer than a string can be.
 */
export class ObjectCutter {
  #mode: 'start' | 'list' | 'lines' | 'ended' = 'start';
  /** The beginning of an object whose end has not come. */
  #held = '';
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** Objects that were given out. */
  count = 0;

  /** @returns the objects that end in this piece, as text @throws NotObjects */
  push(piece: string): string[] {
    const found: string[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const letter = piece.charCodeAt(at);
      if (this.#depth === 0) {
        if (this.#between(letter)) start = at;
        continue;
      }
      if (!this.#ends(letter)) continue;
      found.push(this.#held + piece.slice(start, at + 1));
      this.#held = '';
      this.count += 1;
    }
    if (this.#depth > 0) this.#held += piece.slice(start);
    return found;
  }

  /** @throws NotObjects where the text ends too early, or had nothing in it */
  end(): void {
    if (this.#depth > 0 || this.#mode === 'list') throw new NotObjects('cut', this.count);
    if (this.#mode === 'start') throw new NotObjects('empty', 0);
  }

  /** Takes what stands between objects. @returns whether an object begins */
  #between(letter: number): boolean {
    if (letter === space || letter === tab || letter === newline || letter === carriageReturn) return false;
    if (this.#mode === 'ended') throw new NotObjects('more', this.count);
    if (letter === openBrace) {
      if (this.#mode === 'start') this.#mode = 'lines';
      this.#depth = 1;
      return true;
    }
    if (this.#mode === 'start' && letter === openBracket) this.#mode = 'list';
    else if (this.#mode === 'list' && letter === closeBracket) this.#mode = 'ended';
    else if (this.#mode !== 'list' || letter !== comma) throw new NotObjects('other', this.count);
    return false;
  }

  /** Takes a letter of an object. @returns whether it is its last */
  #ends(letter: number): boolean {
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === backslash) this.#isEscaped = true;
      else if (letter === quote) this.#inText = false;
    } else if (letter === quote) this.#inText = true;
    else if (letter === openBrace || letter === openBracket) this.#depth += 1;
    else if (letter === closeBrace || letter === closeBracket) this.#depth -= 1;
    return this.#depth === 0;
  }
}

/** What is wrong with a text that is to be JSON objects, after how many of them. */
export class NotObjects extends Error {
  constructor(
    readonly what: 'cut' | 'empty' | 'more' | 'other',
    readonly after: number,
  ) {
    super(what);
  }
}

const [tab, newline, carriageReturn, space] = [9, 10, 13, 32];
const [quote, comma, backslash] = [34, 44, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
