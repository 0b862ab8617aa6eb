import type { AnyOperation } from '../../api/operation.js';
import { depthOf, maxDepth } from '../../api/transport/json-text.js';
import { DocsError } from '../../base/errors.js';
import { InUse } from '../../base/in-use.js';
import type { Io } from '../../base/io.js';
import { isObject, jsonIn } from '../../base/values.js';
import { finishPending, type PendingWork } from '../handle.js';
import type { RouteRecord } from '../handlers/all-routes.js';
import { downloadAt, handlerAt, routeRecords } from '../handlers/routes.js';
import { pendingWork } from '../pending.js';
import { refusal } from '../refusal.js';
import { type Database, isBusy } from '../store/database.js';
import type { Clock } from '../store/rows.js';
import { type Exchange, readablePath, type ServedRoute, type Visit } from './exchange.js';
import { type Fault, strike } from './faults.js';
import {
  alivePath,
  type Front,
  type LoadPages,
  notNamed,
  pageVisits,
  platformBytesPath,
  refuseForeignRequest,
  signOfLife,
} from './front.js';
import type { HttpServer } from './http.js';
import { type AnsweredRequest, RequestLog } from './request-log.js';
import { type Request, Responder, type ResponderParts, type Response, readQuery } from './respond.js';
import { Routes, tooLong } from './routes.js';
import { authenticate, downloadHeaders, userOf } from './tokens.js';

type ServerParts = Omit<VisitParts, 'pendingWork' | 'stopping'> &
  Omit<ResponderParts, 'origin'> & {
    /** Answers in place of the handlers, or has them answer. */
    front?: Front;
    /** The pages for a browser; none without. */
    pages?: ServedPages;
  };

interface ServedPages {
  load: LoadPages;
  /** The real time. */
  now(): number;
}

export interface SandboxServer {
  /** Listens on a port of 127.0.0.1, or with 0 on a free one. @returns the address */
  listen(port: number): Promise<string>;
  /** Answers a request; never throws. */
  take(exchange: Exchange): void;
  /** Stops after the requests in flight; nothing uses the database any more then. */
  close(): Promise<void>;
}

/** The HTTP server, not listening yet. Its responses carry x-request-id, the sandbox's Date and the rate limit. */
export function createServer(parts: ServerParts): SandboxServer {
  const stopping = new AbortController();
  const visits = new Visits({ ...parts, pendingWork, stopping: stopping.signal });
  const listening = new Listening((exchange) => take(exchange));
  const origin = () => listening.origin;
  const responder = new Responder({ ...parts, origin });
  const log = (exchange: Exchange, path: string) => visits.note(exchange, path);
  const visitPage =
    parts.pages && pageVisits({ ...parts, ...parts.pages, pendingWork, responder, origin, log });
  let served: Promise<Routes<ServedRoute>> | undefined;
  const answer = async (exchange: Exchange): Promise<void> => {
    served ??= servedRoutes(parts, { visits, responder, listening });
    const routes = await served;
    if (refuseAddress(exchange, routes)) return;
    const visited = visitPage?.(exchange);
    if (visited !== undefined) return visited;
    if (exchange.url !== alivePath && !(await visits.enter(exchange))) return;
    const { found, method } = exchange;
    if (found === undefined) throw refuseRoute(routes, exchange);
    if (method !== 'GET') await readBody(exchange);
    await found.route.answer(exchange, found.parameters);
  };
  /** Of clients that went away, too: what answers them still uses the database. */
  const answering = new InUse<Promise<void>>();
  const record = (exchange: Exchange, status: number) => visits.record(exchange, status);
  const take = (exchange: Exchange): void => {
    exchange.onSent = record;
    const answered = answer(exchange)
      .catch((error: unknown) => sendError(exchange, error))
      .catch(() => exchange.cut()); // A fault with headers that cannot be sent.
    answering.add(answered);
    void answered.then(() => answering.delete(answered));
  };
  return {
    listen: (port) => listening.begin(port),
    take,
    async close() {
      await listening.end();
      stopping.abort(new Error('The server stops.'));
      await Promise.all(answering);
      visits.close();
    },
  };
}

/** An answer is to have the address of a server that does not listen yet. */
class NotListening extends Error {}

/** The part of a server that listens: from its start, or as soon as an answer has its address. */
class Listening {
  readonly #take: SandboxServer['take'];
  #http: HttpServer | undefined;
  #begun: Promise<string> | undefined;

  constructor(take: SandboxServer['take']) {
    this.#take = take;
  }

  /** @throws NotListening while it has none */
  get origin(): string {
    if (this.#http === undefined) throw new NotListening();
    return this.#http.origin;
  }

  async begin(port: number): Promise<string> {
    const { HttpExchange, HttpServer } = await import('./http.js');
    const http = new HttpServer((request, response) => this.#take(new HttpExchange(request, response)));
    const address = await http.listen(port);
    this.#http = http;
    return address;
  }

  /** Runs what may need the address, and once more after it began to listen where it did. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotListening)) throw error;
      this.#begun ??= this.begin(0);
      await this.#begun;
      return work();
    }
  }

  async end(): Promise<void> {
    await this.#http?.close();
  }
}

/** Looks for the route of a request. @returns whether its address is malformed, which has been answered */
function refuseAddress(exchange: Exchange, routes: Routes<ServedRoute>): boolean {
  const { address, method, url } = exchange;
  const found = address && routes.find(method, address.parts);
  if (address === undefined) exchange.sendProblem(400, `'${url}' is not a valid url component`);
  else if (found === tooLong)
    exchange.sendProblem(414, `'${readablePath(url)}' is exceeding the max param length`);
  else exchange.found = found;
  return address === undefined || found === tooLong;
}

/**
 * The refusal of a request without a route (platform-facts, "Behaviour"): 405 for a path that has other methods, which
 * `Allow` names; else 404.
 */
function refuseRoute(routes: Routes<ServedRoute>, exchange: Exchange): DocsError {
  const { method, path } = exchange;
  const allow = routes.methodsAt(path).join(', ');
  if (allow === '') return refusal(404, `no route for ${method} ${path}`);
  exchange.set({ allow });
  return refusal(405, `${method} is not allowed for ${path}; allowed: ${allow}`);
}

interface Answering {
  visits: Visits;
  responder: Responder;
  listening: Listening;
}

async function servedRoutes({ db, front }: ServerParts, answering: Answering): Promise<Routes<ServedRoute>> {
  const { responder, listening } = answering;
  const document: ServedRoute = {
    ...{ method: 'GET', path: '/openapi.json', open: true },
    async answer(exchange) {
      const { openApiDocument } = await import('./openapi-document.js');
      exchange.sendJson(200, await listening.during(async () => openApiDocument(listening.origin)));
    },
  };
  const records = await routeRecords();
  return new Routes([
    ...records.map((record) =>
      record.id === undefined
        ? downloadRoute(record, db, answering)
        : operationRoute(record, answering, front ?? responder),
    ),
    ...(front?.open === undefined ? [] : [platformBytesRoute({ open: front.open.bind(front) })]),
    signOfLife(db),
    document,
  ]);
}

/** The route of an operation; one without a handler answers 501. */
function operationRoute(record: RouteRecord, { visits, listening }: Answering, front: Front): ServedRoute {
  let loaded: ReturnType<typeof handlerAt> | undefined;
  return {
    ...{ method: record.method, path: record.path },
    async answer(exchange, parameters) {
      loaded ??= handlerAt(record);
      const handler = await loaded;
      if (handler === undefined) throw refusal(501, `the sandbox does not implement ${record.id} yet`);
      const request = requestOf(handler.operation, exchange, parameters, visits);
      const response = await listening.during(() => front.respond(handler, request));
      if (exchange.visit?.fault?.reset === 'after') return visits.cut(exchange);
      if (response.headers !== undefined) exchange.set(response.headers);
      exchange.send(response.status, response.body);
    },
  };
}

function downloadRoute(record: RouteRecord, db: Database, { visits }: Answering): ServedRoute {
  return {
    ...{ method: 'GET', path: record.path, open: true },
    async answer(exchange, parameters) {
      const { serve } = await downloadAt(record);
      const file = db.read(() => serve(db, parameters));
      if (file === undefined) throw refusal(404, `${exchange.path} not found`);
      if (exchange.visit?.fault?.reset === 'after') return visits.cut(exchange);
      exchange.set(downloadHeaders(file));
      exchange.send(200, Buffer.from(file.bytes));
    },
  };
}

/** The bytes at addresses that are not of this server; who asks has its token. */
function platformBytesRoute({ open }: Required<Pick<Front, 'open'>>): ServedRoute {
  return {
    ...{ method: 'GET', path: platformBytesPath },
    async answer(exchange) {
      const { overHttp } = exchange;
      if (overHttp === undefined) throw refusal(501, 'the bytes of a platform come over HTTP alone');
      const address = new URLSearchParams(exchange.address?.query).get('of') ?? '';
      const gone = new AbortController();
      overHttp.response.once('close', () => gone.abort());
      const named = await open(address, gone.signal);
      if (named === undefined) throw refusal(notNamed, 'the platform named no such address');
      const { bytes, type, length } = named;
      if (length !== undefined) exchange.set({ 'content-length': String(length) });
      await overHttp.stream(type, bytes);
    },
  };
}

function requestOf(
  operation: AnyOperation,
  exchange: Exchange,
  path: Request['path'],
  visits: Visits,
): Request {
  const { visit, url, body, address } = exchange;
  if (visit?.user === undefined) throw new Error('A request came in without a user.');
  const query = readQuery(operation, address?.query ?? '');
  return { user: visit.user, path, query, body, url, wrote: (made) => visits.wrote(exchange, made) };
}

/** Sends refusals as they are; anything else is a bug in the sandbox. */
function sendError(exchange: Exchange, error: unknown): void {
  if (exchange.isOver) return void exchange.cut();
  const status = error instanceof DocsError ? error.failure.status : undefined;
  if (isBusy(error)) exchange.sendProblem(503, 'Another program has locked the database of the sandbox.');
  else exchange.sendProblem(status ?? 500, (error as Error).message);
}

const limitBytes = 10 * 1024 * 1024;

/**
 * Reads the body of a request: a JSON object; an empty body counts as none.
 * @throws 415 for another media type, 413 for more than 10 MB, 400 for other values, and for more than 1,000 levels
 */
async function readBody(exchange: Exchange): Promise<void> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = exchange.headers;
  if (type === undefined && encoding === undefined && (length ?? '0') === '0') return;
  if (mediaType(type ?? '') !== 'application/json') throw refusal(415, 'unsupported media type');
  const bytes = await exchange.readBytes(limitBytes, tooLarge);
  if (bytes.length === 0) return;
  exchange.bodyText = bytes.toString('utf8');
  if (depthOf(bytes) > maxDepth) throw refusal(400, `the body is nested over ${maxDepth} levels`);
  const body = jsonIn(exchange.bodyText);
  if (!isObject(body)) throw refusal(400, 'the body must be a JSON object');
  exchange.body = body;
}

function mediaType(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

const tooLarge = () => refusal(413, 'the body is larger than 10 MB');

/** What the log knows of a request. */
type Logged = Pick<Exchange, 'visit' | 'method' | 'url' | 'bodyText'>;

interface VisitParts {
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
  readonly #underWay = new InUse<Visit>();
  /** The last `Date` that was sent, and its second. */
  #date = '';
  #second = -1;
  #isFresh = false;
  #willFlush = false;

  constructor(parts: VisitParts) {
    this.#parts = parts;
    this.#log = new RequestLog(parts.db, parts.instance);
  }

  /** Admits a request; false if a fault has answered it or cut the connection. @throws 401, 403 or 429 */
  async enter(exchange: Exchange): Promise<boolean> {
    const { db, clock, pendingWork } = this.#parts;
    const { headers } = exchange;
    const visit = this.#begin(exchange);
    this.#refresh();
    const now = clock.now();
    exchange.set({ 'x-request-id': visit.id, date: this.#dateOf(now) });
    refuseForeignRequest(exchange);
    finishPending(db, pendingWork, now);
    const limit = this.#rateLimit.spend(headers.authorization ?? '', now);
    exchange.set(limit.headers);
    if (!limit.within) throw refusal(429, 'rate limit exceeded');
    visit.fault = strike(db, exchange.method, exchange.path);
    // It applies before the token is checked; the log names its user nevertheless.
    if (visit.fault !== undefined) visit.user = userOf(db, headers.authorization);
    if (visit.fault !== undefined && (await this.#commit(visit.fault, exchange))) return false;
    if (exchange.found?.route.open !== true) visit.user = authenticate(db, headers.authorization);
    return true;
  }

  /** The time in seconds as HTTP writes it. */
  #dateOf(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) this.#date = new Date(now).toUTCString();
    this.#second = second;
    return this.#date;
  }

  /** Looks for changes of other programs; once for the requests of one turn of the event loop, which have all arrived. */
  #refresh(): void {
    if (this.#isFresh) return;
    this.#parts.db.refresh();
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
  }

  /** Takes an action of the pages into the log, by another path. */
  note(exchange: Exchange, path: string): void {
    this.#begin(exchange).loggedPath = path;
  }

  #begin(exchange: Exchange): Visit {
    this.#count += 1;
    const id = `req_${this.#parts.instance}_${this.#count}`;
    const visit: Visit = { id, cameAtMs: realMs(), user: undefined, fault: undefined };
    exchange.visit = visit;
    this.#underWay.add(visit);
    return visit;
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

  /** Logs a change with what it wrote. Called within its write. */
  wrote(exchange: Logged, { status, body: answer }: Response): void {
    const { visit } = exchange;
    if (visit === undefined) return;
    visit.isLogged = true;
    this.#parts.db.ifUndone(() => {
      visit.isLogged = false;
    });
    const isCut = visit.fault?.reset === 'after';
    this.#log.write(this.#entryOf(visit, exchange, isCut ? 0 : status, isCut ? undefined : answer));
  }

  record(exchange: Exchange, status: number): void {
    const { visit, sent: answer } = exchange;
    if (visit === undefined || this.#log.isClosed) return;
    this.#underWay.delete(visit);
    if (visit.isLogged !== true)
      this.#log.add(this.#entryOf(visit, exchange, status, status === 0 ? undefined : answer));
    // The log is complete whenever no request is under way.
    if (this.#underWay.size > 0) return;
    if (exchange.method === 'GET') this.#flushSoon();
    else this.#log.flush();
  }

  /** Writes the reads of one turn of the event loop together; changes are answered together anyway. */
  #flushSoon(): void {
    if (this.#willFlush) return;
    this.#willFlush = true;
    setImmediate(() => {
      this.#willFlush = false;
      if (this.#underWay.size === 0) this.#log.flush();
    });
  }

  #entryOf(
    { id, cameAtMs, user, fault, loggedPath }: Visit,
    { method, url, bodyText: body }: Logged,
    status: number,
    answer: AnsweredRequest['answer'],
  ): AnsweredRequest {
    const ms = Math.round((realMs() - cameAtMs) * 10) / 10;
    const time = this.#parts.clock.now();
    const rule = fault === undefined ? null : `${fault.method} ${fault.path}`;
    const path = loggedPath ?? url;
    const caller = user?.userId ?? null;
    return { id, method, path, status, time, caller, ms, fault: rule, body, answer };
  }
}

/** Real milliseconds since some moment. `performance` loads modules of Node that nothing else here needs. */
function realMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
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
