import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type SeenRequest, takeRequest } from './request-parser.js';

export interface TestProxy {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface ProxyOptions {
  /** Where host names lead: `platform.test:443` to a port on loopback. Others get 502. */
  hosts: Readonly<Record<string, number>>;
  /** The value `proxy-authorization` must have; anything else gets 407. */
  authorization?: string;
  /** Answers every request with this status. */
  status?: number;
  /** Reads requests and never answers. */
  stall?: boolean;
}

/** Starts a small proxy on loopback: CONNECT tunnels, and requests in absolute form. */
export async function startProxy(options: ProxyOptions): Promise<TestProxy> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    track(client);
    let received: Buffer = Buffer.alloc(0);
    client.on('data', function onData(chunk: Buffer) {
      received = Buffer.concat([received, chunk]);
      const taken = takeRequest(received);
      if (taken === undefined) return;
      client.off('data', onData);
      const request = { ...taken.request, connection: requests.length + 1, atMs: performance.now() };
      requests.push(request);
      if (!options.stall) pass(client, request, options, track);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function pass(
  client: Socket,
  request: SeenRequest,
  { hosts, authorization, status }: ProxyOptions,
  track: (socket: Socket) => void,
): void {
  const allowed = authorization === undefined || request.headers['proxy-authorization'] === authorization;
  const tunnel = request.method === 'CONNECT';
  const url = tunnel ? undefined : new URL(request.target);
  const port = hosts[url === undefined ? request.target : `${url.hostname}:${url.port || 80}`];
  const refusal = allowed ? (status ?? (port === undefined ? 502 : undefined)) : 407;
  if (refusal !== undefined || port === undefined) {
    client.end(`HTTP/1.1 ${refusal ?? 502} Refused\r\ncontent-length: 0\r\n\r\n`);
    return;
  }
  const target = connect(port, '127.0.0.1', () => {
    if (url === undefined) client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    else target.write(relative(request, url));
    client.pipe(target).pipe(client);
  });
  track(target);
}

/** A request in absolute form as the target expects it. */
function relative(request: SeenRequest, url: URL): string {
  const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith('proxy-'));
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${request.method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines}\r\n${request.body}`;
}
