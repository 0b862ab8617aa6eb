import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../../src/api/transport/attempt.js';
import type { RequestFacts } from '../../../src/api/transport/failure.js';
import { Redaction } from '../../../src/api/transport/redaction.js';
import type { Step } from '../../faults/server.js';
import { failureOf, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;
const json = { 'content-type': 'application/json' };

describe('a response that is not JSON exits 15 without being quoted', () => {
  test.each([
    ['a login page', '<html>Sign in, secret=1</html>', 'text/html; charset=utf-8', /web page/],
    ['plain text', 'Hello secret=1', 'text/plain', /not JSON/],
    ['JSON under another name', '{"secret":1}', 'text/plain', /not JSON/],
    ['half of it', '{"items":[{"secret":1},{"se', 'application/json', /not JSON/],
    ['nothing', '', 'application/json', /not JSON/],
    ['something without a type', 'secret=1', undefined, /not JSON/],
  ])('%s', async (_name, body, type, says) => {
    const { server, transport } = await scene([{ body, ...(type && { headers: { 'content-type': type } }) }]);
    const error = await failureOf(transport.send(get));
    expect([error.exitCode, error.code, error.failure.hint]).toEqual([15, 'not_json', 'docs doctor']);
    expect(error.message).toMatch(says);
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/problem+json',
    'application/vnd.docs.v1+json',
  ])('%s is JSON', async (type) => {
    const { transport } = await scene([{ body: '{"a":1}', headers: { 'content-type': type } }]);
    expect((await transport.send(get)).body).toEqual({ a: 1 });
  });

  test('JSON without a content type is accepted', async () => {
    const { transport } = await scene([{ body: '{"a":1}' }]);
    expect((await transport.send(get)).body).toEqual({ a: 1 });
  });

  test('after a write the error says that it was done', async () => {
    const { transport } = await scene([
      { status: 201, body: '<html>', headers: { 'content-type': 'text/html' } },
    ]);
    const subject = { what: 'team', showCommand: 'docs teams list' };
    const error = await failureOf(transport.send({ ...get, method: 'POST', body: {}, subject }));
    expect(error.toJSON()).toMatchObject({
      exitCode: 15,
      outcome: 'done',
      retryable: false,
      hint: 'docs teams list',
    });
  });
});

describe('limits', () => {
  test.each<[string, Step, string, 'json' | 'bytes']>([
    ['1,001 levels', { body: '['.repeat(1001) + ']'.repeat(1001), headers: json }, 'too_deep', 'json'],
    [
      'a body announced as over 64 MB, which is not read',
      { body: '{}', headers: json, contentLength: 64 * 1024 * 1024 + 1 },
      ...(['too_large', 'json'] as const),
    ],
    [
      'an unannounced body over 64 MB, dropped midway',
      { body: Buffer.alloc(65 * 1024 * 1024, 0x20), headers: json, contentLength: false },
      ...(['too_large', 'bytes'] as const),
    ],
    [
      'a compressed body: none was requested',
      { body: 'xx', headers: { ...json, 'content-encoding': 'gzip' } },
      ...(['unexpected_encoding', 'json'] as const),
    ],
  ])('refuse %s: exit 15', async (_, step, code, read) => {
    const { transport } = await scene([step]);
    const error = await failureOf(transport.send({ ...get, read }));
    expect([error.exitCode, error.code]).toEqual([15, code]);
  });

  test('of a read, nothing was made that could be shown', async () => {
    const { transport } = await scene([{ body: 'xx', headers: { ...json, 'content-encoding': 'gzip' } }]);
    const subject = { what: 'team', showCommand: 'docs teams list' };
    expect((await failureOf(transport.send({ ...get, subject }))).failure.hint).toBe('docs doctor');
  });

  test('a header just under 16 KB is accepted', async () => {
    const { transport } = await scene([{ json: 1, headers: { big: 'x'.repeat(16_000) } }]);
    expect((await transport.send(get)).body).toBe(1);
  });

  test('header names such as __proto__ are ordinary names', async () => {
    const { transport } = await scene([{ json: 1, headers: { constructor: 'a', 'to-string': 'b' } }]);
    expect((await transport.send(get)).headers.constructor).toBe('a');
  });
});

test('a partial response is an error even if it parses', () => {
  const facts: RequestFacts = {
    method: 'GET',
    path: '/',
    resource: '/',
    origin: 'https://a.test',
    loopback: false,
    effect: 'read',
  };
  const answer = {
    status: 200,
    headers: json,
    body: Buffer.from('12'),
    broken: { code: 'cut_short' } as const,
  };
  expect(readAnswer(answer, { read: 'json' }, facts, 0, new Redaction([]))).toMatchObject({
    ok: false,
    failure: { code: 'cut_short' },
  });
});
