import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPath, encodeSegment, writeRequest } from '../../../src/api/transport/exchange.js';

const request = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;

test.each([
  'Authorization',
  'AUTHORIZATION',
  'host',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'Proxy-Authorization',
  'Accept-Encoding',
])('the header %s is not for callers to set', (name) => {
  expect(() => writeRequest({ ...request, headers: { [name]: 'x' } }, '', 'docs/1')).toThrow(
    expect.objectContaining({ kind: 'usage', code: 'invalid_header' }),
  );
});

test.each([
  ['x-a', 'b\r\nauthorization: c'],
  ['x-a', 'b\u0000'],
  ['x-a', '日'],
  ['x a', 'b'],
  ['x-a:', 'b'],
  ['', 'b'],
])('the header %j: %j is refused', (name, value) => {
  expect(() => writeRequest({ ...request, headers: { [name]: value } }, '', 'docs/1')).toThrow(
    expect.objectContaining({ kind: 'usage', code: 'invalid_header' }),
  );
});

test('a header of the caller replaces the default one', () => {
  const written = writeRequest(
    { ...request, headers: { Accept: 'text/markdown', 'If-Match': '"3"' } },
    '/api',
    'docs/1',
  );
  expect(written).toEqual({
    method: 'GET',
    path: '/api/v1/orgs',
    headers: {
      accept: 'text/markdown',
      'accept-encoding': 'identity',
      'user-agent': 'docs/1',
      'if-match': '"3"',
    },
    body: null,
  });
});

test('null is a body, undefined is none', () => {
  expect(writeRequest({ ...request, method: 'PUT', body: null }, '', 'docs/1').body).toBe('null');
  expect(writeRequest({ ...request, method: 'PUT', body: undefined }, '', 'docs/1').body).toBe(null);
});

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
