import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { DocsError, systemCode } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { Desk } from './call-tool.js';
import { createServer } from './server.js';

/** MCP over streamable HTTP on loopback, for whoever has the token that is printed as it starts. */

/** The one path that is served. */
export const mcpPath = '/mcp';
/** Connections of the protocol before 2026-07-28 that are kept; the longest unused one is closed. */
const mostSessions = 64;

/** @returns once the run is aborted and all that ran has ended @throws DocsError local-io where it cannot listen */
export async function serveOverHttp(desk: Desk, io: Io, port: number): Promise<void> {
  const token = randomBytes(32).toString('base64url');
  const sessions = new Sessions(desk);
  const modern = createMcpHandler(() => createServer(desk), { legacy: 'reject' });
  const handle = toNodeHandler({
    fetch: async (request) =>
      (await isLegacyRequest(request)) ? sessions.fetch(request) : modern.fetch(request),
  });
  const [isHost, isOrigin] = [localhostHostValidation(), localhostOriginValidation()];
  const server = createHttpServer((request, response) => {
    if (!isHost(request, response) || !isOrigin(request, response)) return;
    if (!isAuthorized(request, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (request.url?.split('?')[0] !== mcpPath) {
      response.writeHead(404).end();
      return;
    }
    void handle(request as NodeIncomingMessageLike, response);
  });
  io.stderr.write(`Listening on ${await listen(server, port)}${mcpPath}\nToken: ${token}\n`);
  if (!io.signal.aborted) await once(io.signal, 'abort');
  const closed = once(server, 'close');
  server.close();
  await Promise.all([modern.close(), sessions.close()]);
  await desk.calls.idle();
  server.closeAllConnections();
  await closed;
}

/** Listens on 127.0.0.1. @param port 0 for a free one @returns the origin */
async function listen(server: HttpServer, port: number): Promise<string> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    const message = `cannot listen on port ${port}: ${systemCode(cause) ?? String(cause)}`;
    throw new DocsError('local-io', 'cannot_listen', message, { cause, hint: 'docs mcp serve --http' });
  }
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return `http://127.0.0.1:${bound}`;
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Connections of clients that open with `initialize`, each with a server of its own. */
class Sessions {
  readonly #desk: Desk;
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : this.#open.get(id);
    if (id !== null && known !== undefined) {
      // The newest use comes last.
      this.#open.delete(id);
      this.#open.set(id, known);
      return known.handleRequest(request);
    }
    if (id !== null) return new Response(null, { status: 404 });
    const opens = request.method === 'POST' && isInitializeRequest(await bodyOf(request));
    return opens ? (await this.#begin()).handleRequest(request) : this.#refuse(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((transport) => transport.close()));
  }

  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void this.#keep(id, transport),
      onsessionclosed: (id) => void this.#open.delete(id),
    });
    await createServer(this.#desk).connect(transport);
    return transport;
  }

  async #keep(id: string, transport: WebStandardStreamableHTTPServerTransport): Promise<void> {
    this.#open.set(id, transport);
    const [oldest] = this.#open;
    if (this.#open.size <= mostSessions || oldest === undefined) return;
    this.#open.delete(oldest[0]);
    await oldest[1].close();
  }

  /** Without a session: a transport that has none says what is wrong. */
  async #refuse(request: Request): Promise<Response> {
    const transport = await this.#begin();
    try {
      return await transport.handleRequest(request);
    } finally {
      await transport.close();
    }
  }
}

/** The body of a request as JSON, which stays readable; undefined where it is none. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    return (await request.clone().json()) as unknown;
  } catch {
    return undefined;
  }
}
