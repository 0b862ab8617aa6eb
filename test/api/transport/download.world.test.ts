import { describe, expect, test } from 'vitest';
import type { DownloadHead } from '../../../src/api/transport.js';
import { startProxy } from '../../faults/proxy.js';
import { certificate, startServer } from '../../faults/server.js';
import { Clock } from './clock.js';
import { closing, failureOf, scene } from './setup.js';

async function read(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

describe('a download', () => {
  test('streams the bytes and reports head and progress', async () => {
    const body = 'x'.repeat(300_000);
    const { server, transport } = await scene([{ body, headers: { 'content-type': 'image/png' } }]);
    const progress: [number, number | undefined][] = [];
    const heads: DownloadHead[] = [];
    const stream = await transport.download(`${server.url}/files/a.png?sig=1`, {
      onProgress: (done, total) => progress.push([done, total]),
      onHead: (head) => heads.push(head),
    });
    expect(await read(stream)).toBe(body);
    expect(progress.at(-1)).toEqual([300_000, 300_000]);
    expect(heads).toMatchObject([{ status: 200, length: 300_000, headers: { 'content-type': 'image/png' } }]);
    expect(server.requests).toMatchObject([
      { target: '/files/a.png?sig=1', headers: { accept: '*/*', 'accept-encoding': 'identity' } },
    ]);
  });

  test('sends the token only to the origin of the base URL', async () => {
    const { server, transport } = await scene([{ body: 'own' }]);
    const other = closing(await startServer([{ body: 'other' }]));
    expect(await read(await transport.download(`${server.url}/f`, {}))).toBe('own');
    expect(await read(await transport.download(`${other.url}/f`, {}))).toBe('other');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer gb_secret_token');
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('follows a redirect to another origin without the token', async () => {
    const other = closing(await startServer([{ body: 'there' }]));
    const { server, transport } = await scene([{ redirect: `${other.url}/moved` }]);
    expect(await read(await transport.download(`${server.url}/f`, {}))).toBe('there');
    expect(other.requests).toMatchObject([{ target: '/moved' }]);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('follows a relative redirect', async () => {
    const { server, transport } = await scene([{ redirect: '../g?x=1' }, { body: 'there' }]);
    expect(await read(await transport.download(`${server.url}/a/f`, {}))).toBe('there');
    expect(server.requests[1]?.target).toBe('/g?x=1');
  });

  test('from https is redirected only to https', async () => {
    const caFile = certificate('platform').file;
    const plain = closing(await startServer([]));
    for (const redirect of [
      `http://files.test:${plain.port}/f`,
      'file:///etc/passwd',
      'ftp://files.test/f',
      'https://u:p@files.test/f',
    ]) {
      const { server, transport } = await scene([{ redirect }], { tls: 'platform', caFile });
      const error = await failureOf(transport.download(`${server.url}/f`, {}));
      expect([error.exitCode, error.code]).toEqual([15, 'refused_redirect']);
    }
    expect(plain.connections).toBe(0);
  });

  test('from elsewhere is not redirected to loopback', async () => {
    const caFile = certificate('platform').file;
    const local = closing(await startServer([]));
    const files = closing(await startServer([{ redirect: `${local.url}/f` }], { tls: 'platform' }));
    const proxy = closing(await startProxy({ hosts: { 'files.test:443': files.port } }));
    const { transport } = await scene([], { caFile, env: { HTTPS_PROXY: proxy.url } });
    const error = await failureOf(transport.download('https://files.test/f', {}));
    expect(error.code).toBe('refused_redirect');
    expect(local.connections).toBe(0);
  });

  test('follows five redirects, not six', async () => {
    const five = await scene([...Array(5).fill({ redirect: '/next' }), { body: 'end' }]);
    expect(await read(await five.transport.download(`${five.server.url}/f`, {}))).toBe('end');
    const six = await scene([...Array(6).fill({ redirect: '/next' })]);
    expect((await failureOf(six.transport.download(`${six.server.url}/f`, {}))).code).toBe(
      'refused_redirect',
    );
  });

  test('is on this machine only if the platform is', async () => {
    const local = closing(await startServer([]));
    const { transport } = await scene([], { baseUrl: 'https://platform.test' });
    for (const url of [
      `${local.url}/f`,
      `https://localhost:${local.port}/f`,
      `http://[::1]:${local.port}/f`,
    ]) {
      const error = await failureOf(transport.download(url, {}));
      expect([error.exitCode, error.code, error.failure.outcome]).toEqual([15, 'local_url', 'not-sent']);
    }
    expect(local.connections).toBe(0);
  });

  test('that repeats the token has asterisks in its place, and is as long as before', async () => {
    let told = 0;
    const { server, transport } = await scene([{ body: 'a Bearer gb_secret_token z' }], {
      onSecret: () => {
        told += 1;
      },
    });
    expect(await read(await transport.download(`${server.url}/f`, {}))).toBe('a Bearer *************** z');
    expect(told).toBe(1);
  });

  test.each([
    ['http://files.example/f', 14, 'insecure_url'],
    ['https://0.0.0.0/f', 14, 'insecure_url'],
    ['file:///etc/passwd', 14, 'insecure_url'],
    ['/f', 15, 'invalid_url'],
    ['https://u:p@files.example/f', 15, 'invalid_url'],
  ])('of %s is refused: exit %i', async (url, exitCode, code) => {
    const { transport } = await scene([]);
    const error = await failureOf(transport.download(url, {}));
    expect([error.exitCode, error.code]).toEqual([exitCode, code]);
  });

  test('is retried before its first byte', async () => {
    const { server, transport } = await scene([
      { status: 503 },
      { reset: 'after-reading' },
      { body: 'bytes' },
    ]);
    expect(await read(await transport.download(`${server.url}/f`, {}))).toBe('bytes');
  });

  test('of a missing file exits 6', async () => {
    const { server, transport } = await scene([{ status: 404 }]);
    const error = await failureOf(transport.download(`${server.url}/f?token=abc`, {}));
    expect(error.toJSON()).toMatchObject({
      exitCode: 6,
      status: 404,
      path: '/f?token=[redacted]',
      attempts: 1,
    });
  });

  test.each(['reset', 'end'] as const)('cut short by %s fails after the bytes that came', async (by) => {
    const { server, transport } = await scene([{ body: 'abcdef', cut: { after: 3, by } }]);
    const stream = await transport.download(`${server.url}/f`, {});
    let seen = '';
    const error = await failureOf(
      (async () => {
        for await (const chunk of stream) seen += Buffer.from(chunk).toString();
      })(),
    );
    expect(error.toJSON()).toMatchObject({ exitCode: 15, code: 'cut_short', status: 200, retryable: true });
    expect('abc').toContain(seen);
  });

  test('that stalls fails', async () => {
    const { server, transport } = await scene([{ body: 'abcdef', cut: { after: 3, by: 'stall' } }], {
      timeouts: { bodyMs: 1 },
    });
    const error = await failureOf(read(await transport.download(`${server.url}/f`, {})));
    expect([error.exitCode, error.code]).toEqual([11, 'stalled']);
  });

  test('may take longer than a request, where the command has no deadline', async () => {
    const clock = new Clock();
    let release = () => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, transport } = await scene([{ body: 'abc' }, { hold }], { clock });
    const stream = await transport.download(`${server.url}/f`, {});
    clock.advance(3_600_000);
    expect(await read(stream)).toBe('abc');
    release();
  });

  test("ends with the command's deadline", async () => {
    const clock = new Clock();
    const { server, transport } = await scene([{ body: 'abcdef', cut: { after: 3, by: 'stall' } }], {
      clock,
      timeoutMs: 90_000,
    });
    const stream = await transport.download(`${server.url}/f`, {});
    const failure = failureOf(read(stream));
    await clock.untilSleeping(1);
    clock.advance(90_000);
    expect((await failure).toJSON()).toMatchObject({ exitCode: 12, code: 'deadline', status: 200 });
  });

  test('ends with an interrupt, before its head and within its bytes', async () => {
    const before = await scene(() => ({ stall: true }));
    const failure = failureOf(before.transport.download(`${before.server.url}/f`, {}));
    while (before.server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    before.interrupt.abort(new Error('SIGINT'));
    expect((await failure).exitCode).toBe(130);

    const within = await scene([{ body: 'abcdef', cut: { after: 3, by: 'stall' } }]);
    const stream = await within.transport.download(`${within.server.url}/f`, {});
    const stopped = failureOf(read(stream));
    within.interrupt.abort(new Error('SIGINT'));
    expect((await stopped).exitCode).toBe(130);
  });

  test('whose reader stops ends its connection', async () => {
    const { server, transport } = await scene([{ body: 'x'.repeat(5_000_000) }]);
    for await (const chunk of await transport.download(`${server.url}/f`, {})) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
  });

  test('does not run ahead of a slow reader', async () => {
    const { server, transport } = await scene([{ body: 'x'.repeat(20_000_000) }]);
    const before = process.memoryUsage().arrayBuffers;
    const stream = (await transport.download(`${server.url}/f`, {}))[Symbol.asyncIterator]();
    await stream.next();
    for (let turn = 0; turn < 2000; turn++) await new Promise((resolve) => setImmediate(resolve));
    // The server holds 40 MB of its own; what counts is that the reader did not take 20 MB more.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(55_000_000);
    let rest = 0;
    for (let next = await stream.next(); !next.done; next = await stream.next()) rest += next.value.length;
    expect(rest).toBeGreaterThan(19_000_000);
  });
});
