import { expect, test } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import { readSpec } from '../../../src/sandbox/handlers/openapi.js';
import { ContentSource } from '../../../src/sandbox/sources.js';

const url = 'https://api.example/v1/openapi.yaml';

test('parses a fetched spec and keeps its name', async () => {
  const fetchPublic = async () => ({
    bytes: Buffer.from('openapi: 3.1.0\ninfo: {title: Shop, version: "1"}\npaths: {}\n'),
  });
  expect(await readSpec({ url }, new ContentSource({ fetchPublic }))).toEqual({
    file: 'openapi.yaml',
    document: '{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{}}',
  });
});

test.each([
  ['fetch_timeout', 'FETCH_TIMEOUT'],
  ['fetch_failed', 'FETCH_ERROR'],
])('a fetch that ends with %s gives %s', async (code, error) => {
  const fetchPublic = async () => {
    throw new DocsError('refused', code, 'It failed.', { status: 400 });
  };
  expect(await readSpec({ url }, new ContentSource({ fetchPublic }))).toEqual({ error });
});

test('fails with FETCH_ERROR without a folder and the network', async () => {
  expect(await readSpec({ url }, new ContentSource({}))).toEqual({ error: 'FETCH_ERROR' });
});

test('does not report a bug as a failed fetch', async () => {
  const fetchPublic = async () => {
    throw new TypeError('oops');
  };
  await expect(readSpec({ url }, new ContentSource({ fetchPublic }))).rejects.toThrow('oops');
});

/** The shortest valid document of a version, with these paths. */
const minimal = (version: string, paths = '{}') =>
  `{"openapi": "${version}", "info": {"title": "Orders", "version": "1"}, "paths": ${paths}}`;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test.each([
  ...['', '# A title', 'null', '{"openapi": ', '{"info": {"title": "x"}}', '[{"openapi": "3.1.0"}]'],
  ...['{"openapi": {}}', '{"openapi": 5}', '{"openapi": "3.1.0"}', minimal('3.1'), minimal('4.0.0')],
  ...['openapi: 3.1.0\nself: &a [*a]', 'openapi: 3.1.0\nopenapi: 3.0.0', nested(5000)],
  minimal('3.1.0', '[]'),
  minimal('3.1.0', '{"orders": {}}'),
  minimal('3.1.0', '{"/o": {"get": {"responses": 200}}}'),
  minimal('3.1.0', '{"/o": {"$ref": "#/components/pathItems/none"}}'),
  minimal('3.1.0', `{"/o": {"x-deep": ${nested(9000)}}}`),
])('%# is not a specification: PARSE_ERROR', async (text) => {
  expect(await readSpec({ text }, new ContentSource({}))).toEqual({ error: 'PARSE_ERROR' });
});

test.each([
  ...[minimal('3.0.3'), minimal('3.1.0', '{"/o": {"$ref": "./orders.yaml"}}'), minimal('3.2.0')],
  'openapi: 3.1.0\ninfo: {title: Orders, version: 1.0.0}\nwebhooks: {}',
  'swagger: 2.0\ninfo: {title: Orders, version: "1"}\npaths: {}',
  '{"swagger": "2.0", "info": {"title": "Orders", "version": "1"}, "paths": {}}',
])('%# is a specification', async (text) => {
  expect(await readSpec({ text }, new ContentSource({}))).not.toHaveProperty('error');
});
