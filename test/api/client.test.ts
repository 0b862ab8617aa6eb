import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createClient } from '../../src/api/client.js';
import { once } from '../../src/api/organization-spaces.js';
import type { Space } from '../../src/api/resources/spaces.js';
import type { Transport, TransportRequest } from '../../src/api/transport.js';
import { anyText } from '../any-text.js';

/** The walk over pages, for any lists, any cursors and any readers. */

/** Text without lone surrogates, which no query can carry. */
const isUnicode = (text: string): boolean => !/\p{Surrogate}/u.test(text);

interface Sent {
  page: string | null;
  limit: number;
}

/** A platform whose pages are given: the cursor of each but the first, and its items. */
function platform(pages: readonly { cursor: string; items: number[] }[]) {
  const sent: Sent[] = [];
  const send = async ({ path }: TransportRequest) => {
    const query = new URL(path, 'http://platform').searchParams;
    const page = query.get('page');
    sent.push({ page, limit: Number(query.get('limit') ?? 0) });
    const at = page === null ? 0 : pages.findIndex(({ cursor }, index) => index > 0 && cursor === page);
    const next = pages[at + 1];
    const body = { items: [...(pages[at]?.items ?? [])], ...(next && { next: { page: next.cursor } }) };
    return { status: 200, headers: {}, body, attempts: 1 };
  };
  return { sent, walk: () => pagesOf(send) };
}

/** The pages of a list of which this answers. */
function pagesOf(send: Transport['send'], path = '/v1/x') {
  const download = () => Promise.reject(new Error());
  const client = createClient({ send, download, close: async () => {}, platformNowMs: undefined });
  return client.pagesOf({ method: 'GET', path, read: 'json' });
}

const lists = fc
  .uniqueArray(anyText({ minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 12,
  })
  .chain((cursors) =>
    fc.tuple(
      ...cursors.map((cursor) =>
        fc.record({ cursor: fc.constant(cursor), items: fc.array(fc.nat(), { maxLength: 5 }) }),
      ),
    ),
  );

describe('a walk', () => {
  test('yields every item once and in order, for any cursors', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (pages) => {
        const { sent, walk } = platform(pages);
        const seen: unknown[] = [];
        for await (const page of walk()) seen.push(...page.items);
        expect(seen).toEqual(pages.flatMap(({ items }) => items));
        expect(sent.map(({ page }) => page)).toEqual([null, ...pages.slice(1).map(({ cursor }) => cursor)]);
      }),
    );
  });

  test('sends any cursor as one query value of the same path', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webUrl(), fc.string({ minLength: 1 }), async (url, odd) => {
        for (const cursor of [url, `//${odd}`, `../${odd}`, `${odd}&page=2#x`].filter((text) =>
          isUnicode(text),
        )) {
          const paths: string[] = [];
          const answers = [{ items: [], next: { page: cursor } }, { items: [] }];
          const send = async ({ path }: TransportRequest) => {
            paths.push(path);
            return { status: 200, headers: {}, body: answers.shift(), attempts: 1 };
          };
          for await (const _ of pagesOf(send, '/v1/x?role=a'));
          const second = new URL(paths[1] ?? '', 'http://platform');
          expect([
            second.host,
            second.pathname,
            second.searchParams.getAll('page'),
            second.searchParams.get('role'),
          ]).toEqual(['platform', '/v1/x', [cursor], 'a']);
        }
      }),
    );
  });

  const walkOf = async (next: unknown) => {
    const send = async () => ({ status: 200, headers: {}, body: { items: [1], next }, attempts: 1 });
    const items: unknown[] = [];
    for await (const page of pagesOf(send)) items.push(...page.items);
    return items;
  };

  test.each([[undefined], [null], [{}], [{ page: null }], [{ page: '' }]])(
    'ends at next %j',
    async (next) => {
      expect(await walkOf(next)).toEqual([1]);
    },
  );

  test.each([[5], ['c2'], [['c2']], [{ page: 5 }], [{ page: { cursor: 'c2' } }], [{ page: true }]])(
    'fails at next %j: the list would be short without a word',
    async (next) => {
      await expect(walkOf(next)).rejects.toMatchObject({ kind: 'bad-response', code: 'wrong_shape' });
    },
  );

  test('never fetches more than one page ahead of its reader', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(12), async (pages, stopAfter) => {
        const { sent, walk } = platform(pages);
        let read = 0;
        for await (const _ of walk()) {
          read += 1;
          expect(sent.length).toBeLessThanOrEqual(read + 1);
          if (read > stopAfter) break;
        }
        expect(sent.length).toBeLessThanOrEqual(read + 1);
      }),
    );
  });

  test('exits 15 if a cursor repeats, and never loops', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.nat(11), async (pages, back) => {
        if (pages.length < 2) return;
        const again = pages[1 + (back % (pages.length - 1))];
        if (again === undefined) return;
        const { sent, walk } = platform([...pages, again]);
        const walking = (async () => {
          for await (const _ of walk());
        })();
        await expect(walking).rejects.toMatchObject({ kind: 'bad-response', code: 'repeated_cursor' });
        expect(sent.length).toBeLessThanOrEqual(pages.length + 1);
      }),
    );
  });
});

async function* pages(...ids: string[][]) {
  for (const page of ids) yield { items: page.map((id) => ({ id }) as Space) };
}

async function read(most: number | undefined, ...ids: string[][]) {
  const out: string[] = [];
  for await (const { items, next } of once(pages(...ids), most)) {
    out.push(items.map(({ id }) => id).join(' ') + (next === undefined ? '' : ' …'));
  }
  return out;
}

it('lists each space once', async () => {
  expect(await read(undefined, ['a', 'b'], ['b'], ['c', 'a'])).toEqual(['a b', 'c']);
});

it.each([
  [1, ['a …']],
  [2, ['a b …']],
  [3, ['a b', 'c']],
  [4, ['a b', 'c']],
])('says whether more is left after %i', async (most, shown) => {
  expect(await read(most, ['a', 'b'], ['b'], ['c', 'a'], ['b'])).toEqual(shown);
});
