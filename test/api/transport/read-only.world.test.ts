import { describe, expect, test } from 'vitest';
import { failureOf, scene } from './setup.js';

describe('a transport that can only read', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('sends no byte of a %s', async (method) => {
    const { server, transport } = await scene([], { readOnly: true });
    const failure = await failureOf(transport.send({ method, path: '/v1/orgs?share-key=abc', read: 'json' }));
    expect([failure.kind, failure.code, failure.failure.outcome]).toEqual(['bug', 'read_only', 'not-sent']);
    expect(failure.message).toContain(`${method} /v1/orgs?share-key=[redacted] was not sent`);
    expect(server.connections).toBe(0);
  });

  test('reads', async () => {
    const { server, transport } = await scene([{ json: {} }], { readOnly: true });
    expect((await transport.send({ method: 'GET', path: '/v1/orgs', read: 'json' })).body).toEqual({});
    expect(server.requests).toHaveLength(1);
  });
});
