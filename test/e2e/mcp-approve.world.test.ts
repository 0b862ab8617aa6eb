import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApprovalHome, ada, approvalHome } from './approval-home.js';
import { serveHere } from './mcp-here.js';

/** An agent plans over MCP, a person approves the file that docs_plan names, and the plan is applied once. */

let all: ApprovalHome;
let client: Client;
beforeAll(async () => {
  all = await approvalHome();
  const rules = 'version: 1\nallow: [read, "members update"]\nask: ["members update"]\n';
  const by = `approve:\n  valid: 12h\n  by: [{ email: ${ada.email}, key: "${ada.key}" }]\n`;
  all.write('policy.yaml', rules + by);
  all.home.env.DOCS_POLICY = all.at('policy.yaml');
  client = new Client({ name: 'inspector', version: '1.0' });
  await client.connect(serveHere([], all.home).transport);
});
afterAll(async () => {
  await client.close();
  await all.close();
});

interface Told {
  result?: { id: string; role: string }[];
  plan?: string;
  file?: string;
  requests?: object[];
  policy?: { denied: object[]; asks: object[] };
  error?: { code: string; hint: string };
}
async function call(name: string, given: Record<string, unknown>): Promise<Told> {
  return (await client.callTool({ name, arguments: given })).structuredContent as Told;
}

it('is refused until a person has approved it, and then applied once', async () => {
  const { result = [] } = await call('docs_read', { argv: ['members', 'list'] });
  const member = result.find(({ role }) => role === 'read');
  const argv = ['members', 'update', member?.id ?? '', '--role', 'comment'];
  const { plan = '', file = '', policy } = await call('docs_plan', { argv });
  expect(policy).toMatchObject({
    denied: [],
    asks: [{ rule: 'members update', by: [ada.email], needed: 1 }],
  });
  // Rows of a bulk change are part of the call: an agent writes no files.
  const rows = [{ user: member?.id, role: 'edit' }];
  const bulk = await call('docs_plan', { argv: ['bulk', 'members', 'update', '--from', '-'], rows });
  expect(bulk).toMatchObject({ requests: [{ body: { role: 'edit' } }] });
  const none = await call('docs_plan', { argv: ['bulk', 'members', 'update', '--from', '-'] });
  expect(none.error?.code).toBe('refused_file');
  const role = ['members', 'delete', member?.id ?? ''];
  const denied = await call('docs_plan', { argv: role });
  expect(denied.policy).toMatchObject({
    denied: [{ what: 'docs members delete' }, { rule: 'default: deny' }],
  });

  const early = await call('docs_apply', { plan });
  expect(early.error).toMatchObject({ code: 'plan_unapproved', hint: `docs plan approve ${file}` });
  const direct = await call('docs_change', { argv });
  // The plan of a change that is held back can be approved and applied, too.
  expect(direct).toMatchObject({
    plan: expect.stringMatching(/^plan-/),
    error: { code: 'plan_unapproved', hint: expect.stringContaining(`${direct.plan}.json`) },
  });
  // Agents have no terminal, and `approve` is not among what they may run.
  const own = await call('docs_read', { argv: ['approve', file] });
  expect(own.error?.code).toBe('refused_file');

  expect((await all.approve('ada', file)).code).toBe(0);
  expect(readFileSync(`${file}.approvals`, 'utf8')).toContain(ada.email);
  expect(all.forwarder.done).toEqual([]);

  expect((await call('docs_apply', { plan })).error).toBeUndefined();
  expect((await call('docs_apply', { plan })).error?.code).toBe('plan_applied');
  expect(all.forwarder.done).toEqual([expect.stringContaining(`/members/${member?.id}`)]);
  const [header = ''] = all.home.journalTexts().at(-1)?.split('\n') ?? [];
  expect(JSON.parse(header)).toMatchObject({
    actor: { kind: 'agent', client: 'inspector 1.0', approval: ada.email },
  });
});
