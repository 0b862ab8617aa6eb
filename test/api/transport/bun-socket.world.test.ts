import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BunConnector, type Tcp, type TcpHandlers } from '../../../src/api/transport/bun-socket.js';
import { Connector } from '../../../src/api/transport/connector.js';
import { BoundedBody, type DispatchRequest } from '../../../src/api/transport/exchange.js';
import { Pool } from '../../../src/api/transport/pool.js';
import { resumedPool } from '../../../src/api/transport/resumed.js';
import { SocketConnections } from '../../../src/api/transport/socket-read.js';
import { systemCode } from '../../../src/base/errors.js';
import { type Script, type Step, startServer } from '../../faults/server.js';
import { closing } from './setup.js';

/** Connections of the program without Node, over sockets that behave as Bun's. */

/** What the fake Bun does otherwise. */
let fake: { refuses?: Error; hangs?: boolean; untrusted?: Error | null; takes?: number };
let asked: { hostname: string; tls?: unknown }[];

beforeEach(() => {
  fake = {};
  asked = [];
  vi.stubGlobal('Bun', { connect: connectAsBun });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Takes part of what is written, tells of more room later, and reports TLS as it is told. */
async function connectAsBun(options: { hostname: string; port: number; tls?: unknown; socket: TcpHandlers }) {
  const { hostname, port, tls, socket: on } = options;
  asked.push({ hostname, ...(tls !== undefined && { tls }) });
  if (fake.hangs) return new Promise(() => {});
  if (fake.refuses) throw fake.refuses;
  const own = connect({ host: hostname, port });
  const tcp: Tcp = {
    write(bytes) {
      const taken = bytes.subarray(0, fake.takes ?? bytes.length);
      own.write(taken);
      if (taken.length < bytes.length) setImmediate(() => on.drain(tcp));
      return taken.length;
    },
    pause: () => own.pause(),
    resume: () => own.resume(),
    ref: () => own.ref(),
    unref: () => own.unref(),
    close: () => own.destroy(),
  };
  let failure: Error | undefined;
  own.on('data', (chunk: Buffer) => on.data(tcp, chunk));
  own.on('end', () => on.end(tcp));
  own.on('close', () => on.close(tcp, failure));
  return new Promise((resolve, reject) => {
    own.on('error', (error) => {
      failure = error;
      reject(error);
    });
    own.on('connect', () => {
      on.open(tcp);
      const { untrusted } = fake;
      if (tls !== undefined) on.handshake(tcp, untrusted === undefined, untrusted ?? null);
      resolve(tcp);
    });
  });
}

const read: DispatchRequest = { method: 'GET', path: '/v1/x', headers: { accept: 'a/b' }, body: null };
const change: DispatchRequest = {
  ...read,
  method: 'PATCH',
  body: JSON.stringify({ title: 'ü'.repeat(500) }),
};

async function place(script: Script, { isSeries = false, connectMs = 5000, scheme = 'http' } = {}) {
  const server = closing(await startServer(script));
  const limits = { headersMs: 300, bodyMs: 300, authorize: () => 'Bearer t' };
  const other = async () => new Connector({ timeoutMs: 5000, secureContext: undefined, tls: undefined });
  const pool = async () => ({ ...limits, connections: 1, connector: await other() });
  const { url, port } = server;
  const connections = closing(
    new SocketConnections(`${scheme}://127.0.0.1:${port}`, {
      ...limits,
      connector: new BunConnector(connectMs, other),
      isSeries,
      later: async () => new Pool(url, await pool()),
      resume: async (socket, seen) => resumedPool(url, await pool(), socket, seen),
    }),
  );
  const send = async (request: DispatchRequest) => {
    const exchange = new BoundedBody(() => ({ keep: 1_000_000, more: 'error' }));
    connections.dispatch(request, exchange);
    const { head, body, end, error } = await exchange.received;
    const code = error === undefined ? undefined : systemCode(error);
    return { status: head?.status, body: Buffer.from(body).toString(), end, sent: exchange.sent, code };
  };
  return { server, connections, send };
}

test.each<[string, Step]>([
  ['at once', {}],
  ['byte by byte', { drip: 1 }],
  ['in chunks', { chunked: true }],
  ['with an end alone, which Node reads', { contentLength: false }],
])('an answer that comes %s is read whole, by one request', async (_, way) => {
  const { server, send } = await place([{ json: { a: 'ü' }, ...way }]);
  expect(await send(read)).toMatchObject({ status: 200, body: '{"a":"ü"}', end: 'whole', sent: true });
  expect({ requests: server.requests.length, connections: server.connections }).toEqual({
    requests: 1,
    connections: 1,
  });
});

test('what the system takes in parts is sent whole, a read and the change after it on one connection', async () => {
  fake.takes = 7;
  const { server, send } = await place([{ json: 1 }, { json: 2 }], { isSeries: true });
  await send(read);
  expect(await send(change)).toMatchObject({ status: 200, body: '2' });
  expect(server.requests.map(({ method, headers, body }) => [method, headers.authorization, body])).toEqual([
    ['GET', 'Bearer t', ''],
    ['PATCH', 'Bearer t', change.body],
  ]);
  expect(server.connections).toBe(1);
});

test.each([
  ['nothing', { cut: { after: 0, by: 'end' } }, 'ECONNRESET'],
  ['an end within the body', { json: 'a'.repeat(200), cut: { after: 90, by: 'end' } }, 'ECONNRESET'],
  ['a reset within the body', { json: 'a'.repeat(200), cut: { after: 90, by: 'reset' } }, 'ECONNRESET'],
  ['a body that stalls', { json: 'a'.repeat(200), cut: { after: 90, by: 'stall' } }, 'BODY_TIMEOUT'],
  ['no answer', { stall: true }, 'HEADERS_TIMEOUT'],
] as const)('%s is a failure of a request that was sent', async (_, step, code) => {
  const { server, send } = await place([step]);
  expect(await send(read)).toMatchObject({ code, sent: true });
  await expect.poll(() => server.open).toBe(0);
});

const failing = (code: string) => Object.assign(new Error(code), { code });

test('a refused connection has the code of the system, and sent nothing', async () => {
  fake.refuses = failing('ECONNREFUSED');
  const { server, send } = await place([]);
  expect(await send(read)).toMatchObject({ code: 'ECONNREFUSED', sent: false });
  expect(server.connections).toBe(0);
});

test('a failure of a name that Node does not know is left to Node', async () => {
  fake.refuses = failing('FailedToOpenSocket');
  const { send } = await place([{ json: 1 }]);
  expect(await send(read)).toMatchObject({ status: 200, body: '1' });
});

test('a connection that takes too long, or is closed before it is open, sent nothing', async () => {
  fake.hangs = true;
  const slow = await place([], { connectMs: 30 });
  expect(await slow.send(read)).toMatchObject({ code: 'CONNECT_TIMEOUT', sent: false });
  const closed = await place([]);
  const sending = closed.send(read);
  await closed.connections.close();
  expect(await sending).toMatchObject({ code: 'CLOSED', sent: false });
});

test('a certificate that is not trusted gets no token', async () => {
  fake.untrusted = failing('SELF_SIGNED_CERT_IN_CHAIN');
  const { server, send } = await place([], { scheme: 'https' });
  expect(await send(read)).toMatchObject({ code: 'SELF_SIGNED_CERT_IN_CHAIN', sent: false });
  expect(server.requests).toEqual([]);
  expect(asked).toEqual([
    {
      hostname: '127.0.0.1',
      tls: { rejectUnauthorized: true, ALPNProtocols: '\x08http/1.1', serverName: '' },
    },
  ]);
});
