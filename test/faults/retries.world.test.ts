import { describe, expect, test } from 'vitest';
import { startProxy } from './proxy.js';
import { inWorld, targets, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Retries": what is sent again, and what never is. */

const ok: Step = { json: { id: 'x' } };
const methods = ['GET', 'PUT', 'POST'] as const;
type Method = (typeof methods)[number];

const request = (method: Method): string[] => [
  ...['api', method, '/v1/things/t1', '--json', '--max-attempts', '2'],
  ...(method === 'GET' ? [] : ['-f', 'title=x']),
];

/** A team that is there when it is read, and the steps of the writes to it, in order. */
function team(...writes: Step[]): (request: SeenRequest) => Step {
  return ({ method }) => (method === 'GET' ? { json: { id: 't1', title: 'Old' } } : (writes.shift() ?? ok));
}
const writesOf = (server: Parameters<typeof targets>[0]) =>
  targets(server).filter((target) => !target.startsWith('GET'));

/** For each method how many requests arrive of two allowed, and the exit code in the end. */
interface Row {
  name: string;
  fault: Step;
  GET: [sent: number, exit: number];
  PUT: [sent: number, exit: number];
  POST: [sent: number, exit: number];
}

const again: [number, number] = [2, 0];
// All rows and methods are those of test/api/transport/send.world.test.ts; here are the commands that end with each exit code.
const rows: Row[] = [
  { name: 'reset after reading', fault: { reset: 'after-reading' }, GET: again, PUT: again, POST: [1, 16] },
  { name: 'end before an answer', fault: { raw: '' }, GET: again, PUT: again, POST: [1, 16] },
  { name: '429', fault: { status: 429 }, GET: again, PUT: again, POST: again },
  { name: '504', fault: { status: 504 }, GET: again, PUT: again, POST: [1, 16] },
  { name: '500', fault: { status: 500 }, GET: again, PUT: [1, 10], POST: [1, 10] },
  { name: '409', fault: { status: 409 }, GET: [1, 7], PUT: [1, 7], POST: [1, 7] },
];

describe.each(rows)('$name', ({ fault, ...row }) => {
  test.each(methods)('%s', async (method) => {
    const [sent, exit] = row[method];
    await inWorld({ script: [fault, ok] }, async ({ server, run }) => {
      const ran = await run(request(method));
      expect({ sent: server.requests.length, exit: ran.code }).toEqual({ sent, exit });
      if (exit !== 0) expect(ran.stdout).toBe('');
      if (exit === 16)
        expect(ran.error).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', attempts: 1 });
    });
  });
});

test('an unknown outcome names the resource and the command that shows it', async () => {
  await inWorld({ script: team({ reset: 'after-reading' }) }, async ({ run }) => {
    const ran = await run(['teams', 'update', 't1', '--title', 'x', '--json']);
    expect(ran.code).toBe(16);
    expect(ran.error).toMatchObject({
      outcome: 'unknown',
      hint: expect.stringContaining('docs teams get t1'),
    });
    expect(ran.error.message).toContain('t1');
  });
});

test('a connection that is not made is tried again, a POST too: nothing was sent', async () => {
  const proxy = await startProxy({ hosts: {}, status: 503 });
  try {
    await inWorld({}, async ({ run }) => {
      const env = { DOCS_BASE_URL: 'https://platform.test', HTTPS_PROXY: proxy.url };
      const ran = await run(request('POST'), { env });
      expect({ code: ran.code, tries: proxy.requests.length }).toEqual({ code: 11, tries: 2 });
      expect(ran.error).toMatchObject({ outcome: 'not-sent', attempts: 2 });
    });
  } finally {
    await proxy.close();
  }
});

test('reset before reading: a GET is sent again, a POST is of unknown outcome', async () => {
  await inWorld({ script: [{ reset: 'before-reading' }, ok] }, async ({ run, server }) => {
    expect({ code: (await run(request('GET'))).code, read: server.requests.length }).toEqual({
      code: 0,
      read: 1,
    });
  });
  await inWorld({ script: [{ reset: 'before-reading' }] }, async ({ run, server }) => {
    const ran = await run(request('POST'));
    expect({ code: ran.code, read: server.requests.length }).toEqual({ code: 16, read: 0 });
  });
});

test('a host name that nobody knows is tried once more, then exit 11', async () => {
  await inWorld({}, async ({ run }) => {
    const env = { DOCS_BASE_URL: 'https://platform.invalid' };
    const ran = await run(['api', 'POST', '/v1/x', '-f', 'a=b', '--json'], { env });
    expect(ran.code).toBe(11);
    expect(ran.error).toMatchObject({ outcome: 'not-sent' });
    expect(ran.error.attempts).toBeLessThanOrEqual(4);
  });
});

test('refused on loopback: tried once, with the hint to start the sandbox', async () => {
  await inWorld({}, async ({ run }) => {
    const env = { DOCS_BASE_URL: 'http://127.0.0.1:9' };
    const ran = await run(['api', '/v1/x', '--json'], { env });
    expect(ran.code).toBe(11);
    expect(ran.error).toMatchObject({ code: 'connection_refused', attempts: 1, hint: 'docs sandbox start' });
  });
});

test('at most 4 attempts; --no-retry is 1; --max-attempts is a number', async () => {
  await inWorld({ script: () => ({ status: 503 }) }, async ({ run, server }) => {
    const ran = await run(['api', '/v1/x', '--json']);
    expect({ code: ran.code, attempts: ran.error.attempts, sent: server.requests.length }).toEqual({
      code: 10,
      attempts: 4,
      sent: 4,
    });
    expect((await run(['api', '/v1/x', '--no-retry'])).code).toBe(10);
    expect(server.requests.length).toBe(5);
    const typo = await run(['api', '/v1/x', '--max-attempts', 'abc']);
    expect({ code: typo.code, sent: server.requests.length }).toEqual({ code: 2, sent: 5 });
  });
});

test('a repeated DELETE that finds 404 after a lost answer has done it', async () => {
  const script = team({ reset: 'after-reading' }, { status: 404 }, { status: 404 });
  await inWorld({ script }, async ({ run, server }) => {
    const done = await run(['teams', 'delete', 't1', '--yes', '--json']);
    expect({ code: done.code, sent: writesOf(server) }).toEqual({
      code: 0,
      sent: ['DELETE /v1/orgs/o1/teams/t1', 'DELETE /v1/orgs/o1/teams/t1'],
    });
    expect(done.stderr).toBe('It was already deleted when the request was repeated after a lost answer.\n');
    expect((await run(['teams', 'delete', 't1', '--yes'])).code).toBe(6);
  });
});

describe('a body that breaks', () => {
  const whole = JSON.stringify({ id: 't1', title: 'x'.repeat(2000) });
  const cut: Step = {
    body: whole,
    headers: { 'content-type': 'application/json' },
    cut: { after: 100, by: 'reset' },
  };

  test('of a GET is read again from the start', async () => {
    await inWorld({ script: [cut, { json: { id: 't1' } }] }, async ({ run, server }) => {
      const ran = await run(['teams', 'get', 't1', '--json']);
      expect({ code: ran.code, sent: server.requests.length }).toEqual({ code: 0, sent: 2 });
      expect(JSON.parse(ran.stdout)).toEqual({ id: 't1' });
    });
  });

  test('of a write is read again by GET; the write is not sent twice', async () => {
    await inWorld({ script: team(cut) }, async ({ run, server }) => {
      const ran = await run(['teams', 'update', 't1', '--title', 'x', '--json']);
      expect({ code: ran.code, sent: writesOf(server) }).toEqual({
        code: 0,
        sent: ['PATCH /v1/orgs/o1/teams/t1'],
      });
      expect(targets(server).at(-1)).toBe('GET /v1/orgs/o1/teams/t1');
      expect(JSON.parse(ran.stdout)).toMatchObject({ title: 'Old' });
    });
  });

  test('each time is no answer: exit 15, nothing on stdout', async () => {
    await inWorld({ script: () => cut }, async ({ run }) => {
      const ran = await run(['teams', 'get', 't1', '--json', '--max-attempts', '2']);
      expect({ code: ran.code, stdout: ran.stdout, error: ran.error.code }).toEqual({
        code: 15,
        stdout: '',
        error: 'cut_short',
      });
    });
  });
});

describe('Retry-After', () => {
  const asksFor = (value: string, headers: Record<string, string> = {}): Step => ({
    status: 429,
    headers: { 'retry-after': value, ...headers },
  });
  const gap = (requests: readonly { atMs: number }[]) => (requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0);

  test('is the least wait, in seconds; in a pipe nothing is said of it', async () => {
    await inWorld({ script: [asksFor('2'), ok] }, async ({ run, server }) => {
      const { code, stderr } = await run(request('POST'));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(gap(server.requests)).toBeGreaterThanOrEqual(2000);
    });
  });

  test("as a date is measured against the answer's own Date, whatever our clock says", async () => {
    const date = { date: 'Mon, 01 Jan 2001 00:00:00 GMT' };
    await inWorld(
      { script: [asksFor('Mon, 01 Jan 2001 00:00:01 GMT', date), ok] },
      async ({ run, server }) => {
        expect((await run(request('GET'))).code).toBe(0);
        expect(gap(server.requests)).toBeGreaterThanOrEqual(1000);
      },
    );
  });

  test('beyond the deadline fails at once and names the wait: exit 9', async () => {
    await inWorld({ script: [asksFor('3600')] }, async ({ run, server }) => {
      const ran = await run(request('GET'));
      expect({ code: ran.code, sent: server.requests.length }).toEqual({ code: 9, sent: 1 });
      expect(ran.error.message).toContain('3600 s');
      expect(ran.error.details).toMatchObject({ waitMs: 3_600_000 });
    });
  });

  test('X-RateLimit-Reset counts where it is all there is', async () => {
    const limited: Step = {
      status: 429,
      headers: { 'x-ratelimit-reset': '978310800', date: 'Mon, 01 Jan 2001 00:00:00 GMT' },
    };
    await inWorld({ script: [limited] }, async ({ run }) => {
      const ran = await run(request('GET'));
      expect(ran.code).toBe(9);
      expect(ran.error.details).toMatchObject({ waitMs: 3_600_000 });
    });
  });
});

test('a 429 pauses all requests of a command, not one', async () => {
  let refused = 0;
  const script = ({ target }: SeenRequest): Step =>
    target.endsWith('u0') && refused++ === 0
      ? { status: 429, headers: { 'retry-after': '1' } }
      : { json: { id: 'u', role: 'edit' } };
  await inWorld({ script, waits: true }, async ({ start, server, clock }) => {
    const ids = Array.from({ length: 12 }, (_, index) => `u${index}`);
    const words = ['members', 'update', ...ids, '--role', 'read', '--yes', '--concurrency', '2', '--json'];
    const running = start(words);
    // Both have a pause, and one timer for their limits; without the pause for all, the rest would be sent meanwhile.
    const items = () => server.requests.filter(({ target }) => /u\d+$/.test(target)).length;
    await until(() => clock.sleeping === 3 || items() >= 12);
    // The one that was on its way with the refused one, and then nothing.
    expect(items()).toBeLessThanOrEqual(4);
    clock.advance(1100);
    expect((await running.ended).code).toBe(0);
    expect(items()).toBeGreaterThan(12);
  });
});

test('a large job stops hammering a server that is dead: the quota ends the retries', async () => {
  await inWorld(
    { script: () => ({ status: 503, headers: { 'retry-after': '0' } }) },
    async ({ run, server }) => {
      const ids = Array.from({ length: 150 }, (_, index) => `u${index}\n`).join('');
      const ran = await run(
        ['members', 'update', '-', '--role', 'read', '--yes', '--concurrency', '64', '--json'],
        {
          stdin: ids,
        },
      );
      expect(ran.code).not.toBe(0);
      const writes = server.requests.filter(({ method }) => method === 'PATCH').length;
      const reads = server.requests.length - writes;
      expect(writes + reads).toBeLessThanOrEqual(2 * 150 + 100);
    },
  );
});
