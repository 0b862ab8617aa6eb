import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writePlan } from '../../src/plans/file.js';
import { hashOfPlan } from '../../src/plans/hash.js';
import type { Plan, PlanOperation } from '../../src/plans/plan.js';
import { fakeIo } from '../fake-io.js';
import { securityKey, startAgent } from '../policy/approval/security-key.js';
import { type Person, person } from '../policy/approval/world.js';
import { docsWords } from '../started.js';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { type SandboxHere, sandboxHere } from './sandbox-here.js';
import { keys, onTerminal } from './terminal.js';

/** Approvals on a real terminal, and what applies without a good one: nothing. The built program on a sandbox. */

let home: JobHome;
let sandbox: SandboxHere;
let forwarder: Forwarder;
let seed: string;
let org: string;
let admin: string;
// Not the admin of the seed, who makes the plans.
const ada = person('lovelace@acme.example');
const bob = person('bob@acme.example');
const eve = person('eve@acme.example');

const at = (name: string) => join(home.path, name);
const write = (name: string, text: string) => writeFileSync(at(name), text, { mode: 0o600 });
const approvals = () => readFileSync(at('plan.json.approvals'), 'utf8');
const policy = (people: readonly Person[] = [ada, bob], more = '') => {
  const by = people.map(({ email, key }) => `    - { email: ${email}, key: "${key}" }`);
  const rules = 'version: 1\ndefault: allow\nask: ["members update", "teams delete"]\n';
  write('policy.yaml', `${rules}approve:\n  valid: 12h\n  by:\n${by.join('\n')}\n${more}`);
};

beforeAll(async () => {
  home = jobHome({});
  sandbox = await sandboxHere(home);
  forwarder = await startForwarder(sandbox.url);
  org = sandbox.defaults.org;
  admin = sandbox.token;
  const words = ['auth', 'login', '--base-url', forwarder.url, '--with-token'];
  await home.ok(words, { stdin: admin });
  await home.ok(['orgs', 'use', org]);
  for (const [name, who] of Object.entries({ ada, bob, eve })) write(`${name}.pem`, who.pem);
  seed = at('seed.json');
  await home.ok(['teams', 'create', '--title', 'Gone']);
  writeFileSync(seed, sandbox.control.export());
  member = (await home.json<Member[]>(['members', 'list'])).find(({ role }) => role === 'read') as Member;
});
afterAll(async () => {
  await forwarder.close();
  await sandbox.close();
  home.remove();
});

interface Member {
  id: string;
  role: string;
}
let member: Member;
/** The plan that most tests approve, as long as nothing was changed. */
let usual: string | undefined;
let plan: { id: string; hash: string; by: unknown; organization?: string };
const read = () => JSON.parse(readFileSync(at('plan.json'), 'utf8')) as typeof plan;

/** Makes a plan that changes one role. */
async function make(...words: string[]): Promise<void> {
  const change = words.length > 0 ? words : ['members', 'update', member.id, '--role', 'comment'];
  await home.ok([...change, '--save-plan', 'plan.json', '--yes']);
  plan = read();
}

beforeEach(async () => {
  forwarder.reset();
  delete home.env.DOCS_POLICY;
  rmSync(at('plan.json.approvals'), { force: true });
  policy();
  home.env.DOCS_POLICY = at('policy.yaml');
  if (usual === undefined || forwarder.everDone > 0) {
    await sandbox.control.seed(seed, { isExport: true });
    forwarder.everDone = 0;
    await make();
    usual = readFileSync(at('plan.json'), 'utf8');
    forwarder.reset();
  }
  write('plan.json', usual);
  plan = read();
});

const on = (words: string[], env: Record<string, string> = {}) =>
  onTerminal(words, { env: { ...home.env, ...env }, cwd: home.path, columns: 200 });

/** Approves as a person does. */
async function approve(who: string, ...words: string[]) {
  const terminal = on(['approve', 'plan.json', '--key', `${who}.pem`, ...words]);
  await terminal.shows('Approve 1 change?');
  terminal.type('y\r');
  return terminal.ended;
}

interface Failed {
  code: string;
  message: string;
  hint: string;
  details: { reasons: { code: string; message: string }[] };
}

/** Applies the plan, which must be refused with nothing sent. */
async function refused(...words: string[]): Promise<Failed & { exit: number | null; codes: string[] }> {
  forwarder.reset();
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json', ...words]);
  expect(forwarder.done).toEqual([]);
  const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as { error: Failed };
  expect(await role()).toBe('read');
  return { ...error, exit: ran.code, codes: (error.details?.reasons ?? []).map(({ code }) => code) };
}

async function role(): Promise<string> {
  const ran = await home.run(['members', 'get', member.id, '--json'], { env: { DOCS_POLICY: '' } });
  return (JSON.parse(ran.stdout) as Member).role;
}

test('a plan that a policy asks for is applied once somebody approved it', async () => {
  expect(plan.by).toMatchObject({ id: expect.any(String) });
  const before = await refused();
  expect(before).toMatchObject({ exit: 2, code: 'plan_unapproved', codes: ['plan_unapproved'] });
  expect(before.message).toContain(`${ada.email} or ${bob.email}`);
  expect(before.hint).toBe('docs approve plan.json');
  const { code, screen } = await approve('ada');
  expect(screen).toContain(`✓ Approved plan ${plan.id} as ${ada.email}.`);
  expect(code).toBe(0);
  expect(forwarder.done).toEqual([]);
  expect(JSON.parse(approvals())).toMatchObject({ email: ada.email, hash: plan.hash, key: ada.fingerprint });
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await role()).toBe('comment');
  const [header] = home.journalTexts().at(-1)?.split('\n') ?? [];
  expect(JSON.parse(header ?? '')).toMatchObject({ actor: { plan: plan.id, approval: ada.email } });
});

test('what is shown before the question: the changes, who made them, the rule, and what is sent', async () => {
  const terminal = on(['approve', 'plan.json', '--key', 'ada.pem']);
  await terminal.shows('Approve 1 change?');
  const text = terminal.screen.text();
  for (const shown of [
    '1 to change',
    'Made by:',
    'members update',
    'policy.yaml:3',
    'valid for 12 hours',
    ada.fingerprint,
    `PATCH /v1/orgs/${org}/members/${member.id} {"role":"comment"}`,
  ])
    expect(text).toContain(shown);
  terminal.type('n\r');
  const { code, screen } = await terminal.ended;
  expect(screen).toContain('Not confirmed; nothing was signed.');
  expect(code).toBe(2);
  expect(existsSync(at('plan.json.approvals'))).toBe(false);
});

test('a deletion is approved by typing the organization, and nothing else', async () => {
  const { id = '' } =
    (await home.json<{ id: string; title: string }[]>(['teams', 'list'])).find(
      ({ title }) => title === 'Gone',
    ) ?? {};
  await make('teams', 'delete', id);
  for (const [typed, approved] of [
    ['y', false],
    [org, true],
  ] as const) {
    const terminal = on(['approve', 'plan.json', '--key', 'ada.pem']);
    await terminal.shows('to approve:');
    terminal.type(`${typed}\r`);
    expect((await terminal.ended).code).toBe(approved ? 0 : 2);
    expect(existsSync(at('plan.json.approvals'))).toBe(approved);
  }
});

describe('an approval needs a person at a terminal', () => {
  test.each([
    ['without a terminal', [], {}],
    ['with --yes', ['--yes'], {}],
    ['in CI', ['--no-input'], { CI: 'true' }],
  ])('%s it is refused', async (_, words, env) => {
    const ran = await home.run(['approve', 'plan.json', '--key', 'ada.pem', '--json', ...words], {
      env,
      stdin: 'y\n',
    });
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'not_a_terminal', outcome: 'not-sent' });
    expect(existsSync(at('plan.json.approvals'))).toBe(false);
  });

  test.each([
    ['--yes', ['--yes'], {}, '--yes cannot approve a plan'],
    ['--no-input', ['--no-input'], {}, 'needs a terminal'],
    ['CI', [], { CI: '1' }, 'needs a terminal'],
  ])('%s on a terminal does not help', async (_, words, env, told) => {
    const { code, screen } = await on(['approve', 'plan.json', '--key', 'ada.pem', ...words], env).ended;
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(told);
    expect(code).toBe(2);
    expect(existsSync(at('plan.json.approvals'))).toBe(false);
  });
});

describe("with a shell, but without Ada's key", () => {
  const agents = ['approve', 'plan.json', '--key', 'eve.pem'];

  test.each([
    ['its own key', agents],
    ['its own key and her email', [...agents, '--email', ada.email]],
    ['her public key', ['approve', 'plan.json', '--key', 'ada.pub']],
    ['no key at all', ['approve', 'plan.json']],
  ])('%s on a terminal of its own approves nothing', async (_, words) => {
    write('ada.pub', `${ada.key}\n`);
    const line = [...docsWords, ...words].map((word) => `'${word}'`).join(' ');
    // Not at once: the platform that it reads answers from this process.
    const ran = spawn('script', ['-qec', line, '/dev/null'], { cwd: home.path, env: home.env });
    ran.stdin.end('y\ny\n');
    const status = await new Promise((done) => ran.on('error', () => done(undefined)).on('close', done));
    if (status === undefined) {
      // No script(1) here: the same on a terminal of the test.
      const terminal = on(words);
      terminal.type('y\r');
      expect((await terminal.ended).code).toBe(2);
    } else expect(status).toBe(2);
    expect(existsSync(at('plan.json.approvals'))).toBe(false);
    expect((await refused()).code).toBe('plan_unapproved');
  });

  test('what it writes into the approvals itself counts for nothing', async () => {
    const { approvalOf, fileOf } = await import('../policy/approval/world.js');
    const hash = (await import('../../src/jobs/held.js')).sha256(readFileSync(at('policy.yaml')));
    const now = { when: new Date().toISOString(), policies: [hash] };
    const forPlan = read() as Parameters<typeof approvalOf>[0];
    const own = approvalOf(forPlan, [], { ...eve, email: ada.email }, now);
    const claimed = approvalOf(forPlan, [], { ...eve, email: ada.email, fingerprint: ada.fingerprint }, now);
    const unsigned = { ...own, key: ada.fingerprint, signature: '' };
    for (const forged of [own, claimed, unsigned]) {
      write('plan.json.approvals', fileOf(forged));
      expect(await refused()).toMatchObject({ exit: 2, code: 'plan_unapproved' });
    }
  });

  test('a policy of its own beside does not replace the one in force', async () => {
    writeFileSync(at('own.yaml'), readFileSync(at('policy.yaml'), 'utf8').replaceAll(ada.key, eve.key));
    const terminal = on([...agents, '--email', ada.email, '--policy', 'own.yaml']);
    await terminal.shows('Approve 1 change?');
    terminal.type('y\r');
    await terminal.ended;
    expect(await refused('--policy', 'own.yaml')).toMatchObject({ code: 'plan_unapproved' });
  });
});

describe('refused, each with its code, and nothing is sent', () => {
  test('an approval of another plan, copied', async () => {
    await approve('ada');
    copyFileSync(at('plan.json.approvals'), at('other.approvals'));
    await make('members', 'update', member.id, '--role', 'edit');
    rmSync(at('plan.json.approvals'));
    copyFileSync(at('other.approvals'), at('plan.json.approvals'));
    expect(await refused()).toMatchObject({
      exit: 2,
      code: 'plan_unapproved',
      message: expect.stringContaining('of another plan'),
    });
  });

  test('an approval whose email was edited', async () => {
    await approve('ada');
    write('plan.json.approvals', approvals().replace(ada.email, bob.email));
    expect((await refused()).code).toBe('plan_unapproved');
  });

  test('an approval that is older than --max-age', async () => {
    await approve('ada');
    expect(await refused('--max-age', '1ms')).toMatchObject({ codes: ['plan_expired', 'plan_unapproved'] });
  });

  test('an approval under another policy', async () => {
    await approve('ada');
    policy([ada, bob], '# changed\n');
    expect(await refused()).toMatchObject({
      exit: 2,
      code: 'plan_policy_changed',
      codes: ['plan_policy_changed'],
    });
  });

  test('a plan that was changed by one byte after it was approved', async () => {
    await approve('ada');
    write('plan.json', readFileSync(at('plan.json'), 'utf8').replaceAll('"comment"', '"cOmment"'));
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_edited' });
    const terminal = await on(['approve', 'plan.json', '--key', 'bob.pem']).ended;
    expect(terminal.screen).toContain('was edited after it was made');
    expect(terminal.code).toBe(2);
  });

  test('an approval by the one who made the plan', async () => {
    const { email = '' } = plan.by as { email?: string };
    const own = { ...eve, email };
    policy([own, bob]);
    const ended = await on(['approve', 'plan.json', '--key', 'eve.pem']).ended;
    expect(ended.screen).toContain('somebody else must approve it');
    expect(ended.code).toBe(2);
    const { approvalOf, fileOf } = await import('../policy/approval/world.js');
    const hash = (await import('../../src/jobs/held.js')).sha256(readFileSync(at('policy.yaml')));
    const statement = { when: new Date().toISOString(), policies: [hash] };
    write(
      'plan.json.approvals',
      fileOf(approvalOf(read() as Parameters<typeof approvalOf>[0], [], own, statement)),
    );
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_self_approved' });
  });

  test('one approval of a plan whose maker is unknown; two are enough', async () => {
    const { DOCS_POLICY = '' } = home.env;
    await home.ok(['members', 'list']);
    const env = { DOCS_TOKEN: admin, DOCS_BASE_URL: forwarder.url, DOCS_POLICY };
    await home.run(
      ['members', 'update', member.id, '--role', 'comment', '--save-plan', 'plan.json', '--yes'],
      { env },
    );
    expect(read().by).toBe('unknown');
    await approve('ada');
    expect(await refused()).toMatchObject({
      exit: 2,
      code: 'plan_self_approved',
      message: expect.stringContaining('a second person'),
    });
    await approve('bob');
    await home.ok(['apply', 'plan.json', '--yes']);
    expect(await role()).toBe('comment');
  });

  test('the change itself, without a plan', async () => {
    const ran = await home.run(['members', 'update', member.id, '--role', 'comment', '--yes', '--json']);
    expect(ran.code).toBe(5);
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'policy_denied' });
    expect(forwarder.done).toEqual([]);
  });
});

test('the files of a folder, applied without a saved plan: refused, and the way to one is named', async () => {
  const { DOCS_POLICY = '' } = home.env;
  delete home.env.DOCS_POLICY;
  rmSync(at('org'), { recursive: true, force: true });
  await home.ok(['pull', '--yes']);
  const file = at('org/people.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/role: read\b/, 'role: comment'));
  expect(readFileSync(file, 'utf8')).not.toBe(text);
  home.env.DOCS_POLICY = DOCS_POLICY;
  forwarder.reset();
  const ran = await home.run(['apply', '--yes', '--quiet', '--json']);
  expect(ran.code).toBe(5);
  const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as { error: Failed };
  expect(error).toMatchObject({ code: 'policy_denied', hint: 'docs plan --save-plan plan.json' });
  expect(forwarder.done).toEqual([]);
});

test('a plan that was merged is applied, and not one that was only committed', async () => {
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...words], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' },
    });
  if (spawnSync('git', ['--version']).error !== undefined) return;
  for (const name of ['remote.git', 'clone']) rmSync(at(name), { recursive: true, force: true });
  git(home.path, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
  git(home.path, 'init', '-q', '-b', 'main', 'clone');
  const rules = 'version: 1\ndefault: allow\nask: ["members update"]\n';
  write('policy.yaml', `${rules}approve: { from: git, remote: "${at('remote.git')}", branch: main }\n`);
  copyFileSync(at('plan.json'), at('clone/plan.json'));
  git(at('clone'), 'add', '-A');
  git(at('clone'), 'commit', '-qm', 'plan');
  const apply = () => home.run(['apply', 'clone/plan.json', '--yes', '--json']);
  const before = await apply();
  expect(before.code).toBe(2);
  expect(before.stderr).toContain('plan_unapproved');
  expect(forwarder.done).toEqual([]);
  git(at('clone'), 'push', '-q', at('remote.git'), 'main');
  expect((await apply()).code).toBe(0);
  expect(await role()).toBe('comment');
  expect(home.journalTexts().at(-1)).toContain('"approval":"git:');
});

test('approved twice by one person: once is enough; by two at once: both are kept', async () => {
  await approve('ada');
  const again = await on(['approve', 'plan.json', '--key', 'ada.pem']).ended;
  expect(again.screen).toContain(`is already approved by ${ada.email}; nothing was added.`);
  expect(again.code).toBe(0);
  expect(approvals().trim().split('\n')).toHaveLength(1);
  rmSync(at('plan.json.approvals'));
  const both = await Promise.all([approve('ada'), approve('bob')]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const lines = approvals()
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.map((line) => (JSON.parse(line) as { email: string }).email).sort()).toEqual([
    bob.email,
    ada.email,
  ]);
});

test('plan show tells who approved, whether it holds, and what is missing', async () => {
  interface Shown {
    approval?: {
      approved: boolean | null;
      by: string[];
      given: { holds: boolean; why?: string }[];
      missing: string[];
    };
  }
  const shown = async () => (await home.json<Shown>(['plan', 'show', 'plan.json'])).approval;
  expect(await shown()).toMatchObject({ approved: false, by: [], given: [], missing: [expect.any(String)] });
  await approve('ada');
  expect(await shown()).toMatchObject({
    approved: true,
    by: [ada.email],
    given: [{ holds: true }],
    missing: [],
  });
  const text = await home.ok(['plan', 'show', 'plan.json']);
  expect(text).toContain(`Approvals: approved by ${ada.email}`);
  const markdown = await home.ok(['plan', 'show', 'plan.json', '-o', 'markdown']);
  expect(markdown).toContain('**Approvals: approved by lovelace');
  expect(markdown).not.toContain(`by ${ada.email}`);
  policy([bob]);
  const why = expect.stringContaining('does not name this key');
  expect(await shown()).toMatchObject({ approved: false, given: [{ holds: false, why }] });
  const other = await home.ok(['plan', 'show', 'plan.json', '-o', 'markdown']);
  expect(other).toContain('**Approvals: not approved**');
  home.env.DOCS_POLICY = '';
  expect(await shown()).toMatchObject({ approved: null, given: [{ holds: null }] });
  rmSync(at('plan.json.approvals'));
  expect(await shown()).toBeUndefined();
});

test('a torn line does not spoil what is added after it', async () => {
  appendFileSync(at('plan.json.approvals'), '{"approval":1,"plan":"p-');
  await approve('ada');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await role()).toBe('comment');
});

test('without a policy, or with one that asks for nothing of it, there is nothing to approve', async () => {
  const none = await on(['approve', 'plan.json', '--key', 'ada.pem'], { DOCS_POLICY: '' }).ended;
  expect(none.screen).toContain('No policy is in force');
  expect(none.code).toBe(2);
  write('policy.yaml', 'version: 1\ndefault: allow\nask: ["spaces delete"]\n');
  const other = await on(['approve', 'plan.json', '--key', 'ada.pem']).ended;
  expect(other.screen).toContain('requires no approval of this plan');
  expect(other.code).toBe(2);
});

test('a key with a passphrase asks for it on the terminal', async () => {
  try {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'open sesame', '-f', at('locked')], {
      stdio: 'ignore',
    });
  } catch {
    return; // No ssh-keygen here.
  }
  const key = readFileSync(at('locked.pub'), 'utf8').trim();
  policy([{ ...ada, key }]);
  const terminal = on(['approve', 'plan.json', '--key', 'locked']);
  await terminal.shows('Approve 1 change?');
  terminal.type(`y${keys.enter}`);
  await terminal.shows('passphrase');
  terminal.type(`open sesame${keys.enter}`);
  expect((await terminal.ended).code).toBe(0);
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await role()).toBe('comment');
});

test.each(['ed25519', 'ecdsa'] as const)(
  'a security key of %s approves through its agent, by a touch',
  async (kind) => {
    if (spawnSync('ssh-keygen', ['-?']).error !== undefined) return;
    const key = securityKey(ada.email, kind);
    policy([key]);
    write('security.pub', `${key.key}\n`);
    const agent = await startAgent(at(`${kind}.socket`), key);
    const terminal = on(['approve', 'plan.json', '--key', 'security.pub'], {
      SSH_AUTH_SOCK: at(`${kind}.socket`),
    });
    await terminal.shows('Approve 1 change?');
    terminal.type(`y${keys.enter}`);
    const { code, screen } = await terminal.ended;
    await agent.close();
    expect(screen).toContain('Touch your security key to sign.');
    expect(code, screen).toBe(0);
    await home.ok(['apply', 'plan.json', '--yes']);
    expect(await role()).toBe('comment');
  },
);

describe('what is signed is what was read', () => {
  /** Writes a plan as somebody does who can make its hash. */
  async function forge(change: (operation: PlanOperation) => PlanOperation): Promise<void> {
    const made = JSON.parse(readFileSync(at('plan.json'), 'utf8')) as Plan;
    const forged = { ...made, operations: made.operations.map(change) };
    await writePlan(fakeIo({ cwd: home.path }), 'plan.json', { ...forged, hash: hashOfPlan(forged) });
  }

  test('a plan that names another member than it changes is refused', async () => {
    await forge((one) => ({ ...one, key: 'farah.elsewhere@acme.example' }));
    const { code, screen } = await on(['approve', 'plan.json', '--key', 'ada.pem']).ended;
    expect(code).toBe(2);
    expect(screen.replaceAll(/\s+/g, ' ')).toMatch(
      /the plan says farah\.elsewhere@acme\.example, and \S+ is \S+@\S+\. Nothing was signed/,
    );
    expect(existsSync(at('plan.json.approvals'))).toBe(false);
  });

  test('a plan that shows another state before is refused', async () => {
    const role = { before: 'review', after: 'comment' };
    await forge((one) => ({
      ...one,
      fields: { role },
      ...(one.reads && { reads: { ...one.reads, state: { role: 'review' } } }),
    }));
    const { code, screen } = await on(['approve', 'plan.json', '--key', 'ada.pem']).ended;
    expect(code).toBe(2);
    expect(screen.replaceAll(/\s+/g, ' ')).toContain('o1: role was "review" by the plan, and is "read"');
  });

  test('all requests are shown, the last one before the question, with the names of all ids', async () => {
    const ids = (await home.json<Member[]>(['members', 'list'])).filter(({ role }) => role !== 'admin');
    const some = ids.map(({ id }) => id);
    expect(some.length).toBeGreaterThan(1);
    await make('members', 'update', ...some, '--role', 'comment');
    const terminal = on(['approve', 'plan.json', '--key', 'ada.pem']);
    await terminal.shows(`Approve ${some.length} changes?`);
    const screen = terminal.screen.text();
    for (const id of some) expect(screen).toContain(`/members/${id} {"role":"comment"}`);
    expect(screen).toContain('Names, read with your token:');
    expect(screen).not.toContain('--full');
    terminal.type('n\r');
    expect((await terminal.ended).code).toBe(2);
  });
});
