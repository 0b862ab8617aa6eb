import { randomUUID } from 'node:crypto';

/** Whole answers of which a call got the beginning: kept in memory, the oldest are dropped first. */

/** Most characters that are kept. */
const mostKept = 16 * 1024 * 1024;
/** Most answers that are kept. */
const mostResults = 32;

export class Results {
  readonly #texts = new Map<string, string>();
  #length = 0;

  /** @returns the address of the resource */
  add(text: string): string {
    const id = randomUUID();
    this.#texts.set(id, text);
    this.#length += text.length;
    for (const [oldest, dropped] of this.#texts) {
      if (oldest === id || (this.#texts.size <= mostResults && this.#length <= mostKept)) break;
      this.#texts.delete(oldest);
      this.#length -= dropped.length;
    }
    return `docs://results/${id}`;
  }

  /** @returns undefined where it was dropped */
  get(id: string): string | undefined {
    return this.#texts.get(id);
  }

  get ids(): string[] {
    return [...this.#texts.keys()];
  }
}
