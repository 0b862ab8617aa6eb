import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { person } from '../policy/approval/world.js';
import { docsFile, docsFirst } from '../started.js';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { onTerminal } from './terminal.js';

/** An agent plans over MCP, a person approves the file that docs_plan names, and the plan is applied once. */

let home: JobHome;
let forwarder: Forwarder;
let client: Client;
// Not the admin of the seed, who makes the plan.
const ada = person('lovelace@acme.example');
const at = (name: string) => join(home.path, name);

beforeAll(async () => {
  home = jobHome({});
  const server = await home.json<{ url: string; org: string; tokens: { admin: string } }>([
    'sandbox',
    'start',
  ]);
  forwarder = await startForwarder(server.url);
  await home.ok(['auth', 'login', '--base-url', forwarder.url, '--with-token'], {
    stdin: server.tokens.admin,
  });
  await home.ok(['orgs', 'use', server.org]);
  writeFileSync(at('ada.pem'), ada.pem, { mode: 0o600 });
  const rules = 'version: 1\nallow: [read, "members update"]\nask: ["members update"]\n';
  const by = `approve:\n  valid: 12h\n  by: [{ email: ${ada.email}, key: "${ada.key}" }]\n`;
  writeFileSync(at('policy.yaml'), rules + by, { mode: 0o600 });
  home.env.DOCS_POLICY = at('policy.yaml');
  client = new Client({ name: 'inspector', version: '1.0' });
  const transport = new StdioClientTransport({
    command: docsFile,
    args: [...docsFirst, 'mcp', 'serve'],
    env: home.env,
    cwd: home.path,
  });
  await client.connect(transport);
});
afterAll(async () => {
  await client.close();
  await forwarder.close();
  delete home.env.DOCS_POLICY;
  await home.ok(['sandbox', 'stop']);
  home.remove();
});

interface Told {
  result?: { id: string; role: string }[];
  plan?: string;
  file?: string;
  error?: { code: string; hint: string };
}
async function call(name: string, given: Record<string, unknown>): Promise<Told> {
  return (await client.callTool({ name, arguments: given })).structuredContent as Told;
}

it('is refused until a person has approved it, and then applied once', async () => {
  const { result = [] } = await call('docs_read', { argv: ['members', 'list'] });
  const member = result.find(({ role }) => role === 'read');
  const argv = ['members', 'update', member?.id ?? '', '--role', 'comment'];
  const { plan = '', file = '' } = await call('docs_plan', { argv });
  forwarder.reset();

  const early = await call('docs_apply', { plan });
  expect(early.error).toMatchObject({ code: 'plan_unapproved', hint: `docs approve ${file}` });
  const direct = await call('docs_change', { argv });
  // The plan of a change that is held back can be approved and applied, too.
  expect(direct).toMatchObject({
    plan: expect.stringMatching(/^plan-/),
    error: { code: 'plan_unapproved', hint: expect.stringContaining(`${direct.plan}.json`) },
  });
  // Agents have no terminal, and `approve` is not among what they may run.
  const own = await call('docs_read', { argv: ['approve', file] });
  expect(own.error?.code).toBe('refused_file');
  expect(forwarder.done).toEqual([]);

  const terminal = onTerminal(['approve', file, '--key', 'ada.pem'], {
    env: home.env,
    cwd: home.path,
    columns: 200,
  });
  await terminal.shows('Approve 1 change?');
  terminal.type('y\r');
  expect((await terminal.ended).code).toBe(0);
  expect(readFileSync(`${file}.approvals`, 'utf8')).toContain(ada.email);
  expect(forwarder.done).toEqual([]);

  expect((await call('docs_apply', { plan })).error).toBeUndefined();
  expect((await call('docs_apply', { plan })).error?.code).toBe('plan_applied');
  expect(forwarder.done).toEqual([expect.stringContaining(`/members/${member?.id}`)]);
  const [header = ''] = home.journalTexts().at(-1)?.split('\n') ?? [];
  expect(JSON.parse(header)).toMatchObject({
    actor: { kind: 'agent', client: 'inspector 1.0', approval: ada.email },
  });
});
