import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { User } from '../scope.js';
import type { Fault } from './faults.js';
import type { Match, Route } from './routes.js';

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

/** What a request over HTTP has beside. */
export interface OverHttp {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /**
   * Sends bytes as they come. If they break off, so does the response.
   * @throws what the first of them fails with; nothing has been sent then
   */
  stream(type: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

const json = 'application/json; charset=utf-8';

/** A request and its response: over HTTP (http.ts), or within the process (local.ts). */
export abstract class Exchange {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** The path as it was sent. */
  readonly path: string;
  abstract readonly headers: IncomingHttpHeaders;
  /** Undefined for a request of this process. */
  abstract readonly overHttp: OverHttp | undefined;
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
  /**
   * Called once the response was sent. One function for all exchanges: V8 puts each function that is assigned to a property
   * as it is made (`a.b = () => …`) into the old part of the heap, and with it all that it refers to.
   */
  onSent: ((exchange: Exchange, status: number) => void) | undefined;
  readonly #headers: Record<string, string> = {};

  constructor(method: string, url: string) {
    this.method = method;
    this.url = url;
    const end = url.indexOf('?');
    this.path = end === -1 ? url : url.slice(0, end);
    this.address = readAddress(url);
  }

  /** Adds headers to the response, in place of those of the same name. @param headers by names in lower case */
  set(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.#headers[name] = headers[name] as string;
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
    this.respond(status, headers, isEmpty ? undefined : body);
  }

  sendJson(status: number, value: unknown): void {
    this.send(status, JSON.stringify(value));
  }

  /** Sends the error body of the platform (platform-facts, "Errors"). */
  sendProblem(status: number, message: string): void {
    this.sendJson(status, { error: { code: status, message } });
  }

  /** The headers of the response so far. */
  protected get responseHeaders(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  protected abstract respond(status: number, headers: Record<string, string>, body?: string | Buffer): void;

  /** Whether a response has begun, or nobody waits for one. */
  abstract readonly isOver: boolean;

  /** The body as it was sent. @throws what breaks it off, and `tooMuch` for more than that many bytes */
  abstract readBytes(mostBytes: number, tooMuch: () => Error): Promise<Buffer>;

  /** Cuts the connection in place of a response. */
  abstract cut(): void;
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
