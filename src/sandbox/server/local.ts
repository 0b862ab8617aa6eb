import type { IncomingHttpHeaders } from 'node:http';
import {
  ConnectionClosed,
  type ConnectionLimits,
  type Connections,
  type Controller,
  type DispatchRequest,
  type Exchange as Receiver,
} from '../../api/transport/exchange.js';
import { Exchange } from './exchange.js';
import type { SandboxServer } from './server.js';

/** Stands for the address of a sandbox that does not listen. */
export const localUrl = 'http://127.0.0.1';

/**
 * Hands requests of this process to its sandbox, without a connection. `docs --sandbox` sends one or a few: to load
 * `node:http`, to listen, and to compile what one request calls of them cost a fifth of such a run (decision 042).
 */
export class LocalConnections implements Connections {
  readonly proxy = undefined;
  readonly #server: Pick<SandboxServer, 'take'>;
  readonly #limits: ConnectionLimits;
  readonly #underWay = new Set<LocalExchange>();

  constructor(server: Pick<SandboxServer, 'take'>, limits: ConnectionLimits) {
    this.#server = server;
    this.#limits = limits;
  }

  dispatch(outgoing: DispatchRequest, receiver: Receiver): void {
    const authorization = this.#limits.authorize();
    const headers = { ...outgoing.headers, ...(authorization !== undefined && { authorization }) };
    const exchange = new LocalExchange({ ...outgoing, headers }, receiver, () =>
      this.#underWay.delete(exchange),
    );
    this.#underWay.add(exchange);
    exchange.begin(this.#limits.headersMs);
    if (!exchange.isOver) this.#server.take(exchange);
  }

  async close(): Promise<void> {
    for (const exchange of this.#underWay) exchange.abort(new ConnectionClosed('CLOSED'));
  }
}

/** A request of this process, and what takes its response. */
class LocalExchange extends Exchange implements Controller {
  readonly overHttp = undefined;
  readonly headers: IncomingHttpHeaders;
  readonly #body: string | null;
  readonly #receiver: Receiver;
  readonly #ended: () => void;
  #timer: NodeJS.Timeout | undefined;
  isOver = false;

  constructor({ method, path, headers, body }: DispatchRequest, receiver: Receiver, ended: () => void) {
    super(method, path);
    this.headers = headers;
    this.#body = body;
    this.#receiver = receiver;
    this.#ended = ended;
  }

  begin(headersMs: number): void {
    this.#timer = setTimeout(() => this.abort(new ConnectionClosed('HEADERS_TIMEOUT')), headersMs);
    this.#receiver.onRequestStart(this);
  }

  abort(reason: Error): void {
    if (this.#end()) this.#receiver.onResponseError(this, reason);
  }

  cut(): void {
    this.abort(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
  }

  /** An answer comes whole. */
  pause(): void {}
  resume(): void {}

  async readBytes(mostBytes: number, tooMuch: () => Error): Promise<Buffer> {
    const bytes = Buffer.from(this.#body ?? '');
    if (bytes.length > mostBytes) throw tooMuch();
    return bytes;
  }

  protected respond(status: number, headers: Record<string, string>, body?: string | Buffer): void {
    if (this.visit?.fault !== undefined) refuseUnsendable(headers);
    if (!this.#end()) return;
    this.#receiver.onResponseStart(this, status, headers);
    const hasBody = status !== 304 && this.method !== 'HEAD';
    if (hasBody && body !== undefined && body.length > 0)
      this.#receiver.onResponseData(this, typeof body === 'string' ? Buffer.from(body) : body);
    this.onSent?.(this, status);
    this.#receiver.onResponseEnd();
  }

  #end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.#timer);
    this.#ended();
    return true;
  }
}

/** A fault may have headers that HTTP cannot carry. @throws TypeError for one, as Node's own HTTP does */
function refuseUnsendable(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new TypeError(`the header ${name} cannot be sent`);
}
