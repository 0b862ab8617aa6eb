/** Spaces between two checkpoints are at most this part of all: manifests of large backups are large. */
const parts = 64;

/**
 * Notes at the top which spaces are read, while a run goes on: the next run reuses what is noted. Written one
 * after the other; a run that is killed loses a small part of its work.
 */
export class Checkpoints {
  total = 0;
  readonly #write: () => Promise<void>;
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Counts a space that was read. @throws what the writing throws */
  async add(): Promise<void> {
    this.#waiting += 1;
    if (this.#waiting >= Math.ceil(this.total / parts)) await this.#next();
  }

  /** Writes what is not noted yet. */
  async end(): Promise<void> {
    if (this.#waiting > 0) await this.#next();
  }

  #next(): Promise<void> {
    this.#waiting = 0;
    this.#writing = this.#writing.then(this.#write);
    return this.#writing;
  }
}
