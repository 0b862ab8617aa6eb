import { expect, test } from 'vitest';
import { DocsError } from '../../../src/errors.js';
import { ContentSource } from '../../../src/sandbox/sources/content-source.js';
import { readSpec } from '../../../src/sandbox/sources/openapi-source.js';

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
