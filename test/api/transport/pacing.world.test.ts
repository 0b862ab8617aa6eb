import { describe, expect, test } from 'vitest';
import type { Step } from '../../faults/server.js';
import { Clock } from './clock.js';
import { failureOf, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;

describe('the common pace', () => {
  test('a 429 pauses the requests that have not been sent', async () => {
    const clock = new Clock();
    const { server, transport, waits } = await scene(
      [{ status: 429, headers: { 'retry-after': '20' } }, { json: 1 }, { json: 2 }],
      { clock, random: 0 },
    );
    const first = transport.send(get);
    await clock.untilSleeping(2); // Its deadline, and the pause.
    const second = transport.send({ ...get, path: '/v1/other' });
    await clock.untilSleeping(3); // One timer serves both deadlines.
    expect(server.requests).toHaveLength(1);
    clock.advance(19_999);
    expect([server.requests.length, clock.sleeping]).toEqual([1, 3]);
    clock.advance(1);
    expect((await first).attempts).toBe(2);
    expect((await second).attempts).toBe(1);
    expect(waits).toEqual([{ ms: 20_000, reason: 'rate limit (429)', attempt: 1 }]);
  });

  test('a request whose deadline ends before the pause fails at once, unsent', async () => {
    const clock = new Clock();
    const { server, transport } = await scene([{ status: 429, headers: { 'retry-after': '50' } }], { clock });
    const first = transport.send(get);
    await clock.untilSleeping(2);
    const error = await failureOf(transport.send({ ...get, timeoutMs: 30_000 }));
    expect(error.toJSON()).toMatchObject({
      exitCode: 9,
      code: 'rate_limited',
      outcome: 'not-sent',
      attempts: 0,
    });
    expect(error.message).toBe('the platform asks to wait 50 s, but only 30 s are left');
    expect(server.requests).toHaveLength(1);
    await transport.close();
    clock.advance(60_000);
    await failureOf(first);
  });

  test('a 429 that is not retried still pauses the others', async () => {
    const { server, transport } = await scene([{ status: 429, headers: { 'retry-after': '100' } }]);
    expect((await failureOf(transport.send(get))).exitCode).toBe(9);
    expect((await failureOf(transport.send(get))).failure.attempts).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  const date = 'Thu, 01 May 2031 00:00:00 GMT';
  const reset = (at: string) => String(Date.parse(at) / 1000);
  const late = { 'x-ratelimit-reset': '99999999999', date };
  test.each<[string, Step[], number[]]>([
    [
      'X-RateLimit-Reset applies without Retry-After, relative to the Date of the response',
      [{ status: 429, headers: { 'x-ratelimit-reset': reset('2031-05-01T00:00:07Z'), date } }],
      [7000],
    ],
    [
      'Retry-After takes precedence, as seconds or as a date',
      [
        { status: 429, headers: { ...late, 'retry-after': '3' } },
        { status: 503, headers: { ...late, 'retry-after': 'Thu, 01 May 2031 00:00:04 GMT' } },
      ],
      [3000, 4000],
    ],
    ['informative headers of other failures are not a floor', [{ status: 502, headers: late }], [0]],
    ...['-5', 'soon', '', '1e9'].map((value): [string, Step[], number[]] => [
      `Retry-After of "${value}" is none`,
      [{ status: 429, headers: { 'retry-after': value } }],
      [],
    ]),
  ])('%s', async (_, steps, slept) => {
    const { transport, clock } = await scene([...steps, { json: 1 }], { random: 0 });
    await transport.send(get);
    expect(clock.slept).toEqual(slept);
  });

  test('an exhausted limit makes the next request wait for the reset', async () => {
    const clock = new Clock((ms) => ms < 30_000);
    const resetAt = String(clock.nowMs / 1000 + 5);
    const { transport, waits } = await scene(
      [{ json: 1, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetAt } }, { json: 2 }],
      { clock, random: 0 },
    );
    await transport.send(get);
    expect(clock.slept).toEqual([]);
    await transport.send(get);
    expect(clock.slept).toEqual([5000]);
    expect(waits).toEqual([{ ms: 5000, reason: 'rate limit spent', attempt: 0 }]);
  });

  test('an exhausted limit that resets after the deadline is left to the platform', async () => {
    const clock = new Clock((ms) => ms < 30_000);
    const resetAt = String(clock.nowMs / 1000 + 3600);
    const { transport } = await scene(
      [{ json: 1, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetAt } }, { json: 2 }],
      { clock },
    );
    await transport.send(get);
    expect((await transport.send(get)).body).toBe(2);
  });
});

describe('a pace of our own', () => {
  test('requests are sent one after the other, a retry as well', async () => {
    const clock = new Clock();
    const { server, transport } = await scene([{ json: 1 }, { json: 2 }, { status: 503 }, { json: 3 }], {
      clock,
      pace: 0.5,
      random: 0,
    });
    const [first, second, third] = [get, get, get].map((request) => transport.send(request));
    await first;
    expect(server.requests).toHaveLength(1);
    clock.advance(1999);
    expect(server.requests).toHaveLength(1);
    clock.advance(1);
    await second;
    expect(server.requests).toHaveLength(2);
    clock.advance(2000);
    // The backoff of the retry is 0 here, and then its turn: 2 s after that of the request before.
    await expect.poll(() => server.requests.length).toBe(3);
    await clock.untilSleeping(2);
    expect(server.requests).toHaveLength(3);
    clock.advance(2000);
    expect((await third)?.attempts).toBe(2);
    expect(server.requests).toHaveLength(4);
  });

  test('the wait for a turn is not part of the time of the request', async () => {
    const clock = new Clock();
    const { transport } = await scene([{ json: 1 }, { json: 2 }], { clock, pace: 0.01 });
    await transport.send(get);
    const second = transport.send({ ...get, timeoutMs: 1000 });
    await clock.untilSleeping(1);
    clock.advance(100_000);
    expect((await second).body).toBe(2);
  });

  test('a command that is interrupted waits for no turn', async () => {
    const clock = new Clock();
    const { server, transport, interrupt } = await scene([{ json: 1 }], { clock, pace: 0.01 });
    await transport.send(get);
    const second = transport.send(get);
    await clock.untilSleeping(1);
    interrupt.abort(new Error('SIGINT'));
    expect((await failureOf(second)).kind).toBe('interrupted');
    expect(server.requests).toHaveLength(1);
  });
});
