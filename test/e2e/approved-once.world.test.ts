import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApprovalHome, ada, approvalHome, bob } from './approval-home.js';
import type { JobHome } from './job-home.js';

/** An approval holds for one apply, whatever is undone or removed afterwards. */

let all: ApprovalHome;
let home: JobHome;
let member: string;
beforeAll(async () => {
  all = await approvalHome();
  ({ home } = all);
  member = (await all.members()).find(({ role }) => role === 'read')?.id ?? '';
});
afterAll(() => all.close());

const state = () => join(home.path, '.local', 'state', 'docs');
const role = async () => (await all.members()).find(({ id }) => id === member)?.role;

beforeEach(async () => {
  await all.reset();
  rmSync(state(), { recursive: true, force: true });
  all.write('policy.yaml', all.policyText([ada, bob]));
  home.env.DOCS_POLICY = all.at('policy.yaml');
  await home.ok(['members', 'update', member, '--role', 'comment', '--save-plan', 'plan.json', '--yes']);
});

/** What whoever applies a plan can remove: the claim of the plan, and the journals. */
function removeClaims(): void {
  const jobs = join(state(), 'jobs');
  for (const name of readdirSync(jobs)) rmSync(join(jobs, name), { recursive: true });
}

async function undone(): Promise<void> {
  const { code } = await home.run(['undo', 'last', '--yes'], { env: { ...home.env, DOCS_POLICY: '' } });
  expect(code).toBe(0);
  expect(await role()).toBe('read');
  removeClaims();
  all.forwarder.reset();
}

describe('a plan that was applied and undone', () => {
  beforeEach(async () => {
    await all.approve('ada');
    await home.ok(['apply', 'plan.json', '--yes']);
    expect(await role()).toBe('comment');
    await undone();
  });

  test('is not applied again under the same signature, without its claim and its journal', async () => {
    expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({
      exit: 2,
      code: 'plan_applied',
      message: expect.stringMatching(/was applied at \S+ by job \S+; an approval is valid for one apply\./),
      hint: expect.stringMatching(/^docs jobs show /),
    });
    expect(await role()).toBe('read');
  });

  test('nor under another one, which docs plan approve refuses', async () => {
    const { code, screen } = await all.asks('bob').ended;
    expect({ code, said: screen.includes('plan_applied') || screen.includes('was applied at') }).toEqual({
      code: 2,
      said: true,
    });
    all.write('plan.json.approvals', all.approval(bob));
    expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_applied' });
  });
});

test('in the place that the policy names, another state folder of the caller brings no approval back', async () => {
  all.write('policy.yaml', `${all.policyText([ada, bob])}state: ${all.at('guard')}\n`);
  await all.approve('ada');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(readFileSync(all.at('guard/approvals.jsonl'), 'utf8')).toContain(all.plan().hash);
  await undone();
  home.env.XDG_STATE_HOME = all.at('elsewhere');
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_applied' });
  delete home.env.XDG_STATE_HOME;
});

test('an approval of version 1, which has no nonce, holds once, too', async () => {
  all.write('plan.json.approvals', all.approval(ada));
  await home.ok(['apply', 'plan.json', '--yes']);
  await undone();
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_applied' });
});

test('the approval has a nonce, which the ledger has before the first request', async () => {
  await all.approve('ada');
  const { approval, nonce } = JSON.parse(readFileSync(all.at('plan.json.approvals'), 'utf8'));
  expect({ approval, nonce }).toEqual({ approval: 2, nonce: expect.stringMatching(/^[0-9a-f]{32}$/) });
  all.forwarder.onChange = () => {
    expect(readFileSync(join(state(), 'approvals.jsonl'), 'utf8')).toContain(nonce);
    return 'pass';
  };
  await home.ok(['apply', 'plan.json', '--yes']);
});

test('an apply by an account whose role is too low does not use the approval up', async () => {
  await all.approve('ada');
  const env = { ...home.env, DOCS_TOKEN: all.sandbox.tokens.read ?? '' };
  const low = await home.run(['apply', 'plan.json', '--yes'], { env });
  expect(low.code).not.toBe(0);
  expect(low.stderr).toContain('the approval still holds: apply the plan with an account that may');
  expect(await role()).toBe('read');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await role()).toBe('comment');
  removeClaims();
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_applied' });
});

test('a policy that names its place has the ledger there, whatever state folder the caller chooses', async () => {
  const place = join(home.path, 'guard');
  all.write('policy.yaml', `${all.policyText([ada, bob])}state: ${place}\n`);
  await all.approve('ada');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(readFileSync(join(place, 'approvals.jsonl'), 'utf8')).toContain('"is":"used"');
  await undone();
  const { code, stderr } = await home.run(['apply', 'plan.json', '--yes', '--json'], {
    env: { ...home.env, XDG_STATE_HOME: join(home.path, 'elsewhere') },
  });
  expect({ code, error: JSON.parse(stderr).error.code }).toEqual({ code: 2, error: 'plan_applied' });
  rmSync(place, { recursive: true });
});
