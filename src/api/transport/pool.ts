import { Agent, type ClientRequest, type IncomingMessage, request as open } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { InUse } from '../../base/in-use.js';
import { type ConnectTarget, targetOf } from './address.js';
import {
  ConnectionClosed,
  type ConnectionLimits,
  type Connections,
  type DispatchRequest,
  type Exchange,
  keptMs,
  largestHeader,
} from './exchange.js';

/** What opens connections: the connector, or whoever has one already. */
export interface Connecting {
  connectTo(
    target: ConnectTarget,
  ): (options: unknown, callback: (...result: [null, Duplex] | [Error, null]) => void) => undefined;
  /** Aborts pending connections. */
  close(): void;
}

export interface PoolOptions extends ConnectionLimits {
  connector: Connecting;
  /** Requests in flight at once, each on a connection of its own. */
  connections: number;
}

/** Connections to one origin over Node's own HTTP. Further requests wait for a free connection. */
export class Pool implements Connections {
  readonly proxy = undefined;
  readonly #target: ConnectTarget;
  readonly #options: PoolOptions;
  readonly #agent: ConnectionAgent;
  readonly #waiting: Parameters<Pool['dispatch']>[] = [];
  readonly #inFlight = new InUse<InFlight>();
  #closed = false;

  constructor(origin: string, options: PoolOptions) {
    this.#target = targetOf(origin);
    this.#options = options;
    this.#agent = new ConnectionAgent(this.#target, options.connector);
  }

  dispatch(outgoing: DispatchRequest, exchange: Exchange): void {
    if (this.#closed) {
      exchange.onResponseError(undefined, new ConnectionClosed('CLOSED'));
      return;
    }
    if (this.#inFlight.size >= this.#options.connections) {
      this.#waiting.push([outgoing, exchange]);
      return;
    }
    const { hostname: host, port, protocol } = this.#target;
    const { method, path, body } = outgoing;
    const request = open({
      agent: this.#agent,
      host,
      port,
      defaultPort: protocol === 'https:' ? 443 : 80,
      method,
      path,
      headers: this.#headersOf(outgoing),
      maxHeaderSize: largestHeader,
      insecureHTTPParser: false,
      joinDuplicateHeaders: true,
    });
    request.once('response', (response) => this.#agent.noteKeepAlive(response));
    const inFlight = new InFlight(request, exchange, this.#options, () => {
      this.#inFlight.delete(inFlight);
      const next = this.#waiting.shift();
      if (next !== undefined) this.dispatch(...next);
    });
    this.#inFlight.add(inFlight);
    request.end(body ?? undefined);
  }

  /** With the token, which is asked for right before it is sent. Ours first: to add to a copy costs far more. */
  #headersOf({ headers, body }: DispatchRequest): Record<string, string> {
    const own: Record<string, string> = {};
    const authorization = this.#options.authorize();
    if (authorization !== undefined) own.authorization = authorization;
    // Node frames the body of a DELETE only where its length is given.
    if (body !== null) own['content-length'] = String(Buffer.byteLength(body));
    return Object.assign(own, headers);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new ConnectionClosed('CLOSED');
    for (const [, exchange] of this.#waiting.splice(0)) exchange.onResponseError(undefined, error);
    for (const inFlight of this.#inFlight) inFlight.abort(error);
    this.#options.connector.close();
    this.#agent.destroy();
  }
}

/** Keeps the connections that the connector opens. */
class ConnectionAgent extends Agent {
  /** How long a connection may be idle, in milliseconds. */
  readonly #keptMs = new WeakMap<Duplex, number>();

  constructor(target: ConnectTarget, connector: Connecting) {
    super({ keepAlive: true });
    // Node accepts an error without a stream; its types do not.
    this.createConnection = connector.connectTo(target) as Agent['createConnection'];
  }

  noteKeepAlive({ headers, socket }: IncomingMessage): void {
    const told = headers['keep-alive'];
    if (typeof told === 'string') this.#keptMs.set(socket, keptMs(told));
  }

  override keepSocketAlive(socket: Duplex): boolean {
    const ms = this.#keptMs.get(socket) ?? keptMs(undefined);
    if (ms <= 0 || !(socket instanceof Socket)) return false;
    socket.unref();
    socket.setTimeout(ms);
    return true;
  }
}

/** A request in flight: passes its events to the exchange and keeps its timeouts. */
class InFlight {
  readonly #request: ClientRequest;
  readonly #exchange: Exchange;
  readonly #limits: PoolOptions;
  readonly #onEnd: () => void;
  #response: IncomingMessage | undefined;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  /** @param onEnd called once, when the connection is free or gone */
  constructor(request: ClientRequest, exchange: Exchange, limits: PoolOptions, onEnd: () => void) {
    this.#request = request;
    this.#exchange = exchange;
    this.#limits = limits;
    this.#onEnd = onEnd;
    request.on('error', (error) => this.#fail(error));
    request.on('response', (response) => this.#receive(response));
    // From here on the socket is ours: its errors have no other listener.
    request.on('upgrade', (_response, socket) => {
      socket.on('error', () => {}).destroy();
      this.abort(new ConnectionClosed('UPGRADE'));
    });
    // The connection is open; the request is written right after this event.
    request.on('socket', () => {
      if (this.#over) return;
      this.#limit(limits.headersMs, 'HEADERS_TIMEOUT');
      exchange.onRequestStart(this);
    });
  }

  abort(reason: Error): void {
    this.#request.destroy(reason);
    this.#fail(reason);
  }

  pause(): void {
    this.#response?.pause();
    clearTimeout(this.#timer); // The reader is slow, not the server.
  }

  resume(): void {
    this.#response?.resume();
    this.#limit(this.#limits.bodyMs, 'BODY_TIMEOUT');
  }

  #receive(response: IncomingMessage): void {
    // Without an upgrade header, Node takes 101 for an answer.
    if (response.statusCode === 101) {
      this.abort(new ConnectionClosed('UPGRADE'));
      return;
    }
    this.#response = response;
    this.#limit(this.#limits.bodyMs, 'BODY_TIMEOUT');
    response.on('error', (error) => this.#fail(error));
    response.on('data', (chunk: Buffer) => {
      this.#timer?.refresh();
      if (!this.#over) this.#exchange.onResponseData(this, chunk);
    });
    response.on('end', () => {
      if (!this.#end()) return;
      // Answered before all was sent: the server may never read the rest, and its connection serves no other request.
      if (!this.#request.writableFinished) this.#request.destroy();
      // The agent can reuse the connection only after this event; any sooner, it would open another.
      this.#request.once('close', () => queueMicrotask(this.#onEnd));
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
    if (!this.#over) this.#timer = setTimeout(() => this.abort(new ConnectionClosed(code)), ms);
  }
}
