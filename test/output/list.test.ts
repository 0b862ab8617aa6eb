import { describe, expect, it, vi } from 'vitest';
import { PageRoom } from '../../src/api/transport/json-lines.js';
import { DocsError } from '../../src/base/errors.js';
import type { Format, Page, View } from '../../src/output/printer.js';
import { settled } from '../fake-io.js';
import { type PrintOptions, pagesOf, printed, printerFor, terminal } from './printed.js';

const done = (options: PrintOptions) =>
  printed(options, (printer) =>
    printer.done({ id: 'tm_1', status: 'deleted' }, 'Deleted team "A\x1b" (tm_1).'),
  );
const value = (options: PrintOptions, json: unknown) => printed(options, (printer) => printer.value(json));
const text = (options: PrintOptions, free: string) => printed(options, (printer) => printer.text(free));

describe('an operation that answers nothing', () => {
  it('is a sentence on a terminal, id and status in a pipe', async () => {
    expect(await done(terminal)).toEqual({ stdout: 'Deleted team "A␛" (tm_1).\n', stderr: '' });
    expect(await done({})).toEqual({ stdout: 'tm_1\tdeleted\n', stderr: '' });
    expect(await done({ ...terminal, quiet: true })).toEqual({ stdout: '', stderr: '' });
    expect(await done({ quiet: true })).toEqual({ stdout: 'tm_1\tdeleted\n', stderr: '' });
  });

  it('breaks its sentence between words, so that an address stays whole', async () => {
    const sentence = 'Signed in to http://127.0.0.1:41234 as profile default (ada@acme.example).';
    const { stdout } = await printed({ ...terminal, columns: 60 }, (printer) =>
      printer.done({ id: 'default', status: 'signed-in' }, sentence),
    );
    expect(stdout).toBe('Signed in to http://127.0.0.1:41234 as profile default\n  (ada@acme.example).\n');
  });

  it.each<[Format, string]>([
    ['json', '{\n  "id": "tm_1",\n  "status": "deleted"\n}\n'],
    ['ndjson', '{"id":"tm_1","status":"deleted"}\n'],
    ['yaml', 'id: tm_1\nstatus: deleted\n'],
    ['csv', 'id,status\ntm_1,deleted\n'],
    ['tsv', 'tm_1\tdeleted\n'],
    ['id', 'tm_1\n'],
    ['table', 'Deleted team "A␛" (tm_1).\n'],
  ])('is an object as %s', async (format, stdout) => {
    expect(await done({ format })).toEqual({ stdout, stderr: '' });
    expect(await done({ ...terminal, format })).toEqual({ stdout, stderr: '' });
  });

  it('obeys --fields', async () => {
    expect((await done({ format: 'ndjson', fields: ['status'] })).stdout).toBe('{"status":"deleted"}\n');
    expect((await done({ fields: ['status', 'id'] })).stdout).toBe('deleted\ttm_1\n');
  });
});

describe('free text', () => {
  it('is sanitised on a terminal and whole in a pipe', async () => {
    expect(await text(terminal, '# Title\r\n\x1b[31m')).toEqual({ stdout: '# Title\n␛[31m\n', stderr: '' });
    expect(await text({}, '# Title\r\n\x1b[31m')).toEqual({ stdout: '# Title\r\n\x1b[31m', stderr: '' });
    expect(await text({}, '')).toEqual({ stdout: '', stderr: '' });
  });

  it('is one JSON value where JSON is asked for', async () => {
    expect((await text({ format: 'json' }, 'a\nb')).stdout).toBe('"a\\nb"\n');
  });
});

describe('any JSON value', () => {
  const json = {
    items: [
      { id: 'a', n: 1, deep: {} },
      { id: 'b', n: 2 },
    ],
    count: 2,
  };

  it('is readable on a terminal and compact in a pipe', async () => {
    expect(await value(terminal, { a: [1] })).toEqual({ stdout: '{\n  "a": [\n    1\n  ]\n}\n', stderr: '' });
    expect(await value({}, { a: [1] })).toEqual({ stdout: '{"a":[1]}\n', stderr: '' });
    expect(await value({ format: 'json' }, { a: [1] })).toEqual({ stdout: '{"a":[1]}\n', stderr: '' });
    expect((await value({}, null)).stdout).toBe('null\n');
  });

  it.each<[Format, string]>([
    ['ndjson', '{"items":[{"id":"a","n":1,"deep":{}},{"id":"b","n":2}],"count":2}\n'],
    ['tsv', 'a\t1\nb\t2\n'],
    ['csv', 'id,n\na,1\nb,2\n'],
    ['id', 'a\nb\n'],
    ['table', 'ID  N\na   1\nb   2\n'],
  ])('has the items of a list in its rows as %s', async (format, stdout) => {
    expect((await value({ format }, json)).stdout).toBe(stdout);
  });

  it('has an item a line as ndjson, and obeys --fields', async () => {
    expect((await value({ format: 'ndjson' }, json.items)).stdout).toBe(
      '{"id":"a","n":1,"deep":{}}\n{"id":"b","n":2}\n',
    );
    expect((await value({ fields: ['id'] }, json.items)).stdout).toBe('[{"id":"a"},{"id":"b"}]\n');
    expect((await value({ format: 'tsv', fields: ['n', 'id'] }, json)).stdout).toBe('1\ta\n2\tb\n');
  });
});

describe('flags that were asked for', () => {
  const asked = { format: false, fields: true };

  it('are not ignored by free text: it has no columns', async () => {
    const refused = (options: PrintOptions) =>
      expect(printed(options, (printer) => printer.text('a text\n'))).rejects;
    await refused({ fields: ['id'], asked }).toMatchObject({ code: 'no_columns', exitCode: 2 });
    await refused({ format: 'csv', asked: { format: true, fields: false } }).toMatchObject({
      code: 'no_columns',
    });
    await refused({ header: true, asked: { format: false, fields: false } }).toMatchObject({
      code: 'no_columns',
    });
  });

  it('do not cut what stands for something else', async () => {
    const request = { method: 'DELETE', path: '/v1/spaces/s1' };
    const { stdout } = await printed({ format: 'json', fields: ['id'], asked }, (printer) =>
      printer.whole().value(request),
    );
    expect(JSON.parse(stdout)).toEqual(request);
  });

  it('give the result of a change its header', async () => {
    const { stdout } = await printed({ header: true }, (printer) =>
      printer.done({ id: 's1', status: 'deleted' }, 'Deleted space s1.'),
    );
    expect(stdout).toBe('id\tstatus\ns1\tdeleted\n');
  });
});

const view: View = { columns: [{ path: 'id' }], fields: ['id'], empty: 'No things.' };
const item = (id: number | string) => ({ id: String(id) });
const items = (count: number) => Array.from({ length: count }, (_, index) => item(index));

describe('a list that is cut', () => {
  it('is cut within a page that is printed as it came', async () => {
    const room = new PageRoom({ body: 0, piece: 0 });
    room.add(Buffer.from(JSON.stringify({ items: items(3) })));
    const lines = room.lines(() => false);
    const pages = (async function* () {
      yield { items: [item('first')] };
      if (lines !== undefined) yield { lines };
    })();
    const { stdout, stderr } = await printed({ format: 'ndjson' }, (printer) =>
      printer.list(pages, view, { limit: 3 }),
    );
    expect(stdout).toBe('{"id":"first"}\n{"id":"0"}\n{"id":"1"}\n');
    expect(stderr).toBe('showing 3; more follow\n');
  });

  it('says on stderr how much of how much is shown', async () => {
    for (const world of [{}, terminal]) {
      const output = await printed({ ...world, format: 'id' }, (printer) =>
        printer.list(pagesOf([items(2), items(2)], 212), view, { limit: 3 }),
      );
      expect(output).toEqual({ stdout: '0\n1\n0\n', stderr: 'showing 3 of 212\n' });
    }
  });

  it('says that more follow where nobody knows how many', async () => {
    const { io, printer } = printerFor({ format: 'id' });
    const result = await printer.list(pagesOf([items(2), items(2)]), view, { limit: 2 });
    expect(result).toEqual({ printed: 2, cut: true });
    expect([io.stdout.text, io.stderr.text]).toEqual(['0\n1\n', 'showing 2; more follow\n']);
  });

  it('says nothing where the limit is just the end, or with --quiet', async () => {
    for (const count of [undefined, 2]) {
      const { io, printer } = printerFor({ format: 'id' });
      expect(await printer.list(pagesOf([items(2)], count), view, { limit: 2 })).toEqual({
        printed: 2,
        cut: false,
      });
      expect(io.stderr.text).toBe('');
    }
    const quiet = await printed({ format: 'id', quiet: true }, (printer) =>
      printer.list(pagesOf([items(3)], 9), view, { limit: 1 }),
    );
    expect(quiet).toEqual({ stdout: '0\n', stderr: '' });
  });

  it('asks for no page beyond the limit, and lets go of the pages', async () => {
    let asked = 0;
    let released = false;
    async function* pages(): AsyncGenerator<Page> {
      try {
        for (;;) {
          asked += 1;
          yield { items: items(10), next: 'more' };
        }
      } finally {
        released = true;
      }
    }
    await printed({ format: 'id' }, (printer) => printer.list(pages(), view, { limit: 20 }));
    expect([asked, released]).toEqual([2, true]);
  });
});

describe('a list that fails midway', () => {
  async function* broken(): AsyncGenerator<Page> {
    yield { items: [item('a')], next: 'x' };
    throw new DocsError('network', 'reset', 'The connection was reset.');
  }

  it.each([
    ['json', '[\n  {"id":"a"}'],
    ['ndjson', '{"id":"a"}\n'],
    ['csv', 'id\na\n'],
    ['tsv', 'a\n'],
    ['yaml', '- id: a\n'],
  ] as const)('never looks whole as %s', async (format, stdout) => {
    const { io, printer } = printerFor({ format });
    await expect(printer.list(broken(), view)).rejects.toMatchObject({ code: 'reset' });
    await settled();
    expect([io.stdout.text, io.stderr.text]).toEqual([stdout, '']);
  });

  it('prints nothing at all where the first page fails', async () => {
    const { io, printer } = printerFor({ format: 'json' });
    // biome-ignore lint/correctness/useYield: a list whose first page fails.
    async function* failing(): AsyncGenerator<Page> {
      throw new DocsError('forbidden', 'forbidden', 'No.');
    }
    await expect(printer.list(failing(), view)).rejects.toMatchObject({ code: 'forbidden' });
    expect(io.stdout.text).toBe('');
  });
});

describe('pages', () => {
  it('are printed as they come', async () => {
    const { io, printer } = printerFor(terminal);
    let release: () => void = () => {};
    async function* pages(): AsyncGenerator<Page> {
      yield { items: [item('first')], next: 'x', count: 2 };
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield { items: [item('second')], count: 2 };
    }
    const list = printer.list(pages(), view);
    await vi.waitFor(() => expect(io.stdout.text).toBe('ID\nfirst\n'), { timeout: 50_000, interval: 1 });
    release();
    await list;
    expect(io.stdout.text).toBe('ID\nfirst\nsecond\n');
  });

  it('show what comes beside the items, on a terminal only', async () => {
    async function* pages(): AsyncGenerator<Page> {
      yield { items: [item('a')], extra: { stats: { total: 9, broken: { total: 3 } } } };
    }
    const shown = await printed(terminal, (printer) => printer.list(pages(), view));
    expect(shown.stderr).toBe('total 9, broken 3\n');
    expect(await printed({}, (printer) => printer.list(pages(), view))).toEqual({
      stdout: 'a\n',
      stderr: '',
    });
  });
});

describe('remarks', () => {
  it('go to stderr, sanitised; warnings even with --quiet', async () => {
    const say = async (printer: { note(line: string): void; warn(line: string): void }) => {
      printer.note('note \x1b[31m');
      printer.warn('warning \u202e');
    };
    expect(await printed({}, say)).toEqual({ stdout: '', stderr: 'note ␛[31m\nwarning <U+202E>\n' });
    expect(await printed({ quiet: true }, say)).toEqual({ stdout: '', stderr: 'warning <U+202E>\n' });
  });
});
