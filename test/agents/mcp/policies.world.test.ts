import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/main.js';
import { fakeIo } from '../../fake-io.js';
import { person } from '../../policy/approval/world.js';
import { seedId } from '../../sandbox/client.js';
import { mcpOfFile } from './mcp-world.js';

/** Every tool under every kind of policy: nothing is sent where it is denied. A plan sends only what it reads. */

const mcp = await mcpOfFile({ hasPolicy: true });
const team = seedId('team writers');
const list = ['teams', 'list'];
const change = ['teams', 'update', team, '--title', 'Scribes'];

/** Puts a policy in force, or none. */
function under(policy: string | undefined): void {
  const file = join(mcp.home, 'policy.yaml');
  if (policy !== undefined) fs.writeFileSync(file, `version: 1\n${policy}`, { mode: 0o600 });
  const { DOCS_POLICY: _, ...env } = mcp.io.env;
  mcp.io.env = policy === undefined ? env : { ...env, DOCS_POLICY: file };
}

/** What a call came to, and what it sent. */
async function told(tool: string, given: Record<string, unknown>) {
  const before = mcp.sent().length;
  const { isError, error, value } = await mcp.call(tool, given);
  const sent = mcp.sent().slice(before);
  const writes = sent.filter((one) => !one.startsWith('GET '));
  return { code: isError ? error.code : 'ok', exitCode: error.exitCode ?? 0, error, value, sent, writes };
}

const tools = ['docs_read', 'docs_plan', 'docs_apply', 'docs_change'] as const;
const denied = 'policy_denied';
const noChange = { docs_apply: denied, docs_change: denied };
const unapproved = { docs_apply: 'plan_unapproved', docs_change: 'plan_unapproved' };
/** A policy, and which of the tools fail under it with which code. */
const rows: [name: string, policy: string, fails: Partial<Record<(typeof tools)[number], string>>][] = [
  ['that only reads', 'allow: [read]\n', noChange],
  [
    'that denies the commands',
    'default: allow\ndeny: ["teams list", "teams update"]\n',
    { ...noChange, docs_read: denied },
  ],
  ['that asks for an approval', 'default: allow\nask: ["teams update"]\n', unapproved],
  ['whose budget is spent', 'default: allow\nbudget: { writes: 0/day }\n', noChange],
  [
    'for another organization',
    'default: allow\norgs: [o-other]\n',
    { ...noChange, docs_read: denied, docs_plan: denied },
  ],
  ['that protects the team', `default: allow\nprotect: ["team:${team}"]\n`, noChange],
  ['that allows them', 'allow: [read, "teams update"]\n', {}],
];

describe.each(rows)('a policy %s', (_, policy, fails) => {
  it.each(tools)('for %s', async (tool) => {
    // The plan was made before the policy came.
    const made = tool === 'docs_apply' ? await mcp.call('docs_plan', { argv: change }) : undefined;
    under(policy);
    const given = { docs_read: { argv: list }, docs_apply: { plan: String(made?.value.plan) } };
    const found = await told(tool, tool in given ? Reflect.get(given, tool) : { argv: change });
    const code = fails[tool] ?? 'ok';
    const writes = code === 'ok' && (tool === 'docs_apply' || tool === 'docs_change') ? 1 : 0;
    expect({ code: found.code, writes: found.writes.length }).toEqual({ code, writes });
    if (code === denied) expect(found.exitCode).toBe(5);
    if (code === denied && tool === 'docs_read') expect(found.sent).toEqual([]);
  });
});

it.each([
  ['docs_find', { words: 'delete a space' }],
  ['docs_describe', { command: 'spaces delete' }],
  ['docs_job', {}],
])('%s sends nothing under any of them', async (tool, given) => {
  for (const [, policy] of rows) {
    under(policy);
    const { sent, code } = await told(tool, given);
    expect({ sent, code }).toEqual({ sent: [], code: 'ok' });
  }
});

it('docs_plan says what needs an approval and whose, as saving the plan does', async () => {
  const { email, key } = person('lovelace@acme.example');
  const by = `  by: [{ email: ${email}, key: "${key}" }]\n`;
  under(`default: allow\nask: ["teams update"]\napprove:\n  valid: 12h\n  fourEyes: true\n${by}`);
  const cause = { file: join(mcp.home, 'policy.yaml'), line: 3, rule: 'teams update' };
  const request = `PATCH /v1/orgs/${mcp.io.env.DOCS_ORG}/teams/${team}`;
  const wanted = {
    ...cause,
    requests: [
      { what: 'docs teams update', ...cause },
      { what: request, ...cause },
    ],
    by: [email],
    fourEyes: true,
  };
  const { value } = await told('docs_plan', { argv: change });
  expect(value.policy).toEqual({ denied: [], asks: [{ ...wanted, needed: expect.any(Number) }] });
  const io = fakeIo({ env: mcp.io.env, cwd: mcp.home });
  expect(await run([...change, '--save-plan', 'plan.json', '--json'], { ...io, systemPolicies: [] })).toBe(0);
  expect(JSON.parse(io.stdout.text)).toMatchObject({ policy: { denied: [], asks: [wanted] } });
});

describe('docs_change', () => {
  it('spends the budget of the policy, and is denied once it is spent', async () => {
    under('default: allow\nbudget: { writes: 1/day }\n');
    expect((await told('docs_change', { argv: change })).code).toBe('ok');
    const argv = ['teams', 'update', team, '--title', 'Writers'];
    const again = await told('docs_change', { argv });
    expect([again.code, again.writes]).toEqual(['policy_denied', []]);
  });

  it('refuses more than one change, with the plan', async () => {
    under('default: allow\n');
    const members = (
      await mcp.call('docs_read', { argv: ['members', 'list'], jq: '[.[] | select(.role != "admin") | .id]' })
    ).value.result as string[][];
    const argv = ['members', 'update', ...(members[0] ?? []).slice(0, 3), '--role', 'read'];
    const { code, writes, error, value } = await told('docs_change', { argv });
    expect([code, writes]).toEqual(['undo_not_exact', []]);
    expect(error.message).toMatch(/and this is [23] changes/);
    expect(value.plan).toMatch(/^plan-/);
  });
});

describe('a budget per run', () => {
  const title = (at: number) => ['teams', 'update', team, '--title', `Scribes ${at}`];

  it('counts the life of the server as one run, whatever call a change comes by', async () => {
    under('default: allow\nbudget: { writes: 2/run }\n');
    const made = await mcp.call('docs_plan', { argv: title(0) });
    const codes = [];
    for (const at of [1, 2, 3]) codes.push((await told('docs_change', { argv: title(at) })).code);
    expect(codes).toEqual(['ok', 'ok', denied]);
    const late = await told('docs_apply', { plan: String(made.value.plan) });
    expect(late).toMatchObject({ code: denied, writes: [] });
    expect(late.error.message).toContain('2 writes per run has 0 left');
  });

  it('counts nothing of what was not sent', async () => {
    under('default: allow\nbudget: { writes: 1/run }\ndeny: ["teams update title=No"]\n');
    const no = ['teams', 'update', team, '--title', 'No'];
    expect((await told('docs_change', { argv: no })).code).toBe(denied);
    expect((await told('docs_change', { argv: title(1) })).code).toBe('ok');
    expect((await told('docs_change', { argv: title(2) })).code).toBe(denied);
  });
});
