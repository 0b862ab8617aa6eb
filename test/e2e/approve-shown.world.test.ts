import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApprovalHome, ada, approvalHome, bob, eve } from './approval-home.js';
import type { JobHome } from './job-home.js';
import { serveHere } from './mcp-here.js';

/** What a person must see before they sign, what keeps a plan from being signed, and whose plans one may sign. */

let all: ApprovalHome;
let home: JobHome;
let others: readonly string[];
let team: string;
beforeAll(async () => {
  all = await approvalHome();
  ({ home } = all);
  others = (await all.members()).filter(({ role }) => role === 'read' || role === 'edit').map(({ id }) => id);
  team = (await home.json<{ id: string }[]>(['teams', 'list', '--limit', '1']))[0]?.id ?? '';
});
afterAll(() => all.close());

beforeEach(async () => {
  await all.reset();
  rmSync(join(home.path, '.local', 'state', 'docs'), { recursive: true, force: true });
  policy();
  home.env.DOCS_POLICY = all.at('policy.yaml');
});

const ask = ['members update', 'teams *'];
const policy = (more = '', people = [ada, bob]) =>
  all.write('policy.yaml', all.policyText(people, more, ask));
const plan = async (words: readonly string[], env: Record<string, string> = {}) => {
  const ran = await home.run([...words, '--save-plan', 'plan.json', '--yes'], {
    env: { ...home.env, ...env },
  });
  expect(ran.code, ran.stderr).toBe(0);
};
const roleOf = (id: string, role = 'comment') => ['members', 'update', id, '--role', role];
const textOf = (screen: string) => screen.replaceAll(/\s+/g, ' ');
const unsigned = async (who: string) => {
  const { code, screen } = await all.asks(who).ended;
  expect(all.isSigned()).toBe(false);
  return { code, text: textOf(screen) };
};

describe('a plan that a rule denies', () => {
  test('is refused before the question', async () => {
    await plan(roleOf(others[0] ?? '', 'admin'));
    policy('deny: ["members update role=admin"]\n');
    const { code, text } = await unsigned('ada');
    expect(code).toBe(5);
    expect(text).toMatch(
      /policy denies PATCH \S+: .*members update role=admin.*no approval helps, and nothing was signed/,
    );
    expect(text).not.toContain('Approve 1 change');
    const events = await home.json<{ event: string; plan?: string }[]>([
      'audit',
      'list',
      '--event',
      'denied',
    ]);
    expect(events).toMatchObject([{ event: 'denied', plan: all.plan().id }]);
  });

  test('also one that goes over a budget', async () => {
    await plan(roleOf(others[0] ?? ''));
    policy('budget: { writes: 0/run }\n'.replace('0/run', '1/day'));
    await all.approve('ada');
    await home.ok(['apply', 'plan.json', '--yes']);
    rmSync(all.at('plan.json.approvals'));
    await plan(roleOf(others[1] ?? ''));
    const { code, text } = await unsigned('ada');
    expect({ code, text }).toMatchObject({ code: 5, text: expect.stringContaining('writes: 1/day') });
  });
});

describe('whose plans one may approve', () => {
  const own = async () => {
    const { by } = all.plan();
    return { ...eve, email: by === 'unknown' ? '' : (by.email ?? '') };
  };
  /** An agent plans with the account of who signed in. */
  const planThroughMcp = async (words: readonly string[]) => {
    const client = new Client({ name: 'inspector', version: '1.0' });
    await client.connect(serveHere([], home).transport);
    const made = await client.callTool({ name: 'docs_plan', arguments: { argv: [...words] } });
    await client.close();
    cpSync((made.structuredContent as { file: string }).file, all.at('plan.json'));
  };

  test('a plan that an agent made through MCP with the account of who approves it', async () => {
    await planThroughMcp(roleOf(others[0] ?? ''));
    expect(all.plan().by).toMatchObject({ kind: 'agent', client: 'inspector 1.0', via: 'mcp' });
    policy('', [await own()]);
    const { code, screen } = await all.approve('eve');
    expect({ code, screen: textOf(screen) }).toMatchObject({
      code: 0,
      screen: expect.stringMatching(/Made by: \S+@\S+, with inspector 1\.0 through MCP/),
    });
    await home.ok(['apply', 'plan.json', '--yes']);
  });

  test('not where the policy wants four eyes', async () => {
    await planThroughMcp(roleOf(others[0] ?? ''));
    const people = [await own(), bob];
    policy('  fourEyes: true\n', people);
    const { code, text } = await unsigned('eve');
    expect({ code, text }).toMatchObject({
      code: 2,
      text: expect.stringContaining('someone else must approve it'),
    });
    all.write('plan.json.approvals', all.approval(people[0] ?? eve));
    expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_self_approved' });
    const explained = await home.ok(['policy', 'explain', '--fields', 'rule,means']);
    expect(explained).toContain('fourEyes: true\tPeople cannot approve plans made with their own account');
  });

  test('nor a plan of which only the environment says that an agent made it', async () => {
    await plan(roleOf(others[0] ?? ''), { CLAUDECODE: '1', AI_AGENT: 'claude-code@2' });
    expect(all.plan().by).toMatchObject({ kind: 'agent', client: 'claude-code@2' });
    const people = [await own(), bob];
    policy('', people);
    expect((await unsigned('eve')).text).toMatch(
      /claude-code@2, made the plan \S+; someone else must approve it .*Only the environment named an agent/,
    );
    all.write('plan.json.approvals', all.approval(people[0] ?? eve));
    expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_self_approved' });
    // Somebody else may sign it, and the chain has what the environment said.
    rmSync(all.at('plan.json.approvals'));
    const { code, screen } = await all.approve('bob');
    expect({ code, screen: textOf(screen) }).toMatchObject({
      code: 0,
      screen: expect.stringMatching(/Made by: \S+@\S+, with claude-code@2 /),
    });
    await home.run(['apply', 'plan.json', '--yes'], { env: { ...home.env, CLAUDECODE: '1' } });
    const [event] = await home.json<{ actor?: object }[]>(['audit', 'list', '--limit', '1']);
    expect(event?.actor).toMatchObject({ kind: 'agent', client: 'claude-code' });
    expect(event?.actor).not.toHaveProperty('via');
  });

  test('nor a plan that somebody made by hand', async () => {
    await plan(roleOf(others[0] ?? ''));
    policy('', [await own(), bob]);
    expect((await unsigned('eve')).text).toContain('someone else must approve it');
  });
});

test('a plan of an unknown maker says how many must sign, and that one signature is not enough', async () => {
  const { DOCS_POLICY = '' } = home.env;
  const env = { DOCS_TOKEN: all.sandbox.token, DOCS_BASE_URL: all.forwarder.url, DOCS_POLICY };
  await plan(roleOf(others[0] ?? ''), env);
  const first = textOf((await all.approve('ada')).screen);
  expect(first).toContain('its maker is unknown, so two people must approve it; no one has yet');
  expect(first).toContain(
    `requires 1 more approval, by ${bob.email}: they run "docs plan approve plan.json".`,
  );
  expect(first).not.toContain('Apply it with');
  const again = textOf((await all.asks('ada').ended).screen);
  expect(again).toContain('It cannot be applied yet');
  const second = textOf((await all.approve('bob')).screen);
  expect(second).toContain('two people must approve it; one has');
  expect(second).toContain('Apply it with "docs apply plan.json".');
  await home.ok(['apply', 'plan.json', '--yes']);
});

test('who gains what is a table of names', async () => {
  const [one = '', two = ''] = others;
  await home.run(['teams', 'members', 'update', team, '--add', two], { env: { DOCS_POLICY: '' } });
  await plan(['teams', 'members', 'update', team, '--add', one, '--remove', two]);
  const terminal = all.asks('ada');
  await terminal.shows('Approve ');
  const text = terminal.screen.text();
  expect(text).toMatch(/Who gains access:\n +\S+@\S+ +gains team \w+[^{]*\n +\S+@\S+ +loses team \w+/);
  terminal.type('n\r');
  await terminal.ended;
});

describe('a plan of more than one screen', () => {
  beforeEach(() => plan(['members', 'update', ...others, '--role', 'comment']));
  const begin = () => all.on(['approve', 'plan.json', '--key', 'ada.pem'], {}, { rows: 10 });

  test('is shown a screen at a time, and the count and the last change before the question', async () => {
    const terminal = begin();
    let page = 0;
    await expect
      .poll(() => {
        const text = terminal.screen.text();
        if (text.includes(`Lines 1 to ${8 * (page + 1)} of`)) {
          page += 1;
          terminal.type('\r');
        }
        return text;
      })
      .toContain('Approve ');
    const text = terminal.screen.text();
    for (const id of others) expect(text).toContain(`/members/${id} {"role":"comment"}`);
    expect(text).toMatch(
      new RegExp(`All ${others.length} changes shown; the last one: PATCH \\S+/members/${others.at(-1)}`),
    );
    terminal.type('y\r');
    expect((await terminal.ended).code).toBe(0);
    expect(all.isSigned()).toBe(true);
  });

  test('is not signed where somebody leaves it early', async () => {
    const terminal = begin();
    await terminal.shows('Lines 1 to 8 of');
    terminal.type('q\r');
    const { code, screen } = await terminal.ended;
    expect({ code, screen: textOf(screen) }).toMatchObject({
      code: 2,
      screen: expect.stringMatching(/\d+ of \d+ lines of the plan were not shown; nothing was signed/),
    });
    expect(all.isSigned()).toBe(false);
  });
});

test('an undo that makes something again is approved and applied', async () => {
  const env = { DOCS_POLICY: '' };
  const made = await home.run(
    ['teams', 'create', '--title', 'Again', '--member', others[0] ?? '', '--json'],
    { env },
  );
  expect(made.code, made.stderr).toBe(0);
  const { id } = JSON.parse(made.stdout) as { id: string };
  expect((await home.run(['teams', 'delete', id, '--yes'], { env })).code).toBe(0);
  await home.ok(['undo', 'last', '--save-plan', 'plan.json', '--yes']);
  const terminal = all.asks('ada');
  await terminal.shows('Approve ');
  terminal.type('y\r');
  const { code, screen } = await terminal.ended;
  expect({ code, screen: textOf(screen) }).toMatchObject({ code: 0 });
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await home.ok(['teams', 'list', '--fields', 'title'])).toContain('Again');
});

test('the chain has who approved, and what was refused', async () => {
  await plan(roleOf(others[0] ?? ''));
  await all.refused('apply', 'plan.json', '--yes');
  await all.approve('ada');
  const { id, hash } = all.plan();
  const events = await home.json<Record<string, unknown>[]>(['audit', 'list', '--limit', '2']);
  expect(events).toMatchObject([
    { event: 'approved', plan: id, hash, approver: ada.email, key: ada.fingerprint },
    { event: 'refused', command: 'apply', plan: id, reasons: [{ code: 'plan_unapproved' }] },
  ]);
});
