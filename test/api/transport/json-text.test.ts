import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { formatJson, parseJson, RawNumber } from '../../../src/api/transport/json-text.js';

const parse = (text: string) => parseJson(Buffer.from(text));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('parsing', () => {
  test('keeps every JSON value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const parsed = parse(text);
        expect(parsed.ok && formatJson(parsed.value)).toBe(text);
      }),
    );
  });

  test.each([
    ['9007199254740993'],
    ['-9007199254740993'],
    ['12345678901234567890123456789'],
    ['10000000000000000000'],
    ['1e400'],
    ['-2.5E+309'],
    ['1e-400'],
  ])('keeps the digits of %s', (digits) => {
    for (const text of [digits, `[${digits}]`, `{"a":{"b":[1, ${digits}]}}`, `{ "a":\t${digits} }`]) {
      const parsed = parse(text);
      expect(parsed.ok && formatJson(parsed.value)).toBe(text.replace(/\s/g, ''));
    }
    expect(parse(`[${digits}]`)).toEqual({ ok: true, value: [new RawNumber(digits)] });
  });

  test.each([
    '9007199254740991',
    '1234567890123456',
    '0',
    '-1.5',
    '1e3',
    '1.2345678901234567',
    '12345678901234567890.5',
    '1e20',
    '1.7976931348623157e308',
    '0e999',
  ])('leaves %s a number', (text) => {
    expect(parse(`[${text}]`)).toEqual({ ok: true, value: [Number(text)] });
  });

  // A second parse costs several times the first, and answers with whole revisions have thousands of ids.
  test('an id with digits around an e does not ask for a second parse', () => {
    const replace = vi.spyOn(String.prototype, 'replace');
    try {
      parse(JSON.stringify({ id: 'Ab3e456xYz', of: ['9E123', '1e400'], count: 12 }));
      expect(replace).not.toHaveBeenCalled();
      parse('{"count":1e400}');
      expect(replace).toHaveBeenCalled();
    } finally {
      replace.mockRestore();
    }
  });

  test('leaves all strings unchanged', () => {
    const value = {
      '12345678901234567890': 'say "12345678901234567890", 12345678901234567890\\',
      n: new RawNumber('12345678901234567890'),
    };
    expect(parse(formatJson(value))).toEqual({ ok: true, value });
  });

  test('finds a long integer at any place', () => {
    for (let at = 0; at < 64; at++) {
      const text = `["${'x'.repeat(at)}",9007199254740993,"1"]`;
      expect(parse(text)).toEqual({
        ok: true,
        value: ['x'.repeat(at), new RawNumber('9007199254740993'), '1'],
      });
    }
  });

  test('takes a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ ok: true, value: { a: 1 } });
  });

  test.each([
    '',
    ' ',
    '{"a":',
    '[1,]',
    '<html>',
    '01234567890123456789',
    "{'a':1}",
    'NaN',
    '[9007199254740993',
  ])('%j is not JSON', (text) => {
    expect(parse(text)).toEqual({ ok: false, code: 'not_json' });
  });

  test('keys such as __proto__ are ordinary keys', () => {
    for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":9007199254740993}}']) {
      const parsed = parse(text);
      const value = parsed.ok ? (parsed.value as Record<string, unknown>) : {};
      expect(Object.keys(value)).toEqual(['__proto__']);
      expect(value.x).toBeUndefined();
      expect(formatJson(value)).toBe(text);
    }
  });

  test.each([999, 1000])('%i levels are accepted', (levels) => {
    expect(parse(nested(levels)).ok).toBe(true);
    expect(parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`).ok).toBe(true);
  });

  test('1,001 levels are rejected in any form', () => {
    const deep = { ok: false, code: 'too_deep' };
    expect(parse(nested(1001))).toEqual(deep);
    expect(parse(`${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`)).toEqual(deep);
    expect(parse(`${'["]]]]",'.repeat(1001)}1${']'.repeat(1001)}`)).toEqual(deep);
    expect(parse(`[${' '.repeat(2 ** 20)}${nested(1000)}]`)).toEqual(deep);
    expect(parse(`{"a\\"]":"${'\\\\]'.repeat(2 ** 19)}","b":${nested(1000)}}`)).toEqual(deep);
  });

  test('two million brackets are rejected without parsing', () => {
    expect(parse('['.repeat(2_000_000))).toEqual({ ok: false, code: 'too_deep' });
  });

  test('a large text that is not deep is accepted', () => {
    const text = JSON.stringify(Array.from({ length: 60_000 }, (_, id) => ({ id, t: '[[[{{{"' })));
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});

test('formatting is JSON.stringify, except for raw numbers', () => {
  expect(formatJson({ a: [1, 'x', null], b: undefined })).toBe('{"a":[1,"x",null]}');
  expect(formatJson({ a: new RawNumber('9007199254740993'), b: '9007199254740993' })).toBe(
    '{"a":9007199254740993,"b":"9007199254740993"}',
  );
});
