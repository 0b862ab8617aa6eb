import type { AnyOperation } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import { DocsError } from '../../base/errors.js';
import type { Handler } from '../handle.js';
import { downloads, handlers, pendingWork } from '../handlers/index.js';
import { refusal } from '../refusal.js';
import { type Database, isBusy } from '../store/database.js';
import { readablePath } from './address.js';
import { type Download, downloadHeaders } from './downloads.js';
import { Exchange, type ServedRoute } from './exchange.js';
import { type Front, notNamed, platformBytesPath } from './front.js';
import { alivePath, signOfLife } from './gate.js';
import { HttpServer } from './http-server.js';
import { openApiDocument } from './openapi-document.js';
import { type LoadPages, pageVisits } from './pages.js';
import { readBody } from './request-body.js';
import { type Request, Responder, type ResponderParts, readQuery } from './respond.js';
import { Routes, tooLong } from './routes.js';
import { type VisitParts, Visits } from './visits.js';

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
  /** Stops after the requests in flight; nothing uses the database any more then. */
  close(): Promise<void>;
}

/** The HTTP server, not listening yet. Its responses carry x-request-id, the sandbox's Date and the rate limit. */
export function createServer(parts: ServerParts): SandboxServer {
  const stopping = new AbortController();
  const visits = new Visits({ ...parts, pendingWork, stopping: stopping.signal });
  const origin = () => server.origin;
  const responder = new Responder({ ...parts, origin });
  const visitPage = parts.pages && pageVisits({ ...parts, ...parts.pages, pendingWork, responder, origin });
  const routes = new Routes(servedRoutes(parts, { visits, responder, origin }));
  const answer = async (exchange: Exchange): Promise<void> => {
    if (refuseAddress(exchange, routes) || (await visitPage?.(exchange))) return;
    if (exchange.url !== alivePath && !(await visits.enter(exchange))) return;
    const { found, method, request } = exchange;
    if (found === undefined) throw refuseRoute(routes, exchange);
    if (method !== 'GET') exchange.body = await readBody(request);
    await found.route.answer(exchange, found.parameters);
  };
  /** Of clients that went away, too: what answers them still uses the database. */
  const answering = new Set<Promise<void>>();
  const server = new HttpServer((request, response) => {
    const exchange = new Exchange(request, response);
    response.once('finish', () => visits.record(exchange, response.statusCode));
    response.on('error', () => response.destroy()); // Without a listener it would end the process.
    const answered = answer(exchange)
      .catch((error: unknown) => sendError(exchange, error))
      .catch(() => void response.destroy()); // A fault with headers that cannot be sent.
    answering.add(answered);
    void answered.then(() => answering.delete(answered));
  });
  return {
    listen: (port) => server.listen(port),
    async close() {
      await server.close();
      stopping.abort(new Error('The server stops.'));
      await Promise.all(answering);
      visits.close();
    },
  };
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
  if (allow === '') return refusal(404, `No route for ${method} ${path}.`);
  exchange.set({ allow });
  return refusal(405, `${method} is not allowed for ${path}; allowed: ${allow}.`);
}

interface Answering {
  visits: Visits;
  responder: Responder;
  /** Address of the server. */
  origin(): string;
}

function servedRoutes({ db, front }: ServerParts, answering: Answering): ServedRoute[] {
  const { visits, responder, origin } = answering;
  const document: ServedRoute = {
    ...{ method: 'GET', path: '/openapi.json', open: true },
    answer: (exchange) => exchange.sendJson(200, openApiDocument(origin())),
  };
  return [
    ...operationRoutes(visits, front ?? responder),
    ...downloads.map((download) => downloadRoute(download, db, answering)),
    ...(front?.open === undefined ? [] : [platformBytesRoute({ open: front.open.bind(front) })]),
    signOfLife(db),
    document,
  ];
}

/** One route per operation; one without a handler answers 501. */
function operationRoutes(visits: Visits, front: Front): ServedRoute[] {
  const byOperation = new Map<AnyOperation, Handler>(handlers.map((handler) => [handler.operation, handler]));
  return operations.map((operation) => {
    const handler = byOperation.get(operation);
    return {
      method: operation.method,
      path: operation.path,
      async answer(exchange, parameters) {
        if (handler === undefined) throw refusal(501, `The sandbox does not implement ${operation.id} yet.`);
        const response = await front.respond(handler, requestOf(operation, exchange, parameters));
        if (exchange.visit?.fault?.reset === 'after') return visits.cut(exchange);
        if (response.headers !== undefined) exchange.set(response.headers);
        exchange.send(response.status, response.body);
      },
    };
  });
}

function downloadRoute({ path, serve }: Download, db: Database, { visits }: Answering): ServedRoute {
  return {
    ...{ method: 'GET', path, open: true },
    answer(exchange, parameters) {
      const file = db.read(() => serve(db, parameters));
      if (file === undefined) throw refusal(404, `${exchange.path} not found.`);
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
      const address = new URLSearchParams(exchange.address?.query).get('of') ?? '';
      const gone = new AbortController();
      exchange.response.once('close', () => gone.abort());
      const named = await open(address, gone.signal);
      if (named === undefined) throw refusal(notNamed, 'The platform named no such address.');
      const { bytes, type, length } = named;
      if (length !== undefined) exchange.set({ 'content-length': String(length) });
      await exchange.stream(type, bytes);
    },
  };
}

function requestOf(operation: AnyOperation, exchange: Exchange, path: Request['path']): Request {
  const { visit, url, body, address } = exchange;
  if (visit?.user === undefined) throw new Error('A request came in without a user.');
  return { user: visit.user, path, query: readQuery(operation, address?.query ?? ''), body, url };
}

/** Sends refusals as they are; anything else is a bug in the sandbox. */
function sendError(exchange: Exchange, error: unknown): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return void response.destroy();
  const status = error instanceof DocsError ? error.failure.status : undefined;
  if (isBusy(error)) exchange.sendProblem(503, "Another program holds a lock on the sandbox's database.");
  else exchange.sendProblem(status ?? 500, (error as Error).message);
}
