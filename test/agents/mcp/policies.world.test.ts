import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMcp, type TestMcp, type Told } from './mcp-world.js';

/** Every tool under every kind of policy: nothing is sent where it is denied. A plan sends only what it reads. */

let mcp: TestMcp;
let team: string;
let change: string[];
const list = ['teams', 'list'];

beforeEach(async () => {
  mcp = await openMcp({ hasPolicy: true });
  const { value } = await mcp.call('docs_read', { argv: list, limit: 1 });
  team = (value.result as { id: string }[])[0]?.id ?? '';
  change = ['teams', 'update', team, '--title', 'Scribes'];
});
afterEach(() => mcp.close());

/** Puts a policy in force, or none. */
function under(policy: string | undefined): void {
  const file = join(mcp.home, 'policy.yaml');
  if (policy !== undefined) fs.writeFileSync(file, `version: 1\n${policy}`, { mode: 0o600 });
  const { DOCS_POLICY: _, ...env } = mcp.io.env;
  mcp.io.env = policy === undefined ? env : { ...env, DOCS_POLICY: file };
}

/** What a call came to, and what it sent. */
async function told(call: () => Promise<Told>) {
  const before = (await mcp.sent()).length;
  const { isError, error, value } = await call();
  const sent = (await mcp.sent()).slice(before);
  return {
    code: isError ? error.code : 'ok',
    exitCode: error.exitCode ?? 0,
    error,
    value,
    sent,
    writes: sent.filter((one) => !one.startsWith('GET ')),
  };
}

type Expected = 'ok' | 'policy_denied' | 'plan_unapproved';
interface Row {
  name: string;
  policy: () => string;
  docs_read: Expected;
  docs_plan: Expected;
  docs_apply: Expected;
  docs_change: Expected;
}
const rows: Row[] = [
  {
    name: 'that only reads',
    policy: () => 'allow: [read]\n',
    docs_read: 'ok',
    docs_plan: 'ok',
    docs_apply: 'policy_denied',
    docs_change: 'policy_denied',
  },
  {
    name: 'that denies the commands',
    policy: () => 'default: allow\ndeny: ["teams list", "teams update"]\n',
    docs_read: 'policy_denied',
    docs_plan: 'ok',
    docs_apply: 'policy_denied',
    docs_change: 'policy_denied',
  },
  {
    name: 'that asks for an approval',
    policy: () => 'default: allow\nask: ["teams update"]\n',
    docs_read: 'ok',
    docs_plan: 'ok',
    docs_apply: 'plan_unapproved',
    docs_change: 'plan_unapproved',
  },
  {
    name: 'whose budget is spent',
    policy: () => 'default: allow\nbudget: { writes: 0/day }\n',
    docs_read: 'ok',
    docs_plan: 'ok',
    docs_apply: 'policy_denied',
    docs_change: 'policy_denied',
  },
  {
    name: 'for another organization',
    policy: () => 'default: allow\norgs: [o-other]\n',
    docs_read: 'policy_denied',
    docs_plan: 'policy_denied',
    docs_apply: 'policy_denied',
    docs_change: 'policy_denied',
  },
  {
    name: 'that protects the team',
    policy: () => `default: allow\nprotect: ["team:${team}"]\n`,
    docs_read: 'ok',
    docs_plan: 'ok',
    docs_apply: 'policy_denied',
    docs_change: 'policy_denied',
  },
  {
    name: 'that allows them',
    policy: () => 'allow: [read, "teams update"]\n',
    docs_read: 'ok',
    docs_plan: 'ok',
    docs_apply: 'ok',
    docs_change: 'ok',
  },
];

describe.each(rows)('a policy $name', ({ policy, ...expected }) => {
  it.each(['docs_read', 'docs_plan', 'docs_apply', 'docs_change'] as const)('for %s', async (tool) => {
    under(undefined);
    // The plan was made before the policy came.
    const plan = String((await mcp.call('docs_plan', { argv: change })).value.plan);
    under(policy());
    const given = { docs_read: { argv: list }, docs_apply: { plan } };
    const found = await told(() =>
      mcp.call(tool, tool in given ? Reflect.get(given, tool) : { argv: change }),
    );
    const writes = expected[tool] === 'ok' && (tool === 'docs_apply' || tool === 'docs_change') ? 1 : 0;
    expect({ code: found.code, writes: found.writes.length }).toEqual({ code: expected[tool], writes });
    if (found.code === 'policy_denied') expect(found.exitCode).toBe(5);
    if (found.code === 'policy_denied' && tool === 'docs_read') expect(found.sent).toEqual([]);
  });
});

describe('docs_find, docs_describe and docs_job', () => {
  it.each([
    ['docs_find', { words: 'delete a space' }],
    ['docs_describe', { command: 'spaces delete' }],
    ['docs_job', {}],
  ])('%s sends nothing under any of them', async (tool, given) => {
    for (const { policy } of rows) {
      under(policy());
      const { sent, code } = await told(() => mcp.call(tool, given));
      expect({ sent, code }).toEqual({ sent: [], code: 'ok' });
    }
  });
});

describe('docs_change', () => {
  it('spends the budget of the policy, and is denied once it is spent', async () => {
    under('default: allow\nbudget: { writes: 1/day }\n');
    expect((await told(() => mcp.call('docs_change', { argv: change }))).code).toBe('ok');
    const again = await told(() =>
      mcp.call('docs_change', { argv: ['teams', 'update', team, '--title', 'Writers'] }),
    );
    expect([again.code, again.writes]).toEqual(['policy_denied', []]);
  });

  it('refuses more than one change, with the plan', async () => {
    under('default: allow\n');
    const members = (
      await mcp.call('docs_read', { argv: ['members', 'list'], jq: '[.[] | select(.role != "admin") | .id]' })
    ).value.result as string[][];
    const argv = ['members', 'update', ...(members[0] ?? []).slice(0, 3), '--role', 'read'];
    const { code, writes, error, value } = await told(() => mcp.call('docs_change', { argv }));
    expect([code, writes]).toEqual(['undo_not_exact', []]);
    expect(error.message).toMatch(/and this is [23] changes/);
    expect(value.plan).toMatch(/^plan-/);
  });
});
