import { Writable } from 'node:stream';
import type { Output } from '../base/io.js';

/** An output that keeps what is written; of the terminal that it stands for it has width and height. */
export class CapturedOutput extends Writable implements Output {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly #most: number;
  text = '';

  /**
   * @param terminal undefined for an output that nobody looks at while it is written
   * @param most characters; more are an error of the output
   */
  constructor(terminal?: Output, most = Number.POSITIVE_INFINITY) {
    super({ decodeStrings: false });
    this.isTTY = terminal?.isTTY === true;
    this.columns = terminal?.columns ?? 0;
    this.rows = terminal?.rows ?? 0;
    this.#most = most;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.text += chunk.toString();
    done(this.text.length > this.#most ? new Error('too long') : undefined);
  }
}
