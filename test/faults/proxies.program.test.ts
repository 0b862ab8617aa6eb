import { expect, test } from 'vitest';
import { inWorld } from './run.js';
import { certificate } from './server.js';

/** RELIABILITY.md, "Proxies and certificates": what Node reads at its start. All else is in proxies.world.test.ts. */

test('NODE_EXTRA_CA_CERTS is read, with --ca-file or without; NODE_TLS_REJECT_UNAUTHORIZED waives nothing', async () => {
  const extra = { NODE_EXTRA_CA_CERTS: certificate('platform').file };
  const rows: [env: Record<string, string>, words: string[], code: number][] = [
    [extra, [], 0],
    [extra, ['--ca-file', certificate('other').file], 0],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' }, [], 11],
  ];
  await inWorld({ script: () => ({ json: { id: 'x' } }), tls: 'platform' }, async ({ run, server }) => {
    const there = { DOCS_BASE_URL: `https://localhost:${server.port}` };
    for (const [env, words, code] of rows) {
      const ran = await run(['api', '/v1/x', '--json', ...words], { env: { ...there, ...env } });
      expect({ env, words, code: ran.code }).toEqual({ env, words, code });
    }
    expect(server.requests.length).toBe(2);
  });
});
