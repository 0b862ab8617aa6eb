/**
 * Thrown when the reader of the output has gone (EPIPE): a read then ends with 0, and a bulk write finishes
 * what is in flight (RELIABILITY.md, "Time, memory, signals").
 */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
  constructor() {
    super('The reader of the output is gone.');
  }
}
