import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { HttpProxy } from './proxy.js';

/** Where a pool wants a connection to. */
export interface ConnectTarget {
  hostname: string;
  protocol: string;
  port: string;
  /** An open connection to speak TLS over. */
  httpSocket?: Socket;
}

export type ConnectCallback = (...result: [null, Socket] | [Error, null]) => void;

/** Opens a connection, with TLS where the protocol says so. */
export type Connect = (target: ConnectTarget, callback: ConnectCallback) => Socket;

export interface ConnectorOptions {
  /** Connects without a proxy. */
  direct: Connect;
  proxy: HttpProxy | undefined;
  secureContext: SecureContext | undefined;
  connectMs: number;
}

/**
 * Opens connections, through a tunnel where a proxy is set, and can end those that are still being
 * opened: a pool lets them run into their timeout, which would keep the process alive.
 */
export class Connector {
  readonly #options: ConnectorOptions;
  readonly #opening = new Set<{ destroy(error?: Error): unknown }>();
  #closed = false;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  readonly connect = (target: ConnectTarget, callback: ConnectCallback): void => {
    const { proxy } = this.#options;
    if (proxy === undefined) this.#direct(target, callback);
    else this.#throughProxy(proxy, target, callback);
  };

  /** Ends what is being opened. */
  close(): void {
    this.#closed = true;
    for (const opening of this.#opening) opening.destroy(new Error('The connection is no longer wanted.'));
    this.#opening.clear();
  }

  #direct(target: ConnectTarget, callback: ConnectCallback): void {
    const socket = this.#options.direct(target, (...result) => {
      this.#opening.delete(socket);
      callback(...result);
    });
    this.#opening.add(socket);
  }

  #throughProxy(proxy: HttpProxy, target: ConnectTarget, callback: ConnectCallback): void {
    let asking: { destroy(error?: Error): unknown } | undefined;
    const host = target.hostname.includes(':') ? `[${target.hostname}]` : target.hostname;
    const tunnel = {
      timeoutMs: this.#options.connectMs,
      secureContext: this.#options.secureContext,
      onOpening: (opening: { destroy(error?: Error): unknown }) => {
        asking = opening;
        if (this.#closed) opening.destroy();
        else this.#opening.add(opening);
      },
    };
    const opening = import('./tunnel.js').then(({ openTunnel }) =>
      openTunnel(proxy, `${host}:${target.port || 443}`, tunnel),
    );
    opening.then(
      (socket) => {
        if (asking !== undefined) this.#opening.delete(asking);
        this.#direct({ ...target, httpSocket: socket }, callback);
      },
      (error: Error) => {
        if (asking !== undefined) this.#opening.delete(asking);
        callback(error, null);
      },
    );
  }
}
