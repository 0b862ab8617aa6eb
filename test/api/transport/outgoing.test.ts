import { expect, test } from 'vitest';
import { writeRequest } from '../../../src/api/transport/exchange.js';

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
