import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createTransport } from '../../../src/api/transport.js';
import { Clock, testIo } from './clock.js';

/** Connections as a real server sees them. */

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function world(listener: RequestListener) {
  let connections = 0;
  const server = createServer(listener).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const io = testIo(new Clock((ms) => ms < 30_000), {});
  const transport = createTransport({ baseUrl, io, userAgent: 'docs/test', connections: 2 });
  closers.push(
    () => void server.close(),
    () => transport.close(),
  );
  return { transport, connections: () => connections };
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
