import { Transform, type TransformCallback } from 'node:stream';

/** Lines of standard input before the package reads them, which skips those that are not JSON without a word. */

const newline = 0x0a;

/**
 * Passes on lines that are JSON, and tells of those that are not; empty ones are dropped. A last line without an end is
 * dropped, too: nobody waits for its answer.
 */
export class JsonLines extends Transform {
  readonly #onUnreadable: () => void;
  readonly #most: number;
  /** The beginning of a line whose end has not come. */
  #held: Buffer[] = [];
  #length = 0;

  /** @param most bytes of a line; a longer one fails the stream, so that memory has a limit */
  constructor(most: number, onUnreadable: () => void) {
    super();
    this.#most = most;
    this.#onUnreadable = onUnreadable;
  }

  override _transform(chunk: Buffer | string, encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
      const line = Buffer.concat([...this.#held, bytes.subarray(from, end + 1)]);
      this.#held = [];
      this.#length = 0;
      from = end + 1;
      this.#line(line);
    }
    if (from < bytes.length) this.#held.push(bytes.subarray(from));
    this.#length += bytes.length - from;
    if (this.#length > this.#most) done(new Error(`A line is longer than ${this.#most} bytes.`));
    else done();
  }

  #line(line: Buffer): void {
    const text = line.toString().trim();
    if (text === '') return;
    try {
      JSON.parse(text);
    } catch {
      this.#onUnreadable();
      return;
    }
    this.push(line);
  }
}
