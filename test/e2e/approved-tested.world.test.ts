import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { type FiveRoles, fiveRoles } from './five-roles.js';
import type { JobHome } from './job-home.js';

/** What `docs policy test` says of plans and jobs, and what happens to them under the same policy. */

let all: FiveRoles;
let home: JobHome;
beforeAll(async () => {
  all = await fiveRoles();
  ({ home } = all);
});
afterAll(() => all.close());

/** The verdicts on a command line, with the exit code. */
async function tested(...words: string[]) {
  const sent = all.forwarder.done.length;
  const { code, stdout, stderr } = await home.run(['policy', 'test', '--json', '--', ...words]);
  expect(all.forwarder.done).toHaveLength(sent);
  const rows = JSON.parse(stdout || '[]') as { what: string; verdict: string; rule?: string }[];
  return { code, stderr, rows, verdicts: rows.map(({ verdict }) => verdict) };
}

/** Of the command that was typed, of the one whose job it is, and of its requests. */
const roles = (verdict: string, requests = 5) => ['allow', ...Array<string>(1 + requests).fill(verdict)];

test('apply is asked about until its approval holds, and then allowed', async () => {
  await all.begin();
  const open = await tested('apply', 'plan.json');
  expect([open.code, open.verdicts]).toEqual([17, roles('ask')]);
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_unapproved' });
  await all.approve('ada');
  const approved = await tested('apply', 'plan.json');
  expect([approved.code, approved.verdicts]).toEqual([0, roles('allow')]);
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await all.commenting()).toBe(5);
  const again = await tested('apply', 'plan.json');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('"plan_applied"')]);
});

test('jobs resume is allowed while the approval of its plan holds', async () => {
  await all.begin();
  await all.approve('ada');
  await all.applyInPart();
  const approved = await tested('jobs', 'resume', 'last');
  expect([approved.code, approved.verdicts]).toEqual([0, roles('allow', 3)]);
  rmSync(all.at('plan.json.approvals'));
  const open = await tested('jobs', 'resume', 'last');
  expect([open.code, open.verdicts]).toEqual([17, roles('ask', 3)]);
  expect(await all.notResumed()).toMatchObject({ code: 'plan_unapproved' });
  await all.approve('ada');
  expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
  expect(await all.commenting()).toBe(5);
});

test('apply of a folder is tried on the files that are there', async () => {
  await all.reset();
  delete home.env.DOCS_POLICY;
  await home.ok(['pull', '--dir', 'org']);
  all.write('policy.yaml', `version: 1\ndefault: allow\norgs: [${seedId('org labs')}]\n`);
  home.env.DOCS_POLICY = all.at('policy.yaml');
  const { rows, stderr } = await tested('apply');
  expect([rows.at(-1)?.verdict, stderr]).toEqual(['deny', expect.not.stringContaining('org.yaml')]);
  expect((await home.run(['apply', '--yes'])).code).toBe(5);
});

test('a report is allowed, whatever its plan would send', async () => {
  await all.reset();
  all.write('policy.yaml', 'version: 1\ndefault: allow\nprotect: ["space:Welcome"]\n');
  home.env.DOCS_POLICY = all.at('policy.yaml');
  const labs = seedId('org labs');
  const report = ['impact', 'transfer', 'space', seedId('space welcome'), '--to-org', labs];
  const { code, rows } = await tested(...report);
  expect([code, rows]).toMatchObject([0, [{ what: 'docs impact transfer', verdict: 'allow' }]]);
  await home.ok(report);
});

describe('the job of a command that is denied', () => {
  const offboard = ['members', 'offboard', seedId('user deniz'), '--yes'];
  const underDenial = () => {
    all.write('policy.yaml', 'version: 1\ndefault: allow\ndeny: ["members offboard"]\n');
    home.env.DOCS_POLICY = all.at('policy.yaml');
  };
  const denied = { what: 'docs members offboard', verdict: 'deny', rule: 'members offboard' };
  beforeEach(() => all.reset());

  test('is denied as a plan', async () => {
    await home.ok([...offboard, '--save-plan', 'plan.json']);
    underDenial();
    const { code, rows } = await tested('apply', 'plan.json');
    expect([code, rows]).toEqual([5, expect.arrayContaining([expect.objectContaining(denied)])]);
    expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'policy_denied' });
  });

  test('is denied when it is resumed', async () => {
    const running = home.begin([...offboard, '--concurrency', '1']);
    all.forwarder.onChange = () => {
      running.kill('SIGKILL');
      return 'lost after';
    };
    expect((await running.ended).signal).toBe('SIGKILL');
    await all.forwarder.idle();
    all.forwarder.onChange = () => 'pass';
    underDenial();
    const { code, rows } = await tested('jobs', 'resume', 'last');
    expect([code, rows]).toEqual([5, expect.arrayContaining([expect.objectContaining(denied)])]);
    expect(await all.notResumed()).toMatchObject({ code: 'policy_denied' });
  });
});

describe('one request of a job makes it impossible to undo another', () => {
  // Who left the organization cannot come back to a team.
  const offboard = ['members', 'offboard', seedId('user deniz'), '--yes'];
  const under = (policy: string) => {
    all.write('policy.yaml', `version: 1\ndefault: allow\n${policy}\n`);
    home.env.DOCS_POLICY = all.at('policy.yaml');
  };
  beforeEach(() => all.reset());

  test('both ask for an approval', async () => {
    under('ask: ["* undo=none"]');
    const { code, rows } = await tested(...offboard);
    const left = rows.map(({ what, verdict }) => `${verdict} ${what.replace(/\/v1.*\/(?=\w+\/\w+$)/, '')}`);
    expect([code, left]).toEqual([
      17,
      [
        'allow docs members offboard',
        `ask DELETE members/${seedId('user deniz')}`,
        `ask DELETE members/${seedId('user deniz')}`,
      ],
    ]);
    expect(await all.refused(...offboard)).toMatchObject({ code: 'policy_denied' });
  });

  test('the command is refused for the other alone', async () => {
    under('ask: ["teams members * undo=none"]');
    expect((await tested(...offboard)).code).toBe(17);
    expect(await all.refused(...offboard)).toMatchObject({
      code: 'policy_denied',
      details: { verdict: 'ask', rule: 'teams members * undo=none' },
    });
  });

  test('what is denied is told before what asks', async () => {
    under('ask: ["teams members *"]\ndeny: ["members delete"]');
    expect((await tested(...offboard)).code).toBe(5);
    expect(await all.refused(...offboard)).toMatchObject({ details: { verdict: 'deny' } });
  });
});
