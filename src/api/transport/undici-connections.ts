import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Dispatcher, Pool, RetryHandler as RetryTypes } from 'undici';
import askForTunnel from 'undici/lib/api/api-connect.js';
import errors from 'undici/lib/core/errors.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import RetryHandler from 'undici/lib/handler/retry-handler.js';
import { systemCode } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { HttpProxy } from './address.js';
import type { Connector } from './connector.js';
import type { Headers } from './contract.js';
import {
  ConnectionClosed,
  type Connections,
  type DispatchRequest,
  type Exchange,
  largestHeader,
} from './exchange.js';
import { ProxyRefusal } from './failure.js';
import type { PoolOptions } from './pool.js';

interface UndiciOptions extends Omit<PoolOptions, 'connector'> {
  connector: Connector;
  proxy: HttpProxy | undefined;
  /** Certificates to trust, for TLS inside a tunnel. */
  secureContext: SecureContext | undefined;
  /** Time allowed for a tunnel and for TLS inside it, in milliseconds. */
  connectMs: number;
}

/** Connections to one origin over undici: for downloads, and for everything that goes through a proxy. */
export class UndiciConnections implements Connections {
  readonly proxy: string | undefined;
  readonly #origin: string;
  readonly #options: UndiciOptions;
  readonly #agent: Dispatcher;
  /** Open tunnels: undici leaves one whose TLS handshake is pending to its timeout. */
  readonly #tunnels = new Set<Socket>();

  constructor(origin: string, options: UndiciOptions) {
    const { proxy, connector, connections, headersMs, bodyMs, secureContext, connectMs } = options;
    this.#origin = origin;
    this.#options = options;
    this.proxy = proxy?.url.origin;
    const timeouts = { headersTimeout: headersMs, bodyTimeout: bodyMs };
    const limits = { connections, ...timeouts, maxHeaderSize: largestHeader };
    this.#agent =
      proxy === undefined
        ? new Agent({ ...limits, connect: connector.connect })
        : new ProxyAgent({
            ...limits,
            uri: proxy.url.href,
            token: proxy.authorization,
            requestTls: { timeout: connectMs, rejectUnauthorized: true, secureContext },
            clientFactory: (url) => this.#proxyPool(url),
          });
  }

  dispatch(request: DispatchRequest, exchange: Exchange): void {
    this.#agent.dispatch(this.#optionsOf(request), exchange);
  }

  /** Sends a GET that is continued where it broke off. */
  dispatchResumable(
    request: DispatchRequest,
    exchange: Exchange,
    mayResume: (error: unknown) => Promise<boolean>,
  ): void {
    dispatchResumable(this.#agent, this.#optionsOf(request), exchange, mayResume);
  }

  async close(): Promise<void> {
    this.#options.connector.close();
    for (const tunnel of this.#tunnels) tunnel.destroy();
    await this.#agent.destroy();
  }

  #optionsOf({ method, path, headers, body }: DispatchRequest): Dispatcher.DispatchOptions {
    return {
      origin: this.#origin,
      method: method as Dispatcher.HttpMethod,
      path,
      headers: defined({ ...headers, authorization: this.#options.authorize() }),
      body,
    };
  }

  /** Connections to the proxy, which ProxyAgent asks for tunnels (CONNECT). */
  #proxyPool(url: URL): Pool {
    const { connector, connectMs } = this.#options;
    const pool = new UndiciPool(url.origin, { connect: connector.connect, headersTimeout: connectMs });
    return Object.assign(pool, {
      connect: async (options: Dispatcher.ConnectOptions) => {
        const answer = await askForTunnel.call(pool, options).catch((error: unknown) => {
          throw tunnelError(error);
        });
        const { socket, statusCode } = answer;
        // undici reports a refusal without its status.
        if (statusCode !== 200) {
          socket.on('error', () => {}).destroy();
          throw new ProxyRefusal(statusCode);
        }
        this.#tunnels.add(socket as Socket);
        socket.once('close', () => this.#tunnels.delete(socket as Socket));
        return answer;
      },
    });
  }
}

/** undici asks for a tunnel again without end where the last one failed by UND_ERR_SOCKET. */
function tunnelError(error: unknown): unknown {
  const code = systemCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return new ConnectionClosed('CONNECT_TIMEOUT');
  if (code !== 'UND_ERR_SOCKET') return error;
  return Object.assign(new Error('The proxy closed the connection.', { cause: error }), {
    code: 'ECONNRESET',
  });
}

/** What tells one version of a file from another (RFC 9110, 8.8). */
interface Version {
  name: 'etag' | 'last-modified';
  value: string;
}

type Options = Dispatcher.DispatchOptions;

/**
 * Sends a GET; where its body breaks off, undici's RetryHandler asks for the rest (`Range`). Only files
 * with a strong ETag or Last-Modified are resumed, so that parts of two versions are never joined: the
 * server sends the rest only of the same version (`If-Range`), and anything else fails.
 * @param mayResume waits for the next attempt; false where there is none
 */
export function dispatchResumable(
  agent: Dispatcher,
  options: Options,
  exchange: Exchange,
  mayResume: (error: unknown) => Promise<boolean>,
): void {
  const file: { version?: Version | undefined } = {};
  const retry: RetryTypes.RetryCallback = (error, _context, proceed) => {
    if (file.version === undefined) proceed(error);
    else void mayResume(error).then((may) => proceed(may ? null : error), proceed);
  };
  const handler = new ResumingHandler(
    { ...options, retryOptions: { throwOnError: false, retry } },
    {
      handler: exchange,
      dispatch: (next, nextHandler) => agent.dispatch(rangeOf(next, file.version), nextHandler),
    },
    file,
  );
  agent.dispatch(options, handler);
}

class ResumingHandler extends RetryHandler {
  readonly #file: { version?: Version | undefined };
  #begun = false;

  constructor(
    options: ConstructorParameters<typeof RetryHandler>[0],
    handlers: RetryTypes.RetryHandlers,
    file: { version?: Version | undefined },
  ) {
    super(options, handlers);
    this.#file = file;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    const { version } = this.#file;
    if (!this.#begun) {
      this.#begun = true;
      if (status === 200) this.#file.version = versionOf(headers);
    } else if (status === 206 && version !== undefined) {
      const now = headers[version.name];
      if (now !== undefined && now !== version.value) throw new ConnectionClosed('RANGE_MISMATCH');
    }
    const { onResponseStart }: Dispatcher.DispatchHandler = RetryHandler.prototype;
    onResponseStart?.call(this, controller, status, headers, message);
  }
}

/** undici sends If-Match, and only for ETags; a server that has a new version would answer 412 or ignore it. */
function rangeOf(options: Options, version: Version | undefined): Options {
  const { 'if-match': _, range = 'bytes=0-', ...headers } = options.headers as Record<string, string>;
  return { ...options, headers: { ...headers, range, ...(version && { 'if-range': version.value }) } };
}

/** A strong validator: a strong ETag, else a Last-Modified at least one second before the response. */
function versionOf(headers: IncomingHttpHeaders): Version | undefined {
  const { etag, date, 'last-modified': modified, 'accept-ranges': ranges } = headers;
  if (ranges === 'none') return undefined;
  if (etag !== undefined) return etag.startsWith('"') ? { name: 'etag', value: etag } : undefined;
  if (modified === undefined || date === undefined) return undefined;
  return Date.parse(date) - Date.parse(modified) >= 1000
    ? { name: 'last-modified', value: modified }
    : undefined;
}

/** The response that refused to continue a download, if one did. */
export function refusalOf(error: unknown): { status: number; headers: Headers } | undefined {
  if (!(error instanceof errors.RequestRetryError)) return undefined;
  return { status: error.statusCode, headers: error.headers as Headers };
}
