import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Io } from '../../io.js';
import { finishPending, type PendingWork } from '../pending.js';
import { refusal } from '../refusal.js';
import type { User } from '../scope.js';
import type { Clock } from '../store/clock.js';
import type { Database } from '../store/database.js';
import { type Fault, strike } from './faults.js';
import { refuseForeign } from './gate.js';
import { RateLimit } from './rate-limit.js';
import { RequestLog } from './request-log.js';
import type { Match } from './routes.js';
import type { ServedRoute } from './served-route.js';
import { authenticate } from './tokens.js';

/** One request on its way through the server. */
interface Visit {
  id: string;
  user: User | undefined;
  fault: Fault | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null;
    /** The route of the request, if it has one. */
    found: Match<ServedRoute> | null;
  }
}

export interface VisitParts {
  db: Database;
  clock: Clock;
  pendingWork: readonly PendingWork[];
  /** Distinguishes this server's request ids from those of others on the same database. */
  instance: number;
  sleep: Io['sleep'];
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
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { db, clock, pendingWork } = this.#parts;
    this.#count += 1;
    const id = `req_${this.#parts.instance}_${this.#count}`;
    const visit: Visit = { id, user: undefined, fault: undefined };
    request.visit = visit;
    this.#underWay.add(visit);
    db.refresh();
    const now = clock.now();
    reply.headers({ 'x-request-id': visit.id, date: new Date(now).toUTCString() });
    refuseForeign(request.headers, request.socket.localPort);
    finishPending(db, pendingWork, now);
    const { within, headers } = this.#rateLimit.spend(request.headers.authorization ?? '', now);
    reply.headers(headers);
    if (!within) throw refusal(429, 'Rate limit exceeded.');
    visit.fault = strike(db, request.method, pathOf(request));
    if (visit.fault !== undefined && (await this.#commit(visit.fault, request, reply))) return false;
    if (request.found?.route.open !== true) visit.user = authenticate(db, request.headers.authorization);
    return true;
  }

  /** Cuts the connection and logs the request with status 0. */
  cut(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.hijack();
    request.socket.destroy();
    this.record(request, 0);
    return reply;
  }

  close(): void {
    this.#log.flush();
  }

  /** Injects the fault; true if the request needs no further answer. */
  async #commit(fault: Fault, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (fault.delayMs > 0) await this.#parts.sleep(fault.delayMs);
    if (fault.reset === 'before') {
      this.cut(request, reply);
      return true;
    }
    if (fault.status === null) return false;
    reply.headers(fault.headers);
    sendProblem(reply, fault.status, 'Failure injected by docs sandbox fault.');
    return true;
  }

  record({ visit, method, url: path }: FastifyRequest, status: number): void {
    if (visit === null) return;
    const caller = visit.user?.userId ?? null;
    this.#underWay.delete(visit);
    this.#log.add({ id: visit.id, method, path, status, time: this.#parts.clock.now(), caller });
    // The log is complete whenever no request is under way.
    if (this.#underWay.size === 0) this.#log.flush();
  }
}

/** Sends the error body of the platform (platform-facts, "Errors"). */
export function sendProblem(reply: FastifyReply, status: number, message: string): void {
  reply.code(status).send({ error: { code: status, message } });
}

export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}
