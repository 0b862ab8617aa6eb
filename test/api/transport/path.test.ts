import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPath, encodeSegment } from '../../../src/api/transport/exchange.js';

describe('a segment', () => {
  test.each([
    ['abc_-9', 'abc_-9'],
    ['a/b', 'a%2Fb'],
    ['../../orgs', '..%2F..%2Forgs'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['日本', '%E6%97%A5%E6%9C%AC'],
    ['...', '...'],
    ['a\r\nb', 'a%0D%0Ab'],
  ])('%j is sent as %s', (value, encoded) => {
    expect(encodeSegment(value)).toBe(encoded);
  });

  test.each(['', '.', '..', '\ud800'])('%j is refused before anything is sent', (value) => {
    expect(() => encodeSegment(value)).toThrow(
      expect.objectContaining({ kind: 'usage', code: 'invalid_id' }),
    );
  });

  test('stays one segment, whatever it contains', () => {
    const characters = fc.constantFrom(...'/.%?#\\;:@&=+$, \n\0aé日😀');
    fc.assert(
      fc.property(fc.string({ unit: characters, minLength: 1 }), (value) => {
        fc.pre(value !== '.' && value !== '..');
        const segments = new URL(
          `/v1/spaces/${encodeSegment(value)}/content`,
          'https://a.test',
        ).pathname.split('/');
        expect(segments).toHaveLength(5);
        expect(decodeURIComponent(segments[3] ?? '')).toBe(value);
      }),
    );
  });
});

test.each(['v1/orgs', '', '/v1/orgs#x', '/v1/a b', '/v1/é', '/v1/\n', '/v1/\u0000'])(
  'the path %j is refused',
  (path) => {
    expect(() => checkPath(path)).toThrow(expect.objectContaining({ kind: 'usage', code: 'invalid_path' }));
  },
);
