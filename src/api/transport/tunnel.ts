import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { Ended } from './ended.js';
import { ProxyRefusal } from './network-failure.js';
import type { HttpProxy } from './proxy.js';

/** What a tunnel needs beside its ends. */
export interface TunnelOptions {
  timeoutMs: number;
  /** Certificates to trust, for a proxy spoken to by TLS. */
  secureContext: SecureContext | undefined;
  /** Called with what can be destroyed while the tunnel is being opened. */
  onOpening(opening: { destroy(error?: Error): unknown }): void;
}

/**
 * Asks a proxy for a tunnel (CONNECT).
 * @param target `host:port`
 * @returns the connection, ready for TLS with the target
 * @throws ProxyRefusal where the proxy answers anything but 200; errors of the connection as they are
 */
export async function openTunnel(proxy: HttpProxy, target: string, options: TunnelOptions): Promise<Socket> {
  const secure = proxy.url.protocol === 'https:';
  const [{ request }, tls] = await Promise.all([import('node:http'), import('node:tls')]);
  const host = proxy.url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(proxy.url.port || (secure ? 443 : 80));
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      host,
      port,
      path: target,
      agent: false,
      headers: { host: target, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) },
      ...(secure && {
        createConnection: () =>
          tls.connect({
            host,
            port,
            ALPNProtocols: ['http/1.1'],
            rejectUnauthorized: true,
            ...(options.secureContext && { secureContext: options.secureContext }),
            ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
          }),
      }),
    });
    options.onOpening(asking);
    asking.setTimeout(options.timeoutMs, () => asking.destroy(new Ended('CONNECT_TIMEOUT')));
    asking.once('error', reject);
    asking.once('connect', (response, socket: Socket, head: Buffer) => {
      socket.setTimeout(0);
      if (response.statusCode !== 200) {
        socket.destroy();
        reject(new ProxyRefusal(response.statusCode ?? 0));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    asking.end();
  });
}
