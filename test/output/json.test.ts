import { describe, expect, it } from 'vitest';
import { RawNumber } from '../../src/api/transport/json-text.js';
import { stringify } from '../../src/output/json.js';
import { pagesOf, printed, terminal } from './printed.js';

const view = { columns: [{ path: 'id' }], fields: ['id'] };

describe('JSON text', () => {
  it('keeps values but escapes DEL, C1, bidi and half characters', () => {
    const value = { 'k\u202e': 'a\x1b\x7f\x9b\u2066\ud800é🧑🏽‍💻' };
    const text = stringify(value);
    expect(text).toBe('{"k\\u202e":"a\\u001b\\u007f\\u009b\\u2066\\ud800é🧑🏽‍💻"}');
    expect(JSON.parse(text)).toEqual(value);
  });

  it('prints large numbers with all their digits, wherever they stand', () => {
    const big = new RawNumber('9007199254740993');
    expect(stringify(big)).toBe('9007199254740993');
    expect(stringify({ a: [big, { b: big }], c: 'x"1"' })).toBe(
      '{"a":[9007199254740993,{"b":9007199254740993}],"c":"x\\"1\\""}',
    );
    expect(stringify({ a: big }, 2)).toBe('{\n  "a": 9007199254740993\n}');
  });

  it('takes an object of the platform with such a key for what it is', () => {
    expect(stringify({ rawJson: '1' })).toBe('{"rawJson":"1"}');
    expect(stringify(JSON.parse('{"__proto__":{"rawJson":"1"}}'))).toBe('{"__proto__":{"rawJson":"1"}}');
    expect(() => new RawNumber('1,"injected":2')).toThrow('is not a number');
  });
});

describe('--json', () => {
  it('is one array with an item a line, in a pipe and on a terminal', async () => {
    for (const world of [{}, terminal]) {
      const output = await printed({ ...world, format: 'json' }, (printer) =>
        printer.list(pagesOf([[{ id: 'a', n: { m: 1 } }], [{ id: 'b' }, { id: 'c' }]]), view),
      );
      expect(output).toEqual({
        stdout: '[\n  {"id":"a","n":{"m":1}},\n  {"id":"b"},\n  {"id":"c"}\n]\n',
        stderr: '',
      });
    }
  });

  it('is an empty array for an empty list', async () => {
    const output = await printed({ format: 'json' }, (printer) => printer.list(pagesOf([[]]), view));
    expect(output).toEqual({ stdout: '[]\n', stderr: '' });
    const none = await printed({ format: 'json' }, (printer) => printer.list(pagesOf([]), view));
    expect(none).toEqual({ stdout: '[]\n', stderr: '' });
  });

  it('is a readable object for one resource', async () => {
    const output = await printed({ format: 'json' }, (printer) => printer.one({ id: 'a', n: [1] }, view));
    expect(output).toEqual({ stdout: '{\n  "id": "a",\n  "n": [\n    1\n  ]\n}\n', stderr: '' });
  });

  it('never sends control characters to a terminal', async () => {
    const output = await printed({ ...terminal, format: 'json' }, (printer) =>
      printer.one({ id: '\x1b[2J\u202e\x9b' }, view),
    );
    expect(output.stdout).toBe('{\n  "id": "\\u001b[2J\\u202e\\u009b"\n}\n');
  });
});

describe('ndjson', () => {
  it('is an item a line', async () => {
    const list = await printed({ format: 'ndjson' }, (printer) =>
      printer.list(pagesOf([[{ id: 'a\nb' }], [{ id: 'c' }]]), view),
    );
    expect(list).toEqual({ stdout: '{"id":"a\\nb"}\n{"id":"c"}\n', stderr: '' });
    const one = await printed({ format: 'ndjson' }, (printer) => printer.one({ id: 'a', b: {} }, view));
    expect(one).toEqual({ stdout: '{"id":"a","b":{}}\n', stderr: '' });
  });

  it('is nothing for an empty list', async () => {
    const output = await printed({ format: 'ndjson' }, (printer) => printer.list(pagesOf([[]]), view));
    expect(output).toEqual({ stdout: '', stderr: '' });
  });
});
