import { connect as connectTcp, isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Connect, ConnectTarget } from './connector.js';
import { Ended } from './ended.js';

/** How connections are made. */
export interface DirectOptions {
  /** Time to a connection that can carry requests, in milliseconds. */
  timeoutMs: number;
  secureContext: SecureContext | undefined;
  /** Node's TLS; undefined where nothing secure is connected to, so that it is not loaded. */
  tls: typeof import('node:tls') | undefined;
}

/** Connects to an origin, by TLS where it says so; a session is resumed by the next connection. */
export function directConnect({ timeoutMs, secureContext, tls }: DirectOptions): Connect {
  let session: Buffer | undefined;
  const secure = ({ hostname: host, port, httpSocket }: ConnectTarget): Socket => {
    if (tls === undefined) throw new Error('TLS was not loaded.');
    const socket = tls.connect({
      ...{ host, port: Number(port || 443), ALPNProtocols: ['http/1.1'] },
      // Said outright, for NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise give the token to anybody.
      rejectUnauthorized: true,
      ...(isIP(host) === 0 && { servername: host }),
      ...(httpSocket && { socket: httpSocket }),
      ...(secureContext && { secureContext }),
      ...(session && { session }),
    });
    return socket.on('session', (given) => {
      session = given;
    });
  };
  return (target, callback) => {
    const isSecure = target.protocol === 'https:';
    const socket = isSecure
      ? secure(target)
      : connectTcp({ host: target.hostname, port: Number(target.port || 80) });
    const timer = setTimeout(() => socket.destroy(new Ended('CONNECT_TIMEOUT')), timeoutMs);
    const onError = (error: Error) => {
      clearTimeout(timer);
      callback(error, null);
    };
    socket.once('error', onError);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.off('error', onError);
      callback(null, socket);
    });
    return socket.setNoDelay(true).setKeepAlive(true, 60_000);
  };
}
