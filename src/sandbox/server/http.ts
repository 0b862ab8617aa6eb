import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { groupBy } from '../../base/values.js';
import type { User } from '../scope.js';
import type { Fault } from './faults.js';

/** A request on its way through the rules of the sandbox. */
export interface Visit {
  id: string;
  /** When it came, in real milliseconds. */
  cameAtMs: number;
  user: User | undefined;
  fault: Fault | undefined;
  /** Whether it is in the log already, written with what it changed. */
  isLogged?: boolean;
  /** What the log says in place of the path as it was sent: an action of the pages, with what was typed. */
  loggedPath?: string;
}

/** A route of the server, and what answers it. */
export interface ServedRoute extends Route {
  /** Requires no token: the address itself is the secret. */
  open?: boolean;
  /** @throws DocsError (a refusal) for every response but success */
  answer(exchange: Exchange, parameters: Match<Route>['parameters']): void | Promise<void>;
}

const json = 'application/json; charset=utf-8';

/** A request and its response. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Undefined for a malformed URL. */
  readonly address: Address | undefined;
  /** The route of the request, if it has one. */
  found: Match<ServedRoute> | undefined;
  /** Undefined for what is not of the platform: the log and faults ignore it. */
  visit: Visit | undefined;
  /** The body of the request, read and parsed; undefined for none. */
  body: unknown;
  /** The same as it was sent. */
  bodyText: string | undefined;
  /** The answer that was sent, if it is JSON. */
  sent: string | Buffer | undefined;
  readonly #headers: Record<string, string> = {};

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? '';
    this.url = request.url ?? '';
    this.address = readAddress(this.url);
  }

  /** The path as it was sent. */
  get path(): string {
    return this.url.split('?', 1)[0] ?? this.url;
  }

  /** Adds headers to the response, in place of those of the same name. */
  set(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) this.#headers[name.toLowerCase()] = value;
  }

  /** Sends a response with a body of the type set before, by default JSON, or with none. */
  send(status: number, body?: string | Buffer): void {
    const headers = this.#headers;
    const isEmpty = status < 200 || status === 204;
    if (isEmpty) {
      delete headers['content-type'];
      delete headers['content-length'];
    } else if (body !== undefined) {
      headers['content-type'] ??= json;
      headers['content-length'] = String(Buffer.byteLength(body));
    } else if (status !== 304 && this.method !== 'HEAD') headers['content-length'] = '0';
    if (!isEmpty && headers['content-type'] === json) this.sent = body;
    this.response.writeHead(status, headers);
    this.response.end(isEmpty ? undefined : body);
  }

  sendJson(status: number, value: unknown): void {
    this.send(status, JSON.stringify(value));
  }

  /** Sends the error body of the platform (platform-facts, "Errors"). */
  sendProblem(status: number, message: string): void {
    this.sendJson(status, { error: { code: status, message } });
  }

  /**
   * Sends bytes as they come. If they break off, so does the response.
   * @throws what the first of them fails with; nothing has been sent then
   */
  async stream(type: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks = bytes[Symbol.asyncIterator]();
    const first = await chunks.next();
    this.response.writeHead(200, { ...this.#headers, 'content-type': type });
    const all = async function* () {
      for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
    };
    // A client that goes away and a source that breaks off end both; nobody is left to be told.
    await pipeline(Readable.from(all(), { objectMode: false }), this.response).catch(() => undefined);
  }

  /** Cuts the connection in place of a response. */
  cut(): void {
    this.request.socket.destroy();
  }
}

/** What answers one method at one path. */
export interface Route {
  method: string;
  /** Parameters in braces, each a whole part: `/v1/orgs/{organizationId}`. */
  path: string;
}

export interface Match<R extends Route> {
  route: R;
  /** Values of the parameters, decoded. */
  parameters: Readonly<Record<string, string>>;
}

/** A parameter of the path is longer than `longestParameter`. */
export const tooLong = 'too-long';

const longestParameter = 1024;

/** A route with the parts of its path. */
interface Declared<R> {
  route: R;
  parts: readonly string[];
}

/**
 * Finds the route of a request among those of its method. Parts are compared decoded and by case, and a named part goes
 * before a parameter. A slash at the end begins another part, which is empty.
 */
export class Routes<R extends Route> {
  readonly #byMethod: ReadonlyMap<string, readonly Declared<R>[]>;

  constructor(routes: readonly R[]) {
    const all = routes.map((route) => ({ route, parts: route.path.split('/') }));
    // A brace comes after every character of a name.
    this.#byMethod = groupBy(
      all.sort((a, b) => (a.route.path < b.route.path ? -1 : 1)),
      ({ route }) => route.method,
    );
  }

  /**
   * @param parts those of the path, decoded (`readAddress`)
   * @returns undefined without a route; `tooLong` if there might be one but for the length of a parameter
   */
  find(method: string, parts: readonly string[]): Match<R> | typeof tooLong | undefined {
    let otherwise: typeof tooLong | undefined;
    for (const { route, parts: declared } of this.#byMethod.get(method) ?? []) {
      const fit = fitOf(declared, parts);
      if (fit === true) return { route, parameters: parametersOf(declared, parts) };
      if (fit === tooLong) otherwise = tooLong;
    }
    return otherwise;
  }

  /** The methods of the routes that match a path as it was sent, in alphabetical order. */
  methodsAt(path: string): string[] {
    const sent = path.split('/');
    const isAt = ({ parts }: Declared<R>) => matches(parts, sent);
    return [...this.#byMethod].flatMap(([method, routes]) => (routes.some(isAt) ? method : [])).sort();
  }
}

function fitOf(declared: readonly string[], parts: readonly string[]): boolean | typeof tooLong {
  for (const [index, part] of declared.entries()) {
    const given = parts[index];
    if (given === undefined || (given !== part && !isParameter(part))) return false;
    if (given.length > longestParameter) return tooLong;
  }
  return declared.length === parts.length;
}

function parametersOf(declared: readonly string[], parts: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, part] of declared.entries()) {
    if (isParameter(part)) parameters[part.slice(1, -1)] = parts[index] ?? '';
  }
  return parameters;
}

function matches(declared: readonly string[], parts: readonly string[]): boolean {
  const fits = (part: string, index: number) =>
    isParameter(part) ? parts[index] !== '' : parts[index] === part;
  return declared.length === parts.length && declared.every(fits);
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

const host = '127.0.0.1';
/** Longer than any client keeps a connection, so that none is closed as it sends a request. */
const keepAliveMs = 72_000;

/** An HTTP server on this machine. */
export class HttpServer {
  readonly http: Server;
  #isClosing = false;
  /** Requests that have not been answered. */
  #inFlight = 0;

  /** @param answer answers every request; never throws */
  constructor(answer: RequestListener) {
    this.http = createServer((request, response) => {
      this.#follow(response);
      if (this.#isClosing) refuseLate(response);
      else answer(request, response);
    });
    this.http.keepAliveTimeout = keepAliveMs;
    this.http.requestTimeout = 0;
    this.http.on('clientError', refuseMalformed);
  }

  /** The address, such as `http://127.0.0.1:41234`, once it listens. */
  get origin(): string {
    const { port } = this.http.address() as AddressInfo;
    return `http://${host}:${port}`;
  }

  /** Listens on a port, or with 0 on a free one. @returns the address */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.http.once('error', reject);
      this.http.listen(port, host, () => {
        this.http.off('error', reject);
        resolve();
      });
    });
    return this.origin;
  }

  /** Stops after the requests in flight. Whoever still sends after the answer is not waited for. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await new Promise<void>((resolve) => {
      this.http.close(() => resolve());
      this.#closeAnswered();
    });
  }

  #follow(response: ServerResponse): void {
    this.#inFlight += 1;
    response.once('close', () => {
      this.#inFlight -= 1;
      // A connection that was in use when the server began to close would stay open.
      if (this.#isClosing) setImmediate(() => this.#closeAnswered());
    });
  }

  #closeAnswered(): void {
    if (this.#inFlight > 0) this.http.closeIdleConnections();
    else this.http.closeAllConnections();
  }
}

/** A request on a connection that was open when the server began to close. */
function refuseLate(response: ServerResponse): void {
  const body = '{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}';
  const headers = { connection: 'close', 'content-type': 'application/json', 'content-length': body.length };
  response.writeHead(503, headers).end(body);
}

const malformed: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Client Timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Exceeded maximum allowed HTTP header size'],
};

/** Answers what is not HTTP, and closes the connection. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = malformed[error.code ?? ''] ?? [400, 'Client Error'];
  const name = STATUS_CODES[status];
  const body = JSON.stringify({ error: name, message, statusCode: status });
  const head = `Content-Length: ${body.length}\r\nContent-Type: application/json`;
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${name}\r\n${head}\r\n\r\n${body}`);
  socket.destroy(error);
}

/** What the first line of a request asks for. */
export interface Address {
  /** The path between its slashes, decoded; of `/v1/orgs` they are `''`, `v1` and `orgs`. */
  parts: readonly string[];
  /** As it was sent. */
  query: string;
}

/** Reads a path with its query, or a whole URL. @returns undefined if it is malformed */
export function readAddress(url: string): Address | undefined {
  const sent = withoutOrigin(url);
  if (sent === undefined) return undefined;
  const { path, query } = divided(sent);
  const parts = path.split('/');
  if (!path.includes('%')) return { parts, query };
  try {
    return { parts: parts.map((part) => decodeURIComponent(part)), query };
  } catch {
    return undefined;
  }
}

/** The path of a well-formed URL as people read it: decoded but for the characters that divide URLs. */
export function readablePath(url: string): string {
  const { path } = divided(withoutOrigin(url) ?? url);
  return decodeURI(path.replaceAll('%25', '%2525'));
}

function withoutOrigin(url: string): string | undefined {
  if (url.startsWith('/') || !/^https?:\/\//i.test(url)) return url;
  if (url.includes('#') || !URL.canParse(url)) return undefined;
  return url.replace(/^\w+:\/\/[^/?]*/, '');
}

function divided(url: string): { path: string; query: string } {
  const end = url.search(/[?#]/);
  return end === -1 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end + 1) };
}
