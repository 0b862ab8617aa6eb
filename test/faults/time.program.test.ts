import { describe, expect, test } from 'vitest';
import { startProxy } from './proxy.js';
import { inWorld } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Time, memory, signals": one deadline over everything, and what it leaves known. */

const json = { 'content-type': 'application/json' };
const read = ['api', '/v1/x', '--json', '--timeout', '700ms'];
const write = ['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--timeout', '700ms'];
/** How often a time is taken that a busy machine may outlast: each is three times the last. */
const paces = [1, 3, 9];

describe('--timeout', () => {
  test('ends a request that is never answered: a read with 12, a write with 16', async () => {
    await inWorld({ script: () => ({ stall: true }) }, async ({ run, server }) => {
      const got = await run(read);
      expect({ code: got.code, stdout: got.stdout, error: got.error.code }).toEqual({
        code: 12,
        stdout: '',
        error: 'deadline',
      });
      // A write that did not leave in time is known not to have happened.
      for (const pace of paces) {
        const before = server.requests.length;
        const put = await run([...write.slice(0, -1), `${700 * pace}ms`]);
        if (pace < 9 && server.requests.length === before) continue;
        expect({ code: put.code, outcome: put.error.outcome }).toEqual({ code: 16, outcome: 'unknown' });
        expect(server.requests.length).toBe(before + 1);
        break;
      }
    });
  });

  test('ends a body that stops coming; nothing of it is printed', async () => {
    const step: Step = {
      body: `{"items": [${'1,'.repeat(5000)}`,
      headers: json,
      contentLength: 99_999,
      cut: { after: 3000, by: 'stall' },
    };
    await inWorld({ script: () => step }, async ({ run }) => {
      const ran = await run(read);
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 12, stdout: '' });
    });
  });

  test('ends an answer that drips for ever', async () => {
    function* drops(): Generator<string> {
      for (;;) yield ' ';
    }
    await inWorld({ script: () => ({ pieces: drops(), headers: json }) }, async ({ run }) => {
      expect((await run(read)).code).toBe(12);
    });
  });

  test('ends the way through a proxy that never answers', async () => {
    const proxy = await startProxy({ hosts: {}, stall: true });
    try {
      await inWorld({}, async ({ run }) => {
        const env = { DOCS_BASE_URL: 'https://platform.test', HTTPS_PROXY: proxy.url };
        const ran = await run(write, { env });
        expect({ code: ran.code, outcome: ran.error.outcome }).toEqual({ code: 12, outcome: 'not-sent' });
      });
    } finally {
      await proxy.close();
    }
  });

  test('covers the waits too: a wait that outlasts it is not begun', async () => {
    const script = (_: SeenRequest, number: number): Step => ({
      ...{ status: 503, headers: { 'retry-after': number === 1 ? '1' : '50' } },
    });
    await inWorld({ script }, async ({ run, server }) => {
      const ran = await run(['api', '/v1/x', '--json', '--timeout', '45s']);
      expect({ code: ran.code, requests: server.requests.length }).toEqual({ code: 9, requests: 2 });
    });
  });

  test('of a list holds for each request, not for all of them', async () => {
    for (const pace of paces) {
      const script = (_: SeenRequest, number: number): Step => ({
        json: { items: [{ id: `t${number}` }], ...(number < 3 && { next: { page: `p${number}` } }) },
        hold: new Promise((resolve) => setTimeout(resolve, 900 * pace)),
      });
      let code: number | null = null;
      await inWorld({ script }, async ({ run }) => {
        const ran = await run(['teams', 'list', '-o', 'id', '--timeout', `${2500 * pace}ms`]);
        code = ran.code;
        if (pace < 9 && code === 12) return;
        expect({ code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 't1\nt2\nt3\n' });
      });
      if (code === 0) break;
    }
  });

  test.each(['abc', '-1', '5 parsecs', ''])('of %j is exit 2, nothing sent', async (text) => {
    await inWorld({}, async ({ run, server }) => {
      expect((await run(['api', '/v1/x', `--timeout=${text}`])).code).toBe(2);
      expect(server.connections).toBe(0);
    });
  });
});
