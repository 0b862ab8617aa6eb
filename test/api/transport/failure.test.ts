import { describe, expect, test } from 'vitest';
import { networkFailure, ProxyRefusal, type RequestFacts } from '../../../src/api/transport/failure.js';

const facts: RequestFacts = {
  method: 'GET',
  path: '/v1/orgs',
  resource: '/v1/orgs',
  origin: 'https://api.example.com',
  loopback: false,
  effect: 'read',
};
const errorOf = (code: string) => Object.assign(new Error('low-level words'), { code });

describe('before the request is sent', () => {
  const at = 'https://api.example.com';
  const untrusted = `the certificate of ${at} is not trusted`;
  const own =
    ' If your network has a certificate authority of its own, pass its file with --ca-file or NODE_EXTRA_CA_CERTS.';
  test.each([
    ['ENOTFOUND', 'dns_unknown', 'name-unknown', 'the host name api.example.com is unknown'],
    ['EAI_AGAIN', 'dns_busy', 'not-connected', 'the host name api.example.com could not be resolved'],
    ['ECONNREFUSED', 'connection_refused', 'not-connected', `the connection to ${at} was refused`],
    ['CONNECT_TIMEOUT', 'connect_timeout', 'not-connected', `connecting to ${at} timed out`],
    ['ETIMEDOUT', 'connect_timeout', 'not-connected', `connecting to ${at} timed out`],
    ['ECONNRESET', 'reset', 'not-connected', `the connection to ${at} was reset before the request was sent`],
    ['EHOSTUNREACH', 'unreachable', 'not-connected', `${at} is unreachable (EHOSTUNREACH)`],
    ['ENETUNREACH', 'unreachable', 'not-connected', `${at} is unreachable (ENETUNREACH)`],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', 'unsafe', `${untrusted} (SELF_SIGNED_CERT_IN_CHAIN).${own}`],
    ['CERT_HAS_EXPIRED', 'tls', 'unsafe', `${untrusted} (CERT_HAS_EXPIRED)`],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'unsafe', `${untrusted} (ERR_TLS_CERT_ALTNAME_INVALID)`],
    ['EPROTO', 'tls', 'unsafe', `the secure connection to ${at} failed (EPROTO)`],
    [
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'tls',
      'unsafe',
      `the secure connection to ${at} failed (ERR_SSL_WRONG_VERSION_NUMBER)`,
    ],
  ])('%s is %s', (code, expected, condition, message) => {
    expect(networkFailure(errorOf(code), false, facts)).toMatchObject({
      ...{ kind: 'network', code: expected, condition, message, hint: 'docs doctor', outcome: 'not-sent' },
    });
  });

  test('a refusal on loopback hints at how to start the sandbox', () => {
    const local = { ...facts, origin: 'http://127.0.0.1:4010', loopback: true };
    expect(networkFailure(errorOf('ECONNREFUSED'), false, local)).toMatchObject({
      code: 'connection_refused',
      condition: 'refused-on-loopback',
      message: 'nothing is listening at http://127.0.0.1:4010',
      hint: 'docs sandbox start',
    });
  });

  test('a proxy that requires a password or refuses to connect', () => {
    const proxied = { ...facts, proxy: 'http://proxy.example:3128' };
    const refused = (status: number) => networkFailure(new ProxyRefusal(status), false, proxied);
    const message = 'proxy authentication failed: http://proxy.example:3128 answered 407';
    expect(refused(407)).toMatchObject({ code: 'proxy_auth', condition: 'final', message });
    expect(refused(403)).toMatchObject({ code: 'proxy_refused', condition: 'final' });
    expect(refused(502)).toMatchObject({ code: 'proxy_refused', condition: 'not-connected' });
    expect(networkFailure(errorOf('ENOTFOUND'), false, proxied).message).toBe(
      'the host name of the proxy http://proxy.example:3128 is unknown',
    );
  });
});

describe('after the request is sent', () => {
  test.each([
    ['ECONNRESET', 'network', 'reset', 'no-answer'],
    ['EPIPE', 'network', 'reset', 'no-answer'],
    ['ETIMEDOUT', 'network', 'reset', 'no-answer'],
    ['HEADERS_TIMEOUT', 'network', 'headers_timeout', 'no-answer'],
    ['HPE_HEADER_OVERFLOW', 'bad-response', 'header_too_large', 'unsafe'],
    ['HPE_INVALID', 'bad-response', 'not_http', 'unsafe'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'network', 'tls', 'unsafe'],
  ])('%s is %s %s', (code, kind, expected, condition) => {
    expect(networkFailure(errorOf(code), true, facts)).toMatchObject({
      kind,
      code: expected,
      condition,
      outcome: 'unknown',
    });
  });
});

test.each([new TypeError('x is not a function'), errorOf('ERR_INVALID_ARG_TYPE')])(
  'what is none of the network stays what it is: %s',
  (error) => {
    for (const sent of [true, false]) expect(() => networkFailure(error, sent, facts)).toThrow(error);
  },
);
