import type { Database } from './database.js';

const mostBytes = 32 * 1024 * 1024;

/**
 * Answers to reads, ready to send. An answer depends on the database, the caller and the URL alone,
 * so it holds until the database changes; one that looked at the clock is not kept.
 */
export class AnswerCache {
  readonly #db: Database;
  readonly #answers = new Map<string, Buffer>();
  #generation = -1;
  #bytes = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  get(key: string): Buffer | undefined {
    this.#turn();
    return this.#answers.get(key);
  }

  keep(key: string, answer: Buffer): void {
    this.#turn();
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
