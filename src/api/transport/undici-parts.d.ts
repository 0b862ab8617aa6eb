/**
 * The two parts of undici that are used. Its front door also loads fetch, WebSockets, caches and
 * mocks, which costs three times as much of every start.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net';
  import type { buildConnector } from 'undici';

  interface Target {
    hostname: string;
    protocol: string;
    port: string;
    httpSocket?: Socket;
  }
  /** It returns the socket that is being connected, which the published types leave out. */
  export default function connector(
    options: buildConnector.BuildOptions,
  ): (target: Target, callback: (...result: [null, Socket] | [Error, null]) => void) => Socket;
}
