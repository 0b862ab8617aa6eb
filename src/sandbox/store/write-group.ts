import { type Database, isBusy } from './database.js';

/** A change that waits for its group. */
interface Member {
  /** @returns what tells who waits, once the change is committed */
  run(): () => void;
  reject(error: unknown): void;
}

/**
 * Changes that wait at the same moment share one transaction (decision 069). Each is answered after the commit, and
 * fails alone.
 */
export class WriteGroup {
  readonly #db: Database;
  #waiting: Member[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Like `Database.write`, with others of this turn of the event loop.
   * @param work runs again if what it wrote had to be rolled back with that of others
   */
  write<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      // A single change does not wait: immediates come right after the requests of this turn were read.
      if (this.#waiting.length === 0) setImmediate(() => this.#commit());
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      this.#waiting.push({ run, reject });
    });
  }

  #commit(): void {
    const members = this.#waiting;
    this.#waiting = [];
    try {
      const settled = this.#db.write(() => {
        this.#db.refresh(); // Nobody else writes from here on.
        return members.map((member) => this.#run(member));
      });
      for (const settle of settled) settle();
    } catch (error) {
      if (members.length > 1 && !isBusy(error)) for (const member of members) this.#runAlone(member);
      else for (const { reject } of members) reject(error);
    }
  }

  /** @throws what a change fails with after it has written: nothing of the group may stay then */
  #run({ run, reject }: Member): () => void {
    const { changes } = this.#db;
    try {
      return run();
    } catch (error) {
      if (this.#db.changes !== changes) throw error;
      return () => reject(error);
    }
  }

  #runAlone({ run, reject }: Member): void {
    try {
      this.#db.write(run)();
    } catch (error) {
      reject(error);
    }
  }
}
