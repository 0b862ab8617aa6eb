import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createTransport } from '../../../src/api/transport.js';
import { Clock, testIo } from './clock.js';

/** Connections as a real server sees them. */

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const world = (listener: RequestListener) => worldOf(createServer(listener));

/** A server that is given each connection as it is. */
const rawWorld = (serve: (socket: Socket) => void) =>
  worldOf(createRawServer((socket) => serve(socket.on('error', () => {}))));

async function worldOf(server: Server) {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => void server.close());
  return { ...transportTo((server.address() as AddressInfo).port), connections: () => connections };
}

function transportTo(port: number) {
  const io = testIo(new Clock((ms) => ms < 30_000), {});
  const baseUrl = `http://127.0.0.1:${port}`;
  const transport = createTransport({ baseUrl, io, userAgent: 'docs/test', connections: 2 });
  closers.push(() => transport.close());
  return { transport };
}

test.each([
  ['names no time', undefined, 1],
  ['keeps it for five seconds', 'timeout=5', 1],
  ['is about to close it', 'timeout=1', 3],
])('a connection of a server that %s', async (_, keepAlive, connections) => {
  const scene = await world((_request, response) => {
    if (keepAlive !== undefined) response.setHeader('keep-alive', keepAlive);
    response.end('{}');
  });
  for (let index = 0; index < 3; index += 1)
    await scene.transport.send({ method: 'GET', path: '/v1/x', read: 'json' });
  expect(scene.connections()).toBe(connections);
});

test('requests beyond the number of connections wait, and fail when the transport is closed', async () => {
  const arrived: string[] = [];
  const { transport } = await world((request) => {
    arrived.push(request.url ?? '');
    if (arrived.length === 2) transport.close();
  });
  const sends = ['a', 'b', 'c'].map((name) =>
    transport.send({ method: 'POST', path: `/v1/${name}`, read: 'json' }).catch((error) => error),
  );
  const outcomes = (await Promise.all(sends)).map(({ code, failure }) => [code, failure.outcome]);
  expect(arrived.sort()).toEqual(['/v1/a', '/v1/b']);
  expect(outcomes[2]).toEqual(['aborted', 'not-sent']);
});

test('the body of a DELETE arrives whole', async () => {
  let body = '';
  const { transport } = await world(async (request, response) => {
    for await (const chunk of request) body += String(chunk);
    response.end('{}');
  });
  await transport.send({ method: 'DELETE', path: '/v1/x', body: { name: 'é' }, read: 'json' });
  expect(body).toBe('{"name":"é"}');
});

test.each([
  ['', 'an answer that never goes on'],
  ['connection: upgrade\r\nupgrade: websocket\r\n', 'an upgrade'],
])('101 Switching Protocols (%j) is %s and fails at once', async (headers) => {
  const { transport, connections } = await rawWorld((socket) => {
    socket.once('data', () => void socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
  });
  await expect(transport.send({ method: 'GET', path: '/v1/x', read: 'json' })).rejects.toMatchObject({
    exitCode: 15,
    code: 'not_http',
    failure: { attempts: 1 },
  });
  expect(connections()).toBe(1);
});

/** Answers 413 once a body of 8 MB begins, on a connection that is to be kept, and reads nothing more. */
const early = (after: (socket: Socket) => void) =>
  rawWorld((socket) => {
    socket.once('data', () => {
      socket.pause();
      const headers = 'content-type: application/json\r\ncontent-length: 2';
      socket.write(`HTTP/1.1 413 Content Too Large\r\n${headers}\r\n\r\n{}`, () => after(socket));
    });
  });

const large = { method: 'POST', path: '/v1/x', body: { text: 'x'.repeat(8 << 20) }, read: 'json' } as const;

test.each([
  ['keeps the connection', () => undefined],
  ['closes the connection', (socket: Socket) => void socket.destroy()],
])('a server that answers before it has a body, and %s, holds up no later request', async (_, after) => {
  const scene = await early(after);
  for (let index = 0; index < 5; index += 1) {
    const failed = await scene.transport.send(large).catch((error) => error);
    expect(failed.failure).toMatchObject({ status: 413 });
  }
  expect(scene.connections()).toBe(5);
});
