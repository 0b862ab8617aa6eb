import type { Database } from '../store/database.js';
import { SqliteError } from '../store/driver.js';
import { insert } from '../store/rows.js';

export interface LoggedRequest {
  id: string;
  method: string;
  /** With its query. */
  path: string;
  /** 0 if the connection was cut. */
  status: number;
  /** Milliseconds since the epoch, by the sandbox's clock. */
  time: number;
  /** User id, or null for an unknown token. */
  caller: string | null;
}

const kept = 10_000;
const batch = 100;
const flushAfterMs = 100;
const flushesPerRemoval = 100;
const isKept = `seq > (SELECT max(seq) FROM local_requests) - ${kept}`;

/** The last 10,000 requests, written in batches to keep requests fast. */
export class RequestLog {
  readonly #db: Database;
  #waiting: LoggedRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #flushes = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  add(request: LoggedRequest): void {
    this.#waiting.push(request);
    if (this.#waiting.length >= batch) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), flushAfterMs).unref();
  }

  /** Whether nothing can be added any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes the waiting requests a last time. */
  close(): void {
    this.flush();
    this.#isClosed = true;
  }

  /** Writes the waiting requests; they keep waiting while the database cannot be written, such as for a lock. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requests = this.#waiting;
    if (requests.length === 0) return;
    try {
      this.#db.note(() => this.#write(requests));
      this.#waiting = [];
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      this.#waiting = requests.slice(-kept);
    }
  }

  #write(requests: readonly LoggedRequest[]): void {
    for (const { id, method, path, status, time, caller } of requests) {
      insert(this.#db, 'local_requests', { id, method, path, status, time, caller });
    }
    // Now and then: `listRequests` shows no more than are kept, anyway.
    if (this.#flushes % flushesPerRemoval === 0)
      this.#db.run(`DELETE FROM local_requests WHERE NOT ${isKept}`);
    this.#flushes += 1;
  }
}

export function listRequests(db: Database): LoggedRequest[] {
  return db.all(
    `SELECT id, method, path, status, time, caller FROM local_requests WHERE ${isKept} ORDER BY seq`,
  );
}
