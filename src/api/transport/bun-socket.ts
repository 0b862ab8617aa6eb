import { EventEmitter } from 'node:events';
import { systemCode } from '../../base/errors.js';
import type { ConnectTarget } from './address.js';
import { ConnectionClosed } from './exchange.js';
import type { PlainSocket, SocketOptions } from './socket-read.js';

/** What is used of Bun's sockets. */
export interface Tcp {
  /** @returns how many bytes the system took; less than none if it is closed */
  write(bytes: Uint8Array): number;
  pause(): void;
  resume(): void;
  ref(): void;
  unref(): void;
  close(): void;
}

/** What Bun calls as something happens to a connection. */
export interface TcpHandlers {
  open(tcp: Tcp): void;
  /** TLS is negotiated, or refused. */
  handshake(tcp: Tcp, isTrusted: boolean, error: Error | null): void;
  data(tcp: Tcp, chunk: Buffer): void;
  drain(tcp: Tcp): void;
  end(tcp: Tcp): void;
  close(tcp: Tcp, error?: Error): void;
  /** A handler threw. */
  error(tcp: Tcp, error: Error): void;
  connectError(tcp: Tcp, error: Error): void;
}

declare const Bun: {
  connect(options: {
    hostname: string;
    port: number;
    tls?: { rejectUnauthorized: true; ALPNProtocols: string; serverName: string };
    socket: TcpHandlers;
  }): Promise<unknown>;
};

type Callback = Parameters<SocketOptions['connector']['connect']>[1];

/**
 * Connects in the program without Node (docs/decisions/043), where to load `node:net` and `node:http` takes a third of a
 * short run. Bun checks certificates and their names as Node does, and gives failures the same codes.
 */
export class BunConnector {
  readonly #timeoutMs: number;
  readonly #other: () => Promise<SocketOptions['connector']>;
  readonly #pending = new Set<(error: Error) => void>();

  /**
   * @param timeoutMs allowed for TCP and TLS together
   * @param other connects once more where the failure has no code that Node has
   */
  constructor(timeoutMs: number, other: () => Promise<SocketOptions['connector']>) {
    this.#timeoutMs = timeoutMs;
    this.#other = other;
  }

  connect(target: ConnectTarget, callback: Callback): void {
    const isSecure = target.protocol === 'https:';
    const socket = new BunSocket();
    const settle = (error?: Error | null) => {
      if (!this.#pending.delete(settle)) return;
      clearTimeout(timer);
      if (error === undefined) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      if (error !== null && /^[A-Z][A-Z0-9_]+$/.test(systemCode(error) ?? '')) callback(error, null);
      else void this.#other().then((other) => other.connect(target, callback));
    };
    const timer = setTimeout(() => settle(new ConnectionClosed('CONNECT_TIMEOUT')), this.#timeoutMs);
    this.#pending.add(settle);
    const { hostname } = target;
    const port = Number(target.port || (isSecure ? 443 : 80));
    const tls = isSecure ? { tls: tlsFor(hostname) } : {};
    Bun.connect({ hostname, port, ...tls, socket: handlersOf(socket, isSecure, settle) }).catch(settle);
  }

  close(): void {
    for (const settle of this.#pending) settle(new ConnectionClosed('CLOSED'));
  }
}

/** @param settle tells that the connection is open, or why it is not; null for no reason that is known */
function handlersOf(
  socket: BunSocket,
  isSecure: boolean,
  settle: (error?: Error | null) => void,
): TcpHandlers {
  return {
    open(tcp) {
      socket.take(tcp);
      if (!isSecure) settle();
    },
    handshake: (_, isTrusted, error) => settle(isTrusted && error === null ? undefined : error),
    data: (_, chunk) => socket.emit('data', chunk),
    drain: () => socket.flush(),
    end: () => socket.finish(),
    close(_, error) {
      settle(error ?? null);
      socket.finish(error);
    },
    error: (_, error) => socket.finish(error),
    connectError: (_, error) => settle(error),
  };
}

/** A server is asked for a name, but not for an address; its certificate is checked for both. */
function tlsFor(host: string): NonNullable<Parameters<typeof Bun.connect>[0]['tls']> {
  const isAddress = host.includes(':') || /^[\d.]+$/.test(host);
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to anyone.
  return { rejectUnauthorized: true, ALPNProtocols: '\x08http/1.1', serverName: isAddress ? '' : host };
}

/** A connection of Bun's that is used as one of Node's. */
class BunSocket extends EventEmitter implements PlainSocket {
  #tcp: Tcp | undefined;
  /** What the system has not taken yet. */
  #unwritten: Uint8Array = new Uint8Array();
  #isDestroyed = false;
  #errored: Error | null = null;
  #isEnded = false;

  /** The connection is open. */
  take(tcp: Tcp): void {
    if (this.#isDestroyed) tcp.close();
    else this.#tcp = tcp;
  }

  /** The other side has ended it. */
  finish(error?: Error): void {
    if (this.#isDestroyed || this.#isEnded || this.#errored !== null) return;
    if (error === undefined) {
      this.#isEnded = true;
      this.emit('end');
      return;
    }
    this.#errored = error;
    this.#isDestroyed = true;
    this.emit('error', error);
  }

  flush(): void {
    if (this.#unwritten.length > 0) this.write(new Uint8Array());
  }

  get destroyed(): boolean {
    return this.#isDestroyed;
  }

  get errored(): Error | null {
    return this.#errored;
  }

  get readableEnded(): boolean {
    return this.#isEnded;
  }

  get writableLength(): number {
    return this.#unwritten.length;
  }

  write(bytes: Uint8Array): boolean {
    const all = this.#unwritten.length === 0 ? bytes : Buffer.concat([this.#unwritten, bytes]);
    this.#unwritten = all.subarray(Math.max(0, this.#tcp?.write(all) ?? 0));
    return this.#unwritten.length === 0;
  }

  pause(): this {
    this.#tcp?.pause();
    return this;
  }

  resume(): this {
    this.#tcp?.resume();
    return this;
  }

  ref(): this {
    this.#tcp?.ref();
    return this;
  }

  unref(): this {
    this.#tcp?.unref();
    return this;
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#tcp?.close();
    this.emit('close');
  }
}
