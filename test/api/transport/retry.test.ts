import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Method } from '../../../src/api/operation.js';
import type { Wait } from '../../../src/api/transport/contract.js';
import {
  type AttemptFailure,
  backoffMs,
  type Condition,
  effectOf,
  jitterMs,
  mayRetry,
  type RequestFacts,
  type Verdict,
} from '../../../src/api/transport/failure.js';
import { Deadlines, Pacing } from '../../../src/api/transport/pacing.js';
import { type RetryPolicy, RetryQuota, withRetries } from '../../../src/api/transport/retry.js';
import type { DocsError } from '../../../src/base/errors.js';
import { fakeIo } from '../../fake-io.js';
import { Clock, testIo } from './clock.js';

/** The bounds and the spread of the waits, for any number of retries and any randomness. */

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retries = fc.nat({ max: 1000 });
const floor = fc.integer({ min: 0, max: 3_600_000 });

test('a wait lies between 0 and min(20 s, 0.5 s × 2ⁿ)', () => {
  fc.assert(
    fc.property(retries, random, (count, value) => {
      const ms = jitterMs(count, () => value);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(Math.min(20_000, 500 * 2 ** count));
    }),
  );
});

test('what the platform asks for is a floor, plus up to 10 %', () => {
  fc.assert(
    fc.property(retries, floor, random, (count, floorMs, value) => {
      const ms = backoffMs(count, floorMs, () => value);
      expect(ms).toBeGreaterThanOrEqual(floorMs);
      expect(ms).toBeLessThanOrEqual(Math.max(20_000, floorMs * 1.1));
    }),
  );
});

test('waits are spread over their whole range, so that many clients do not retry at once', () => {
  const parts = 20;
  fc.assert(
    fc.property(fc.nat({ max: 10 }), (count) => {
      const most = Math.min(20_000, 500 * 2 ** count);
      const met = new Set<number>();
      for (let at = 0; at < 1000; at += 1)
        met.add(Math.floor((jitterMs(count, () => at / 1000) / most) * parts));
      expect(met.size).toBe(parts);
    }),
  );
});

test('no condition, effect or count allows more than the maximum of attempts', () => {
  const conditions = ['not-connected', 'no-answer', 'broken-body', 'refused-for-now', 'unavailable'] as const;
  const effects = ['read', 'idempotent', 'other'] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...conditions),
      fc.constantFrom(...effects),
      fc.nat(20),
      fc.nat(20),
      (condition, effect, made, most) => {
        if (made >= most) expect(mayRetry(condition, effect, made, most)).toBe(false);
      },
    ),
  );
});

const methods: Method[] = ['GET', 'PUT', 'DELETE', 'POST', 'PATCH'];

function failing(condition: Condition, more: Partial<AttemptFailure> = {}): AttemptFailure {
  return {
    kind: 'network',
    code: 'reset',
    message: 'Broken.',
    hint: 'docs doctor',
    condition,
    outcome: 'not-sent',
    reason: 'reset',
    retryable: true,
    ...more,
  };
}

interface Run {
  /** The attempts in order; the last one is repeated. */
  attempts: (AttemptFailure | 'ok')[];
  method?: Method;
  timeoutMs?: number;
  random?: number;
  maxAttempts?: number;
  quota?: RetryQuota;
  /** Milliseconds that each attempt takes. */
  takes?: number;
}

async function run(options: Run) {
  const { attempts, method = 'GET', timeoutMs = 3_600_000, random = 0.5, maxAttempts = 4 } = options;
  const clock = new Clock((ms) => ms < timeoutMs);
  const io = testIo(clock, { random });
  const waits: Wait[] = [];
  const onWait = (wait: Wait) => waits.push(wait);
  const quota = options.quota ?? new RetryQuota();
  const policy: RetryPolicy = { io, pacing: new Pacing(io, onWait), quota, maxAttempts, onWait };
  const effect = effectOf(method);
  const facts: RequestFacts = {
    method,
    path: '/v1/x',
    resource: '/v1/x',
    origin: 'https://a.test',
    loopback: false,
    effect,
  };
  const deadline = new Deadlines(io).open(timeoutMs, clock.nowMs);
  let made = 0;
  const attempt = async (): Promise<Verdict<string>> => {
    made += 1;
    clock.nowMs += options.takes ?? 0;
    const next = attempts[Math.min(made, attempts.length) - 1];
    return next === undefined || next === 'ok' ? { ok: true, value: 'ok' } : { ok: false, failure: next };
  };
  const result = await withRetries(policy, deadline, facts, attempt, () => 'gone').catch(
    (error: DocsError) => error,
  );
  deadline.close();
  return { result, made, waits, slept: clock.slept };
}

describe('which attempts are made (RELIABILITY.md, "Retries")', () => {
  const table: [Condition, number, number, number][] = [
    // condition, then attempts of four for GET, for PUT and DELETE, for POST and PATCH
    ['not-connected', 4, 4, 4],
    ['name-unknown', 2, 2, 2],
    ['refused-on-loopback', 1, 1, 1],
    ['unsafe', 1, 1, 1],
    ['no-answer', 4, 4, 1],
    ['broken-body', 4, 1, 1],
    ['refused-for-now', 4, 4, 4],
    ['unavailable', 4, 4, 1],
    ['server-error', 4, 1, 1],
    ['final', 1, 1, 1],
  ];
  const cases = table.flatMap(([condition, read, idempotent, other]) =>
    methods.map((method) => {
      const expected = method === 'GET' ? read : method === 'PUT' || method === 'DELETE' ? idempotent : other;
      return [condition, method, expected] as const;
    }),
  );

  test.each(cases)('%s: %s is tried %i times', async (condition, method, expected) => {
    expect((await run({ attempts: [failing(condition)], method })).made).toBe(expected);
  });

  test.each([
    [1, 1],
    [2, 2],
    [10, 10],
  ])('at most %i attempts where that is set', async (maxAttempts, expected) => {
    expect((await run({ attempts: [failing('not-connected')], maxAttempts })).made).toBe(expected);
  });
});

describe('waits', () => {
  test('are random between 0 and 0.5 s, doubled each time, at most 20 s', async () => {
    const most = await run({ attempts: [failing('not-connected')], maxAttempts: 9, random: 0.999999 });
    expect(most.slept.map(Math.round)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
    const least = await run({ attempts: [failing('not-connected')], random: 0 });
    expect(least.slept).toEqual([0, 0, 0]);
  });

  test('are at least what the platform asks, plus up to 10 %', async () => {
    const asked = failing('unavailable', { floorMs: 8000 });
    expect((await run({ attempts: [asked, 'ok'], random: 0 })).slept).toEqual([8000]);
    expect((await run({ attempts: [asked, 'ok'], random: 0.5 })).slept).toEqual([8400]);
  });

  test('after a 429 pause all requests, with the same floor', async () => {
    const limited = failing('refused-for-now', { status: 429, floorMs: 8000 });
    expect((await run({ attempts: [limited, 'ok'], random: 0 })).slept).toEqual([8000]);
    expect((await run({ attempts: [limited, 'ok'], random: 0.5 })).slept).toEqual([8400]);
    const bare = failing('refused-for-now', { status: 429 });
    expect((await run({ attempts: [bare, 'ok'], random: 0.5 })).slept).toEqual([250]);
  });

  test('are reported with their reason before they begin', async () => {
    const { waits } = await run({
      attempts: [failing('no-answer'), failing('refused-for-now', { status: 429 }), 'ok'],
    });
    expect(waits).toEqual([
      { ms: 250, reason: 'reset', attempt: 1 },
      { ms: 500, reason: 'rate limit (429)', attempt: 2 },
    ]);
  });

  test('beyond the deadline fail at once and name the wait', async () => {
    const limited = failing('refused-for-now', { status: 429, floorMs: 95_000, requestId: 'r1' });
    const { result, made, slept } = await run({ attempts: [limited], timeoutMs: 60_000, takes: 1000 });
    expect([made, slept]).toEqual([1, []]);
    expect((result as DocsError).toJSON()).toMatchObject({
      code: 'rate_limited',
      exitCode: 9,
      message: 'the platform asks to wait 95 s, but only 59 s are left',
      status: 429,
      requestId: 'r1',
      retryable: true,
      details: { waitMs: 95_000, remainingMs: 59_000 },
    });
  });

  test('name a time limit in which the wait ends', async () => {
    const hintFor = async (floorMs: number) => {
      const limited = failing('refused-for-now', { status: 429, floorMs });
      const { result } = await run({ attempts: [limited], timeoutMs: 60_000, takes: 1000 });
      return (result as DocsError).failure.hint;
    };
    expect(await hintFor(95_000)).toBe('docs config set timeout 5m');
    expect(await hintFor(600_000)).toBe('docs config set timeout 12m');
  });

  test('after 503 with Retry-After follow the same rule', async () => {
    const { result } = await run({
      attempts: [failing('refused-for-now', { status: 503, floorMs: 95_000 })],
      timeoutMs: 60_000,
    });
    expect((result as DocsError).exitCode).toBe(9);
  });

  test('of our own beyond the deadline are not begun; the failure itself is reported', async () => {
    const { result, made, slept } = await run({ attempts: [failing('not-connected')], timeoutMs: 200 });
    expect([(result as DocsError).code, made, slept]).toEqual(['reset', 1, []]);
  });

  test('and attempts count against one deadline', async () => {
    const { result, made } = await run({
      attempts: [failing('not-connected')],
      timeoutMs: 60_000,
      takes: 25_000,
      random: 1,
    });
    expect([(result as DocsError).code, made]).toEqual(['reset', 3]);
  });
});

describe('the quota', () => {
  const resetting = { attempts: [failing('no-answer')] };

  test('stops the retries of a job whose server is gone: 500 tokens, 5 per retry', async () => {
    const quota = new RetryQuota();
    let made = 0;
    for (let item = 0; item < 1000; item++) made += (await run({ ...resetting, quota })).made;
    expect(made).toBe(1000 + 100);
  });

  test('charges 10 after a timeout', async () => {
    const quota = new RetryQuota();
    let made = 0;
    const attempts = [failing('no-answer', { timedOut: true })];
    for (let item = 0; item < 1000; item++) made += (await run({ attempts, quota })).made;
    expect(made).toBe(1000 + 50);
  });

  test('is refunded by a success', async () => {
    const quota = new RetryQuota();
    for (let item = 0; item < 300; item++) {
      const { made } = await run({ attempts: [failing('no-answer'), failing('no-answer'), 'ok'], quota });
      expect(made).toBe(3);
    }
  });
});

describe('outcomes', () => {
  const lost = failing('no-answer', { outcome: 'unknown' });

  test('one attempt of unknown effect makes the outcome unknown, whatever the last attempt says', async () => {
    const { result } = await run({
      method: 'PUT',
      attempts: [lost, failing('not-connected', { code: 'connection_refused' })],
    });
    expect((result as DocsError).toJSON()).toMatchObject({
      exitCode: 16,
      code: 'outcome_unknown',
      outcome: 'unknown',
      attempts: 4,
      retryable: true,
      hint: 'docs api GET /v1/x',
      details: { reason: 'connection_refused' },
    });
  });

  test('a read never has an unknown outcome: exit 11', async () => {
    expect(((await run({ attempts: [lost] })).result as DocsError).exitCode).toBe(11);
  });

  test('a later attempt that is known to have succeeded settles the outcome', async () => {
    const cut = failing('broken-body', { kind: 'bad-response', code: 'cut_short', outcome: 'done' });
    const { result } = await run({ method: 'PUT', attempts: [lost, cut] });
    expect((result as DocsError).toJSON()).toMatchObject({ code: 'cut_short', outcome: 'done' });
  });

  test('a request that was never sent stays not-sent', async () => {
    const { result } = await run({ method: 'POST', attempts: [failing('not-connected')] });
    expect((result as DocsError).toJSON()).toMatchObject({ exitCode: 11, outcome: 'not-sent', attempts: 4 });
  });

  test('a DELETE that finds nothing after a lost response is done', async () => {
    const gone = failing('final', { kind: 'not-found', code: 'not_found', status: 404 });
    expect((await run({ method: 'DELETE', attempts: [lost, gone] })).result).toMatchObject({
      value: 'gone',
      attempts: 2,
    });
    expect((await run({ method: 'PUT', attempts: [lost, gone] })).result).toMatchObject({
      code: 'not_found',
    });
    const limited = failing('refused-for-now', { status: 429, outcome: 'refused' });
    for (const attempts of [[gone], [limited, gone]])
      expect((await run({ method: 'DELETE', attempts })).result).toMatchObject({ code: 'not_found' });
  });
});

// A longer delay would be over at once.
it.each([
  [2 ** 31 - 1, [2 ** 31 - 1]],
  [2 ** 31, []],
  [Number.POSITIVE_INFINITY, []],
])('a limit of %d ms sleeps for %j', (limitMs, sleeps) => {
  const io = fakeIo();
  new Deadlines(io).open(limitMs, io.now()).close();
  expect(io.sleeps).toEqual(sleeps);
});
