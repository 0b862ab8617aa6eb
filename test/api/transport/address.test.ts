import { describe, expect, test } from 'vitest';
import {
  addressOf,
  checkBaseUrl,
  guardToken,
  isLoopback,
  proxyFor,
} from '../../../src/api/transport/address.js';
import type { DocsError } from '../../../src/base/errors.js';

const api = new URL('https://api.example.com/v1');
const found = (env: Record<string, string>, target = api) => proxyFor(target, env)?.url.href;

describe('the proxy', () => {
  test('is read from HTTPS_PROXY in both cases, lower case first', () => {
    expect(found({})).toBeUndefined();
    expect(found({ HTTPS_PROXY: 'http://p:3128' })).toBe('http://p:3128/');
    expect(found({ https_proxy: 'http://q:3128', HTTPS_PROXY: 'http://p:3128' })).toBe('http://q:3128/');
    expect(found({ HTTP_PROXY: 'http://p:3128' })).toBeUndefined();
    expect(found({ HTTP_PROXY: 'http://p:3128' }, new URL('http://api.example.com'))).toBe('http://p:3128/');
    expect(found({ HTTPS_PROXY: ' ' })).toBeUndefined();
  });

  test('may be written without a scheme', () => {
    expect(found({ HTTPS_PROXY: 'proxy.corp:3128' })).toBe('http://proxy.corp:3128/');
    expect(found({ HTTPS_PROXY: '10.0.0.1:3128' })).toBe('http://10.0.0.1:3128/');
  });

  test('takes credentials, percent-encoded, out of its URL', () => {
    const proxy = proxyFor(api, { HTTPS_PROXY: 'https://us%40er:p%3Aw@proxy.corp' });
    expect(proxy?.url.href).toBe('https://proxy.corp/');
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from('us@er:p:w').toString('base64')}`);
  });

  test('takes a user without a password', () => {
    const proxy = proxyFor(api, { HTTPS_PROXY: 'http://user@proxy.corp' });
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from('user:').toString('base64')}`);
  });

  test.each(['http://127.0.0.1:4010', 'http://localhost:4010', 'https://[::1]:4010', 'https://127.3.2.1'])(
    'is never used for loopback: %s',
    (target) => {
      const env = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'not a url', NO_PROXY: '' };
      expect(proxyFor(new URL(target), env)).toBeUndefined();
    },
  );
});

describe('NO_PROXY', () => {
  test.each([
    ['api.example.com', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['EXAMPLE.COM', true],
    ['ample.com', false],
    ['com.example', false],
    ['api.example.com.evil.test', false],
    ['other.test, example.com', true],
    ['other.test example.com', true],
    ['*', true],
    ['api.example.com:443', true],
    ['api.example.com:8443', false],
    ['', false],
    [',', false],
  ])('"%s" excepts api.example.com: %s', (list, excepted) => {
    expect(found({ HTTPS_PROXY: 'http://p:1', NO_PROXY: list })).toBe(excepted ? undefined : 'http://p:1/');
  });

  test.each([
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://10.1.2.3', '2.3', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://[2001:db8::1]', '2001:db8::/32', true],
    ['https://[2001:db8::1]', '[2001:db8::1]:443', true],
    ['https://api.example.com', '10.0.0.0/8', false],
    ['https://api.example.com', 'other.example.com/8', false],
  ])('%s with "%s": %s', (target, list, excepted) => {
    expect(found({ HTTPS_PROXY: 'http://p:1', no_proxy: list }, new URL(target))).toBe(
      excepted ? undefined : 'http://p:1/',
    );
  });
});

describe('a malformed value is exit 14, credentials masked', () => {
  test.each([
    'http://user:hunter2@proxy:notaport',
    'socks5://user:hunter2@proxy:1080',
    'http://user:hunter2%zz@proxy:3128',
    'user:hunter2@:99999',
    'http://',
  ])('%s', (value) => {
    let error: DocsError | undefined;
    try {
      proxyFor(api, { HTTPS_PROXY: value });
    } catch (thrown) {
      error = thrown as DocsError;
    }
    expect([error?.exitCode, error?.code]).toEqual([14, 'invalid_proxy']);
    expect(error?.message).toMatch(/^HTTPS_PROXY /);
    expect(error?.message).not.toContain('hunter2');
  });
});

function refusal(text: string): DocsError {
  try {
    checkBaseUrl(text);
  } catch (error) {
    return error as DocsError;
  }
  throw new Error(`${text} was accepted`);
}

describe('a base URL', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/'],
    [' https://api.example.com/ ', 'https://api.example.com/'],
    ['https://api.example.com:8443/docs/', 'https://api.example.com:8443/docs'],
    ['HTTPS://API.Example.com', 'https://api.example.com/'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/'],
    ['http://127.8.9.10', 'http://127.8.9.10/'],
    ['http://127.1:80', 'http://127.0.0.1/'],
    ['http://[::1]:4010', 'http://[::1]:4010/'],
    ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]/'],
    ['http://localhost:4010', 'http://localhost:4010/'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]/'],
  ])('%s is accepted', (text, href) => {
    expect(checkBaseUrl(text).href).toBe(href);
  });

  test.each([
    ['http://api.example.com', 'insecure_url'],
    ['http://127.0.0.1@evil.example', 'invalid_url'],
    ['http://localhost.evil.example', 'insecure_url'],
    ['http://127.0.0.1.evil.example', 'insecure_url'],
    ['http://evil.example#127.0.0.1', 'invalid_url'],
    ['http://[::ffff:127.0.0.1]', 'insecure_url'],
    ['http://0.0.0.0:4010', 'insecure_url'],
    ['https://0.0.0.0', 'insecure_url'],
    ['https://0', 'insecure_url'],
    ['https://[::]', 'insecure_url'],
    ['https://[::ffff:0.0.0.0]', 'insecure_url'],
    ['http://192.168.1.5', 'insecure_url'],
    ['ftp://example.com', 'insecure_url'],
    ['file:///etc/passwd', 'insecure_url'],
    ['javascript:alert(1)', 'insecure_url'],
    ['', 'invalid_url'],
    ['api.example.com', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://exa mple.com', 'invalid_url'],
    ['https://example.com\\@evil.example', 'invalid_url'],
    ['ht\ntps://example.com', 'invalid_url'],
    ['https://user:secret@example.com', 'invalid_url'],
    ['https://user@example.com', 'invalid_url'],
    ['https://example.com?key=1', 'invalid_url'],
    ['https://example.com/#x', 'invalid_url'],
  ])('%j is refused: %s', (text, code) => {
    const error = refusal(text);
    expect([error.exitCode, error.code, error.failure.hint]).toEqual([14, code, 'docs config list']);
  });

  test.each([
    'https://user:hunter2@example.com',
    'https://user:hunter2@exa mple.com',
    'user:hunter2@example.com',
    'user:hunter2@exa mple.com',
    '//user:hunter2@example.com',
  ])('the message about %s does not repeat the password', (text) => {
    expect(refusal(text).message).not.toContain('hunter2');
  });
});

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.255.255.255', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost.', false],
  ['xlocalhost', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example', false],
  ['[::ffff:7f00:1]', false],
])('%s is loopback: %s', (hostname, expected) => {
  expect(isLoopback(hostname)).toBe(expected);
});

describe('the token', () => {
  const guard = guardToken({ token: 'gb_1', origin: 'https://api.example.com' });

  test('goes to its own origin', () => {
    expect(guard.authorize('https://api.example.com')).toBe('Bearer gb_1');
  });

  test.each([
    'https://api.example.com:8443',
    'http://api.example.com',
    'https://example.com',
    'https://api.example.com.evil.test',
    'https://evil.test',
  ])('does not go to %s', (origin) => {
    expect(() => guard.authorize(origin)).toThrow(
      expect.objectContaining({ kind: 'configuration', code: 'wrong_origin' }),
    );
  });

  test('matches its origin in any spelling', () => {
    const written = guardToken({ token: 'gb_1', origin: 'HTTPS://API.example.com:443/v1' });
    expect(written.authorize('https://api.example.com')).toBe('Bearer gb_1');
  });

  test('of the sandbox is sent only to loopback', () => {
    const sandbox = (origin: string) => guardToken({ token: 'sbx_admin', origin }).authorize(origin);
    expect(sandbox('http://127.0.0.1:4010')).toBe('Bearer sbx_admin');
    expect(() => sandbox('https://api.example.com')).toThrow(
      expect.objectContaining({ kind: 'configuration', code: 'sandbox_token' }),
    );
  });

  test.each(['gb_1\n', 'gb_1\r\n'])('loses one final newline: %j', (token) => {
    expect(guardToken({ token, origin: 'https://a.test' }).authorize('https://a.test')).toBe('Bearer gb_1');
  });

  test.each(['gb\n1', 'gb_1\n\n', 'gb 1', '', '\n', 'gb_\u00e9', 'gb_1\r\nX-Evil: 1'])(
    'of %j is refused: exit 4',
    (token) => {
      expect(() => guardToken({ token, origin: 'https://a.test' })).toThrow(
        expect.objectContaining({
          kind: 'unauthenticated',
          code: 'invalid_token',
          message: expect.not.stringContaining('gb'),
        }),
      );
    },
  );
});

describe('the parts of an address', () => {
  const hosts = [
    'localhost',
    'api.example.com',
    'a-b.c',
    'A.b',
    'x--y.z',
    'xn--a.b',
    'xn--bcher-kva.ch',
    '127.0.0.1',
    '127.1',
  ];
  const odd = [
    '1.2.3.256',
    '01.2.3.4',
    '0x7f.1',
    'a.0x1',
    'a.1',
    'a.1a',
    '1a',
    'a..b',
    '.a',
    'a.',
    '-',
    '[::1]',
    'a_b',
    'u@h',
    '',
  ];
  const ports = ['', ':', ':80', ':443', ':8080', ':08', ':0', ':65535', ':65536', ':123456', ':1a', ':1:2'];
  const paths = [
    '',
    '/',
    '/v1',
    '/v1/',
    '//',
    '/a//b',
    '/./a',
    '/a/..',
    '/.a',
    '/a.b',
    '/%41',
    '/a b',
    '/~_-',
    '/a?b',
    '/a#b',
  ];
  const schemes = ['http://', 'https://', 'HTTP://', 'http:/', 'ftp://'];
  const texts = schemes.flatMap((scheme) =>
    [...hosts, ...odd].flatMap((host) =>
      ports.flatMap((port) => paths.map((path) => `${scheme}${host}${port}${path}`)),
    ),
  );
  const keys = ['protocol', 'host', 'hostname', 'port', 'pathname', 'origin', 'href'] as const;

  test('are those of URL', () => {
    for (const text of texts) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined) expect(() => addressOf(text), text).toThrow();
      else
        expect(
          keys.map((key) => addressOf(text)[key]),
          text,
        ).toEqual(keys.map((key) => url[key]));
    }
  });
});
