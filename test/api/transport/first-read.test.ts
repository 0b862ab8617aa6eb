import { afterEach, expect, test, vi } from 'vitest';
import { BoundedBody, type Connections, type DispatchRequest } from '../../../src/api/transport/exchange.js';
import { FirstReadConnections } from '../../../src/api/transport/first-read.js';
import { systemCode } from '../../../src/base/errors.js';

/** The first read of the program without Node, with answers as Bun's `fetch` gives them. */

afterEach(() => {
  vi.unstubAllGlobals();
});

const read: DispatchRequest = { method: 'GET', path: '/v1/x', headers: { accept: 'a/b' }, body: null };
const change: DispatchRequest = { ...read, method: 'DELETE' };

/** @param fetching stands for `fetch` */
function scene(fetching: (init: RequestInit) => Promise<Response>) {
  const fetched: { url: string; headers: unknown }[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    fetched.push({ url, headers: init.headers });
    return fetching(init);
  });
  const pooled: string[] = [];
  const pool: Connections = {
    proxy: undefined,
    dispatch: ({ method }, exchange) => {
      pooled.push(method);
      exchange.onResponseError(undefined, Object.assign(new Error(), { code: 'POOL' }));
    },
    close: async () => {},
  };
  const limits = { headersMs: 60_000, bodyMs: 60_000, authorize: () => 'Bearer t' };
  const connections = new FirstReadConnections('https://x', { ...limits, later: async () => pool });
  const send = async (request: DispatchRequest) => {
    const exchange = new BoundedBody(() => ({ keep: 100, more: 'error' }));
    connections.dispatch(request, exchange);
    const { head, body, end, error } = await exchange.received;
    return { status: head?.status, body: Buffer.from(body).toString(), end, sent: exchange.sent, error };
  };
  return { connections, fetched, pooled, send };
}

const codeOf = ({ error }: { error?: unknown }) => systemCode(error);

test('the first read goes by fetch, with the token; whatever follows goes by the pool', async () => {
  const { fetched, pooled, send } = scene(async () => new Response('{}', { status: 200 }));
  expect(await send(read)).toMatchObject({ status: 200, body: '{}', end: 'whole', sent: true });
  expect(fetched).toEqual([{ url: 'https://x/v1/x', headers: { accept: 'a/b', authorization: 'Bearer t' } }]);
  await send(read);
  await send(change);
  expect({ fetched: fetched.length, pooled }).toEqual({ fetched: 1, pooled: ['GET', 'DELETE'] });
});

test('a change never goes by fetch, nor does a read after it', async () => {
  const { fetched, pooled, send } = scene(async () => new Response('{}'));
  await send(change);
  await send(read);
  expect({ fetched, pooled }).toEqual({ fetched: [], pooled: ['DELETE', 'GET'] });
});

test('headers that are shown come by the pool, in the order in which they were sent', async () => {
  const { fetched, pooled, send } = scene(async () => new Response('{}'));
  await send({ ...read, showsHeaders: true });
  expect({ fetched, pooled }).toEqual({ fetched: [], pooled: ['GET'] });
});

test.each([
  ['ECONNREFUSED', 'ECONNREFUSED', false],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'SELF_SIGNED_CERT_IN_CHAIN', false],
  ['ECONNRESET', 'ECONNRESET', true],
  ['Malformed_HTTP_Response', 'HPE_INVALID_CONSTANT', true],
  ['ResponseHeadersTooLarge', 'HPE_HEADER_OVERFLOW', true],
  ['UnrequestedUpgrade', 'UPGRADE', true],
])('a failure with %s is %s, and sent: %s', async (theirs, ours, sent) => {
  const { pooled, send } = scene(() => Promise.reject(Object.assign(new Error(), { code: theirs })));
  const received = await send(read);
  expect({ code: codeOf(received), sent: received.sent, pooled }).toEqual({ code: ours, sent, pooled: [] });
});

test('a failure of a name that Node does not know is left to the pool', async () => {
  const { pooled, send } = scene(() =>
    Promise.reject(Object.assign(new Error(), { code: 'FailedToOpenSocket' })),
  );
  expect(codeOf(await send(read))).toBe('POOL');
  expect(pooled).toEqual(['GET']);
});

test.each([
  ['a header over 16 KB', { x: 'a'.repeat(17_000) }, 'HPE_HEADER_OVERFLOW'],
  ['two lengths', { 'content-length': '2', 'transfer-encoding': 'chunked' }, 'HPE_INVALID_TRANSFER_ENCODING'],
])('%s is refused, as by Node', async (_, headers, code) => {
  const { send } = scene(async () => new Response('{}', { headers: headers as Record<string, string> }));
  const received = await send(read);
  expect({ code: codeOf(received), status: received.status }).toEqual({ code, status: undefined });
});

test('closing ends a read that is under way', async () => {
  const { connections, send } = scene(({ signal }) => {
    return new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
  });
  const sending = send(read);
  await connections.close();
  expect(codeOf(await sending)).toBe('CLOSED');
});
