import { describe, expect, test } from 'vitest';
import { space } from '../e2e/change-platform.js';
import { startProxy } from './proxy.js';
import { inWorld, until } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Time, memory, signals": one deadline over everything, and what it leaves known. */

const json = { 'content-type': 'application/json' };
const limitMs = 60_000;
const read = ['api', '/v1/x', '--json', '--timeout', '60s'];
const write = ['api', 'PATCH', '/v1/x', '-f', 'a=b', '--json', '--timeout', '60s'];

function* drops(): Generator<string> {
  for (;;) yield ' ';
}

describe('--timeout', () => {
  const never: [what: string, step: Step, words: string[], ends: Record<string, unknown>][] = [
    ['a read that is never answered', { stall: true }, read, { code: 12, error: 'deadline' }],
    ['a write that is never answered', { stall: true }, write, { code: 16, outcome: 'unknown' }],
    [
      'a body that stops coming',
      {
        body: `{"items": [${'1,'.repeat(5000)}`,
        headers: json,
        contentLength: 99_999,
        cut: { after: 3000, by: 'stall' },
      },
      read,
      { code: 12 },
    ],
    ['an answer that drips for ever', { pieces: drops(), headers: json }, read, { code: 12 }],
  ];
  test.each(never)('ends %s; nothing is printed', async (_, step, words, ends) => {
    await inWorld({ script: () => step }, async ({ start, server, clock }) => {
      const running = start(words);
      await until(() => server.requests.length === 1);
      clock.advance(limitMs);
      const { code, stdout, error } = await running.ended;
      expect({ code, stdout, error: error.code, outcome: error.outcome }).toMatchObject({
        ...ends,
        stdout: '',
      });
      expect(server.requests.length).toBe(1);
    });
  });

  test('ends the way through a proxy that never answers', async () => {
    const proxy = await startProxy({ hosts: {}, stall: true });
    try {
      await inWorld({}, async ({ start, clock }) => {
        const env = { DOCS_BASE_URL: 'https://platform.test', HTTPS_PROXY: proxy.url };
        const running = start(write, { env });
        await until(() => proxy.requests.length === 1);
        clock.advance(limitMs);
        const ran = await running.ended;
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
    const pass = { page: () => {} };
    const script = (_: SeenRequest, number: number): Step => {
      pass.page();
      return { json: { items: [{ id: `t${number}` }], ...(number < 3 && { next: { page: `p${number}` } }) } };
    };
    await inWorld({ script }, async ({ run, clock, server }) => {
      pass.page = () => clock.advance(limitMs - 1);
      const ran = await run(['teams', 'list', '-o', 'id', '--timeout', '60s']);
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: 't1\nt2\nt3\n' });
      expect(server.requests.length).toBe(3);
    });
  });

  test('of a comparison holds for each request as well', async () => {
    const pass = { page: () => {} };
    const request = { number: 5, status: 'open', subject: 'Words', revisionInitial: 'r1', outdated: false };
    // The change request, its space, and the pages of both; then both texts of the page.
    const script = (_: SeenRequest, number: number): Step => {
      if (number > 3) pass.page();
      const page = {
        id: 'p1',
        title: 'FAQ',
        type: 'document',
        kind: 'sheet',
        slug: 'faq',
        path: 'faq',
        documentId: `d${number}`,
      };
      return {
        json: {
          ...space,
          ...request,
          type: 'edits',
          parents: [],
          urls: {},
          files: [],
          pages: [page],
          markdown: `Text ${number}`,
        },
      };
    };
    await inWorld({ script }, async ({ run, clock }) => {
      pass.page = () => clock.advance(limitMs * 0.4);
      const words = ['change-requests', 'diff', 'c1', '--space', 's1', '--json', '--timeout', '60s'];
      const ran = await run(words);
      expect(ran.code).toBe(0);
      expect(JSON.parse(ran.stdout)).toMatchObject([{ id: 'p1', changes: ['edited'] }]);
    });
  });

  test.each(['abc', '-1', '5 parsecs', ''])('of %j is exit 2, nothing sent', async (text) => {
    await inWorld({}, async ({ run, server }) => {
      expect((await run(['api', '/v1/x', `--timeout=${text}`])).code).toBe(2);
      expect(server.connections).toBe(0);
    });
  });
});
