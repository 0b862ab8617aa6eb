import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/output/printer.js';
import { type PrintOptions, printed, terminal } from './printed.js';

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
