import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/api/transport/json-text.js';
import type { Page, View } from '../../src/output/printer.js';
import { depthFirst, SortedList } from '../../src/output/sorting.js';
import { runs } from '../runs.js';
import {
  ada,
  memberView,
  type PrintOptions,
  pagesOf,
  printed,
  printerFor,
  taro,
  terminal,
} from './printed.js';

/** `--sort-by`: lists that are read as a whole, and printed in another order. */

const view: View = {
  columns: [{ path: 'id' }, { path: 'title' }],
  fields: ['id', 'title', 'n', 'at', 'user.email', 'user.name', 'other.name'],
  noun: 'things',
};

const signal = new AbortController().signal;

type Item = Record<string, unknown>;

const sorted = (by: string, items: readonly Item[], options: PrintOptions & { limit?: number } = {}) => {
  const { limit, ...rest } = options;
  const sort = { by, ...(limit !== undefined && { limit }) };
  const half = Math.ceil(items.length / 2);
  const pages = () => pagesOf([items.slice(0, half), items.slice(half)], items.length);
  return printed({ format: 'id', ...rest, sort }, (printer) => printer.list(pages(), view));
};
const ids = async (by: string, items: readonly Item[]) =>
  (await sorted(by, items)).stdout.trimEnd().split('\n').join(' ');

describe('the order', () => {
  it('of texts is that of people: 2 before 10, accents beside their letters, capitals no matter', async () => {
    const titles = ['Zebra', 'page 10', 'Éa', 'page 2', 'eb', 'apple', 'Apple'];
    const items = titles.map((title, index) => ({ id: index, title }));
    expect(await ids('title', items)).toBe('5 6 2 4 3 1 0');
  });

  it('of ids is that of their characters', async () => {
    const items = ['b2', 'B10', 'a', 'b10'].map((id) => ({ id }));
    expect(await ids('id', items)).toBe('B10 a b10 b2');
  });

  it('of numbers is theirs, however large, and of times that of their instants', async () => {
    const numbers = [10, 9, -1.5].map((n, index) => ({ id: 'abc'[index], n }));
    expect(await ids('n', numbers)).toBe('c b a');
    const read = parseJson(Buffer.from('[{"id":"a","n":9007199254740993},{"id":"b","n":9007199254740992}]'));
    expect(await ids('n', read.ok ? (read.value as Item[]) : [])).toBe('b a');
    const times = ['2026-01-01T00:30:00+02:00', '2025-12-31T23:00:00Z', '2025-12-31T22:00:00.000Z'];
    const timed = times.map((at, id) => ({ id, at }));
    expect(await ids('at', timed)).toBe('2 0 1');
  });

  it('has what is missing last, in either direction', async () => {
    const items = [{ id: 'none' }, { id: 'b', n: 2 }, { id: 'null', n: null }, { id: 'a', n: 1 }];
    expect(await ids('n', items)).toBe('a b none null');
    expect(await ids('n:desc', items)).toBe('b a none null');
  });

  it('leaves equal items as they came, also from the last to the first', async () => {
    const items = ['a', 'b', 'c', 'd'].map((id, index) => ({ id, n: index % 2 }));
    expect(await ids('n', items)).toBe('a c b d');
    expect(await ids('n:desc', items)).toBe('b d a c');
  });

  it('takes several fields, each with its direction', async () => {
    const items = [
      { id: 'a', n: 1, title: 'x' },
      { id: 'b', n: 2, title: 'x' },
      { id: 'c', n: 2, title: 'w' },
    ];
    expect(await ids('title:desc,n:desc', items)).toBe('b a c');
    expect(await ids('title:asc, n', items)).toBe('c a b');
  });

  it('takes the header of a column or the end of a path for the field', async () => {
    const list = async (by: string) =>
      (
        await printed({ format: 'id', sort: { by } }, (printer) =>
          printer.list(pagesOf([[ada, taro]]), memberView),
        )
      ).stdout;
    expect(await list('email:desc')).toBe('mbr_taro\nmbr_ada\n');
    expect(await list('joined')).toBe('mbr_taro\nmbr_ada\n');
    expect(await list('NAME')).toBe('mbr_ada\nmbr_taro\n');
  });
});

describe('what is printed', () => {
  const items = [
    { id: 'b', title: 'Two', n: 2 },
    { id: 'a', title: 'One', n: 1 },
    { id: 'c', title: 'Three', n: 3 },
  ];

  it.each([
    ['tsv', 'a\tOne\nb\tTwo\n'],
    ['csv', 'id,title\na,One\nb,Two\n'],
    ['ndjson', '{"id":"a","title":"One","n":1}\n{"id":"b","title":"Two","n":2}\n'],
    ['json', '[\n  {"id":"a","title":"One","n":1},\n  {"id":"b","title":"Two","n":2}\n]\n'],
    ['id', 'a\nb\n'],
    ['table', 'ID  TITLE\na   One\nb   Two\n'],
  ] as const)('as %s is in order, and cut after that', async (format, text) => {
    expect((await sorted('n', items, { format, limit: 2 })).stdout.replaceAll('\r', '')).toBe(text);
  });

  it('as YAML, and through a filter', async () => {
    expect((await sorted('n:desc', items, { format: 'yaml', limit: 1 })).stdout).toBe(
      '- id: c\n  title: Three\n  "n": 3\n',
    );
    expect((await sorted('n', items, { format: 'json', jq: '.[].title', limit: 2 })).stdout).toBe(
      'One\nTwo\n',
    );
  });

  it('may lack the field that it is sorted by', async () => {
    const ran = await sorted('n', items, { format: 'ndjson', fields: ['title'] });
    expect(ran.stdout).toBe('{"title":"One"}\n{"title":"Two"}\n{"title":"Three"}\n');
  });

  it('says how much of how much it is', async () => {
    expect((await sorted('n', items, { limit: 1 })).stderr).toBe('showing 1 of 3\n');
  });

  it('is said to take all of the list on a terminal, where more than a page is read', async () => {
    const said = async (options: PrintOptions) => (await sorted('n', items, options)).stderr;
    expect(await said({ ...terminal })).toBe('Reading all 3 things to sort them.\n');
    expect(await said({ ...terminal, quiet: true })).toBe('');
    expect(await said({})).toBe('');
    const one = await printed({ ...terminal, format: 'id', sort: { by: 'n' } }, (printer) =>
      printer.list(pagesOf([items]), view),
    );
    expect(one.stderr).toBe('');
  });
});

describe('what cannot be sorted is refused', () => {
  const refusal = async (by: string) => {
    const { printer } = printerFor({ sort: { by } });
    return printer.check(view).then(
      () => undefined,
      (cause) => cause,
    );
  };

  it.each(['', 'n:down', 'n:asc:desc', ',n', ':desc'])('%j', async (by) => {
    expect(await refusal(by)).toMatchObject({ kind: 'usage', code: 'invalid_sort' });
  });

  it('an unknown field, with the nearest one, and a name that means two', async () => {
    expect((await refusal('titel')).message).toMatch(
      /unknown field "titel" in --sort-by. Did you mean title\?/,
    );
    expect(await refusal('name')).toMatchObject({ code: 'unknown_field' });
    expect(await refusal('email')).toBeUndefined();
  });

  it('a record, and a text', async () => {
    for (const print of ['one', 'text'] as const) {
      const { io, printer } = printerFor({ sort: { by: 'n' } });
      const printing = print === 'one' ? printer.one({ id: 'a', n: 1 }, view) : printer.text('a');
      await expect(printing).rejects.toMatchObject({ code: 'not_a_list' });
      expect(io.stdout.text).toBe('');
    }
  });

  it('a list of more than 200,000: at its first page where that tells, and unprinted', async () => {
    const { io, printer } = printerFor({ format: 'id', sort: { by: 'n', limit: 1 } });
    let [pages, released] = [0, false];
    async function* many(): AsyncGenerator<Page> {
      try {
        for (;;) {
          pages += 1;
          yield { items: [{ id: 'a', n: 1 }], count: 200_001, next: 'more' };
        }
      } finally {
        released = true;
      }
    }
    await expect(printer.list(many(), view)).rejects.toMatchObject({
      kind: 'usage',
      code: 'too_many_to_sort',
      message: expect.stringMatching(
        /^the list has 200,001 items; --sort-by sorts at most 200,000\. Nothing was printed\. .* -o tsv /,
      ),
    });
    expect([pages, released, io.stdout.text]).toEqual([1, true, '']);
  });

  it('a list that turns out to be longer, or larger than the memory for it', () => {
    const page = { items: [{ n: 1 }, { n: 2 }], count: 2, next: 'more' };
    const listOf = (items: number, bytes: number, by = 'n') =>
      new SortedList({ by, view, keep: (item) => item, most: { items, bytes }, signal });
    const long = listOf(3, 1 << 20);
    long.add(page);
    expect(() => long.add(page)).toThrow('the list has more than 3 items');
    const large = listOf(10, 3 << 20, 'title');
    large.add({ items: [{ title: 'x'.repeat(1 << 20) }] });
    expect(() => large.add({ items: [{ title: 'y' }] })).not.toThrow();
    expect(() => large.add({ items: [{ title: 'x'.repeat(1 << 19) }] })).toThrow(
      '--sort-by sorts at most 3 MB, and this list is larger; pass --fields',
    );
  });

  it('for a filter, a list that does not fit into its memory: at its first page, where that tells', async () => {
    const long = 'x'.repeat(1000);
    let pages = 0;
    async function* many(all: number): AsyncGenerator<Page> {
      for (; pages < all; pages += 1)
        yield { items: Array(1000).fill({ id: 'a', title: long }), count: all * 1000, next: 'more' };
    }
    const filtered = (sort: { by: string; limit?: number }, jq = '.[0].id') =>
      printerFor({ format: 'json', jq, sort });
    const whole = filtered({ by: 'n' });
    await expect(whole.printer.list(many(180), view)).rejects.toMatchObject({
      kind: 'usage',
      code: 'jq_too_large',
    });
    expect([pages, whole.io.stdout.text]).toEqual([0, '']);
    const top = filtered({ by: 'n', limit: 2 }, 'length');
    await top.printer.list(many(70), view);
    expect([pages, top.io.stdout.text]).toEqual([70, '2\n']);
  });
});

describe('trees', () => {
  it('keep their levels: siblings are sorted among themselves', async () => {
    const tree = { columns: [{ path: 'title', indent: 'depth' }], fields: ['id', 'title', 'depth'] };
    const rows = ['b 0', 'b2 1', 'b1 1', 'b1z 2', 'b1a 2', 'a 0', 'a1 1'].map((row) => {
      const [title, depth] = row.split(' ');
      return { title, depth: Number(depth) };
    });
    const told = await printed({ format: 'tsv', sort: { by: 'title' } }, (printer) =>
      printer.list(rows, tree),
    );
    expect(told.stdout.trimEnd().split('\n')).toEqual(['a', 'a1', 'b', 'b1', 'b1a', 'b1z', 'b2']);
    const back = await printed({ format: 'tsv', sort: { by: 'title:desc' } }, (printer) =>
      printer.list(rows, { columns: [{ path: 'title' }], fields: ['title'], depth: 'depth' }),
    );
    expect(back.stdout.trimEnd().split('\n')).toEqual(['b', 'b2', 'b1', 'b1z', 'b1a', 'a', 'a1']);
  });

  it('in an answer are sorted at every level', async () => {
    const answer = { pages: [{ title: 'b', pages: [{ title: 'd' }, { title: 'c' }] }, { title: 'a' }] };
    const told = await printed({ format: 'json', sort: { by: 'title' } }, (printer) =>
      printer.one(answer, { columns: [], fields: ['title'], tree: { list: 'pages', children: 'pages' } }),
    );
    expect(JSON.parse(told.stdout)).toEqual({
      pages: [{ title: 'a' }, { title: 'b', pages: [{ title: 'c' }, { title: 'd' }] }],
    });
  });

  it('lose nobody, whatever their depths are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 40 }), (depths) => {
        const places = depths.map((_, place) => depths.length - 1 - place);
        expect([...depthFirst(places, depths)].sort((a, b) => a - b)).toEqual(
          depths.map((_, place) => place),
        );
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('a long list', () => {
  const long = (own: AbortSignal) => {
    const items = Array.from({ length: 9001 }, (_, id) => ({ id, n: (id * 7919) % 50 }));
    const list = new SortedList({ by: 'n', view, keep: (item) => item, signal: own });
    list.add({ items });
    return { items, list };
  };

  it('is sorted as an array is, equal items as they came', async () => {
    const { items, list } = long(signal);
    const found: unknown[] = [];
    for await (const page of list.pages()) found.push(...page.items);
    expect(found).toEqual([...items].sort((one, other) => one.n - other.n));
  });

  it('is sorted no further once the run is interrupted', async () => {
    const reason = new Error('SIGINT');
    const { list } = long(AbortSignal.abort(reason));
    await expect(list.pages().next()).rejects.toBe(reason);
  });
});
