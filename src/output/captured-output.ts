import { Writable } from 'node:stream';
import type { Output } from '../base/io.js';

/** An output that keeps what is written; of the terminal that it stands for it has width and height. */
export class CapturedOutput extends Writable implements Output {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly #most: number;
  readonly #full: Error | undefined;
  text = '';
  /** Whether all that was written is kept. */
  isWhole = true;

  /**
   * @param terminal undefined for an output that nobody looks at while it is written
   * @param most characters; what comes after them is dropped
   * @param full the error of the output from then on; none: it goes on
   */
  constructor(terminal?: Output, most = Number.POSITIVE_INFINITY, full?: Error) {
    super({ decodeStrings: false });
    this.isTTY = terminal?.isTTY === true;
    this.columns = terminal?.columns ?? 0;
    this.rows = terminal?.rows ?? 0;
    this.#most = most;
    this.#full = full;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void): void {
    const part = chunk.toString();
    const room = this.#most - this.text.length;
    if (part.length > room) this.isWhole = false;
    this.text += part.slice(0, room);
    done(this.isWhole ? undefined : this.#full);
  }
}
