import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectCallback, Connector, ConnectTarget } from './connector.js';
import { Ended } from './ended.js';
import type { DispatchRequest, Exchange } from './exchange.js';

const largestHeaderBytes = 16 * 1024;
/** How long a connection is kept for the next request; less where the server says that it will not wait. */
const idleMs = 4000;
/** What a server's own limit is shortened by: a request on its way must not meet the end of its connection. */
const marginMs = 1000;

export interface PoolOptions {
  connector: Connector;
  /** Requests under way at once, each on a connection of its own. */
  connections: number;
  /** From the request to the head of the answer, in milliseconds. */
  headersMs: number;
  /** Silence within a body, in milliseconds. */
  bodyMs: number;
}

interface Waiting {
  request: DispatchRequest;
  exchange: Exchange;
}

/** The connections to one origin, over Node's own HTTP. Requests beyond their number wait in line. */
export class Pool {
  readonly #target: ConnectTarget;
  readonly #options: PoolOptions;
  readonly #agent: ConnectionAgent;
  readonly #line: Waiting[] = [];
  readonly #running = new Set<Carriage>();
  #closed = false;

  constructor(origin: string, options: PoolOptions) {
    const { hostname, protocol, port } = new URL(origin);
    this.#target = { hostname: hostname.replace(/^\[|\]$/g, ''), protocol, port };
    this.#options = options;
    this.#agent = new ConnectionAgent(this.#target, options.connector);
  }

  /** Sends a request once there is a connection; all that happens is told to the exchange. */
  dispatch(request: DispatchRequest, exchange: Exchange): void {
    if (this.#closed) exchange.onResponseError(undefined, new Ended('CLOSED'));
    else this.#line.push({ request, exchange });
    this.#proceed();
  }

  /** Ends all connections at once; whatever is in flight or in line fails. */
  close(): void {
    this.#closed = true;
    for (const { exchange } of this.#line.splice(0)) exchange.onResponseError(undefined, new Ended('CLOSED'));
    for (const carriage of this.#running) carriage.abort(new Ended('CLOSED'));
    this.#agent.destroy();
  }

  #proceed(): void {
    while (this.#running.size < this.#options.connections) {
      const next = this.#line.shift();
      if (next === undefined) return;
      const carriage = new Carriage(next.exchange, this.#options, () => {
        this.#running.delete(carriage);
        this.#proceed();
      });
      this.#running.add(carriage);
      carriage.start(this.#open(next.request));
    }
  }

  #open({ method, path, headers, body }: DispatchRequest): ClientRequest {
    const { hostname: host, port, protocol } = this.#target;
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const opened = request({
      ...{ agent: this.#agent, method, path, headers: { ...headers, ...length } },
      ...{ host, port, defaultPort: protocol === 'https:' ? 443 : 80 },
      ...{ maxHeaderSize: largestHeaderBytes, insecureHTTPParser: false, joinDuplicateHeaders: true },
    });
    opened.once('response', (response) => this.#agent.heed(response));
    opened.end(body ?? undefined);
    return opened;
  }
}

/** Keeps connections that the connector opens. */
class ConnectionAgent extends Agent {
  readonly #target: ConnectTarget;
  readonly #connector: Connector;
  /** How long servers say they keep a connection, in milliseconds. */
  readonly #served = new WeakMap<Duplex, number>();

  constructor(target: ConnectTarget, connector: Connector) {
    super({ keepAlive: true });
    this.#target = target;
    this.#connector = connector;
  }

  /** Looks how long the server keeps the connection of an answer. */
  heed({ headers, socket }: IncomingMessage): void {
    const [, seconds] = /\btimeout=(\d+)/.exec(String(headers['keep-alive'])) ?? [];
    if (seconds !== undefined) this.#served.set(socket, Number(seconds) * 1000);
  }

  override createConnection(_options: unknown, callback?: (error: Error | null, stream: Duplex) => void) {
    // Node takes an error without a stream, which its types leave out.
    this.#connector.connect(this.#target, callback as ConnectCallback);
    return undefined;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const ms = Math.min(idleMs, (this.#served.get(socket) ?? Number.POSITIVE_INFINITY) - marginMs);
    if (ms <= 0 || !(socket instanceof Socket)) return false;
    socket.unref();
    socket.setTimeout(ms);
    return true;
  }
}

/** Carries one exchange over one request: its events, its limits of time, its end. */
class Carriage {
  readonly #exchange: Exchange;
  readonly #limits: PoolOptions;
  readonly #onEnd: () => void;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  /** @param onEnd called once, when the connection is free or gone */
  constructor(exchange: Exchange, limits: PoolOptions, onEnd: () => void) {
    this.#exchange = exchange;
    this.#limits = limits;
    this.#onEnd = onEnd;
  }

  start(request: ClientRequest): void {
    this.#request = request;
    request.on('error', (error) => this.#fail(error));
    request.on('response', (response) => this.#receive(response));
    // The connection stands; the request is written right after this.
    request.on('socket', () => {
      if (this.#over) return;
      this.#limit(this.#limits.headersMs, 'HEADERS_TIMEOUT');
      this.#exchange.onRequestStart(this);
    });
  }

  abort(reason: Error): void {
    this.#request?.destroy(reason);
    this.#fail(reason);
  }

  pause(): void {
    this.#response?.pause();
    clearTimeout(this.#timer); // It is the reader that is slow.
  }

  resume(): void {
    this.#response?.resume();
    this.#limit(this.#limits.bodyMs, 'BODY_TIMEOUT');
  }

  #receive(response: IncomingMessage): void {
    this.#response = response;
    this.#limit(this.#limits.bodyMs, 'BODY_TIMEOUT');
    response.on('error', (error) => this.#fail(error));
    response.on('data', (chunk: Buffer) => {
      this.#timer?.refresh();
      if (!this.#over) this.#exchange.onResponseData(this, chunk);
    });
    response.on('end', () => {
      if (!this.#end()) return;
      // The agent has the connection back right after this event: sooner, another one would be opened.
      this.#request?.once('close', () => queueMicrotask(this.#onEnd));
      this.#exchange.onResponseEnd();
    });
    this.#exchange.onResponseStart(this, response.statusCode ?? 0, response.headers);
  }

  #fail(error: Error): void {
    if (!this.#end()) return;
    this.#onEnd();
    this.#exchange.onResponseError(this, error);
  }

  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    return true;
  }

  #limit(ms: number, code: 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT'): void {
    clearTimeout(this.#timer);
    if (!this.#over) this.#timer = setTimeout(() => this.abort(new Ended(code)), ms);
  }
}
