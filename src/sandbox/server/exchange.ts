import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { User } from '../scope.js';
import { type Address, readAddress } from './address.js';
import type { Fault } from './faults.js';
import type { Match, Route } from './routes.js';

/** A request on its way through the rules of the sandbox. */
export interface Visit {
  id: string;
  user: User | undefined;
  fault: Fault | undefined;
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
