import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  copyJson,
  InvalidJson,
  jsonOrNothing,
  parseInputJson,
  plainNumbers,
} from '../../src/api/input-json.js';
import { formatJson, RawNumber } from '../../src/api/transport/json-text.js';

/** The JSON of a person: as JSON.parse reads it, with every digit, each key once, and the place of a mistake. */

describe('a text that is JSON', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 2), (text, indent) => {
        const value: unknown = JSON.parse(text);
        const written = JSON.stringify(value, null, indent);
        expect(plainNumbers(parseInputJson(written))).toEqual(JSON.parse(written));
      }),
    );
  });

  it.each(['12345678901234567890', '-12345678901234567890', '9007199254740993', '1000000000000000000000'])(
    'keeps the digits of %s',
    (digits) => {
      expect(parseInputJson(digits)).toEqual(new RawNumber(digits));
      expect(formatJson(copyJson(parseInputJson(`{"a":[{"n":${digits}}]}`)))).toBe(`{"a":[{"n":${digits}}]}`);
    },
  );

  it.each(['9007199254740991', '-0', '0.1', '1e3', '1.5e300', '1E+20', '2.50', '-1e-400'])(
    '%s is a number',
    (text) => {
      expect(parseInputJson(text)).toBe(JSON.parse(text));
    },
  );

  it('has keys of any name, and texts of any length', () => {
    const text = '{"__proto__": 1, "constructor": {"a": 2}}';
    expect(Object.keys(parseInputJson(text) as object)).toEqual(['__proto__', 'constructor']);
    const long = JSON.stringify(`a"b\\${'x'.repeat(5_000_000)}\\`);
    expect(parseInputJson(long)).toBe(JSON.parse(long));
  });

  it('is checked by its numbers, whatever their length', () => {
    expect(plainNumbers(parseInputJson('{"a":[12345678901234567890]}'))).toEqual({
      a: [12345678901234567000],
    });
  });
});

describe('a mistake has its line and column', () => {
  it.each<[string, number, number, RegExp]>([
    ['', 1, 1, /the text ends where a value is expected/],
    ['{"a": 1', 1, 8, /ends where a comma or } is expected/],
    ['{"a": 1}\n x', 2, 2, /unexpected "x" where the end is expected/],
    ['[1,\n]', 2, 1, /unexpected "]" where a value is expected/],
    ['{a: 1}', 1, 2, /a key in quotes/],
    ['{"a" 1}', 1, 6, /a colon/],
    ['[01]', 1, 3, /a comma or \]/],
    ['[+1]', 1, 2, /a value/],
    ['"a\nb"', 1, 1, /an invalid escape or a line break/],
    ['"a\\x"', 1, 1, /an invalid escape/],
    ['["a', 1, 2, /without its closing quote/],
    ['{"a": 1,\n "b": 2, "a": 3}', 2, 10, /the key "a" is given twice/],
    ['{"a": 1, "\\u0061": 3}', 1, 10, /given twice/],
    ['[1e400]', 1, 2, /too large to be exact/],
    ['[12345678901234567890.5]', 1, 2, /too large to be exact/],
    ['[NaN]', 1, 2, /a value/],
    ['['.repeat(1002), 1, 1002, /nested over 1000 levels/],
  ])('%j', (text, line, column, what) => {
    try {
      parseInputJson(text);
      expect.unreachable();
    } catch (cause) {
      expect(cause).toBeInstanceOf(InvalidJson);
      expect(cause).toMatchObject({ line, column, message: expect.stringMatching(what) });
    }
    expect(jsonOrNothing(text)).toBeUndefined();
  });
});
