import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyOperation } from '../../api/operation.js';
import { operations } from '../../api/resources/index.js';
import { DocsError } from '../../errors.js';
import { isObject } from '../../is-object.js';
import type { Handler } from '../handle.js';
import { downloads, handlers, pendingWork } from '../handlers/index.js';
import { refusal } from '../refusal.js';
import { type Database, isBusy } from '../store/database.js';
import { type Download, downloadHeaders } from './downloads.js';
import { type Front, notNamed, platformBytesPath } from './front.js';
import { alivePath, signOfLife } from './gate.js';
import { openApiDocument } from './openapi-document.js';
import { type LoadPages, pageVisits } from './pages.js';
import { type Request, Responder, type ResponderParts, readQuery } from './respond.js';
import { Routes, readablePath, tooLong } from './routes.js';
import type { ServedRoute } from './served-route.js';
import { pathOf, sendProblem, type VisitParts, Visits } from './visits.js';

const bodyLimitBytes = 10 * 1024 * 1024;

type ServerParts = Omit<VisitParts, 'pendingWork'> &
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

/** The HTTP server, not listening yet. Its responses carry x-request-id, the sandbox's Date and the rate limit. */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { fastify } = await import('fastify');
  const app = fastify({
    exposeHeadRoutes: false,
    routerOptions: { querystringParser: (text) => ({ text }), maxParamLength: 1024 },
    frameworkErrors: (error, _request, reply) => sendError(reply, error),
    // The declarations check inputs, so the framework's schema compilers need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  readJson(app);
  const visits = new Visits({ ...parts, pendingWork });
  const origin = () => app.listeningOrigin;
  const responder = new Responder({ ...parts, origin });
  const visitPage = parts.pages && pageVisits({ ...parts, ...parts.pages, pendingWork, responder, origin });
  const routes = new Routes(servedRoutes(parts, { visits, responder, origin }));
  app.decorateRequest('visit', null);
  app.decorateRequest('found', null);
  app.addHook('onRequest', async (request, reply) => {
    const found = routes.find(request.method, request.url);
    if (found === tooLong)
      throw refusal(414, `'${readablePath(request.url)}' is exceeding the max param length`);
    request.found = found ?? null;
    if (await visitPage?.(request, reply)) return reply;
    if (request.url !== alivePath && !(await visits.enter(request, reply))) return reply;
    if (request.found === null) throw refuseRoute(routes, request, reply);
  });
  app.addHook('onResponse', async (request, reply) => visits.record(request, reply.statusCode));
  app.addHook('onClose', async () => visits.close());
  // One route for all: those of the framework are compiled one by one.
  const handler = async (request: FastifyRequest, reply: FastifyReply) =>
    request.found?.route.answer(request, reply, request.found.parameters);
  app.route({ method: routes.methods, url: '/*', handler });
  app.setErrorHandler((error, _request, reply) => sendError(reply, error));
  return app;
}

/**
 * The refusal of a request without a route (platform-facts, "Behaviour"): 405 for a path that has other methods, which
 * `Allow` names; else 404.
 */
function refuseRoute(routes: Routes<ServedRoute>, request: FastifyRequest, reply: FastifyReply): DocsError {
  const path = pathOf(request);
  const methods = routes.methodsAt(path).join(', ');
  if (methods === '') return refusal(404, `No route for ${request.method} ${path}.`);
  reply.header('allow', methods);
  return refusal(405, `${request.method} is not allowed for ${path}; allowed: ${methods}.`);
}

function noSchemas(): never {
  throw new Error('Sandbox routes must not use framework schemas.');
}

/** JSON objects only; an empty body counts as none. Other media types get 415. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, sent: AsyncIterable<Buffer>) => {
      const text = await readBody(sent, request.headers['content-length']);
      const body = text === '' ? undefined : parseJson(text);
      if (text !== '' && !isObject(body)) throw refusal(400, 'The body must be a JSON object.');
      return body;
    },
  );
}

/** The text of a body. */
async function readBody(sent: AsyncIterable<Buffer>, announced: string | undefined): Promise<string> {
  // Refused at once, and the rest read by Node: a connection that is closed while the client still writes would
  // take the answer with it.
  if (Number(announced ?? 0) > bodyLimitBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of sent) {
    length += chunk.length;
    if (length > bodyLimitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = () => refusal(413, 'The body is larger than 10 MB.');

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Refused like any value that is not an object.
  }
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
    answer: () => openApiDocument(origin()),
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
      async answer(request, reply, parameters) {
        if (handler === undefined) throw refusal(501, `The sandbox does not implement ${operation.id} yet.`);
        const response = await front.respond(handler, requestOf(operation, request, parameters));
        if (request.visit?.fault?.reset === 'after') return visits.cut(request, reply);
        reply.code(response.status).headers(response.headers ?? {});
        if (response.body !== undefined) reply.type('application/json; charset=utf-8');
        return reply.send(response.body);
      },
    };
  });
}

function downloadRoute({ path, serve }: Download, db: Database, { visits, origin }: Answering): ServedRoute {
  return {
    ...{ method: 'GET', path, open: true },
    async answer(request, reply, parameters) {
      const file = db.read(() => serve(db, parameters, origin()));
      if (file === undefined) throw refusal(404, `${pathOf(request)} not found.`);
      if (request.visit?.fault?.reset === 'after') return visits.cut(request, reply);
      const bytes = typeof file.bytes === 'function' ? await file.bytes() : file.bytes;
      return reply.headers(downloadHeaders(file)).send(Buffer.from(bytes));
    },
  };
}

/** The bytes at addresses that are not of this server; who asks has its token. */
function platformBytesRoute({ open }: Required<Pick<Front, 'open'>>): ServedRoute {
  return {
    ...{ method: 'GET', path: platformBytesPath },
    async answer(request, reply) {
      const address = new URLSearchParams((request.query as { text: string }).text).get('of') ?? '';
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const named = await open(address, gone.signal);
      if (named === undefined) throw refusal(notNamed, 'The platform named no such address.');
      const { bytes, type, length } = named;
      if (length !== undefined) reply.header('content-length', length);
      return reply.type(type).send(Readable.from(bytes, { objectMode: false }));
    },
  };
}

function requestOf(
  operation: AnyOperation,
  { visit, url, body, query }: FastifyRequest,
  path: Request['path'],
): Request {
  if (visit?.user === undefined) throw new Error('A request came in without a user.');
  return {
    user: visit.user,
    path,
    query: readQuery(operation, (query as { text: string }).text),
    body,
    url,
  };
}

/** Sends refusals, the framework's included, as they are; anything else is a bug in the sandbox. */
function sendError(reply: FastifyReply, error: unknown): void {
  const { statusCode = 500, message } = error as { statusCode?: number; message: string };
  const status = error instanceof DocsError ? error.failure.status : undefined;
  // The framework closes the connection of a body that it could not read (see readBody).
  reply.removeHeader('connection');
  if (!isBusy(error)) sendProblem(reply, status ?? statusCode, message);
  else sendProblem(reply, 503, "Another program holds a lock on the sandbox's database.");
}
