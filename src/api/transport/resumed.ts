import { Duplex } from 'node:stream';
import { Pool, type PoolOptions } from './pool.js';
import type { PlainSocket } from './socket-read.js';

/**
 * A pool whose first connection is one on which the request was written already: Node's own HTTP reads the answer from
 * its beginning, and what it writes is left out. All further connections are opened as ever.
 * @param seen what came of the answer
 */
export function resumedPool(origin: string, options: PoolOptions, socket: PlainSocket, seen: Buffer): Pool {
  const { connector } = options;
  let waiting: PlainSocket | undefined = socket;
  return new Pool(origin, {
    ...options,
    connector: {
      connectTo(target) {
        const connect = connector.connectTo(target);
        return (asked, callback) => {
          const own = waiting;
          waiting = undefined;
          if (own === undefined) return connect(asked, callback);
          callback(null, new Resumed(own, seen));
        };
      },
      close: () => connector.close(),
    },
  });
}

/** A connection without what was written to it. */
class Resumed extends Duplex {
  readonly #socket: PlainSocket;

  constructor(socket: PlainSocket, seen: Buffer) {
    super();
    this.#socket = socket;
    this.push(seen);
    socket
      .on('data', (chunk: Buffer) => {
        if (!this.push(chunk)) socket.pause();
      })
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
      .on('close', () => this.destroy());
    const { errored } = socket;
    if (errored !== null) setImmediate(() => this.destroy(errored));
    else if (socket.readableEnded) this.push(null);
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(_chunk: unknown, _encoding: unknown, done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
