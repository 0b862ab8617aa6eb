import { parse as parseCsv } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { RawNumber } from '../../src/api/transport/json-text.js';
import { armFormulas, plainCell } from '../../src/base/formula.js';
import type { View } from '../../src/output/printer.js';
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

const view: View = { columns: [{ path: 'a' }, { path: 'b' }], fields: ['id', 'a', 'b'] };
const list = (options: PrintOptions, items: readonly unknown[], shown = view) =>
  printed(options, (printer) => printer.list(pagesOf([items]), shown));

describe('TSV', () => {
  it('marks what cannot be seen, and leaves JSON to programs', async () => {
    const item = { a: 'x\u{e0041}\u200b\ty', b: '👩\u200d🔬 é' };
    expect((await list({}, [item])).stdout).toBe('x<U+E0041><U+200B>\\ty\t👩\u200d🔬 é\n');
    const json = await list({ format: 'json' }, [item]);
    expect(JSON.parse(json.stdout)).toEqual([item]);
  });

  it('is what a pipe gets: an item a line, whole values, no header', async () => {
    expect(await list({}, [ada, taro], memberView)).toEqual({
      stdout:
        'Ada Lovelace\tada@example.org\tadmin\t2025-06-12T12:00:00.000Z\tfalse\tmbr_ada\n' +
        '日本 太郎\ttaro@example.org\t\t2024-06-15T12:00:00.000Z\ttrue\tmbr_taro\n',
      stderr: '',
    });
  });

  it('keeps a line a line, whatever the values', async () => {
    const { stdout } = await list({}, [{ a: 'tab\tnew\nline\r\\back', b: '\x1b[31m\x7f\x9b\x00\ud800' }]);
    expect(stdout).toBe('tab\\tnew\\nline\\r\\\\back\t\\x1B[31m\\x7F\\x9B\\x00\\uD800\n');
  });

  it('holds nested values as JSON, and numbers with all their digits', async () => {
    expect((await list({}, [{ a: ['x', { y: 1 }], b: new RawNumber('9007199254740993') }])).stdout).toBe(
      '["x",{"y":1}]\t9007199254740993\n',
    );
  });

  it('names its fields with --header, also where there is nothing', async () => {
    expect((await list({ header: true }, [{ a: 1, b: 2 }])).stdout).toBe('a\tb\n1\t2\n');
    expect((await list({ header: true }, [])).stdout).toBe('a\tb\n');
    expect((await list({}, [])).stdout).toBe('');
  });

  it('is sanitised on a terminal, bidi too', async () => {
    expect((await list({ ...terminal, format: 'tsv' }, [{ a: 'x\u202ey', b: 1 }])).stdout).toBe(
      'x<U+202E>y\t1\n',
    );
    expect((await list({ format: 'tsv' }, [{ a: 'x\u202ey', b: 1 }])).stdout).toBe('x<U+202E>y\t1\n');
  });
});

describe('CSV', () => {
  const items = [
    { a: 'plain', b: 'with "quotes", commas\nand lines' },
    { a: null, b: -5 },
  ];

  it('has a header and is read back as it was', async () => {
    const { stdout } = await list({ format: 'csv' }, items);
    expect(stdout).toBe('a,b\nplain,"with ""quotes"", commas\nand lines"\n,-5\n');
    expect(parseCsv(stdout)).toEqual([
      ['a', 'b'],
      ['plain', 'with "quotes", commas\nand lines'],
      ['', '-5'],
    ]);
  });

  it('has one header over many pages, and one for an empty list', async () => {
    const output = await printed({ format: 'csv' }, (printer) =>
      printer.list(pagesOf([[{ a: 1 }], [{ a: 2 }]]), view),
    );
    expect(output.stdout).toBe('a,b\n1,\n2,\n');
    expect((await list({ format: 'csv' }, [])).stdout).toBe('a,b\n');
  });

  it.each(['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('disarms %j', async (a) => {
    const { stdout } = await list({ format: 'csv' }, [{ a, b: 'x=y' }]);
    expect(parseCsv(stdout)[1]).toEqual([`'${a}`, 'x=y']);
    const raw = await list({ format: 'csv', csvRaw: true }, [{ a, b: 'x=y' }]);
    expect(parseCsv(raw.stdout)[1]).toEqual([a, 'x=y']);
  });

  it.each(['＝1', '＋1', '－1', '＠SUM(A1)', "'=1"])('disarms %j, and reads it as it was', async (a) => {
    const { stdout } = await list({ format: 'csv' }, [{ a, b: '' }]);
    expect(parseCsv(stdout)[1]?.[0]).toBe(`'${a}`);
    expect(armFormulas(`'${a}`)).toBe(a);
  });

  it.each([
    ['a;=1', "a;'=1"],
    ['a\t@b', "a\t'@b"],
    ['a\n＝1;+2', "a\n'＝1;'+2"],
  ])('disarms what other separators make a cell of: %j', async (a, safe) => {
    const { stdout } = await list({ format: 'csv' }, [{ a, b: '' }]);
    expect(parseCsv(stdout)[1]?.[0]).toBe(safe);
    expect(armFormulas(safe)).toBe(a);
  });

  const hidden = 'Board\u{e0041}\u200b\u202eN\x1b a\r\nb';
  const seen = 'Board<U+E0041><U+200B><U+202E>N<U+001B> a\r\nb';

  it('marks what cannot be seen, and reads it as it was; --csv-raw has it as it is', async () => {
    const { stdout } = await list({ format: 'csv' }, [{ a: hidden, b: '<U+200B>' }]);
    expect(parseCsv(stdout)[1]).toEqual([seen, '<U+003C>U+200B>']);
    expect(parseCsv(stdout)[1]?.map(plainCell)).toEqual([hidden, '<U+200B>']);
    const raw = await list({ format: 'csv', csvRaw: true }, [{ a: hidden, b: '' }]);
    expect(parseCsv(raw.stdout)[1]?.[0]).toBe(hidden);
  });

  it('leaves numbers alone', async () => {
    expect((await list({ format: 'csv' }, [{ a: -5, b: new RawNumber('-9007199254740993') }])).stdout).toBe(
      'a,b\n-5,-9007199254740993\n',
    );
  });

  it('is a header and a row for one resource', async () => {
    const output = await printed({ format: 'csv' }, (printer) => printer.one({ a: 1, b: '=2' }, view));
    expect(output).toEqual({ stdout: "a,b\n1,'=2\n", stderr: '' });
  });
});

describe('YAML', () => {
  it('is one sequence over many pages', async () => {
    const output = await printed({ format: 'yaml' }, (printer) =>
      printer.list(pagesOf([[{ id: 'a', deep: { list: [1, true, null] } }], [{ id: 'no' }]]), view),
    );
    expect(output).toEqual({
      stdout: '- id: a\n  deep:\n    list:\n      - 1\n      - true\n      - null\n- id: "no"\n',
      stderr: '',
    });
    expect((await list({ format: 'yaml' }, [])).stdout).toBe('[]\n');
  });

  it('gives back every value, and escapes what is not printable', async () => {
    const value = {
      id: 'a\x1b\x7f\x9b\u202e',
      'k\u2066': '- x: #',
      text: 'a\nb\n',
      date: '2025-01-01',
      on: 'yes',
    };
    const { stdout } = await printed({ format: 'yaml' }, (printer) => printer.one(value, view));
    expect(parseYaml(stdout)).toEqual(value);
    expect(stdout).not.toMatch(/[\x1b\x7f-\x9f\u202e\u2066]/);
  });

  it('prints the same thing twice rather than an alias, and large numbers whole', async () => {
    const shared = { x: new RawNumber('9007199254740993') };
    const { stdout } = await printed({ format: 'yaml' }, (printer) =>
      printer.one({ a: shared, b: shared }, view),
    );
    expect(stdout).toBe('a:\n  x: 9007199254740993\nb:\n  x: 9007199254740993\n');
  });
});

describe('ids', () => {
  it('are printed alone, one a line', async () => {
    expect(await list({ format: 'id' }, [ada, taro])).toEqual({ stdout: 'mbr_ada\nmbr_taro\n', stderr: '' });
    const users = await list({ format: 'id' }, [ada], { ...memberView, id: 'user.id' });
    expect(users.stdout).toBe('usr_ada\n');
  });

  it('stay one line each', async () => {
    expect((await list({ format: 'id' }, [{ id: 'a\nb' }])).stdout).toBe('a\\nb\n');
  });

  it('are refused before anything is sent where the items have none', async () => {
    const { printer } = printerFor({ format: 'id' });
    await expect(printer.check({ columns: [], fields: ['status'] })).rejects.toMatchObject({
      kind: 'usage',
      code: 'no_id',
    });
    await printer.check(view);
  });

  it('fail loudly for an item without one', async () => {
    const { printer } = printerFor({ format: 'id' });
    await expect(printer.list(pagesOf([[{ a: 1 }]]), view)).rejects.toMatchObject({
      kind: 'bad-response',
      code: 'no_id',
    });
  });
});
