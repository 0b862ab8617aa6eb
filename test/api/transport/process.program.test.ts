import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProxy } from '../../faults/proxy.js';
import { certificate, startServer } from '../../faults/server.js';
import { closing } from './setup.js';

/** The transport in a process of its own: what keeps it alive, and what Node does by itself. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-transport-'));
  await build({
    entryPoints: ['src/api/transport.ts'],
    outfile: join(folder, 'transport.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
    logLevel: 'error',
  });
});

afterAll(() => rm(folder, { recursive: true }));

interface How {
  env?: Record<string, string>;
  /** Once this holds, what is in flight is ended, as by a signal. */
  endsOnce?: () => boolean;
}

/** What a script prints that has a transport to this address. */
async function run(baseUrl: string, script: string, { env = {}, endsOnce }: How = {}): Promise<string> {
  const file = join(folder, 'script.mjs');
  await writeFile(
    file,
    `import { setTimeout as wait } from 'node:timers/promises';
     import { createTransport } from './transport.mjs';
     const interrupt = new AbortController();
     const ended = () => process.stdin.on('end', () => interrupt.abort(new Error('SIGINT'))).resume();
     const io = {
       env: process.env, now: Date.now, random: Math.random, signal: interrupt.signal,
       sleep: (ms, signal) => wait(ms, undefined, { signal }),
     };
     const transport = createTransport({ baseUrl: '${baseUrl}', io, userAgent: 'docs/test', maxAttempts: 1 });
     const get = (query = '') => transport.send({ method: 'GET', path: '/v1/orgs' + query, read: 'json' })
       .then((r) => r.body, (e) => e.code);
     const left = async () => {
       for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
       return JSON.stringify(process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name)));
     };
     ${script}`,
  );
  const running = promisify(execFile)(process.execPath, [file], { env });
  if (endsOnce !== undefined) await expect.poll(endsOnce).toBe(true);
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  expect(stderr).toBe('');
  return stdout.trim();
}

test('idle connections, also of a download, and the unread rest of a body do not keep the process alive', async () => {
  const cut = { status: 400, body: 'x'.repeat(2_000_000), cut: { after: 1_000_000, by: 'stall' } } as const;
  const server = closing(
    await startServer(({ target }) =>
      target === '/f' ? { body: 'abc' } : target === '/v1/orgs?cut' ? cut : { json: 1 },
    ),
  );
  const script = `
    for await (const chunk of await transport.download('${server.url}/f', {})) console.log(String(chunk));
    console.log(await get('?cut'));
    console.log((await Promise.all(Array.from({ length: 50 }, () => get()))).length);`;
  expect(await run(server.url, script)).toBe('abc\nrefused\n50');
});

describe('after close nothing is left', () => {
  const script = `
    ended();
    console.log(await get());
    await transport.close();
    console.log(await left());`;

  test('of a pending connection', async () => {
    const silent = closing(await startServer(() => ({ stall: true })));
    const https = silent.url.replace('http', 'https');
    expect(await run(https, script, { endsOnce: () => silent.connections === 1 })).toBe('aborted\n[]');
  });

  test('of a tunnel with a pending TLS handshake', async () => {
    const silent = closing(await startServer(() => ({ stall: true })));
    const proxy = closing(await startProxy({ hosts: { 'platform.test:443': silent.port } }));
    const env = { HTTPS_PROXY: proxy.url };
    const endsOnce = () => silent.connections === 1;
    expect(await run('https://platform.test', script, { env, endsOnce })).toBe('aborted\n[]');
    expect(proxy.requests).toHaveLength(1);
  });
});

test('a download that is not read to its end does not keep the process alive after close', async () => {
  const server = closing(await startServer(() => ({ body: 'x'.repeat(5_000_000) })));
  const script = `
    const bytes = await transport.download('${server.url}/f', {});
    for await (const chunk of bytes) { console.log(chunk.length > 0); break; }
    await transport.close();
    console.log(await left());`;
  expect(await run(server.url, script)).toBe('true\n[]');
});

test('NODE_EXTRA_CA_CERTS alone is enough', async () => {
  const server = closing(await startServer([{ json: 1 }], { tls: 'platform' }));
  const env = { NODE_EXTRA_CA_CERTS: certificate('platform').file };
  expect(await run(server.url, `console.log(await get())`, { env })).toBe('1');
});
