import stringWidth from 'string-width';

/**
 * A terminal in memory, small: enough of the control sequences for prompts that draw themselves anew.
 * It keeps everything that was ever printed, as a person sees it after scrolling back.
 */
export class Screen {
  readonly #columns: number;
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    const pieces = text.matchAll(
      /\x1b\[([?\d;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>78]|[\s\S]/gu,
    );
    for (const [piece, parameters, final] of pieces) {
      if (final !== undefined) this.#control(Number(/^\d+/.exec(parameters ?? '')?.[0] ?? Number.NaN), final);
      else if (!piece.startsWith('\x1b')) this.#put(piece);
    }
  }

  /** What stands there, without blanks at the ends of lines. */
  text(): string {
    return this.#lines
      .map((line) => line.join('').trimEnd())
      .join('\n')
      .trimEnd();
  }

  #control(count: number, final: string): void {
    const by = Number.isNaN(count) ? 1 : count;
    if (final === 'A') this.#row = Math.max(0, this.#row - by);
    else if (final === 'B') this.#moveTo(this.#row + by);
    else if (final === 'C') this.#column += by;
    else if (final === 'D') this.#column = Math.max(0, this.#column - by);
    else if (final === 'G') this.#column = by - 1;
    else if (final === 'K') this.#eraseLine(Number.isNaN(count) ? 0 : count);
    else if (final === 'J') {
      this.#eraseLine(0);
      this.#lines.length = this.#row + 1;
    }
  }

  #eraseLine(part: number): void {
    const line = this.#lines[this.#row] ?? [];
    if (part === 2) line.fill(' ');
    else line.length = Math.min(line.length, this.#column);
  }

  #put(character: string): void {
    if (character === '\n') {
      this.#moveTo(this.#row + 1);
      return;
    }
    if (character === '\r') {
      this.#column = 0;
      return;
    }
    if (character === '\b') {
      this.#column = Math.max(0, this.#column - 1);
      return;
    }
    if (character < ' ') return;
    const width = stringWidth(character);
    if (this.#column + width > this.#columns) {
      this.#moveTo(this.#row + 1);
      this.#column = 0;
    }
    const line = this.#lines[this.#row] ?? [];
    while (line.length < this.#column) line.push(' ');
    line[this.#column] = character;
    // The second half of a wide character holds nothing of its own.
    if (width === 2) line[this.#column + 1] = '';
    this.#column += width;
  }

  #moveTo(row: number): void {
    this.#row = row;
    while (this.#lines.length <= row) this.#lines.push([]);
  }
}
