import { expect, test } from 'vitest';
import { createTransport } from '../../../src/api/transport.js';
import { Clock, testIo } from './clock.js';
import { failureOf, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;

test('a transport sends nothing if the token belongs to another origin', async () => {
  const { server, transport } = await scene([], {
    credential: { token: 'gb_1', origin: 'http://127.0.0.1:1' },
  });
  const error = await failureOf(transport.send(get));
  expect([error.exitCode, error.code, error.failure.outcome]).toEqual([14, 'wrong_origin', 'not-sent']);
  expect(server.connections).toBe(0);
});

test('a transport sends no Authorization header without a token', async () => {
  const { server } = await scene([{ json: 1 }]);
  const transport = createTransport({ baseUrl: server.url, io: testIo(new Clock()), userAgent: 'docs/test' });
  await transport.send(get);
  await transport.close();
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});
