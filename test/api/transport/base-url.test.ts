import { describe, expect, test } from 'vitest';
import { checkBaseUrl, isLoopback } from '../../../src/api/transport/address.js';
import type { DocsError } from '../../../src/base/errors.js';

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
