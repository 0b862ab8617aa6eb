import type { Io } from '../../base/io.js';
import { finishPending, type PendingWork } from '../handle.js';
import { refusal } from '../refusal.js';
import type { Clock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import type { Exchange, Visit } from './exchange.js';
import { type Fault, strike } from './faults.js';
import { refuseForeign } from './gate.js';
import { RequestLog } from './request-log.js';
import { authenticate } from './tokens.js';

export interface VisitParts {
  db: Database;
  clock: Clock;
  pendingWork: readonly PendingWork[];
  /** Distinguishes this server's request ids from those of others on the same database. */
  instance: number;
  sleep: Io['sleep'];
  /** Aborted once the server has stopped, and no client waits any more. */
  stopping: AbortSignal;
}

/** The steps around every response: gate, clock, faults, token, log. */
export class Visits {
  readonly #parts: VisitParts;
  readonly #log: RequestLog;
  readonly #rateLimit = new RateLimit();
  #count = 0;
  readonly #underWay = new Set<Visit>();

  constructor(parts: VisitParts) {
    this.#parts = parts;
    this.#log = new RequestLog(parts.db);
  }

  /** Admits a request; false if a fault has answered it or cut the connection. @throws 401, 403 or 429 */
  async enter(exchange: Exchange): Promise<boolean> {
    const { db, clock, pendingWork } = this.#parts;
    const { headers, socket } = exchange.request;
    this.#count += 1;
    const id = `req_${this.#parts.instance}_${this.#count}`;
    const visit: Visit = { id, user: undefined, fault: undefined };
    exchange.visit = visit;
    this.#underWay.add(visit);
    db.refresh();
    const now = clock.now();
    exchange.set({ 'x-request-id': visit.id, date: new Date(now).toUTCString() });
    refuseForeign(headers, socket.localPort);
    finishPending(db, pendingWork, now);
    const limit = this.#rateLimit.spend(headers.authorization ?? '', now);
    exchange.set(limit.headers);
    if (!limit.within) throw refusal(429, 'Rate limit exceeded.');
    visit.fault = strike(db, exchange.method, exchange.path);
    if (visit.fault !== undefined && (await this.#commit(visit.fault, exchange))) return false;
    if (exchange.found?.route.open !== true) visit.user = authenticate(db, headers.authorization);
    return true;
  }

  /** Cuts the connection and logs the request with status 0. */
  cut(exchange: Exchange): void {
    exchange.cut();
    this.record(exchange, 0);
  }

  close(): void {
    this.#log.close();
  }

  /** Injects the fault; true if the request needs no further answer. */
  async #commit(fault: Fault, exchange: Exchange): Promise<boolean> {
    if (fault.delayMs > 0) await this.#parts.sleep(fault.delayMs, this.#parts.stopping);
    if (fault.reset === 'before') {
      this.cut(exchange);
      return true;
    }
    if (fault.status === null) return false;
    exchange.set(fault.headers);
    exchange.sendProblem(fault.status, 'Failure injected by docs sandbox fault.');
    return true;
  }

  record({ visit, method, url: path }: Exchange, status: number): void {
    if (visit === undefined || this.#log.isClosed) return;
    const caller = visit.user?.userId ?? null;
    this.#underWay.delete(visit);
    this.#log.add({ id: visit.id, method, path, status, time: this.#parts.clock.now(), caller });
    // The log is complete whenever no request is under way.
    if (this.#underWay.size === 0) this.#log.flush();
  }
}

const windowMs = 60_000;
const perWindow = 1_000_000;

/** Counts requests per token and minute of the sandbox's clock. The limit is high; for a 429, add a fault. */
class RateLimit {
  #window = -1;
  readonly #spent = new Map<string, number>();

  /** Counts a request. Returns whether it is within the limit, and the headers (platform-facts, "Errors"). */
  spend(authorization: string, now: number): { within: boolean; headers: Record<string, string> } {
    const window = Math.floor(now / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#spent.clear();
    }
    const spent = (this.#spent.get(authorization) ?? 0) + 1;
    this.#spent.set(authorization, spent);
    return {
      within: spent <= perWindow,
      headers: {
        'x-ratelimit-limit': String(perWindow),
        'x-ratelimit-remaining': String(Math.max(0, perWindow - spent)),
        'x-ratelimit-reset': String(((window + 1) * windowMs) / 1000),
      },
    };
  }
}
