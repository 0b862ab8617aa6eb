import { describe, expect, test } from 'vitest';
import type { TransportRequest } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import type { Step } from '../../faults/server.js';
import { Clock } from './clock.js';
import { failureOf, type SceneOptions, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;
const patch = { method: 'PATCH', path: '/v1/orgs/o1', read: 'json', body: { title: 'x' } } as const;

/** A server that answers when told, and tells when the first request has come. */
function held(answer: Step = { json: { done: true } }) {
  let release = () => {};
  let arrived = () => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const came = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const script = () => {
    arrived();
    return { hold, ...answer };
  };
  return { script, release: () => release(), came };
}

/** A request that has come to its server, and is not answered yet. */
async function inFlight(request: TransportRequest, options: SceneOptions = {}, answer?: Step) {
  const clock = new Clock();
  const step = held(answer);
  const opened = await scene(step.script, { clock, ...options });
  const sent = opened.transport.send(request);
  // It may fail before a test looks at it.
  sent.catch(() => {});
  await step.came;
  return { ...opened, ...step, clock, sent };
}

const sigint = () => new Error('SIGINT');

describe('the deadline', () => {
  const ended = {
    ...{ exitCode: 12, code: 'deadline', message: 'timed out after 10 s' },
    ...{ retryable: true, attempts: 1, hint: 'docs config set timeout 5m' },
  };
  test.each([
    ['ends a read', get, ended],
    [
      'gives a write an unknown outcome',
      patch,
      { exitCode: 16, outcome: 'unknown', details: { reason: 'deadline' } },
    ],
  ] as const)('%s that is in flight', async (_, request, failed) => {
    const { clock, sent } = await inFlight(request, { timeoutMs: 10_000 });
    clock.advance(10_000);
    expect((await failureOf(sent)).toJSON()).toMatchObject(failed);
  });

  test('is one for all requests of the command, waits included; one that is done has none', async () => {
    const clock = new Clock();
    const { server, transport } = await scene([{ json: 1 }], { clock, timeoutMs: 10_000 });
    await transport.send(get);
    expect(clock.sleeping).toBe(0);
    clock.advance(10_000);
    const error = await failureOf(transport.send(get));
    expect([error.exitCode, error.failure.outcome, server.requests.length]).toEqual([12, 'not-sent', 1]);
  });

  test('without one, each request has 60 s of its own', async () => {
    const clock = new Clock();
    const step = held();
    const { transport } = await scene(step.script, { clock });
    clock.advance(3_600_000);
    const failure = failureOf(transport.send(get));
    await step.came;
    clock.advance(59_999);
    clock.advance(1);
    expect((await failure).message).toBe('timed out after 60 s');
  });

  test('of a request may be shorter, not longer, than that of the command', async () => {
    const { clock, transport, sent } = await inFlight({ ...get, timeoutMs: 2000 }, { timeoutMs: 10_000 });
    const longer = failureOf(transport.send({ ...get, timeoutMs: 20_000 }));
    clock.advance(2000);
    expect((await failureOf(sent)).message).toBe('timed out after 2 s');
    clock.advance(8000);
    expect((await longer).message).toBe('timed out after 10 s');
  });
});

describe('an interrupt', () => {
  test('ends a read at once', async () => {
    const { interrupt, sent } = await inFlight(get);
    interrupt.abort(sigint());
    expect((await failureOf(sent)).toJSON()).toMatchObject({ code: 'aborted', exitCode: 130 });
  });

  test.each([
    [new Error('SIGTERM'), { exitCode: 143 }],
    [
      new DocsError('partial', 'fail_fast', 'Another item failed.'),
      { code: 'fail_fast', exitCode: 3, outcome: 'not-sent' },
    ],
  ])('is told by its reason: %s', async (reason, told) => {
    const { transport, interrupt, server } = await scene([]);
    interrupt.abort(reason);
    expect((await failureOf(transport.send(get))).toJSON()).toMatchObject(told);
    expect(server.connections).toBe(0);
  });

  test.each([
    ['a rate-limit wait', patch, { status: 429, headers: { 'retry-after': '30' } }, 'refused'],
    ['a wait between retries', get, { status: 502 }, undefined],
  ])('ends %s at once', async (_, request, step, outcome) => {
    const clock = new Clock();
    const { transport, interrupt } = await scene([step], { clock });
    const failure = failureOf(transport.send(request as TransportRequest));
    await clock.untilSleeping(2);
    interrupt.abort(sigint());
    expect((await failure).toJSON()).toMatchObject({
      exitCode: 130,
      ...(outcome && { outcome, attempts: 1 }),
    });
    expect(clock.sleeping).toBe(0);
  });

  test('lets a write in flight finish', async () => {
    const { clock, interrupt, release, sent } = await inFlight(patch);
    interrupt.abort(sigint());
    clock.advance(4999);
    release();
    expect((await sent).body).toEqual({ done: true });
    expect(clock.sleeping).toBe(0);
  });

  test.each([
    ['5 s', {}, 5000],
    ['no more than the deadline leaves', { timeoutMs: 1000 }, 1000],
  ])('gives a write in flight %s, and then its outcome is unknown', async (_, options, ms) => {
    const { clock, interrupt, sent } = await inFlight(patch, options);
    interrupt.abort(sigint());
    clock.advance(ms);
    expect((await failureOf(sent)).toJSON()).toMatchObject({
      ...{ exitCode: 16, code: 'outcome_unknown', details: { reason: 'aborted' } },
    });
  });

  test('a write that fails within its grace period is not retried', async () => {
    const { interrupt, release, sent } = await inFlight(patch, {}, { status: 429 });
    interrupt.abort(sigint());
    release();
    expect((await failureOf(sent)).failure).toMatchObject({ attempts: 1, status: 429, outcome: 'refused' });
  });

  test("by the caller's own signal ends that request alone", async () => {
    const caller = new AbortController();
    const { transport, release, sent } = await inFlight({ ...get, signal: caller.signal });
    const other = transport.send(get);
    caller.abort();
    expect((await failureOf(sent)).code).toBe('aborted');
    release();
    expect((await other).body).toEqual({ done: true });
  });

  test('a write that waits for a connection is never sent', async () => {
    const { server, transport, interrupt, release, sent } = await inFlight(patch, { connections: 1 });
    const second = failureOf(transport.send({ ...patch, path: '/v1/orgs/o2' }));
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns(5);
    interrupt.abort(sigint());
    expect((await second).toJSON()).toMatchObject({ exitCode: 130, outcome: 'not-sent' });
    release();
    await sent;
    await turns(20);
    expect(server.requests.map(({ target }) => target)).toEqual(['/v1/orgs/o1']);
  });
});

test('close fails requests in flight and later ones', async () => {
  const { server, transport, sent } = await inFlight(get);
  await transport.close();
  expect((await failureOf(sent)).code).toBe('aborted');
  expect((await failureOf(transport.send(get))).code).toBe('aborted');
  expect(server.requests).toHaveLength(1);
});

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
