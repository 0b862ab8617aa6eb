import { describe, expect, it } from 'vitest';
import { parseRows } from '../../src/jobs/rows.js';

const rowsOf = async (text: string, name: string) =>
  (await parseRows(text, name)).rows.map(({ line, cells }) => ({
    line,
    cells: cells.map(({ name: key, value, column }) => [key, value, column]),
  }));

describe('CSV', () => {
  it('has its columns in the first line; empty cells and blank lines are skipped', async () => {
    expect(await rowsOf('\ufeffuser, role\r\nu1,read\r\n\r\n,edit\r\n', 'a.csv')).toEqual([
      {
        line: 2,
        cells: [
          ['user', 'u1', 1],
          ['role', 'read', 2],
        ],
      },
      { line: 4, cells: [['role', 'edit', 2]] },
    ]);
  });

  it('may have line breaks and quotes in quotes; a row counts from its first line', async () => {
    expect(await rowsOf('title,user\n"a\n""b"",\nc",u1\nx,u2\n', 'a.csv')).toEqual([
      {
        line: 2,
        cells: [
          ['title', 'a\n"b",\nc', 1],
          ['user', 'u1', 2],
        ],
      },
      {
        line: 5,
        cells: [
          ['title', 'x', 1],
          ['user', 'u2', 2],
        ],
      },
    ]);
  });

  it.each([
    ['semicolons', 'user;role\nu1;read\n', 'a.csv'],
    ['tabs', 'user\trole\nu1\tread\n', 'a.tsv'],
    ['standard input', 'user,role\nu1,read', '-'],
  ])('with %s', async (_, text, name) => {
    expect(await rowsOf(text, name)).toEqual([
      {
        line: 2,
        cells: [
          ['user', 'u1', 1],
          ['role', 'read', 2],
        ],
      },
    ]);
  });

  it('loses blanks at the ends of its cells, and says how many cells had them', async () => {
    const text = 'a , b\n " x y " ,\u00a0z\n\t, \nc,d\n';
    const parsed = await parseRows(text.replaceAll('"', ''), 'a.csv');
    expect(parsed.rows.map(({ line, cells }) => [line, cells.map(({ value }) => value)])).toEqual([
      [2, ['x y', 'z']],
      [4, ['c', 'd']],
    ]);
    expect(parsed.trimmed).toBe(2);
    const kept = await parseRows(' a,b\n x,y\t\n', 'a.csv', { keepBlanks: true });
    expect(kept).toMatchObject({
      trimmed: 0,
      rows: [{ cells: [{ name: 'a', value: ' x' }, { value: 'y\t' }] }],
    });
  });

  it("loses the ' that keeps a spreadsheet from running it, and no other", async () => {
    const [row] = await rowsOf("a,b,c\n'=1+1,'-x,'tis\n", 'a.csv');
    expect(row?.cells.map(([, value]) => value)).toEqual(['=1+1', '-x', "'tis"]);
  });

  it.each([
    ['', 'line 1: missing header line; nothing was sent'],
    ['a,b\n1,2,3\n', 'line 2: 3 fields where the header has 2; nothing was sent'],
  ])('%j is refused', async (text, message) => {
    await expect(parseRows(text, 'a.csv')).rejects.toMatchObject({
      kind: 'usage',
      code: 'bad_rows',
      message,
    });
  });

  it('with an unclosed quote is refused, with its line', async () => {
    await expect(parseRows('a,b\n1,"2\n3,4\n', 'a.csv')).rejects.toThrow(
      /^line \d: not valid CSV: Quote Not Closed/,
    );
  });
});

describe('JSON', () => {
  it('is a list of objects; each key has its line and place', async () => {
    const text = '[\n  {"user": "u1", "roles": ["{", "a\\"b"]},\n  {\n"user": null}\n]';
    expect(await rowsOf(text, 'a.json')).toEqual([
      {
        line: 2,
        cells: [
          ['user', 'u1', 4],
          ['roles', ['{', 'a"b'], 18],
        ],
      },
      { line: 3, cells: [['user', null, 1]] },
    ]);
  });

  it('may be one object per line', async () => {
    expect(await rowsOf('{"user":"u1"}\n\n {"n": 1, "user":"u2"}\n', 'a.ndjson')).toEqual([
      { line: 1, cells: [['user', 'u1', 2]] },
      {
        line: 3,
        cells: [
          ['n', 1, 3],
          ['user', 'u2', 11],
        ],
      },
    ]);
    expect(await rowsOf('{"user":"u1"}', '-')).toHaveLength(1);
  });

  it.each([
    ['{"a": 1', 'a.ndjson', /^line 1: not valid JSON/],
    ['[{"a": 1},\n 2]', 'a.json', /expected an object/],
    ['{"a": 1}\n[1]', 'a.ndjson', /^line 2: expected an object/],
    ['[1,', 'a.json', /not valid JSON/],
    ['[\n{"a": 1,\n"b": }]', 'a.json', /^line 3: not valid JSON: column 6: unexpected "}"/],
    ['[{"a": 1, "a": 2}]', 'a.json', /^line 1: not valid JSON: column 11: the key "a" is given twice/],
    ['{"b": 1}\n{"a": 1, "a": 1}', 'a.ndjson', /^line 2: .*the key "a" is given twice/],
  ])('%j is refused', async (text, name, message) => {
    await expect(parseRows(text, name)).rejects.toThrow(message);
  });
});
