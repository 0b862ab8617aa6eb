import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Dispatcher, Pool } from 'undici';
import askForTunnel from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import UndiciPool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { systemCode } from '../../base/system-errors.js';
import { defined } from '../../base/values.js';
import {
  ConnectionClosed,
  type Connections,
  type DispatchRequest,
  type Exchange,
  largestHeader,
} from './exchange.js';
import { ProxyRefusal } from './network-failure.js';
import type { PoolOptions } from './pool.js';
import type { HttpProxy } from './proxy.js';
import { dispatchResumable } from './resume.js';

export interface UndiciOptions extends PoolOptions {
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
            ...defined({ token: proxy.authorization }),
            requestTls: { timeout: connectMs, rejectUnauthorized: true, ...defined({ secureContext }) },
            clientFactory: (url) => this.#proxyPool(url),
          });
  }

  dispatch(request: DispatchRequest, exchange: Exchange): void {
    this.#agent.dispatch(this.#optionsOf(request), exchange);
  }

  /** Sends a GET that is continued where it broke off (resume.ts). */
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
