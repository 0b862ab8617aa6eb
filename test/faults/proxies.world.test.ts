import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ProxyOptions, startProxy, type TestProxy } from './proxy.js';
import { inWorld, token, type World } from './run.js';
import { certificate } from './server.js';
import type { Step } from './step.js';

/** RELIABILITY.md, "Proxies and certificates": what a command has of them; all else is in test/api/transport/secure.world.test.ts. */

const ok = (): Step => ({ json: { id: 'x' } });
const ca = certificate('platform').file;
const base = { DOCS_BASE_URL: 'https://platform.test' };
const read = ['api', '/v1/x', '--json'];

/** A world whose https server is `platform.test` to a proxy. */
async function behindProxy(
  options: Omit<ProxyOptions, 'hosts'>,
  play: (world: World, proxy: TestProxy) => Promise<void>,
): Promise<void> {
  await inWorld({ script: ok, tls: 'platform' }, async (world) => {
    const hosts = { 'platform.test:443': world.server.port };
    const proxy = await startProxy({ ...options, hosts });
    try {
      await play(world, proxy);
      const seen = JSON.stringify(proxy.requests);
      expect(seen, 'the token passes a proxy inside TLS only').not.toContain(token);
    } finally {
      await proxy.close();
    }
  });
}

describe('a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])('of %s opens a tunnel', async (name) => {
    await behindProxy({}, async ({ run, server }, proxy) => {
      const ran = await run([...read, '--ca-file', ca], { env: { ...base, [name]: proxy.url } });
      expect({
        code: ran.code,
        asked: proxy.requests.map(({ method, target }) => `${method} ${target}`),
      }).toEqual({
        code: 0,
        asked: ['CONNECT platform.test:443'],
      });
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    });
  });

  test('that answers 407 is "proxy authentication", once, credentials masked', async () => {
    await behindProxy({ authorization: 'Basic other' }, async ({ run, server }, proxy) => {
      const HTTPS_PROXY = proxy.url.replace('http://', 'http://user:swordfish@');
      const ran = await run([...read, '--debug'], { env: { ...base, HTTPS_PROXY } });
      expect({ code: ran.code, tries: proxy.requests.length, sent: server.connections }).toEqual({
        code: 11,
        tries: 1,
        sent: 0,
      });
      expect(ran.error.message).toMatch(/proxy authentication/i);
      expect(ran.stderr).not.toContain('swordfish');
      expect(ran.stderr).not.toContain(Buffer.from('user:swordfish').toString('base64'));
    });
  });

  test.each(['NO_PROXY', 'no_proxy'])('is left out by %s', async (name) => {
    await behindProxy({}, async ({ run }, proxy) => {
      const env = { ...base, HTTPS_PROXY: proxy.url, [name]: 'other.test, PLATFORM.test' };
      const ran = await run([...read, '--no-retry'], { env });
      // Nobody knows platform.test without the proxy.
      expect({ code: ran.code, asked: proxy.requests.length }).toEqual({ code: 11, asked: 0 });
    });
  });
});

describe('a certificate', () => {
  /** Runs that go to a server with this certificate. */
  const withTls = (
    tls: 'platform' | 'other',
    play: (run: (...words: string[]) => ReturnType<World['run']>, world: World) => Promise<void>,
  ): Promise<void> =>
    inWorld({ script: ok, tls }, (world) => {
      const env = { DOCS_BASE_URL: `https://localhost:${world.server.port}` };
      return play((...words) => world.run([...read, ...words], { env }), world);
    });

  test('is accepted with --ca-file', async () => {
    await withTls('platform', async (run, { server }) => {
      expect((await run('--ca-file', ca)).code).toBe(0);
      expect(server.requests.length).toBe(1);
    });
  });

  test('file that is missing, or none, is exit 14', async () => {
    await withTls('platform', async (run, { work }) => {
      writeFileSync(join(work, 'none.pem'), 'not a certificate');
      for (const name of ['missing.pem', 'none.pem']) expect((await run('--ca-file', name)).code).toBe(14);
    });
  });
});
