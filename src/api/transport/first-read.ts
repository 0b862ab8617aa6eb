import { systemCode } from '../../base/errors.js';
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

/** What Bun's `fetch` calls an answer that it cannot read, as the codes that Node would give. */
const answerCodes: Readonly<Record<string, string>> = {
  InvalidContentLength: 'HPE_INVALID_CONTENT_LENGTH',
  InvalidHTTPResponse: 'HPE_INVALID_CHUNK_SIZE',
  Malformed_HTTP_Response: 'HPE_INVALID_CONSTANT',
  ResponseHeadersTooLarge: 'HPE_HEADER_OVERFLOW',
  UnrequestedUpgrade: 'UPGRADE',
};

export interface FirstReadOptions extends Pick<PoolOptions, 'headersMs' | 'bodyMs' | 'authorize'> {
  /** Opens what serves all requests but the first read. */
  later(): Promise<Connections>;
}

/**
 * Connections to one origin in the program without Node (docs/decisions/043). The first read goes by Bun's `fetch`,
 * since loading `node:http` takes a third of a short run; all other requests go by the pool. A second read would use
 * the same connection, where Bun sends a request again without saying so; a change must be known to be sent; and
 * headers that are shown come in their own order from Node alone.
 */
export class FirstReadConnections extends FirstApart {
  readonly #origin: string;
  readonly #options: FirstReadOptions;

  constructor(origin: string, options: FirstReadOptions) {
    super(() => options.later());
    this.#origin = origin;
    this.#options = options;
  }

  protected begin(outgoing: DispatchRequest, exchange: Exchange): Controller | undefined {
    if (outgoing.showsHeaders) return undefined;
    const read = new FirstRead(exchange, this.#options, () => this.dispatchLater(outgoing, exchange));
    void read.run(`${this.#origin}${outgoing.path}`, outgoing.headers);
    return read;
  }
}

/** A read by `fetch`: passes its events to the exchange and keeps its timeouts, as the pool does. */
class FirstRead implements Controller {
  readonly #exchange: Exchange;
  readonly #options: FirstReadOptions;
  readonly #again: () => void;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #hasHead = false;
  #isOver = false;

  /** @param again sends it by the pool instead */
  constructor(exchange: Exchange, options: FirstReadOptions, again: () => void) {
    this.#exchange = exchange;
    this.#options = options;
    this.#again = again;
  }

  async run(url: string, headers: Record<string, string>): Promise<void> {
    // `fetch` does not say when it is connected: until it fails to connect, the request counts as sent.
    this.#limit(this.#options.headersMs, 'HEADERS_TIMEOUT');
    this.#exchange.onRequestStart(this);
    if (this.#isOver) return;
    try {
      const authorization = this.#options.authorize();
      const response = await fetch(url, {
        headers: { ...headers, ...(authorization !== undefined && { authorization }) },
        redirect: 'manual',
        signal: this.#stop.signal,
        // Bun's own: bodies come as they were sent; NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to anyone.
        ...{ decompress: false, tls: { rejectUnauthorized: true } },
      });
      await this.#receive(response);
    } catch (error) {
      this.#fail(error);
    }
  }

  abort(reason: Error): void {
    if (!this.#end()) return;
    this.#stop.abort(reason);
    this.#exchange.onResponseError(this, reason);
  }

  /** Only downloads pause, and they do not come this way. */
  pause(): void {}
  resume(): void {}

  async #receive({ status, headers, body }: Response): Promise<void> {
    if (this.#isOver) return;
    const broken = brokenHead(headers);
    if (broken !== undefined) {
      this.abort(broken);
      return;
    }
    this.#hasHead = true;
    this.#limit(this.#options.bodyMs, 'BODY_TIMEOUT');
    this.#exchange.onResponseStart(this, status, joined(headers));
    for await (const chunk of body ?? []) {
      if (this.#isOver) return;
      this.#timer?.refresh();
      this.#exchange.onResponseData(this, chunk);
    }
    if (this.#end()) this.#exchange.onResponseEnd();
  }

  #fail(error: unknown): void {
    if (!this.#end()) return;
    const code = systemCode(error) ?? '';
    const answered = answerCodes[code];
    if (answered === undefined && !this.#hasHead && code !== 'ECONNRESET') {
      this.#exchange.onRequestUnsent();
      // Codes of the system and of TLS are those of Node; what is behind another, the pool finds out.
      if (!/^[A-Z][A-Z0-9_]+$/.test(code)) {
        this.#again();
        return;
      }
    }
    this.#exchange.onResponseError(this, answered === undefined ? error : withCode(answered, error));
  }

  #end(): boolean {
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

/** What Node refuses of a head, and Bun does not; undefined for a good one. */
function brokenHead(headers: Headers): Error | undefined {
  let bytes = 0;
  for (const [name, value] of headers) bytes += name.length + value.length + ': \r\n'.length;
  if (bytes > largestHeader) return withCode('HPE_HEADER_OVERFLOW');
  const isTwofold = headers.has('content-length') && headers.has('transfer-encoding');
  return isTwofold ? withCode('HPE_INVALID_TRANSFER_ENCODING') : undefined;
}

/** Cookies come one by one, as no other header does. */
function joined(headers: Headers): Record<string, string> {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies.join(', ') }) };
}

function withCode(code: string, cause?: unknown): Error {
  return Object.assign(new Error(code, { cause }), { code });
}
