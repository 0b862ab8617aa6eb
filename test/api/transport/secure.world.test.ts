import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTransport } from '../../../src/api/transport.js';
import { startProxy } from '../../faults/proxy.js';
import { certificate, startServer } from '../../faults/server.js';
import { Clock, testIo } from './clock.js';
import { closing, failureOf, scene } from './setup.js';

const get = { method: 'GET', path: '/v1/orgs', read: 'json' } as const;
const caFile = certificate('platform').file;

describe('TLS', () => {
  test('with a certificate of --ca-file works', async () => {
    const { transport } = await scene([{ json: { ok: true } }], { tls: 'platform', caFile });
    expect((await transport.send(get)).body).toEqual({ ok: true });
  });

  test('with an untrusted certificate exits 11 after one attempt; nothing is sent', async () => {
    const { server, transport } = await scene([], { tls: 'platform' });
    const error = await failureOf(transport.send({ ...get, method: 'POST', body: {} }));
    expect(error.toJSON()).toMatchObject({
      exitCode: 11,
      code: 'tls',
      outcome: 'not-sent',
      attempts: 1,
      retryable: false,
      hint: 'docs doctor',
    });
    expect(error.message).toMatch(
      /^the certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*--ca-file or NODE_EXTRA_CA_CERTS\.$/,
    );
    expect(server.requests).toHaveLength(0);
  });

  test('with a trusted certificate for another host is refused', async () => {
    const { transport } = await scene([], { tls: 'other', caFile: certificate('other').file });
    expect((await failureOf(transport.send(get))).message).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID/);
  });

  test('to a server that speaks plain HTTP fails after one attempt', async () => {
    const plain = closing(await startServer([{ raw: 'HTTP/1.1 400 Bad Request\r\n\r\n' }], { greedy: true }));
    const { transport } = await scene([], { baseUrl: plain.url.replace('http', 'https') });
    expect((await failureOf(transport.send(get))).toJSON()).toMatchObject({ code: 'tls', attempts: 1 });
  });

  test('that never completes counts as not connected and is retried', async () => {
    const silent = closing(await startServer(() => ({ stall: true })));
    const { transport } = await scene([], {
      baseUrl: silent.url.replace('http', 'https'),
      timeouts: { connectMs: 1 },
      maxAttempts: 2,
    });
    const error = await failureOf(transport.send({ ...get, method: 'PATCH', body: {} }));
    expect(error.toJSON()).toMatchObject({
      code: 'connect_timeout',
      exitCode: 11,
      attempts: 2,
      outcome: 'not-sent',
    });
  });

  test('NODE_EXTRA_CA_CERTS works together with --ca-file', async () => {
    const env = { NODE_EXTRA_CA_CERTS: caFile };
    const { transport } = await scene([{ json: 1 }], {
      tls: 'platform',
      caFile: certificate('other').file,
      env,
    });
    expect((await transport.send(get)).body).toBe(1);
  });

  test('a missing or invalid certificate file exits 14', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'docs-ca-'));
    await writeFile(join(folder, 'empty.pem'), 'hello');
    await writeFile(
      join(folder, 'broken.pem'),
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
    for (const name of ['missing.pem', 'empty.pem', 'broken.pem']) {
      const { transport } = await scene([], { tls: 'platform', caFile: join(folder, name) });
      const error = await failureOf(transport.send(get));
      expect([error.exitCode, error.code]).toEqual([14, 'invalid_ca_file']);
      expect(error.message).toContain(name);
    }
    await rm(folder, { recursive: true });
  });
});

// Not the port of a server that was closed: another test may have it by then.
const nobody = 'http://127.0.0.1:1';

describe('loopback', () => {
  test('never goes through a proxy', async () => {
    const proxy = closing(await startProxy({ hosts: {} }));
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    const { transport } = await scene([{ json: 1 }], { env });
    const secure = await scene([{ json: 2 }], { env, tls: 'platform', caFile });
    expect([(await transport.send(get)).body, (await secure.transport.send(get)).body]).toEqual([1, 2]);
    expect(proxy.requests).toEqual([]);
  });
});

describe('a proxy', () => {
  const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`;

  /** A platform at https://platform.test, which only the proxy can find. */
  async function proxied(
    answers: number,
    options: { authorization?: string; status?: number; stall?: boolean },
    userInfo = '',
  ) {
    const platform = closing(
      await startServer(Array(answers).fill({ json: { ok: true } }), { tls: 'platform' }),
    );
    const proxy = closing(await startProxy({ hosts: { 'platform.test:443': platform.port }, ...options }));
    const env = { HTTPS_PROXY: proxy.url.replace('//', `//${userInfo}`) };
    const timeouts = options.stall ? { timeouts: { connectMs: 30 }, maxAttempts: 2 } : {};
    const baseUrl = 'https://platform.test';
    const { transport } = await scene([], { baseUrl, env, caFile, ...timeouts });
    return { platform, proxy, transport };
  }

  test('carries requests in a tunnel and cannot read them', async () => {
    const { platform, proxy, transport } = await proxied(2, {});
    expect((await transport.send(get)).body).toEqual({ ok: true });
    expect((await transport.send(get)).body).toEqual({ ok: true });
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', target: 'platform.test:443' }]);
    expect(proxy.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(platform.requests).toHaveLength(2);
    expect(platform.requests[0]?.headers).toMatchObject({
      host: 'platform.test',
      authorization: 'Bearer gb_secret_token',
    });
    expect(platform.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('gets the credentials of its URL', async () => {
    const { proxy, transport } = await proxied(1, { authorization }, 'user:pass%20word@');
    await transport.send(get);
    expect(proxy.requests[0]?.headers['proxy-authorization']).toBe(authorization);
  });

  test('that answers 407 is "proxy authentication", tried once', async () => {
    const { proxy, transport } = await proxied(0, { authorization }, 'user:hunter2@');
    const error = await failureOf(transport.send(get));
    expect(error.toJSON()).toMatchObject({
      exitCode: 11,
      code: 'proxy_auth',
      attempts: 1,
      outcome: 'not-sent',
    });
    expect(error.message).toBe(`proxy authentication failed: ${proxy.url} answered 407`);
    expect(JSON.stringify(error)).not.toContain('hunter2');
    expect(proxy.requests).toHaveLength(1);
  });

  test('that never answers CONNECT times out as not connected', async () => {
    const { transport } = await proxied(0, { stall: true });
    expect((await failureOf(transport.send(get))).toJSON()).toMatchObject({
      code: 'connect_timeout',
      attempts: 2,
    });
  });

  test.each(['end', 'reset'] as const)('that drops CONNECT by %s counts as not connected', async (by) => {
    const proxy = closing(await startServer(() => (by === 'end' ? { raw: '' } : { reset: 'after-reading' })));
    const baseUrl = 'https://platform.test';
    const { transport } = await scene([], { baseUrl, env: { HTTPS_PROXY: proxy.url }, maxAttempts: 2 });
    expect((await failureOf(transport.send({ ...get, method: 'POST' }))).toJSON()).toMatchObject({
      code: 'reset',
      attempts: 2,
      outcome: 'not-sent',
    });
    expect(proxy.requests).toHaveLength(2);
  });

  test('that refuses connections is named in the error', async () => {
    const { transport } = await scene([], {
      baseUrl: 'https://platform.test',
      env: { https_proxy: nobody },
    });
    const error = await failureOf(transport.send(get));
    expect(error.message).toBe(
      `the connection to https://platform.test (through the proxy ${nobody}) was refused`,
    );
    expect([error.code, error.failure.attempts]).toEqual(['connection_refused', 4]);
  });

  test('with a malformed address exits 14, and nothing is sent', async () => {
    const { transport } = await scene([], {
      baseUrl: 'https://platform.test',
      env: { HTTPS_PROXY: 'http://u:hunter2@x:y' },
    });
    const error = await failureOf(transport.send(get));
    expect([error.exitCode, error.code, error.failure.outcome]).toEqual([14, 'invalid_proxy', 'not-sent']);
    expect(error.message).not.toContain('hunter2');
  });

  test('does not make an untrusted certificate of the platform trusted', async () => {
    const platform = closing(await startServer([], { tls: 'other' }));
    const proxy = closing(await startProxy({ hosts: { 'platform.test:443': platform.port } }));
    const { transport } = await scene([], {
      baseUrl: 'https://platform.test',
      env: { HTTPS_PROXY: proxy.url },
    });
    expect((await failureOf(transport.send(get))).toJSON()).toMatchObject({ code: 'tls', attempts: 1 });
    expect(platform.requests).toHaveLength(0);
  });
});

test('a transport sends no Authorization header without a token', async () => {
  const { server } = await scene([{ json: 1 }]);
  const transport = createTransport({ baseUrl: server.url, io: testIo(new Clock()), userAgent: 'docs/test' });
  await transport.send(get);
  await transport.close();
  expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
});
