import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createTransport, type TransportOptions } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import type { FaultRule } from '../../../src/sandbox/server/faults.js';
import { Clock, testIo } from '../../api/transport/clock.js';
import { openSandbox, seedId, type TestSandbox } from '../client.js';
import { controlOf } from '../control-of.js';

/** What a request within the process comes to, compared with the same over HTTP. */

const sandboxes: TestSandbox[] = [];
afterEach(async () => {
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});

interface Asked {
  method?: 'GET' | 'PATCH';
  path: string;
  body?: unknown;
  faults?: readonly FaultRule[];
  options?: Partial<TransportOptions>;
  token?: string;
}

/** The answer or the failure, what the log of the sandbox has, and how often docs waited. */
async function outcomeOf(isLocal: boolean, { method = 'GET', path, body, faults = [], ...asked }: Asked) {
  const clock = new Clock((ms) => ms < 20_000);
  const io = testIo(clock);
  const sandbox = await openSandbox({
    isLocal,
    io: { now: () => Date.parse('2030-01-01'), sleep: io.sleep },
  });
  sandboxes.push(sandbox);
  const control = await controlOf(sandbox);
  for (const fault of faults) control.faults.add(fault);
  const credential = { token: asked.token ?? sandbox.token, origin: new URL(sandbox.url).origin };
  let waits = 0;
  const transport = createTransport({
    ...{ baseUrl: sandbox.url, credential, io, userAgent: 'docs/test', connect: sandbox.connect },
    ...{ single: true, maxAttempts: 2, onWait: () => (waits += 1), ...asked.options },
  });
  const result = await transport
    .send({ method, path, body, read: 'json' })
    .then(({ headers, ...rest }) => ({ headers: own(headers), ...rest }))
    .catch((error: unknown) => (error instanceof DocsError ? error.toJSON() : { thrown: String(error) }));
  await transport.close();
  await setImmediate(); // Reads of one turn are logged at its end.
  const logged = control.requests().map(({ ms: _, ...request }) => request);
  control.close();
  const told = JSON.stringify(result).replaceAll(/http:\/\/127\.0\.0\.1(?::\d+)?/g, 'http://platform');
  return { result: JSON.parse(told) as unknown, logged, waits };
}

/** Those of a connection belong to HTTP. */
function own({ connection: _, 'keep-alive': __, ...headers }: Readonly<Record<string, string>>) {
  return headers;
}

const space = `/v1/spaces/${seedId('space welcome')}`;
const any = 'GET *';

test.each<[string, Asked]>([
  ['a resource', { path: space }],
  ['a list', { path: '/v1/orgs?limit=1' }],
  ['what is not there', { path: '/v1/spaces/nowhere' }],
  ['no route', { path: '/v1/nothing' }],
  ['a malformed address', { path: '/v1/%E0%A4%A' }],
  ['a parameter that is too long', { path: `/v1/spaces/${'x'.repeat(1100)}` }],
  ['an unknown token', { path: space, token: 'sbx_guess' }],
  ['a change', { method: 'PATCH', path: space, body: { title: 'Hello' } }],
  ['a change that is refused', { method: 'PATCH', path: space, body: { title: 1 } }],
  ['a body that is too large', { method: 'PATCH', path: space, body: { title: 'x'.repeat(11 << 20) } }],
])('%s', async (_, asked) => {
  expect(await outcomeOf(true, asked)).toEqual(await outcomeOf(false, asked));
});

describe('with a fault', () => {
  test.each<[string, FaultRule]>([
    ['a status', { match: any, status: 500 }],
    ['a status once', { match: any, status: 503, times: 1 }],
    ['a limit with a wait', { match: any, status: 429, times: 1, headers: { 'retry-after': '2' } }],
    ['no content', { match: any, status: 204 }],
    ['not modified', { match: any, status: 304 }],
    ['a delay', { match: any, delayMs: 500 }],
    ['a cut before', { match: any, reset: 'before' }],
    ['a cut before, once', { match: any, reset: 'before', times: 1 }],
    ['a cut after', { match: any, reset: 'after' }],
    ['a header that cannot be sent', { match: any, status: 500, headers: { 'a b': 'c' } }],
  ])('%s', async (_, fault) => {
    const asked = { path: space, faults: [fault] };
    expect(await outcomeOf(true, asked)).toEqual(await outcomeOf(false, asked));
  });

  test('a change is cut after it was made', async () => {
    const faults = [{ match: 'PATCH *', reset: 'after' }] as const;
    const asked: Asked = { method: 'PATCH', path: space, body: { title: 'Hello' }, faults };
    expect(await outcomeOf(true, asked)).toEqual(await outcomeOf(false, asked));
  });
});

test('an answer that names the address of the sandbox makes it listen', async () => {
  const sandbox = await openSandbox({ isLocal: true });
  sandboxes.push(sandbox);
  const credential = { token: sandbox.token, origin: new URL(sandbox.url).origin };
  const io = testIo(new Clock());
  const transport = createTransport({
    ...{ baseUrl: sandbox.url, credential, io, userAgent: 'docs/test', connect: sandbox.connect },
  });
  const { body } = await transport.send({ method: 'GET', path: `${space}/content/files`, read: 'json' });
  await transport.close();
  const [file] = (body as { items: { downloadURL: string }[] }).items;
  expect(file?.downloadURL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//);
  expect((await fetch(file?.downloadURL ?? '')).status).toBe(200);
});
