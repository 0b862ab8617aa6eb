import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { defined } from '../../base/values.js';
import type { ConnectTarget } from './address.js';
import { ConnectionClosed } from './exchange.js';
import { Limit } from './limit.js';

type ConnectCallback = (...result: [null, Socket] | [Error, null]) => void;

interface ConnectorOptions {
  /** Time allowed for TCP and TLS together, in milliseconds. */
  timeoutMs: number;
  secureContext: SecureContext | undefined;
  /** Undefined where no TLS is needed, so that it is not loaded. */
  tls: typeof import('node:tls') | undefined;
  /** Whether each connection is for one request: it is written at once, and never waits idle. */
  isBrief?: boolean | undefined;
}

/**
 * Opens connections, with TLS for https, and can abort pending ones: undici's own connector leaves them
 * to their timeout, which would keep the process alive.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #pending = new Set<Socket>();
  /** TLS session to resume. */
  #session: Buffer | undefined;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /**
   * Connects as undici and a socket that is read from ask, with the target at each call.
   * @param limit that of the connection, for who has further ones
   */
  readonly connect = (target: ConnectTarget, callback: ConnectCallback, limit?: Limit): void => {
    this.connectTo(target, limit)(target, callback);
  };

  /** Connects as an agent of Node asks, whose words name the target in another way. */
  connectTo(
    target: ConnectTarget,
    limit: Limit = new Limit(),
  ): (options: unknown, callback: ConnectCallback) => undefined {
    return (_options, callback) => {
      const isSecure = target.protocol === 'https:';
      const socket = isSecure
        ? this.#connectTls(target)
        : connectTcp({ host: target.hostname, port: Number(target.port || 80) });
      limit.set(this.#options.timeoutMs, () => socket.destroy(new ConnectionClosed('CONNECT_TIMEOUT')));
      const settle = () => {
        limit.clear();
        this.#pending.delete(socket);
      };
      const onError = (error: Error) => {
        settle();
        callback(error, null);
      };
      this.#pending.add(socket);
      socket.once('error', onError);
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        settle();
        socket.off('error', onError);
        callback(null, socket);
      });
      if (this.#options.isBrief !== true) socket.setNoDelay(true).setKeepAlive(true, 60_000);
    };
  }

  /** Aborts pending connections. */
  close(): void {
    for (const socket of this.#pending) socket.destroy(new ConnectionClosed('CLOSED'));
  }

  #connectTls({ hostname: host, port }: ConnectTarget): Socket {
    const { tls, secureContext } = this.#options;
    if (tls === undefined) throw new Error('TLS was not loaded.');
    const socket = tls.connect({
      host,
      port: Number(port || 443),
      ALPNProtocols: ['http/1.1'],
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to anyone.
      rejectUnauthorized: true,
      ...defined({ servername: isIP(host) === 0 ? host : undefined, secureContext, session: this.#session }),
    });
    return socket.on('session', (session) => {
      this.#session = session;
    });
  }
}
