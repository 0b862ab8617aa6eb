import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfPlan, writePlan } from '../../src/plans/file.js';
import type { PlanOperation } from '../../src/plans/plan.js';
import { fakeIo } from '../fake-io.js';
import { type ApprovalHome, ada, approvalHome, bob, eve } from './approval-home.js';
import type { JobHome } from './job-home.js';

/** What a person is shown and asked before an approval, and what applies without a good one: nothing. */

let all: ApprovalHome;
let home: JobHome;
let member: { id: string; role: string };

beforeAll(async () => {
  all = await approvalHome((made) => made.ok(['teams', 'create', '--title', 'Gone']));
  ({ home } = all);
  member = (await all.members()).find(({ role }) => role === 'read') ?? { id: '', role: '' };
});
afterAll(() => all.close());

const policy = (...given: Parameters<ApprovalHome['policyText']>) =>
  all.write('policy.yaml', all.policyText(...given));

/** The plan that most tests approve, as long as nothing was changed. */
let usual: string | undefined;
beforeEach(async () => {
  const isChanged = all.forwarder.everDone > 0;
  if (isChanged || usual === undefined) await all.reset();
  all.forwarder.everDone = 0;
  all.forwarder.reset();
  rmSync(all.at('plan.json.approvals'), { force: true });
  policy([ada, bob]);
  home.env.DOCS_POLICY = all.at('policy.yaml');
  if (isChanged || usual === undefined) {
    await make();
    usual = readFileSync(all.at('plan.json'), 'utf8');
  }
  all.write('plan.json', usual);
});

/** Makes a plan that changes one role. */
const make = (...words: string[]) =>
  home.ok([
    ...(words.length > 0 ? words : ['members', 'update', member.id, '--role', 'comment']),
    ...['--save-plan', 'plan.json', '--yes'],
  ]);
const role = async () => (await all.members()).find(({ id }) => id === member.id)?.role;
const textOf = (screen: string) => screen.replaceAll(/\s+/g, ' ');

/** Applies the plan, which must be refused with nothing sent. */
async function refused(...words: string[]) {
  const error = await all.refused('apply', 'plan.json', '--yes', ...words);
  expect(await role()).toBe('read');
  return { ...error, codes: (error.details?.reasons ?? []).map(({ code }) => code) };
}

/** `docs plan approve`, which must end without a question and a signature. @returns the screen */
async function unsigned(who: string, ...words: string[]): Promise<string> {
  const { code, screen } = await all.asks(who, ...words).ended;
  expect({ code, isSigned: all.isSigned() }).toEqual({ code: 2, isSigned: false });
  return textOf(screen);
}

test('a plan that a policy asks for is applied once somebody approved it', async () => {
  const { id, hash, by } = all.plan();
  expect(by).toMatchObject({ id: expect.any(String) });
  const before = await refused();
  expect(before).toMatchObject({ exit: 2, code: 'plan_unapproved', codes: ['plan_unapproved'] });
  expect(before.message).toContain(`${ada.email} or ${bob.email}`);
  expect(before.hint).toBe('docs plan approve plan.json');
  const { code, screen } = await all.approve('ada');
  expect(screen).toContain(`✓ Approved plan ${id} as ${ada.email}.`);
  expect(code).toBe(0);
  expect(all.forwarder.done).toEqual([]);
  const approval = JSON.parse(readFileSync(all.at('plan.json.approvals'), 'utf8'));
  expect(approval).toMatchObject({ email: ada.email, hash, key: ada.fingerprint });
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await role()).toBe('comment');
  const [header = ''] = home.journalTexts().at(-1)?.split('\n') ?? [];
  expect(JSON.parse(header)).toMatchObject({ actor: { plan: id, approval: ada.email } });
});

test('what is shown before the question: the changes, who made them, the rule, and what is sent', async () => {
  const terminal = all.asks('ada');
  await terminal.shows('Approve 1 change?');
  const text = terminal.screen.text();
  for (const shown of [
    ...['1 to change', 'Made by:', 'members update', 'policy.yaml:3', 'valid for 12 hours', ada.fingerprint],
    `PATCH /v1/orgs/${all.sandbox.org}/members/${member.id} {"role":"comment"}`,
  ])
    expect(text).toContain(shown);
  terminal.type('n\r');
  const { code, screen } = await terminal.ended;
  expect(screen).toContain('not confirmed; nothing was signed');
  expect({ code, isSigned: all.isSigned() }).toEqual({ code: 2, isSigned: false });
});

test('a deletion is approved by typing the organization, and nothing else', async () => {
  const teams = await home.json<{ id: string; title: string }[]>(['teams', 'list']);
  await make('teams', 'delete', teams.find(({ title }) => title === 'Gone')?.id ?? '');
  for (const typed of ['y', all.sandbox.org]) {
    const terminal = all.asks('ada');
    await terminal.shows('to approve:');
    terminal.type(`${typed}\r`);
    expect((await terminal.ended).code).toBe(typed === 'y' ? 2 : 0);
    expect(all.isSigned()).toBe(typed !== 'y');
  }
});

describe('an approval needs a person at a terminal', () => {
  test.each([
    ['without a terminal', [], {}],
    ['with --yes', ['--yes'], {}],
    ['in CI', ['--no-input'], { CI: 'true' }],
  ])('%s it is refused', async (_, words, env) => {
    const approve = ['approve', 'plan.json', '--key', 'ada.pem', '--json', ...words];
    const ran = await home.run(approve, { env, stdin: 'y\n' });
    expect({ code: ran.code, isSigned: all.isSigned() }).toEqual({ code: 2, isSigned: false });
    expect(JSON.parse(ran.stderr).error).toMatchObject({ code: 'not_a_terminal', outcome: 'not-sent' });
  });

  test.each([
    ['--yes', ['--yes'], {}, '--yes cannot approve a plan'],
    ['--no-input', ['--no-input'], {}, 'needs a terminal'],
    ['CI', [], { CI: '1' }, 'needs a terminal'],
  ])('%s on a terminal does not help', async (_, words, env, told) => {
    Object.assign(home.env, env);
    expect(await unsigned('ada', ...words)).toContain(told);
    for (const name of Object.keys(env)) delete home.env[name];
  });
});

describe("with a shell, but without Ada's key", () => {
  test.each([
    ['its own key', ['--key', 'eve.pem']],
    ['its own key and her email', ['--key', 'eve.pem', '--email', ada.email]],
    ['her public key', ['--key', 'ada.pub']],
    ['no key at all', []],
  ])('%s on a terminal of its own approves nothing', async (_, words) => {
    all.write('ada.pub', `${ada.key}\n`);
    const terminal = all.on(['approve', 'plan.json', ...words]);
    terminal.type('y\ry\r');
    expect((await terminal.ended).code).toBe(2);
    expect(all.isSigned()).toBe(false);
    expect((await refused()).code).toBe('plan_unapproved');
  });

  test('a policy of its own beside does not replace the one in force', async () => {
    const own = readFileSync(all.at('policy.yaml'), 'utf8').replaceAll(ada.key, eve.key);
    writeFileSync(all.at('own.yaml'), own);
    const terminal = all.asks('eve', '--email', ada.email, '--policy', 'own.yaml');
    await terminal.shows('Approve 1 change?');
    terminal.type('y\r');
    await terminal.ended;
    expect(await refused('--policy', 'own.yaml')).toMatchObject({ code: 'plan_unapproved' });
  });
});

describe('refused, each with its code, and nothing is sent', () => {
  // What else an approval may be: test/policy/approval.
  test('an approval of another plan, copied', async () => {
    await all.approve('ada');
    copyFileSync(all.at('plan.json.approvals'), all.at('other.approvals'));
    await make('members', 'update', member.id, '--role', 'edit');
    copyFileSync(all.at('other.approvals'), all.at('plan.json.approvals'));
    const message = expect.stringContaining('of another plan');
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_unapproved', message });
  });

  test('a plan that was changed by one byte after it was approved', async () => {
    await all.approve('ada');
    all.write('plan.json', (usual ?? '').replaceAll('"comment"', '"cOmment"'));
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_edited' });
    const { code, screen } = await all.asks('bob').ended;
    expect(screen).toContain('was edited after it was made');
    expect(code).toBe(2);
  });

  test('an approval by the one who made the plan', async () => {
    const { email = '' } = all.plan().by as { email?: string };
    const own = { ...eve, email };
    policy([own, bob]);
    expect(await unsigned('eve')).toContain('someone else must approve it');
    all.write('plan.json.approvals', all.approval(own));
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_self_approved' });
  });

  test('one approval of a plan whose maker is unknown; two are enough', async () => {
    const { DOCS_POLICY = '' } = home.env;
    const env = { DOCS_TOKEN: all.sandbox.token, DOCS_BASE_URL: all.forwarder.url, DOCS_POLICY };
    const words = ['members', 'update', member.id, '--role', 'comment', '--save-plan', 'plan.json', '--yes'];
    await home.run(words, { env });
    expect(all.plan().by).toBe('unknown');
    await all.approve('ada');
    const message = expect.stringContaining('a second person');
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_self_approved', message });
    await all.approve('bob');
    await home.ok(['apply', 'plan.json', '--yes']);
    expect(await role()).toBe('comment');
  });
});

test('the files of a folder, applied without a saved plan: refused, and the way to one is named', async () => {
  const { DOCS_POLICY = '' } = home.env;
  delete home.env.DOCS_POLICY;
  rmSync(all.at('org'), { recursive: true, force: true });
  await home.ok(['pull', '--yes']);
  const text = readFileSync(all.at('org/people.yaml'), 'utf8');
  const edited = text.replace(/role: read\b/, 'role: comment');
  expect(edited).not.toBe(text);
  writeFileSync(all.at('org/people.yaml'), edited);
  home.env.DOCS_POLICY = DOCS_POLICY;
  const hint = 'docs plan --save-plan plan.json';
  expect(await all.refused('apply', '--yes', '--quiet')).toMatchObject({
    exit: 5,
    code: 'policy_denied',
    hint,
  });
});

test('approved twice by one person: once is enough', async () => {
  await all.approve('ada');
  const again = await all.asks('ada').ended;
  expect(again.screen).toContain(`is already approved by ${ada.email}; nothing was added.`);
  expect(again.code).toBe(0);
  expect(readFileSync(all.at('plan.json.approvals'), 'utf8').trim().split('\n')).toHaveLength(1);
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
  const markdown = () => home.ok(['plan', 'show', 'plan.json', '-o', 'markdown']);
  expect(await shown()).toMatchObject({ approved: false, by: [], given: [], missing: [expect.any(String)] });
  await all.approve('ada');
  const approved = { approved: true, by: [ada.email], given: [{ holds: true }], missing: [] };
  expect(await shown()).toMatchObject(approved);
  expect(await home.ok(['plan', 'show', 'plan.json'])).toContain(`Approvals: approved by ${ada.email}`);
  expect(await markdown()).toContain('**Approvals: approved by lovelace');
  expect(await markdown()).not.toContain(`by ${ada.email}`);
  policy([bob]);
  const why = expect.stringContaining('does not name this key');
  expect(await shown()).toMatchObject({ approved: false, given: [{ holds: false, why }] });
  expect(await markdown()).toContain('**Approvals: not approved**');
  home.env.DOCS_POLICY = '';
  expect(await shown()).toMatchObject({ approved: null, given: [{ holds: null }] });
  rmSync(all.at('plan.json.approvals'));
  expect(await shown()).toBeUndefined();
});

test('without a policy, or with one that asks for nothing of it, there is nothing to approve', async () => {
  all.write('policy.yaml', 'version: 1\ndefault: allow\nask: ["spaces delete"]\n');
  expect(await unsigned('ada')).toContain('requires no approval of this plan');
  home.env.DOCS_POLICY = '';
  expect(await unsigned('ada')).toContain('no policy is in force');
});

describe('what is signed is what was read', () => {
  /** Writes a plan as somebody does who can make its hash. */
  async function forge(change: (operation: PlanOperation) => PlanOperation): Promise<void> {
    const made = all.plan();
    const forged = { ...made, operations: made.operations.map(change) };
    await writePlan(fakeIo({ cwd: home.path }), 'plan.json', { ...forged, hash: hashOfPlan(forged) });
  }

  test('a plan that names another member than it changes is refused', async () => {
    await forge((one) => ({ ...one, key: 'farah.elsewhere@acme.example' }));
    expect(await unsigned('ada')).toMatch(
      /the plan says farah\.elsewhere@acme\.example, and \S+ is \S+@\S+\. Nothing was signed/,
    );
  });

  test('a plan that shows another state before is refused', async () => {
    await forge((one) => ({
      ...one,
      fields: { role: { before: 'review', after: 'comment' } },
      ...(one.reads && { reads: { ...one.reads, state: { role: 'review' } } }),
    }));
    expect(await unsigned('ada')).toContain('o1: role was "review" by the plan, and is "read"');
  });

  test('all requests are shown, the last one before the question, with the names of all ids', async () => {
    const some = (await all.members()).filter((one) => one.role !== 'admin').map(({ id }) => id);
    expect(some.length).toBeGreaterThan(1);
    await make('members', 'update', ...some, '--role', 'comment');
    const terminal = all.asks('ada');
    await terminal.shows(`Approve ${some.length} changes?`);
    const screen = terminal.screen.text();
    for (const id of some) expect(screen).toContain(`/members/${id} {"role":"comment"}`);
    expect(screen).toContain('Names, read with your token:');
    expect(screen).not.toContain('--full');
    terminal.type('n\r');
    expect((await terminal.ended).code).toBe(2);
  });
});

describe('a policy with rehearse: true takes a plan once it passed on a copy', () => {
  const rehearsing = () => policy([ada], '  rehearse: true\n', ['members update', 'teams create']);
  beforeEach(rehearsing);

  test('an approval without a rehearsal does not count', async () => {
    policy([ada]);
    await all.approve('ada');
    expect(all.isSigned()).toBe(true);
    rehearsing();
    const { code, exit } = await refused();
    expect([exit, ['plan_unapproved', 'plan_policy_changed']]).toEqual([2, expect.arrayContaining([code])]);
  });

  test('nothing is signed where the platform shows something else than the plan says', async () => {
    // Somebody changes the member meanwhile, so the plan is stale.
    const words = ['members', 'update', member.id, '--role', 'create', '--yes'];
    await home.run(words, { env: { DOCS_POLICY: '' } });
    expect(await unsigned('ada')).toMatch(
      /does not show what the plan says: o1: role was "\w+" by the plan, and is "create"\. Nothing was signed/,
    );
  });
});
