import type { Socket } from 'node:net';
import { consistsOf, isDigits, isPrintableAscii, wordCharacters } from '../../base/characters.js';
import { targetOf } from './connector.js';
import type { Headers } from './contract.js';
import {
  ConnectionClosed,
  type Connections,
  type Controller,
  type DispatchRequest,
  type Exchange,
  largestHeader,
} from './exchange.js';
import { FirstApart } from './first-apart.js';
import type { PoolOptions } from './pool.js';

/**
 * Connections to one origin of which a single read is all that is expected. That read is written to a socket, and its
 * answer read from it where it is the plainest: a head of ordinary lines, and a body of the length that it tells. For
 * any other answer Node's own HTTP takes over the connection with all that came of it, so that what is unusual is read
 * and refused there alone. Loading and using `node:http` for one answer costs a third of a run (docs/decisions/074).
 */
export class SocketConnections extends FirstApart {
  readonly #origin: string;
  readonly #options: PoolOptions;

  /** @param later opens what serves all requests but the first read */
  constructor(origin: string, options: PoolOptions, later: () => Promise<Connections>) {
    super(later);
    this.#origin = origin;
    this.#options = options;
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#options.connector.close()]);
  }

  protected begin(outgoing: DispatchRequest, exchange: Exchange): Controller {
    const read = new SocketRead(exchange, this.#options, async (socket, seen) => {
      const { resumedPool } = await import('./resumed.js');
      this.dispatchLater(outgoing, exchange, resumedPool(this.#origin, this.#options, socket, seen));
    });
    read.run(this.#origin, outgoing);
    return read;
  }
}

/** A request and its answer on a socket of their own. */
class SocketRead implements Controller {
  readonly #exchange: Exchange;
  readonly #options: PoolOptions;
  readonly #handOver: (socket: Socket, seen: Buffer) => Promise<void>;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** What came before the end of the head. */
  #seen: Buffer = Buffer.alloc(0);
  /** Bytes of the body that are still to come; undefined before the head is read. */
  #left: number | undefined;
  #isOver = false;

  /** @param handOver has Node's own HTTP read the answer, of which `seen` came already */
  constructor(
    exchange: Exchange,
    options: PoolOptions,
    handOver: (socket: Socket, seen: Buffer) => Promise<void>,
  ) {
    this.#exchange = exchange;
    this.#options = options;
    this.#handOver = handOver;
  }

  run(origin: string, outgoing: DispatchRequest): void {
    const connect = this.#options.connector.connectTo(targetOf(origin));
    connect(undefined, (error, socket) => {
      if (error !== null) this.#fail(error);
      else this.#start(socket as Socket, new URL(origin).host, outgoing);
    });
  }

  abort(reason: Error): void {
    this.#socket?.destroy();
    this.#fail(reason);
  }

  pause(): void {
    this.#socket?.pause();
    clearTimeout(this.#timer); // The reader is slow, not the server.
  }

  resume(): void {
    this.#socket?.resume();
    this.#limit(this.#options.bodyMs, 'BODY_TIMEOUT');
  }

  #start(socket: Socket, host: string, { path, headers }: DispatchRequest): void {
    this.#socket = socket;
    if (this.#isOver) {
      socket.destroy();
      return;
    }
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
    this.#limit(this.#options.headersMs, 'HEADERS_TIMEOUT');
    this.#exchange.onRequestStart(this);
    if (this.#isOver) return;
    const authorization = this.#options.authorize();
    const sent = { ...headers, ...(authorization !== undefined && { authorization }), host };
    // Paths and headers were checked: none has a line break.
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}connection: close\r\n\r\n`, 'latin1');
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

  #readHead(chunk: Buffer): void {
    this.#seen = this.#seen.length === 0 ? chunk : Buffer.concat([this.#seen, chunk]);
    const end = this.#seen.indexOf('\r\n\r\n');
    if (end < 0 && this.#seen.length <= largestHeader) return;
    const head =
      end < 0 || end > largestHeader ? undefined : plainHead(this.#seen.toString('latin1', 0, end));
    if (head === undefined) {
      this.#give();
      return;
    }
    this.#left = head.length;
    this.#limit(this.#options.bodyMs, 'BODY_TIMEOUT');
    this.#exchange.onResponseStart(this, head.status, head.headers);
    this.#readBody(this.#seen.subarray(end + 4));
  }

  #readBody(chunk: Buffer): void {
    const { length } = chunk;
    const left = this.#left ?? 0;
    this.#left = left - Math.min(left, length);
    this.#timer?.refresh();
    if (!this.#isOver && left > 0 && length > 0)
      this.#exchange.onResponseData(this, length > left ? chunk.subarray(0, left) : chunk);
    if (this.#left > 0 || !this.#settle()) return;
    this.#socket?.destroy();
    this.#exchange.onResponseEnd();
  }

  /** Lets go of the socket. */
  #give(): void {
    const socket = this.#socket;
    if (socket === undefined || !this.#settle()) return;
    // Until the other listens, an error waits on the socket.
    socket.pause().on('error', () => {});
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
    this.#handOver(socket, this.#seen).catch((error: unknown) => this.#exchange.onResponseError(this, error));
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#socket?.destroy();
    this.#exchange.onResponseError(this, error);
  }

  #settle(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    return true;
  }

  #limit(ms: number, code: 'HEADERS_TIMEOUT' | 'BODY_TIMEOUT'): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#timer = setTimeout(() => this.abort(new ConnectionClosed(code)), ms);
  }
}

/** What Node's own HTTP says of a body that ends too soon. */
function cutShort(cause?: Error): Error {
  return Object.assign(new Error('aborted', { cause }), { code: 'ECONNRESET' });
}

const protocol = 'HTTP/1.1 ';
const nameCharacters = `${wordCharacters}!#$%&'*+.^\`|~-`;
/** These have no body, or change what follows. */
const bodiless: readonly string[] = ['204', '205', '304'];
/** Headers of which any value makes an answer unusual. */
const unusual: readonly string[] = ['transfer-encoding', 'upgrade', 'trailer', 'set-cookie', '__proto__'];

/**
 * Status, headers and length of the plainest head.
 * @param text the head without its last line break; undefined is returned for any other
 */
function plainHead(text: string): { status: number; headers: Headers; length: number } | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const status = first.slice(protocol.length, protocol.length + 3);
  const isOne = first.startsWith(protocol) && isDigits(status) && first.charAt(protocol.length + 3) === ' ';
  if (!isOne || status < '200' || status > '599' || bodiless.includes(status)) return undefined;
  if (!isPrintableAscii(first)) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = line.slice(colon + 1);
    if (name === '' || !consistsOf(name, nameCharacters) || !isPrintableAscii(value)) return undefined;
    if (headers.has(name) || unusual.includes(name)) return undefined;
    headers.set(name, value.trim());
  }
  const length = headers.get('content-length');
  if (length === undefined || !isDigits(length) || length.length > 15) return undefined;
  return { status: Number(status), headers: Object.fromEntries(headers), length: Number(length) };
}
