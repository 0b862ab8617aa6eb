import { writeFileAtomically } from '../../output/atomic-write.js';

/**
 * A report on its way into a file: written beside it piece by piece, and put in its place when it is
 * whole. Nothing is held but the piece that is being written; where the check fails, the old file stays.
 */
export class ReportFile {
  readonly #written: Promise<void>;
  readonly #pieces: { bytes: Uint8Array; taken: () => void }[] = [];
  #wake: () => void = () => {};
  #ended = false;
  #failure: unknown;

  /** @param path absolute */
  constructor(path: string) {
    this.#written = writeFileAtomically(path, this.#stream());
    this.#written.catch(() => {}); // Told by `write` and `close`.
  }

  /**
   * Hands over a piece and waits until it is written.
   * @throws DocsError local-io where the file cannot be written
   */
  async write(text: string): Promise<void> {
    if (text === '') return;
    const bytes = new TextEncoder().encode(text);
    const taken = new Promise<void>((resolve) => {
      this.#pieces.push({ bytes, taken: resolve });
    });
    this.#wake();
    await Promise.race([taken, this.#written]);
  }

  /** Ends the report and puts it in its place. Errors as in `write`. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#wake();
    await this.#written;
  }

  /** Gives the report up: what was written is removed. Does nothing once it is closed. */
  async abandon(): Promise<void> {
    if (this.#ended) return;
    this.#failure = new Error('The report was given up.');
    await this.close().catch(() => {});
  }

  async *#stream(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield piece.bytes;
        piece.taken();
      } else if (this.#ended) {
        if (this.#failure !== undefined) throw this.#failure;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
