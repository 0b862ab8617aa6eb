import { InUse } from '../../base/in-use.js';
import { nextTurn } from '../../base/turn.js';
import { addressOf, type ConnectTarget, targetOf } from './address.js';
import type { Headers } from './contract.js';
import {
  ConnectionClosed,
  type ConnectionLimits,
  type Connections,
  type Controller,
  type DispatchRequest,
  type Exchange,
  keptMs,
  largestHeader,
} from './exchange.js';
import { FirstApart } from './first-apart.js';
import { Limit } from './limit.js';
import { type ChunksState, PlainChunks } from './plain-chunks.js';
import { plainHead } from './plain-head.js';

/**
 * Connections to one origin of which a single read is all that is expected, a few requests one after the other, or reads
 * alone. They are written to a socket, and their answers read from it where they are plain: a head of ordinary lines, and a
 * body in chunks or of the length that it tells. For any other answer Node's own HTTP takes over the connection with all that came of
 * it, so that what is unusual is read and refused there alone. Loading and using `node:http` for one answer costs a
 * third of a run (docs/decisions/074).
 */
export class SocketConnections extends FirstApart {
  readonly #destination: Destination;
  readonly #options: SocketOptions;
  /** Connections of requests before, the last one at the end. */
  readonly #kept: KeptSocket[] = [];
  readonly #reads = new InUse<SocketRead>();
  /** Requests beyond the number of connections. */
  readonly #waiting: [DispatchRequest, Exchange][] = [];
  /** The turn that a request waits for before it is written; those after it wait, too, so that they keep their order. */
  #turn: Promise<void> | undefined;
  #hasBegun = false;

  constructor(origin: string, options: SocketOptions) {
    super(() => options.later());
    this.#destination = { origin, host: addressOf(origin).host };
    this.#options = options;
  }

  override dispatch(outgoing: DispatchRequest, exchange: Exchange): void {
    if (this.#turn === undefined) super.dispatch(outgoing, exchange);
    else void this.#turn.then(() => super.dispatch(outgoing, exchange));
  }

  override async close(): Promise<void> {
    for (let kept = this.#takeKept(); kept !== undefined; kept = this.#takeKept())
      leave(kept.socket, 0, kept.limit);
    const closed = new ConnectionClosed('CLOSED');
    for (const [, exchange] of this.#waiting.splice(0)) exchange.onResponseError(undefined, closed);
    for (const read of this.#reads) read.abort(closed);
    await Promise.all([super.close(), this.#options.connector.close()]);
  }

  protected isApart({ method, body }: DispatchRequest): boolean {
    const { isSeries, atOnce = 1 } = this.#options;
    if (isSeries) return atOnce > 1 || this.#reads.size < atOnce;
    return !this.#hasBegun && method === 'GET' && body === null;
  }

  protected begin(outgoing: DispatchRequest, exchange: Exchange): void {
    const { isSeries, atOnce = 1, resume } = this.#options;
    if (isSeries && this.#reads.size >= atOnce) {
      this.#waiting.push([outgoing, exchange]);
      return;
    }
    this.#hasBegun = true;
    const read = new SocketRead(exchange, this.#options, {
      over: () => this.#over(read),
      handOver: async (socket, seen) => this.dispatchLater(outgoing, exchange, await resume(socket, seen)),
      keep: isSeries ? (...kept) => void this.#kept.push(new KeptSocket(...kept)) : undefined,
    });
    this.#reads.add(read);
    // Whether the server closed it right behind its answer shows in the next turn; what is written before may be lost.
    // Of reads at the same time, each is sent a turn after the answer that it waits for, and again where it was lost.
    const isBehind = atOnce === 1 && this.#kept.length > 0;
    const run = () => read.run(this.#destination, outgoing, this.#takeKept());
    if (isBehind) this.#inNextTurn(run);
    else run();
  }

  #inNextTurn(run: () => void): void {
    const turn = nextTurn();
    this.#turn = turn;
    void turn.then(() => {
      this.#turn = undefined;
      run();
    });
  }

  #over(read: SocketRead): void {
    this.#reads.delete(read);
    const next = this.#waiting.shift();
    if (next !== undefined) setImmediate(() => this.dispatch(...next));
  }

  /** The connection that was used last, of those that are still open. */
  #takeKept(): Kept | undefined {
    let kept: Kept | undefined;
    while (kept === undefined && this.#kept.length > 0) kept = this.#kept.pop()?.take();
    return kept;
  }
}

interface Destination {
  origin: string;
  /** With the port, as requests name it. */
  host: string;
}

/** What is used of a connection: of one of Node's, or of Bun's (bun-socket.ts). */
export interface PlainSocket {
  readonly destroyed: boolean;
  /** Why it failed. */
  readonly errored: Error | null;
  /** Whether the other side has ended it, and all that came was given out. */
  readonly readableEnded: boolean;
  /** Bytes that the system has not taken yet. */
  readonly writableLength: number;
  on(event: 'data', listener: (chunk: Buffer) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: SocketEvent, listener: () => void): this;
  off(event: 'data', listener: (chunk: Buffer) => void): this;
  off(event: 'error', listener: (error: Error) => void): this;
  off(event: SocketEvent, listener: () => void): this;
  write(bytes: Uint8Array): boolean;
  pause(): this;
  resume(): this;
  ref(): this;
  unref(): this;
  destroy(): void;
}

type SocketEvent = 'data' | 'end' | 'error' | 'close';

export interface SocketOptions extends ConnectionLimits {
  connector: {
    connect(
      target: ConnectTarget,
      callback: (...result: [null, PlainSocket] | [Error, null]) => void,
      limit?: Limit,
    ): void;
    /** Aborts pending connections. */
    close(): void;
  };
  /** Whether requests of all kinds are sent so, on connections that are kept; else a first read alone. */
  isSeries: boolean;
  /** How many requests of a series are under way at once; default 1. */
  atOnce?: number;
  /** Opens what serves all other requests. */
  later(): Promise<Connections>;
  /** Opens what lets Node's own HTTP read the answer to a request that was written. @param seen what came of it */
  resume(socket: PlainSocket, seen: Buffer): Promise<Connections>;
}

/** How long the server may take to close a connection, in milliseconds. */
const leftMs = 1000;

/** What makes a connection useless that nothing is expected from. */
const endings = ['data', 'end', 'error'] as const;

interface Kept {
  socket: PlainSocket;
  limit: Limit;
}

/** A connection between two requests. */
class KeptSocket {
  readonly #socket: PlainSocket;
  readonly #limit: Limit;

  /** @param ms how long it is kept */
  constructor(socket: PlainSocket, ms: number, limit: Limit) {
    this.#socket = socket;
    this.#limit = limit;
    for (const event of endings) socket.on(event, this.#drop);
    limit.set(ms, this.#drop, true);
    socket.unref();
  }

  /** Takes it for the next request; undefined if it was closed. */
  take(): Kept | undefined {
    if (this.#limit.isDue) this.#drop();
    this.#limit.clear();
    if (this.#socket.destroyed) return undefined;
    for (const event of endings) this.#socket.off(event, this.#drop);
    return { socket: this.#socket.ref(), limit: this.#limit };
  }

  readonly #drop = (): void => {
    this.#socket.destroy();
  };
}

/**
 * Leaves a connection to the server, which was asked to close it, or to the end of the process. To destroy a socket, Node
 * opens standard error.
 */
function leave(socket: PlainSocket, _ms: number, limit: Limit): void {
  new KeptSocket(socket, leftMs, limit);
}

/** What becomes of a connection. */
interface Afterwards {
  /** Called once it serves this request no more. */
  over(): void;
  /** Has Node's own HTTP read the answer, of which `seen` came already. */
  handOver(socket: PlainSocket, seen: Buffer): Promise<void>;
  /** Keeps it for the next request; absent if there is none. @param ms for so long */
  keep?: ((socket: PlainSocket, ms: number, limit: Limit) => void) | undefined;
}

/** A request and its answer on a socket. */
class SocketRead implements Controller {
  readonly #exchange: Exchange;
  readonly #options: SocketOptions;
  readonly #afterwards: Afterwards;
  #socket: PlainSocket | undefined;
  #limit = new Limit();
  /** What came before the end of the head. */
  #seen: Buffer | undefined;
  /** Bytes of the body that are still to come, as far as the head tells; undefined before it is read. */
  #left: number | undefined;
  /** Reads a body in chunks. */
  #chunks: PlainChunks | undefined;
  /** How long the connection may be kept, in milliseconds; 0 if the other side closes it. */
  #keptMs = 0;
  #isOver = false;

  constructor(exchange: Exchange, options: SocketOptions, afterwards: Afterwards) {
    this.#exchange = exchange;
    this.#options = options;
    this.#afterwards = afterwards;
  }

  /** @param kept the connection of the request before */
  run({ origin, host }: Destination, outgoing: DispatchRequest, kept?: Kept): void {
    if (kept !== undefined) {
      this.#limit = kept.limit;
      this.#start(kept.socket, host, outgoing);
      return;
    }
    const target = targetOf(origin);
    this.#options.connector.connect(
      target,
      (error, socket) => {
        if (error !== null) this.#fail(error);
        else this.#start(socket, host, outgoing);
      },
      this.#limit,
    );
  }

  abort(reason: Error): void {
    this.#socket?.destroy();
    this.#fail(reason);
  }

  pause(): void {
    this.#socket?.pause();
    this.#limit.clear(); // The reader is slow, not the server.
  }

  resume(): void {
    this.#socket?.resume();
    this.#within(this.#options.bodyMs, 'BODY_TIMEOUT');
  }

  #start(socket: PlainSocket, host: string, outgoing: DispatchRequest): void {
    this.#socket = socket;
    if (this.#isOver) {
      socket.destroy();
      return;
    }
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
    this.#within(this.#options.headersMs, 'HEADERS_TIMEOUT');
    this.#exchange.onRequestStart(this);
    if (this.#isOver) return;
    const connection = this.#afterwards.keep === undefined ? 'close' : 'keep-alive';
    socket.write(written(outgoing, this.#options.authorize(), { host, connection }));
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#left === undefined) this.#readHead(chunk);
    else this.#readBody(chunk);
  };

  /** The connection ends within the head: Node's own HTTP tells what that is. */
  readonly #onEnd = (): void => {
    if (this.#left === undefined) this.#give();
    else this.#fail(cutShort());
  };

  readonly #onError = (error: Error): void => {
    this.#fail(this.#left === undefined ? error : cutShort(error));
  };

  /** A head that comes in pieces may be no HTTP at all, and bytes beyond the answer are refused: Node tells. */
  #readHead(chunk: Buffer): void {
    this.#seen = chunk;
    // As text, since Node compiles the search in bytes for the first one.
    let text = chunk.toString('latin1', 0, Math.min(chunk.length, usualHeader));
    if (!text.includes(headEnd))
      text = chunk.toString('latin1', 0, Math.min(chunk.length, largestHeader + headEnd.length));
    const end = text.indexOf(headEnd);
    const head = end < 0 ? undefined : plainHead(text.slice(0, end));
    const rest = chunk.subarray(end + headEnd.length);
    if (head === undefined || !isPlainStart(rest, head.length)) {
      this.#give();
      return;
    }
    this.#left = head.length ?? 0;
    if (head.length === undefined) this.#chunks = new PlainChunks();
    const { connection = 'keep-alive', 'keep-alive': told } = head.headers;
    this.#keptMs = connection.toLowerCase() === 'keep-alive' ? keptMs(told) : 0;
    this.#within(this.#options.bodyMs, 'BODY_TIMEOUT');
    this.#exchange.onResponseStart(this, head.status, head.headers);
    this.#readBody(rest);
  }

  #readBody(part: Buffer): void {
    this.#limit.refresh();
    const state = this.#chunks?.read(part, this.#pass) ?? this.#readPart(part);
    if (state === 'refused') this.#fail(noChunk());
    if (state === 'more' || !this.#settle()) return;
    // Of the last, the server was asked to close it.
    const { keep = leave } = this.#afterwards;
    // Bytes beyond the answer belong to no request, and who answers before all was sent may never read the rest.
    const isClean = state === 'whole' && this.#socket?.writableLength === 0;
    const socket = isClean && (keep === leave || this.#keptMs > 0) ? this.#socket : undefined;
    if (socket === undefined) this.#socket?.destroy();
    else {
      this.#socket = undefined;
      keep(this.#leave(socket), this.#keptMs, this.#limit);
    }
    if (keep === leave) this.#exchange.onLastEnd();
    else this.#exchange.onResponseEnd();
  }

  /** Of a body whose length was told. */
  #readPart(part: Buffer): ChunksState {
    const left = this.#left ?? 0;
    this.#left = left - Math.min(left, part.length);
    this.#pass(part.length > left ? part.subarray(0, left) : part);
    if (this.#left > 0) return 'more';
    return part.length > left ? 'beyond' : 'whole';
  }

  readonly #pass = (data: Buffer): void => {
    if (!this.#isOver && data.length > 0) this.#exchange.onResponseData(this, data);
  };

  /** Lets Node's own HTTP read the answer. */
  #give(): void {
    if (this.#socket === undefined || !this.#settle()) return;
    // Until the other listens, an error waits on the socket.
    const socket = this.#leave(this.#socket.pause().on('error', () => {}));
    this.#afterwards
      .handOver(socket, this.#seen ?? Buffer.alloc(0))
      .catch((error: unknown) => this.#exchange.onResponseError(this, error));
  }

  #leave(socket: PlainSocket): PlainSocket {
    return socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#socket?.destroy();
    this.#exchange.onResponseError(this, error);
  }

  #settle(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#afterwards.over();
    // Until there is one, it is that of the connector.
    if (this.#socket !== undefined) this.#limit.clear();
    return true;
  }

  #within(ms: number, code: 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT'): void {
    if (!this.#isOver) this.#limit.set(ms, () => this.abort(new ConnectionClosed(code)));
  }
}

/** Whether what came with the head is of its body alone. @param length as the head tells; undefined for chunks */
function isPlainStart(rest: Buffer, length: number | undefined): boolean {
  if (length !== undefined) return rest.length <= length;
  const state = new PlainChunks().read(rest, () => {});
  return state === 'more' || state === 'whole';
}

/**
 * A request as Node's own HTTP writes it, in the order of the pool. Paths and headers were checked: none has a line break.
 */
function written(
  { method, path, headers, body }: DispatchRequest,
  authorization: string | undefined,
  further: Headers,
): Buffer {
  const own: Record<string, string> = {};
  if (authorization !== undefined) own.authorization = authorization;
  if (body !== null) own['content-length'] = String(Buffer.byteLength(body));
  Object.assign(own, headers, further);
  if (body === null && bodied.includes(method)) own['content-length'] = '0';
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  // What `from` would do, which Bun is slow to call first.
  const head = Buffer.allocUnsafe(text.length);
  head.write(text, 'latin1');
  return body === null ? head : Buffer.concat([head, Buffer.from(body)]);
}

/** The length of their bodies is told also where there is none. */
const bodied: readonly string[] = ['POST', 'PUT', 'PATCH'];

/** What Node's own HTTP says of a body that ends too soon. */
function cutShort(cause?: Error): Error {
  return Object.assign(new Error('aborted', { cause }), { code: 'ECONNRESET' });
}

/** What Node's own HTTP says of a body in chunks that is none. */
function noChunk(): Error {
  return Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CHUNK_SIZE' });
}

const headEnd = '\r\n\r\n';
/** More than most heads have, in bytes. */
const usualHeader = 1024;
