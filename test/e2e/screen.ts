import stringWidth from 'string-width';

/**
 * What a terminal shows of the bytes it was sent: enough of a VT100 for what docs and its prompts write.
 * Nothing scrolls away. A sequence that it does not know is a mistake in the test, and throws.
 */
export class Screen {
  readonly #columns: number;
  /** Lines of cells; a wide character is followed by an empty cell. */
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;
  /** Whether the last column was just filled: the next character begins a new line. */
  #wraps = false;
  #cursorShown = true;
  #rest = '';

  /** @param columns 0 for a terminal whose width is not known: nothing wraps */
  constructor(columns: number) {
    this.#columns = columns === 0 ? Number.POSITIVE_INFINITY : columns;
  }

  get cursorShown(): boolean {
    return this.#cursorShown;
  }

  /** Lines without the spaces at their ends, and without empty lines at the end. */
  text(): string {
    return this.#lines
      .map((cells) =>
        Array.from(cells, (cell) => cell ?? ' ')
          .join('')
          .trimEnd(),
      )
      .join('\n')
      .trimEnd();
  }

  write(bytes: string): void {
    let text = this.#rest + bytes;
    this.#rest = '';
    while (text !== '') {
      const token = nextToken(text);
      if (token === undefined) {
        this.#rest = text; // The rest of a sequence is still to come.
        return;
      }
      this.#take(token);
      text = text.slice(token.length);
    }
  }

  #take(token: string): void {
    if (token.startsWith('\x1b')) this.#sequence(token);
    else if (token === '\n') this.#moveTo(this.#row + 1, this.#column);
    else if (token === '\r') this.#moveTo(this.#row, 0);
    else if (token === '\b') this.#moveTo(this.#row, this.#column - 1);
    else if (token >= ' ') this.#put(token);
    else if (token !== '\x07') throw new Error(`The screen knows no ${JSON.stringify(token)}.`);
  }

  #put(character: string): void {
    const width = stringWidth(character);
    if (width === 0) return;
    if (this.#wraps || this.#column + width > this.#columns) this.#moveTo(this.#row + 1, 0);
    const line = this.#lines[this.#row] ?? [];
    while (line.length < this.#column) line.push(' ');
    line[this.#column] = character;
    if (width === 2) line[this.#column + 1] = '';
    this.#column += width;
    if (this.#column < this.#columns) return;
    this.#column = this.#columns - 1;
    this.#wraps = true;
  }

  #moveTo(row: number, column: number): void {
    this.#row = Math.max(0, row);
    this.#column = Math.min(Math.max(0, column), this.#columns - 1);
    this.#wraps = false;
    while (this.#lines.length <= this.#row) this.#lines.push([]);
  }

  #sequence(token: string): void {
    if (token.startsWith('\x1b]') || /^\x1b\[[\d;]*m$/.test(token)) return;
    if (token === '\x1b[?25l' || token === '\x1b[?25h') {
      this.#cursorShown = token.endsWith('h');
      return;
    }
    // What the arrow keys send is no look.
    if (/^\x1b(?:\[\?1[hl]|[=>])$/.test(token)) return;
    // Synchronized output: what comes in between is drawn at once, and nothing else changes.
    if (token === '\x1b[?2026h' || token === '\x1b[?2026l') return;
    const [, digits = '', command = ''] = /^\x1b\[(\d*)([A-HJK])$/.exec(token) ?? [];
    const count = digits === '' ? 1 : Number(digits);
    if (command === 'A') this.#moveTo(this.#row - count, this.#column);
    else if (command === 'B') this.#moveTo(this.#row + count, this.#column);
    else if (command === 'C') this.#moveTo(this.#row, this.#column + count);
    else if (command === 'D') this.#moveTo(this.#row, this.#column - count);
    else if (command === 'G') this.#moveTo(this.#row, count - 1);
    // Whoever begins at the top again, such as less, draws below what there was.
    else if (token === '\x1b[H') this.#moveTo(this.#lines.length, 0);
    else if (command === 'K') this.#eraseLine(digits);
    else if (command === 'J') this.#eraseBelow();
    else throw new Error(`The screen knows no ${JSON.stringify(token)}.`);
  }

  #eraseLine(part: string): void {
    const line = this.#lines[this.#row] ?? [];
    if (part === '2') line.length = 0;
    else if (part === '1') line.fill(' ', 0, this.#column + 1);
    else line.length = Math.min(line.length, this.#column);
  }

  #eraseBelow(): void {
    this.#eraseLine('');
    this.#lines.length = this.#row + 1;
  }
}

const segmenter = new Intl.Segmenter();

/** A whole sequence, a control character, or what is seen as one character; undefined where it is cut off. */
function nextToken(text: string): string | undefined {
  if (!text.startsWith('\x1b')) {
    const first = text.charAt(0);
    if (first < ' ' || first === '\x7f') return first;
    const [segment] = segmenter.segment(text.slice(0, 32));
    return segment?.segment ?? first;
  }
  const whole = /^\x1b(?:[=>]|\[[?\d;]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))/.exec(text);
  return whole?.[0];
}
