import type { Database } from '../store/database.js';

/** JSON, as text or as its bytes. */
export type Answer = string | Buffer;

const mostBytes = 32 * 1024 * 1024;
/** Longer responses are kept as bytes, encoded once; shorter strings go out faster, with their headers. */
const longText = 8192;

/**
 * Responses to reads, ready to send. They depend on the database, the caller and the URL alone, so they stay
 * valid until the database changes; those that depend on the clock are not kept.
 */
export class AnswerCache {
  readonly #db: Database;
  readonly #answers = new Map<string, Answer>();
  #generation = -1;
  #bytes = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  get(key: string): Answer | undefined {
    this.#turn();
    return this.#answers.get(key);
  }

  keep(key: string, text: Answer): void {
    this.#turn();
    const answer = text.length > longText ? Buffer.from(text) : text;
    if (this.#bytes + answer.length > mostBytes) return;
    this.#answers.set(key, answer);
    this.#bytes += answer.length;
  }

  #turn(): void {
    if (this.#generation === this.#db.generation) return;
    this.#answers.clear();
    this.#bytes = 0;
    this.#generation = this.#db.generation;
  }
}
