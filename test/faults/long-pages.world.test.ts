import { afterEach, describe, expect, test, vi } from 'vitest';
import { JsonLines } from '../../src/api/transport/json-lines.js';
import { inWorld, targets, token } from './run.js';
import type { SeenRequest } from './server.js';
import type { Step } from './step.js';

/** Long pages, which JSON prints as they came where it may: what docs prints does not depend on how they came. */

const item = (number: number, title = 'Zoë') =>
  `{"id":"t${number}","title":"${title}","of":[{"n":1},{"n":${number}}],"text":"${'x'.repeat(100)}"}`;
const page = (number: number, change: (item: string, index: number) => string = (text) => text) =>
  Array.from({ length: 300 }, (_, index) => change(item(number * 300 + index), index)).join(',');

/** A script that answers pages, each with its way of being sent. */
const pages =
  (all: readonly { items: string; step?: Step; rest?: string }[]) =>
  ({ target }: SeenRequest): Step => {
    const number = Number(new URL(target, 'http://x').searchParams.get('page') ?? 0);
    const { items = '', step, rest } = all[number] ?? {};
    const next = number + 1 < all.length ? `,"next":{"page":"${number + 1}"}` : '';
    const headers = { 'content-type': 'application/json' };
    return { headers, body: `{"items":[${items}]${rest ?? next}}`, ...step };
  };

/** What JSON.parse and JSON.stringify make of pages. */
const printed = (...all: string[]) =>
  all.flatMap((items) => (JSON.parse(`[${items}]`) as unknown[]).map((each) => JSON.stringify(each)));

const ndjson = ['teams', 'list', '-o', 'ndjson'];

afterEach(() => vi.restoreAllMocks());

describe('a list of long pages', () => {
  const odd = page(2, (text, index) =>
    index === 7 ? '{ "a": 1.0, "a": "\\u0041\\/", "b": {"1": 2, "0": -0}, "c": "\\ud83d\\ude00" }' : text,
  );
  const all = [
    { items: page(0) },
    { items: page(1), step: { chunked: true } },
    { items: odd, step: { drip: 997 } },
    { items: page(3), step: { drip: 10_000 } },
    { items: page(4) },
  ];
  const lines = printed(page(0), page(1), odd, page(3), page(4));

  test.each([
    ['ndjson', lines.map((line) => `${line}\n`).join('')],
    ['json', `[\n  ${lines.join(',\n  ')}\n]\n`],
  ])('is the same as its values, each item once: -o %s', async (format, expected) => {
    await inWorld({ script: pages(all) }, async ({ run, server }) => {
      const { stdout, code } = await run(['teams', 'list', '-o', format]);
      expect(stdout).toBe(expected);
      expect({ code, requests: targets(server).length }).toEqual({ code: 0, requests: 5 });
    });
  });

  test.each([
    ['lines', ndjson],
    ['joined', ['teams', 'list', '--json']],
  ] as const)('is printed as its bytes where these are what docs prints: by %s', async (way, args) => {
    const passed = vi.spyOn(JsonLines.prototype, way);
    await inWorld({ script: pages(all) }, async ({ run }) => {
      await run(args);
      // Neither the first page nor the odd one.
      expect(passed).toHaveBeenCalledTimes(3);
    });
  });

  test('is cut at a limit, whatever the platform sends', async () => {
    await inWorld({ script: pages(all) }, async ({ run }) => {
      const { stdout, stderr } = await run([...ndjson, '--limit', '450']);
      expect(stdout).toBe(
        lines
          .slice(0, 450)
          .map((line) => `${line}\n`)
          .join(''),
      );
      expect(stderr).toBe('showing 450; more follow\n');
    });
  });

  test('keeps every digit of a number, and escapes what reorders a line', async () => {
    const items = page(1, (text, index) => (index === 299 ? '{"n":9007199254740993,"t":"a\u202eb"}' : text));
    await inWorld({ script: pages([{ items: page(0) }, { items }]) }, async ({ run }) => {
      expect((await run(ndjson)).stdout.split('\n').at(-2)).toBe('{"n":9007199254740993,"t":"a\\u202eb"}');
    });
  });

  test('is read again from the start of a page that broke off', async () => {
    const first = new Set<string>();
    const whole = pages(all);
    const script = (request: SeenRequest): Step => {
      const isFirst = !first.has(request.target);
      first.add(request.target);
      return { ...whole(request), ...(isFirst && { cut: { after: 30_000, by: 'reset' } }) };
    };
    await inWorld({ script }, async ({ run }) => {
      expect((await run(ndjson)).stdout).toBe(lines.map((line) => `${line}\n`).join(''));
    });
  });

  test.each([
    ['is not JSON', { items: `${page(1)},` }, 'not_json'],
    ['is JSON and more', { items: page(1), rest: '}]' }, 'not_json'],
    ['has no cursor where one should be', { items: page(1), rest: ',"next":"x"' }, 'wrong_shape'],
    [
      'has the cursor of the page before',
      { items: page(1), rest: ',"next":{"page":"1"}' },
      'repeated_cursor',
    ],
  ])('ends with the page before one that %s', async (_, broken, code) => {
    await inWorld({ script: pages([{ items: page(0) }, broken]) }, async ({ run }) => {
      const ran = await run(ndjson);
      expect(ran.code).toBe(15);
      expect(ran.stdout.split('\n').slice(0, 300)).toEqual(printed(page(0)));
      const json = await run(['teams', 'list', '--json']);
      expect(json.error).toMatchObject({ code });
      expect(json.stdout).not.toMatch(/\]\s*$/);
    });
  });
});

describe('a token in a long page', () => {
  test.each([
    ['in an item', page(1, (text, index) => (index === 200 ? item(1, `Bearer ${token}`) : text)), ''],
    ['in its rest', page(1), `,"note":"${token}"`],
  ])('is taken out: %s', async (_, items, rest) => {
    await inWorld({ script: pages([{ items: page(0) }, { items, rest }]) }, async ({ run }) => {
      const ran = await run(ndjson);
      expect(ran.code).toBe(15);
      expect(ran.stdout.split('\n')).toHaveLength(601);
      expect(ran.stdout).not.toContain(token);
      if (rest === '') expect(ran.stdout).toContain('"title":"Bearer [redacted]"');
    });
  });
});
