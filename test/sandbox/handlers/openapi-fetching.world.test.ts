import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { getOpenApiSpec, setOpenApiSpec } from '../../../src/api/resources/openapi.js';
import { openSandbox, seedId, type TestSandbox } from '../client.js';

const path = { organizationId: seedId('org acme'), specSlug: 'orders' };
const minimal = '{"openapi": "3.1.0", "info": {"title": "Orders", "version": "1"}, "paths": {}}';
const set = ({ admin }: TestSandbox, source: { url: string } | { text: string }) =>
  admin.ok(setOpenApiSpec, { path, body: { source } });

test('the processing of a spec survives a restart of the server', async () => {
  const sandbox = await openSandbox();
  await set(sandbox, { text: minimal });
  const next = await openSandbox({ file: sandbox.file, io: sandbox.outside.io });
  sandbox.outside.ms += 3000;
  for (const { admin } of [next, sandbox])
    expect(await admin.ok(getOpenApiSpec, { path })).toMatchObject({ processingState: 'complete' });
  await next.close();
  await sandbox.close();
});

test.each([{}, { allowFetch: true }])('a loopback address is never fetched, with %o', async (options) => {
  let connections = 0;
  const server = createServer((_request, response) => response.end(minimal));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const sandbox = await openSandbox(options);
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433']) {
    await set(sandbox, { url: `http://${host}:${port}/openapi.json` });
    sandbox.outside.ms += 3000;
    const spec = await sandbox.admin.ok(getOpenApiSpec, { path });
    expect(spec).toMatchObject({ lastProcessErrorCode: 'FETCH_ERROR' });
  }
  expect(connections).toBe(0);
  await sandbox.close();
  server.close();
});
