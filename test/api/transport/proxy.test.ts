import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../../src/api/transport/address.js';
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
