import { describe, expect, test } from 'vitest';
import { DocsError } from '../../../src/errors.js';
import { Clock } from './clock.js';
import { failureOf, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;
const patch = { method: 'PATCH', path: '/v1/orgs/o1', read: 'json', body: { title: 'x' } } as const;

/** A step that is answered when told, and tells when its request has come. */
function held() {
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
    return { hold, json: { done: true } };
  };
  return { script, release: () => release(), came };
}

describe('the deadline', () => {
  const inFlight = [
    [
      'ends a read',
      get,
      {
        exitCode: 12,
        code: 'deadline',
        message: 'Timed out after 10 s.',
        retryable: true,
        attempts: 1,
        hint: 'docs config set timeout 5m',
      },
    ],
    [
      'gives a write an unknown outcome',
      patch,
      { exitCode: 16, outcome: 'unknown', details: { reason: 'deadline' } },
    ],
  ] as const;
  test.each(inFlight)('%s that is in flight', async (_, request, failed) => {
    const clock = new Clock();
    const step = held();
    const { transport } = await scene(step.script, { clock, timeoutMs: 10_000 });
    const failure = failureOf(transport.send(request));
    await step.came;
    clock.advance(10_000);
    expect((await failure).toJSON()).toMatchObject(failed);
  });

  test('is one for all requests of the command, waits included', async () => {
    const clock = new Clock();
    const { server, transport } = await scene([{ json: 1 }], { clock, timeoutMs: 10_000 });
    await transport.send(get);
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
    expect((await failure).message).toBe('Timed out after 60 s.');
  });

  test('of a request may be shorter, not longer, than that of the command', async () => {
    const clock = new Clock();
    const step = held();
    const { transport } = await scene(step.script, { clock, timeoutMs: 10_000 });
    const failures = [2000, 20_000].map((timeoutMs) => failureOf(transport.send({ ...get, timeoutMs })));
    await step.came;
    clock.advance(2000);
    expect((await failures[0])?.message).toBe('Timed out after 2 s.');
    clock.advance(8000);
    expect((await failures[1])?.message).toBe('Timed out after 10 s.');
  });

  test('does not touch a request that is done', async () => {
    const clock = new Clock();
    const { transport } = await scene([{ json: 1 }], { clock, timeoutMs: 10_000 });
    await transport.send(get);
    expect(clock.sleeping).toBe(0);
  });
});

describe('an interrupt', () => {
  test('ends a read at once', async () => {
    const step = held();
    const { transport, interrupt } = await scene(step.script);
    const failure = failureOf(transport.send(get));
    await step.came;
    interrupt.abort(new Error('SIGINT'));
    expect((await failure).toJSON()).toMatchObject({ code: 'aborted', exitCode: 130 });
  });

  test('by SIGTERM is reported as such', async () => {
    const { transport, interrupt, server } = await scene([]);
    interrupt.abort(new Error('SIGTERM'));
    expect((await failureOf(transport.send(get))).exitCode).toBe(143);
    expect(server.connections).toBe(0);
  });

  test('with a DocsError as its reason keeps its kind', async () => {
    const { transport, interrupt } = await scene([]);
    interrupt.abort(new DocsError('partial', 'fail_fast', 'Another item failed.'));
    expect((await failureOf(transport.send(get))).toJSON()).toMatchObject({
      code: 'fail_fast',
      exitCode: 3,
      outcome: 'not-sent',
    });
  });

  test('ends a rate-limit wait at once; the outcome is refused', async () => {
    const clock = new Clock();
    const { transport, interrupt } = await scene([{ status: 429, headers: { 'retry-after': '30' } }], {
      clock,
    });
    const failure = failureOf(transport.send(patch));
    await clock.untilSleeping(2);
    interrupt.abort(new Error('SIGINT'));
    expect((await failure).toJSON()).toMatchObject({ exitCode: 130, outcome: 'refused', attempts: 1 });
    expect(clock.sleeping).toBe(0);
  });

  test('ends a wait between retries at once', async () => {
    const clock = new Clock();
    const { transport, interrupt } = await scene([{ status: 502 }], { clock });
    const failure = failureOf(transport.send(get));
    await clock.untilSleeping(2);
    interrupt.abort(new Error('SIGINT'));
    expect((await failure).exitCode).toBe(130);
  });

  test('lets a write in flight finish', async () => {
    const clock = new Clock();
    const step = held();
    const { transport, interrupt } = await scene(step.script, { clock });
    const answer = transport.send(patch);
    await step.came;
    interrupt.abort(new Error('SIGINT'));
    clock.advance(4999);
    step.release();
    expect((await answer).body).toEqual({ done: true });
    expect(clock.sleeping).toBe(0);
  });

  test('gives a write in flight 5 s, and then its outcome is unknown', async () => {
    const clock = new Clock();
    const step = held();
    const { transport, interrupt } = await scene(step.script, { clock });
    const failure = failureOf(transport.send(patch));
    await step.came;
    interrupt.abort(new Error('SIGINT'));
    clock.advance(5000);
    expect((await failure).toJSON()).toMatchObject({
      exitCode: 16,
      code: 'outcome_unknown',
      details: { reason: 'aborted' },
    });
  });

  test('gives a write no more time than the deadline leaves', async () => {
    const clock = new Clock();
    const step = held();
    const { transport, interrupt } = await scene(step.script, { clock, timeoutMs: 1000 });
    const failure = failureOf(transport.send(patch));
    await step.came;
    interrupt.abort(new Error('SIGINT'));
    clock.advance(1000);
    expect((await failure).exitCode).toBe(16);
  });

  test('a write that fails within its grace period is not retried', async () => {
    const clock = new Clock();
    let release = () => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, transport, interrupt } = await scene(() => ({ hold, status: 429 }), { clock });
    const failure = failureOf(transport.send(patch));
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    interrupt.abort(new Error('SIGINT'));
    release();
    expect((await failure).failure).toMatchObject({ attempts: 1, status: 429, outcome: 'refused' });
  });

  test("by the caller's own signal ends that request alone", async () => {
    const step = held();
    const { transport } = await scene(step.script);
    const caller = new AbortController();
    const failure = failureOf(transport.send({ ...get, signal: caller.signal }));
    const other = transport.send(get);
    await step.came;
    caller.abort();
    expect((await failure).code).toBe('aborted');
    step.release();
    expect((await other).body).toEqual({ done: true });
  });

  test('a write that waits for a connection is never sent', async () => {
    const clock = new Clock();
    const step = held();
    const { server, transport, interrupt } = await scene(step.script, { clock, connections: 1 });
    const first = transport.send(patch);
    await step.came;
    const second = failureOf(transport.send({ ...patch, path: '/v1/orgs/o2' }));
    await clock.untilSleeping(2); // Both deadlines.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    interrupt.abort(new Error('SIGINT'));
    expect((await second).toJSON()).toMatchObject({ exitCode: 130, outcome: 'not-sent' });
    step.release();
    await first;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(server.requests.map(({ target }) => target)).toEqual(['/v1/orgs/o1']);
  });
});

describe('close', () => {
  test('fails requests in flight and later ones', async () => {
    const step = held();
    const { server, transport } = await scene(step.script);
    const failure = failureOf(transport.send(get));
    await step.came;
    await transport.close();
    expect((await failure).code).toBe('aborted');
    expect((await failureOf(transport.send(get))).code).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  });
});
