import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { docsFile, docsFirst } from '../started.js';
import { type JobHome, jobHome } from './job-home.js';
import { call, initialize, initialized, type Message } from './mcp-here.js';
import { memberPlatform } from './member-platform.js';

/** `docs mcp serve` as a process of its own: its streams, and how it ends. */

let home: JobHome;
beforeEach(() => {
  home = jobHome({});
});
afterEach(() => home.remove());

it('gives a client its tools, and resources that can be read', async () => {
  const client = new Client({ name: 'inspector', version: '1.0' });
  const args = [...docsFirst, 'mcp', 'serve', '--sandbox'];
  await client.connect(new StdioClientTransport({ command: docsFile, args, env: home.env, cwd: home.path }));
  try {
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(7);
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(6000);
    const aRead = { argv: ['teams', 'list'], limit: 1 };
    const read = await client.callTool({ name: 'docs_read', arguments: aRead });
    expect(read.structuredContent).toMatchObject({ shown: 1 });
    const uris = ['docs://help/plans', 'docs://reference/members'];
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(uris));
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri, text: expect.stringContaining('docs') });
    }
    await expect(client.readResource({ uri: 'docs://help/nope' })).rejects.toThrow();
  } finally {
    await client.close();
  }
});

it('told to end while it applies a plan, waits for what is in flight, and ends by the signal', async () => {
  const platform = await memberPlatform(12);
  const ids = [...platform.roles.keys()];
  Object.assign(home.env, { DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'secret-token', DOCS_ORG: 'o1' });
  const words = [...docsFirst, 'mcp', 'serve', '--allow-writes'];
  const child = spawn(docsFile, words, { env: home.env, cwd: home.path, stdio: 'pipe' });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const next = async () => JSON.parse((await lines.next()).value ?? '') as Message;
  send(initialize);
  await next();
  send(initialized);
  const argv = ['members', 'update', ...ids, '--role', 'read', '--concurrency', '2'];
  send(call(1, 'docs_plan', { argv }));
  const plan = (await next()).result?.structuredContent?.plan;
  const exit = once(child, 'exit');
  platform.onChange = (count) => {
    // It has the signal before the answer.
    if (count === 3) child.kill('SIGTERM');
    return 'done';
  };
  send(call(2, 'docs_apply', { plan }));
  expect(await exit).toEqual([null, 'SIGTERM']);
  expect(platform.changes.length).toBeLessThan(ids.length);
  platform.onChange = () => 'done';
  await home.ok(['jobs', 'resume', 'last']);
  expect([...platform.changes].sort()).toEqual(ids.map((id) => `${id} read`).sort());
  await platform.close();
});

it('over HTTP, prints its address and its token, and ends by the signal that interrupts it', async () => {
  const words = [...docsFirst, 'mcp', 'serve', '--sandbox', '--http'];
  const child = spawn(docsFile, words, { env: home.env, cwd: home.path, stdio: 'pipe' });
  let said = '';
  for await (const line of createInterface({ input: child.stderr })) {
    said += `${line}\n`;
    if (line.startsWith('Token: ')) break;
  }
  expect(said).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
  expect(said).toMatch(/^Token: \S{43}$/m);
  const [, url = ''] = /^Listening on (\S+)$/m.exec(said) ?? [];
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
});
