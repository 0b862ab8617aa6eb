import { describe, expect, test } from 'vitest';
import { Redaction, redactJson, redactQuery, redactUrls } from '../../../src/api/transport/redaction.js';
import { createTrace } from '../../../src/api/transport/trace.js';
import { scene } from './setup.js';

const token = 'gb_api_7xK/9+q==';

describe('a token', () => {
  const hide = (text: string) => new Redaction([token]).text(text);
  const bytes = Buffer.from(token);
  test.each([
    ['as it is', `x${token}y`],
    ['percent-encoded', encodeURIComponent(token)],
    ['percent-encoded in full', [...bytes].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('')],
    ['escaped for JSON', JSON.stringify({ t: token })],
    ['escaped by code', [...bytes].map((byte) => `\\u00${byte.toString(16)}`).join('')],
    ['in base64', bytes.toString('base64')],
    ['in base64 after a user', Buffer.from(`user:${token}`).toString('base64')],
    ['in base64 at the third offset', Buffer.from(`us:${token}:x`).toString('base64')],
    ['in base64url', Buffer.from(`a:${token}`).toString('base64url')],
    ['in hexadecimal', bytes.toString('hex').toUpperCase()],
  ])('%s is hidden', (_name, text) => {
    const shown = hide(text);
    expect(shown).toContain('[redacted]');
    for (const piece of [token, '7xK', 'N3hL', Buffer.from(token).toString('hex').slice(8, 24)]) {
      expect(shown.toLowerCase()).not.toContain(piece.toLowerCase());
    }
  });

  test('that is absent changes nothing', () => {
    expect(hide('nothing here')).toBe('nothing here');
    expect(new Redaction([undefined]).text('nothing here')).toBe('nothing here');
  });
});

test.each([
  ['see https://user:pw@host/x', 'see https://[redacted]@host/x'],
  ['HTTP://u@h and ftp://a:b@c', 'HTTP://[redacted]@h and ftp://[redacted]@c'],
  ['https://host/@me and a@b.c', 'https://host/@me and a@b.c'],
])('credentials in %s', (text, expected) => {
  expect(redactUrls(text)).toBe(expected);
});

test.each([
  ['/v1/x?shareKey=abc&page=2', '/v1/x?shareKey=[redacted]&page=2'],
  ['/v1/x?page=2&access_token=abc', '/v1/x?page=2&access_token=[redacted]'],
  ['?API%2DKEY=abc', '?API%2DKEY=[redacted]'],
  ['/v1/x?page=2', '/v1/x?page=2'],
])('the query of %s', (text, expected) => {
  expect(redactQuery(text)).toBe(expected);
});

test.each([
  [
    '{"token":"a","list":[{"clientSecret":{"x":1},"id":2}]}',
    '{"token":"[redacted]","list":[{"clientSecret":"[redacted]","id":2}]}',
  ],
  ['{"password": "a\\"b", "id": 1', '{"password": "[redacted]", "id": 1'],
  ['{"apiKey": "unfinished', '{"apiKey": "[redacted]"'],
  ['user=a&password=b', 'user=a&password=[redacted]'],
])('the body %s', (text, expected) => {
  expect(redactJson(text)).toBe(expected);
});

describe('debug output', () => {
  test('shows requests and responses, without the Authorization header', async () => {
    const { transport, server, lines } = await scene(
      [{ json: { id: 1 }, headers: { 'x-request-id': 'r1', 'set-cookie': 'session=abc' } }],
      { debug: false },
    );
    await transport.send({ method: 'POST', path: '/v1/spaces?shareKey=k', read: 'json', body: { a: 1 } });
    expect(lines).toEqual([
      `> POST ${server.url}/v1/spaces?shareKey=[redacted]`,
      '> accept: application/json',
      '> accept-encoding: identity',
      '> user-agent: docs/test',
      '> content-type: application/json',
      '< 200 after 0 ms, 8 bytes',
      '< content-type: application/json',
      '< x-request-id: r1',
      '< set-cookie: [redacted]',
      '< content-length: 8',
    ]);
  });

  test('with bodies hides the token wherever the platform repeats it', async () => {
    const { transport, lines } = await scene(
      [{ json: { echo: 'Bearer gb_secret_token', nested: { password: 'p' } } }, { status: 503 }, { json: 1 }],
      { debug: true },
    );
    await transport.send({
      method: 'PUT',
      path: '/v1/x',
      read: 'json',
      body: { clientSecret: 's', note: 'n' },
    });
    await transport.send({ method: 'GET', path: '/v1/x', read: 'json' });
    expect(lines).toContain('> {"clientSecret":"[redacted]","note":"n"}');
    expect(lines).toContain('< {"echo":"Bearer [redacted]","nested":{"password":"[redacted]"}}');
    expect(lines).toContain('* waiting 250 ms: server error (503)');
    expect(lines.join('\n')).not.toMatch(/gb_secret_token|authorization/);
  });

  test('omits the Authorization header, whoever set it', () => {
    const lines: string[] = [];
    const trace = createTrace({ body: true, write: (line) => lines.push(line) }, new Redaction([]));
    const headers = { authorization: 'Bearer x', accept: '*/*' };
    trace.request('https://a.test', { method: 'GET', path: '/', headers, body: null });
    expect(lines).toEqual(['> GET https://a.test/', '> accept: */*']);
  });

  test('shows failures', async () => {
    const { transport, lines } = await scene([{ reset: 'after-reading' }], { debug: true, maxAttempts: 1 });
    await transport.send({ method: 'GET', path: '/v1/x', read: 'json' }).catch(() => {});
    expect(lines.at(-1)).toMatch(/^< no answer after 0 ms: ECONNRESET /);
  });

  test('shortens long bodies and omits binary ones', () => {
    const lines: string[] = [];
    const trace = createTrace({ body: true, write: (line) => lines.push(line) }, new Redaction([]));
    const received = (type: string, body: Buffer) => {
      trace.received({ head: { status: 200, headers: { 'content-type': type } }, body, end: 'whole' }, 1);
      return lines.pop();
    };
    expect(received('text/plain', Buffer.from('x'.repeat(20_000)))).toMatch(
      /^< x{16384}… \(3616 characters more\)$/,
    );
    expect(received('image/png', Buffer.from('abc'))).toBe('< (3 bytes of image/png)');
  });
});
