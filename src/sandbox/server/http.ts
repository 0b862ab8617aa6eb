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
import { Exchange, type OverHttp } from './exchange.js';

/** A request over HTTP, and its response. */
export class HttpExchange extends Exchange implements OverHttp {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly overHttp = this;

  constructor(request: IncomingMessage, response: ServerResponse) {
    super(request.method ?? '', request.url ?? '');
    this.request = request;
    this.response = response;
    response.on('finish', () => this.onSent?.(this, response.statusCode));
    response.on('error', () => response.destroy()); // Without a listener it would end the process.
  }

  get headers(): IncomingMessage['headers'] {
    return this.request.headers;
  }

  get isOver(): boolean {
    return this.response.headersSent || this.response.destroyed;
  }

  cut(): void {
    this.request.socket.destroy();
  }

  protected respond(status: number, headers: Record<string, string>, body?: string | Buffer): void {
    this.response.writeHead(status, headers);
    this.response.end(body);
  }

  async stream(type: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks = bytes[Symbol.asyncIterator]();
    const first = await chunks.next();
    this.response.writeHead(200, { ...this.responseHeaders, 'content-type': type });
    const all = async function* () {
      for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
    };
    // A client that goes away and a source that breaks off end both; nobody is left to be told.
    await pipeline(Readable.from(all(), { objectMode: false }), this.response).catch(() => undefined);
  }

  readBytes(mostBytes: number, tooMuch: () => Error): Promise<Buffer> {
    const { request } = this;
    // Refused at once, and the rest read by Node: a connection that is closed while the client still writes would
    // take the answer with it.
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooMuch();
    const chunks: Buffer[] = [];
    let length = 0;
    // By its events: an iterator over the request takes as long as all of the rules.
    return new Promise((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length <= mostBytes) return void chunks.push(chunk);
        chunks.length = 0;
        reject(tooMuch());
      });
      request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
      request.on('error', reject);
      request.on('close', () => request.complete || reject(new Error('The client went away.')));
    });
  }
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
    response.on('close', () => {
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
