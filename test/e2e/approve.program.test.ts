import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { securityKey, startAgent } from '../policy/approval/security-key.js';
import { docsWords } from '../started.js';
import { type ApprovalHome, ada, approvalHome, bob } from './approval-home.js';
import { keys, onTerminal } from './terminal.js';

/** Approvals that need a terminal of the system, two processes, or another program. */

let all: ApprovalHome;
beforeAll(async () => {
  all = await approvalHome();
});
afterAll(() => all.close());

let member: string;
beforeEach(async () => {
  await all.reset();
  member = (await all.members()).find(({ role }) => role === 'read')?.id ?? '';
  all.write('policy.yaml', all.policyText([ada, bob]));
  all.home.env.DOCS_POLICY = all.at('policy.yaml');
  await all.home.ok(['members', 'update', member, '--role', 'comment', '--save-plan', 'plan.json', '--yes']);
});

/** Applies the plan, which must change the role. */
async function applied(): Promise<void> {
  await all.home.ok(['apply', 'plan.json', '--yes']);
  expect((await all.members()).find(({ id }) => id === member)?.role).toBe('comment');
}

test('an agent with a shell, but without a named key, approves nothing on a terminal of its own', async () => {
  const words = ['approve', 'plan.json', '--key', 'eve.pem', '--email', ada.email];
  const line = [...docsWords, ...words].map((word) => `'${word}'`).join(' ');
  // Not at once: the platform that it reads answers from this process.
  const ran = spawn('script', ['-qec', line, '/dev/null'], { cwd: all.home.path, env: all.home.env });
  ran.stdin.end('y\ny\n');
  const status = await new Promise((done) => ran.on('error', () => done(undefined)).on('close', done));
  // Where there is no script(1), on a terminal of the test.
  expect(status ?? (await all.on(words).ended).code).toBe(2);
  expect(all.isSigned()).toBe(false);
  expect(await all.refused('apply', 'plan.json', '--yes')).toMatchObject({ code: 'plan_unapproved' });
});

test('by two at once: both are kept, and one is enough', async () => {
  const both = await Promise.all([all.approve('ada'), all.approve('bob')]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const lines = readFileSync(all.at('plan.json.approvals'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const emails = lines.map((line) => (JSON.parse(line) as { email: string }).email);
  expect(emails.sort()).toEqual([bob.email, ada.email]);
  await applied();
});

test('a key with a passphrase asks for it on the terminal', async () => {
  const made = spawnSync('ssh-keygen', [
    ...['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', all.at('locked')],
  ]);
  if (made.status !== 0) return; // No ssh-keygen here.
  const key = readFileSync(all.at('locked.pub'), 'utf8').trim();
  all.write('policy.yaml', all.policyText([{ ...ada, key }]));
  const terminal = all.on(['approve', 'plan.json', '--key', 'locked']);
  await terminal.shows('Approve 1 change?');
  terminal.type(`y${keys.enter}`);
  await terminal.shows('passphrase');
  terminal.type(`open sesame${keys.enter}`);
  expect((await terminal.ended).code).toBe(0);
  await applied();
});

test('a security key approves through its agent, by a touch', async () => {
  if (spawnSync('ssh-keygen', ['-?']).error !== undefined) return;
  const key = securityKey(ada.email, 'ecdsa');
  all.write('policy.yaml', all.policyText([key]));
  all.write('security.pub', `${key.key}\n`);
  const agent = await startAgent(all.at('agent.socket'), key);
  const terminal = onTerminal(['approve', 'plan.json', '--key', 'security.pub'], {
    ...{ cwd: all.home.path, columns: 200 },
    env: { ...all.home.env, SSH_AUTH_SOCK: all.at('agent.socket') },
  });
  await terminal.shows('Approve 1 change?');
  terminal.type(`y${keys.enter}`);
  const { code, screen } = await terminal.ended;
  await agent.close();
  expect(screen).toContain('Touch your security key to sign.');
  expect(code, screen).toBe(0);
  await applied();
});

describe('a policy with rehearse: true takes a plan once it passed on a copy', () => {
  beforeEach(() =>
    all.write('policy.yaml', all.policyText([ada], '  rehearse: true\n', ['members update', 'teams create'])),
  );

  test('it is rehearsed before the question, and its approval says so', async () => {
    const words = ['members', 'update', member, '--role', 'comment', '--save-plan', 'plan.json', '--yes'];
    await all.home.ok(words);
    const terminal = all.asks('ada');
    await terminal.shows('Approve 1 change?');
    expect(terminal.screen.text()).toContain('role read → comment');
    terminal.type('y\r');
    expect((await terminal.ended).code).toBe(0);
    expect(all.forwarder.done).toEqual([]);
    const approval = JSON.parse(readFileSync(all.at('plan.json.approvals'), 'utf8'));
    expect(approval).toMatchObject({ rehearsed: true });
    await applied();
  });

  test('nothing is signed where the rehearsal fails', async () => {
    // The platform has no such member, which no read of the plan can show.
    all.write('body.json', JSON.stringify({ title: 'Ghosts', members: ['no-such-member'] }));
    const words = ['api', 'PUT', '/v1/orgs/{org}/teams', '--input', 'body.json'];
    await all.home.ok([...words, '--save-plan', 'plan.json', '--yes']);
    const { code, screen } = await all.asks('ada').ended;
    expect(screen).toMatch(/did not pass its rehearsal.*nothing was signed/s);
    expect({ code, isSigned: all.isSigned() }).toEqual({ code: 2, isSigned: false });
  });
});
