import { describe, expect, test } from 'vitest';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { operations } from '../../../src/api/resources/index.js';
import { readAddress, readablePath } from '../../../src/sandbox/server/exchange.js';
import { Routes, tooLong } from '../../../src/sandbox/server/routes.js';

const paths = [
  'GET /v1/things',
  'GET /v1/things/{thing}',
  'PATCH /v1/things/{thing}',
  'GET /v1/things/latest',
  'GET /v1/things/{thing}/parts/{part}',
  'GET /v1/things/latest/parts',
  'PUT /v1/things/{other}/parts',
];
const declared = paths.map((line) => {
  const [method = '', path = ''] = line.split(' ');
  return { method, path };
});
const routes = new Routes(declared);

function find(method: string, url: string) {
  const address = readAddress(url);
  if (address === undefined) return 'malformed';
  const found = routes.find(method, address.parts);
  return found === undefined || found === tooLong ? found : [found.route.path, found.parameters];
}

describe('a request goes to', () => {
  test.each([
    ['/v1/things', '/v1/things', {}],
    ['/v1/things?page=/v1/things/x', '/v1/things', {}],
    ['/v1/things#x', '/v1/things', {}],
    ['/v1/%74hings', '/v1/things', {}],
    ['http://127.0.0.1:1/v1/things?x', '/v1/things', {}],
    ['/v1/things/one', '/v1/things/{thing}', { thing: 'one' }],
    ['/v1/things/', '/v1/things/{thing}', { thing: '' }],
    ['/v1/things/a%2Fb%3f%C3%A4%2525', '/v1/things/{thing}', { thing: 'a/b?ä%25' }],
    ['/v1/things/__proto__', '/v1/things/{thing}', { thing: '__proto__' }],
    ['/v1/things/{thing}', '/v1/things/{thing}', { thing: '{thing}' }],
    ['/v1/things/latest', '/v1/things/latest', {}],
    ['/v1/things/Latest', '/v1/things/{thing}', { thing: 'Latest' }],
    ['/v1/things/latest/parts', '/v1/things/latest/parts', {}],
    ['/v1/things/latest/parts/1', '/v1/things/{thing}/parts/{part}', { thing: 'latest', part: '1' }],
  ])('%s', (url, path, parameters) => {
    expect(find('GET', url)).toEqual([path, parameters]);
  });

  test.each([
    ...['/', '/v1', '//v1/things', '/v1//things', '/v1%2Fthings', '/V1/things', '/v1/things/one/', '*'],
    ...['/v1/things/one/parts', '/v1/things;x', '/v1/things%3Fx', '/x/../v1/things', 'x/v1/things'],
    'ftp://127.0.0.1/v1/things',
  ])('nothing: %s', (url) => expect(find('GET', url)).toBeUndefined());

  test('that of its method alone', () => {
    expect(find('PATCH', '/v1/things/latest')).toEqual(['/v1/things/{thing}', { thing: 'latest' }]);
    expect(find('PUT', '/v1/things/latest/parts')).toEqual(['/v1/things/{other}/parts', { other: 'latest' }]);
    expect(find('HEAD', '/v1/things')).toBeUndefined();
  });

  test.each(['/v1/things/%', '/v1/things/%zz', '/%ff', 'http://', 'http://x#/v1/things', 'http://[/v1'])(
    'nothing, as it is malformed: %s',
    (url) => expect(find('GET', url)).toBe('malformed'),
  );

  test('each operation by its own path', () => {
    const all = new Routes(operations.map(({ method, path }) => ({ method, path })));
    for (const { method, path } of operations) {
      const names = pathParameters(path);
      const url = names.reduce((filled, name) => filled.replace(`{${name}}`, `of ${name}`), path);
      const found = all.find(method, url.split('/'));
      const parameters = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
      expect(found).toEqual({ route: { method, path }, parameters });
    }
  });
});

test('a parameter has 1,024 characters at most, decoded', () => {
  const long = 'x'.repeat(1025);
  expect(find('GET', `/v1/things/${long}`)).toBe(tooLong);
  expect(find('GET', `/v1/things/${long}/nothing`)).toBe(tooLong);
  expect(find('GET', `/v1/things/${'%2F'.repeat(1025)}`)).toBe(tooLong);
  expect(find('GET', `/v1/nothing/${long}`)).toBeUndefined();
  expect(find('PUT', `/v1/things/${long}`)).toBe(tooLong);
  expect(find('DELETE', `/v1/things/${long}`)).toBeUndefined();
  for (const fits of ['x'.repeat(1024), '%2F'.repeat(1024)]) {
    expect(find('GET', `/v1/things/${fits}`)).toEqual(['/v1/things/{thing}', expect.anything()]);
  }
});

test('the methods at a path are those of all routes that match it', () => {
  expect(routes.methodsAt('/v1/things')).toEqual(['GET']);
  expect(routes.methodsAt('/v1/things/latest')).toEqual(['GET', 'PATCH']);
  expect(routes.methodsAt('/v1/things/latest/parts')).toEqual(['GET', 'PUT']);
  expect(routes.methodsAt('/v1/things/')).toEqual([]);
  expect(routes.methodsAt('/v2/things')).toEqual([]);
});

test('a path is told decoded, but for what divides it', () => {
  expect(readablePath('/v1/%41%2F%25?x=%41')).toBe('/v1/A%2F%25');
});
