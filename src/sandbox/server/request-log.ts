import { redactText } from '../../base/redaction.js';
import type { Database, SqlValue } from '../store/database.js';
import { SqliteError } from '../store/driver.js';
import { partOf } from './answer-parts.js';
import { notedJson } from './row-changes.js';

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
  /** Real milliseconds until it was answered. */
  ms: number;
  /** The rule of the fault that applied: its method and path. */
  fault: string | null;
}

/** A request as the server has answered it. */
export interface AnsweredRequest extends LoggedRequest {
  /** As it was sent, if it was read. */
  body?: string | undefined;
  /** JSON. */
  answer?: string | Buffer | undefined;
}

export const kept = 10_000;
/** Characters kept of a body and of an answer. */
export const longestText = 64 * 1024;
/** Characters kept in all; the oldest texts go first. */
const mostText = 64 * 1024 * 1024;

const batch = 100;
const flushAfterMs = 100;
/** Requests written between two removals of the oldest, and characters between two removals of texts. */
const removalAfter = { requests: 1000, text: 8 * 1024 * 1024 };

const lastRemoved = `(SELECT max(seq) FROM local_requests) - ${kept}`;
export const isKept = `seq > ${lastRemoved}`;

const columns = 'id, method, path, status, time, caller, ms, fault';
const places = columns.replaceAll(/\w+/g, '?');
/** `OR FAIL`: for a row that is refused, SQLite has no pages to put back, so it copies none before. */
const changed = `INSERT OR FAIL INTO local_requests (${columns}, body, whole, answer, answer_of, changes)
  VALUES (${places}, ?, ?, ?, ?, ${notedJson})`;
const inserts = {
  plain: `INSERT INTO local_requests (${columns}, answer_of) VALUES (${places}, ?)`,
  texts: `INSERT INTO local_requests (${columns}, body, whole, answer) VALUES (${places}, ?, ?, ?) RETURNING seq`,
  changes: changed,
  wholeChanges: `${changed} RETURNING seq`,
} as const;

/** An answer to a change that is kept whole, for others of which a part is. */
interface WholeAnswer {
  seq: number;
  answer: Buffer;
}

/** The last 10,000 requests. Changes are written in their own transactions, others in batches, to keep requests fast. */
export class RequestLog {
  readonly #db: Database;
  #waiting: AnsweredRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** What was written since the last removal. Of short-lived servers, one in some removes. */
  #since: { requests: number; text: number };
  /** Where an answer was stored: the same text is answered again until something changes. */
  readonly #stored = new Map<string | Buffer, number>();
  #storedAt = -1;

  /** @param instance the number of this server among those that have used the database */
  constructor(db: Database, instance: number) {
    this.#db = db;
    this.#since = instance % 20 === 0 ? { ...removalAfter } : { requests: 0, text: 0 };
  }

  add(request: AnsweredRequest): void {
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

  /** Writes a change after the requests that wait, within its own write: with the rows noted there. */
  write(request: AnsweredRequest): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#db.ifUndone(() => {
      this.#forget();
      this.#waiting.unshift(...waiting);
    });
    this.#db.note(() => {
      for (const earlier of waiting) this.#insert(earlier);
      this.#insertChange(request);
      this.#removeOld();
    });
  }

  /** Of answers like one that is kept whole, a part is kept. */
  #insertChange(request: AnsweredRequest): void {
    const [body, isWhole, answer] = this.#textsOf(request);
    const values = [...valuesOf(request), body, isWhole];
    const key = `${request.method} ${request.caller} ${request.path}`;
    const bytes = Buffer.isBuffer(answer) ? answer : undefined;
    const like = bytes && this.#whole.get(key);
    const part = like && partOf(bytes, like.answer);
    if (bytes === undefined || part !== undefined) {
      this.#db.change(inserts.changes, ...values, part ?? answer, like?.seq ?? null);
      return;
    }
    const row = this.#db.get<{ seq: number }>(inserts.wholeChanges, ...values, bytes, null);
    if (row !== undefined) this.#whole.set(key, { seq: row.seq, answer: bytes });
  }

  /** Writes the waiting requests. While the database is locked, they wait without their texts. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requests = this.#waiting;
    if (requests.length === 0) return;
    try {
      this.#db.note(() => {
        for (const request of requests) this.#insert(request);
        this.#removeOld();
      });
      this.#waiting = [];
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      this.#forget();
      this.#waiting = requests.slice(-kept).map(({ body: _, answer: __, ...rest }) => rest);
    }
  }

  #insert(request: AnsweredRequest): void {
    const { body, answer } = request;
    if (this.#storedAt !== this.#db.generation) this.#stored.clear();
    this.#storedAt = this.#db.generation;
    const known = answer === undefined ? undefined : this.#stored.get(answer);
    if (body === undefined && (answer === undefined || known !== undefined)) {
      this.#since.requests += 1;
      this.#db.change(inserts.plain, ...valuesOf(request), known ?? null);
      return;
    }
    const texts = this.#textsOf(request);
    const row = this.#db.get<{ seq: number }>(inserts.texts, ...valuesOf(request), ...texts);
    if (row !== undefined && answer !== undefined) this.#stored.set(answer, row.seq);
  }

  #textsOf({ body, answer }: AnsweredRequest): [string | null, 0 | 1, string | Buffer | null] {
    const sent = body === undefined ? null : keptText(body);
    const said = answer === undefined ? null : keptAnswer(answer);
    this.#since.requests += 1;
    this.#since.text += (sent?.length ?? 0) + (said?.length ?? 0);
    return [sent, sent === body ? 1 : 0, said];
  }

  /** Answers that are kept whole, by what they answer; none once another program has written, or the log was emptied. */
  get #whole(): Map<string, WholeAnswer> {
    return this.#db.remember('whole answers', () => new Map(), ['local_requests']);
  }

  #forget(): void {
    this.#stored.clear();
    this.#whole.clear();
  }

  /** Now and then: lists show no more than are kept, anyway. */
  #removeOld(): void {
    if (this.#since.requests >= removalAfter.requests) {
      this.#since.requests = 0;
      this.#forget();
      this.#db.run(`DELETE FROM local_requests WHERE seq <= ${lastRemoved}`);
    }
    if (this.#since.text >= removalAfter.text) this.#removeTexts();
  }

  #removeTexts(): void {
    this.#since.text = 0;
    this.#forget();
    const size = 'coalesce(length(body), 0) + coalesce(length(answer), 0)';
    this.#db.run(
      `UPDATE local_requests SET body = NULL, whole = 0, answer = NULL WHERE (body IS NOT NULL OR answer IS NOT NULL)
       AND seq <= (SELECT seq FROM (SELECT seq, sum(${size}) OVER (ORDER BY seq DESC) AS total FROM local_requests)
         WHERE total > ${mostText} ORDER BY seq DESC LIMIT 1)`,
    );
  }
}

/** Removes all requests. Call within a write. */
export function clearRequests(db: Database): void {
  db.run('DELETE FROM local_requests');
}

function valuesOf(request: LoggedRequest): SqlValue[] {
  const { id, method, path, status, time, caller, ms, fault } = request;
  return [id, method, path, status, time, caller, ms, fault];
}

const ownToken = /\bsbx_[0-9a-f]{8,}/g;

/** A body without what looks secret in it, so that a token typed in the wrong place is not kept. */
function keptText(body: string): string {
  return redactText(body.slice(0, longestText)).replaceAll(ownToken, '[redacted]');
}

function keptAnswer(answer: string | Buffer): string | Buffer {
  const isToken = answer.includes('sbx_');
  if (!isToken && answer.length <= longestText) return answer;
  if (typeof answer !== 'string') {
    return isToken ? keptAnswer(answer.toString('utf8')) : answer.subarray(0, longestText);
  }
  return answer.replaceAll(ownToken, '[redacted]').slice(0, longestText);
}
