import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { opened } from '../opened.js';
import { openGateWorld } from '../policy/gate-world.js';
import { seedId } from '../sandbox/client.js';

/** `docs policy test|explain|init`, and what docs doctor says of a policy. */

const world = opened(openGateWorld);
const org = seedId('org acme');

interface Row {
  what: string;
  verdict: string;
  rule?: string;
  line?: number;
  why?: string;
}

/** The verdicts of `docs policy test`. */
async function tested(policy: string | undefined, line: string, ...flags: string[]) {
  const ran = await world.run(['policy', 'test', ...flags, '--', ...line.split(' ')], policy);
  const rows = ran.stdout === '' ? [] : (JSON.parse(ran.stdout) as Row[]);
  return {
    ...ran,
    rows,
    verdicts: rows.map(({ what, verdict, rule }) => [what, verdict, rule].filter(Boolean).join(' | ')),
  };
}

const user = seedId('user deniz');
const space = seedId('space welcome');

describe('docs policy test', () => {
  it('tells the rule of the command and of each request, and sends no change', async () => {
    const { code, error, verdicts, writes, rows } = await tested(
      'allow: [read, "members update"]\ndeny: ["members update role=admin"]\n',
      `members update ${user} --role admin --org ${org}`,
    );
    expect(verdicts).toEqual([
      'docs members update | allow | members update',
      `PATCH /v1/orgs/${org}/members/${user} | deny | members update role=admin`,
    ]);
    expect(rows[1]).toMatchObject({ line: 3, why: 'a rule denies it' });
    expect([code, error?.code, error?.hint]).toEqual([5, 'policy_would_deny', 'docs policy explain']);
    expect(writes).toEqual([]);
  });

  it('is allowed: exit 0', async () => {
    const { code, verdicts, sent } = await tested(
      'allow: [read, "members update role=read"]\n',
      `members update ${user} --role read --org ${org}`,
    );
    expect(code).toBe(0);
    expect(verdicts.map((one) => one.split(' | ')[1])).toEqual(['allow', 'allow']);
    expect(sent).toEqual([]);
  });

  it('asks: exit 17, and names the command that makes a plan', async () => {
    const { code, error, verdicts } = await tested(
      'allow: [read]\nask: ["*"]\n',
      `members update ${user} --role read --org ${org}`,
    );
    expect(verdicts.map((one) => one.split(' | ')[1])).toEqual(['ask', 'ask']);
    expect([code, error?.code]).toEqual([17, 'policy_would_ask']);
    expect(error?.hint).toBe(`docs members update ${user} --role read --org ${org} --save-plan plan.json`);
  });

  it('stops at a command that is denied, before anything is read', async () => {
    const { verdicts, sent } = await tested('allow: [read]\n', `spaces delete ${space}`);
    expect(verdicts).toEqual(['docs spaces delete | deny | default: deny']);
    expect(sent).toEqual([]);
  });

  it('tests the requests of a workflow, by its plan', async () => {
    const { verdicts, code, writes } = await tested(
      'allow: [read, "members offboard"]\n',
      `members offboard ${user} --org ${org}`,
    );
    expect(verdicts).toContain(`DELETE /v1/orgs/${org}/members/${user} | deny | default: deny`);
    expect(code).toBe(5);
    expect(writes).toEqual([]);
    expect(existsSync(join(world.home, 'plan.json'))).toBe(false);
  });

  it('runs nothing and writes nothing', async () => {
    const own = ['.local', '.cache', 'policy.yaml'];
    const files = () => readdirSync(world.home).filter((name) => !own.includes(name));
    world.write('run.sh', 'touch ran\n');
    const before = files();
    const script = await tested('default: allow\n', `rehearse --script run.sh --org ${org}`);
    expect([script.verdicts, script.code, script.sent]).toEqual([
      ['docs rehearse | allow | default: allow'],
      0,
      [],
    ]);
    const { code } = await tested('default: allow\n', `rehearse --org ${org} -- teams list`);
    expect(code).toBe(0);
    for (const flags of ['', ' --evidence proofs --html page.html'])
      await tested('default: allow\n', `members offboard ${user} --org ${org}${flags}`);
    await tested(
      'default: allow\n',
      `impact transfer space ${space} --org ${org} --to-org ${org} --html page.html`,
    );
    // What is read is tried only where a policy tells reads apart.
    const planned = `rehearse --org ${org} --save-plan plan.json -- teams create --title Press`;
    const ran = await tested(`default: allow\norgs: [${org}]\n`, planned);
    expect([ran.code, ran.sent]).toEqual([0, []]);
    for (const line of [
      `rehearse --script run.sh --org ${org}`,
      `pull --org ${org}`,
      `backup run --out backup --org ${org}`,
      `links check --org ${org} --baseline links.json --update-baseline`,
      `access matrix --org ${org} --out matrix.csv`,
    ])
      await tested(`default: allow\norgs: [${org}]\n`, line);
    expect(files()).toEqual(before);
  });

  it('denies a script where only reading is allowed, and a program as the command that runs it', async () => {
    world.write('run.sh', 'touch ran\n');
    expect((await tested('allow: [read]\n', 'rehearse --script run.sh')).verdicts).toEqual([
      'docs rehearse | deny | default: deny',
    ]);
    for (const [policy, line] of [
      ['allow: [read, rehearse]\n', 'rehearse --script run.sh'],
      ['allow: [read]\n', 'rehearse -- teams list'],
    ])
      expect((await tested(policy, line ?? '')).code).toBe(0);
  });

  it('tests a raw request by the command of its operation, and denies what is none', async () => {
    const policy = 'default: allow\ndeny: ["spaces delete"]\n';
    expect((await tested(policy, `api DELETE /v1/spaces/${space}`)).verdicts).toEqual([
      'docs api | allow | default: allow',
      `DELETE /v1/spaces/${space} | deny | spaces delete`,
    ]);
    const unknown = await tested(policy, 'api DELETE /v1/spaces/s%2F1');
    expect(unknown.rows[1]).toMatchObject({
      verdict: 'deny',
      rule: 'unknown request',
      why: 'the request has an encoded slash in its path',
    });
  });

  it('tests each row of a bulk, and the budget of all', async () => {
    const teams = [1, 2, 3].map((at) => `t${at},Writers ${at}`);
    world.write('titles.csv', `team,title\n${teams.join('\n')}\n`);
    const { verdicts } = await tested(
      'allow: [read, "teams update"]\nbudget: { writes: 2/run }\n',
      `bulk teams update --from titles.csv --set org=${org}`,
    );
    expect(verdicts.at(-1)).toBe('the job of 3 requests | deny | budget writes: 2/run');
  });

  it('reads a title only where a rule protects one', async () => {
    const line = `spaces update ${space} --title Hello`;
    const none = await tested('default: allow\n', line);
    expect(none.sent).toEqual([]);
    const kept = await tested('default: allow\nprotect: ["space:Welcome"]\n', line);
    expect(kept.sent).toEqual([`GET /v1/spaces/${space}`]);
    expect(kept.verdicts.at(-1)).toBe(`PATCH /v1/spaces/${space} | deny | protect space:Welcome`);
  });

  it('denies what belongs to an organization that is not listed', async () => {
    const { verdicts } = await tested(`default: allow\norgs: [other]\n`, `spaces get ${space}`);
    expect(verdicts.at(-1)).toBe(`GET /v1/spaces/${space} | deny | orgs`);
  });

  it('tries what a command reads, and says what it does without', async () => {
    const policy = 'default: allow\norgs: [other]\n';
    const held = await tested(policy, `change-requests diff 1 --space ${space}`);
    expect([held.code, held.verdicts]).toEqual([
      5,
      ['docs change-requests diff | allow | default: allow', 'its reads | deny | orgs'],
    ]);
    const checked = await tested(policy, `links check --space ${space} --org ${org}`);
    expect([checked.code, checked.verdicts]).toEqual([0, ['docs links check | allow | default: allow']]);
    expect(checked.stderr).toContain(
      `It runs without what a policy denies it to read: GET /v1/spaces/${space}`,
    );
    expect((await tested(policy, `auth can-i --role read --org ${org}`)).stderr).toBe('');
  });

  it('says where a trial cannot know all that is read', async () => {
    const { code, stderr } = await tested(`default: allow\norgs: [${org}]\n`, `cr inbox --org ${org}`);
    expect(code).toBe(0);
    expect(stderr).toContain('Not all of its reads could be tested: cannot tell which member');
  });

  it('tells that the command itself is held, whatever else is wrong with its line', async () => {
    const line = `links fix --as-change-request --org ${org}`;
    expect((await tested('default: allow\n', line)).code).toBe(0);
    const { code, error } = await tested('allow: [read]\nask: ["links fix"]\n', line);
    expect([code, error?.code]).toEqual([17, 'policy_would_ask']);
  });

  it('takes a plan or a rehearsal for the read that it is', async () => {
    for (const flag of ['--dry-run', '--save-plan p.json']) {
      const { code, verdicts } = await tested('allow: [read]\n', `spaces delete ${space} ${flag}`);
      expect([code, ...verdicts]).toEqual([0, 'docs spaces delete | allow | read']);
    }
  });

  it('tests policies that are not in force', async () => {
    const file = world.write('narrow.yaml', 'version: 1\nallow: [read]\n');
    const { code, verdicts } = await tested(undefined, `spaces delete ${space}`, '--policy', file);
    expect([code, ...verdicts]).toEqual([5, 'docs spaces delete | deny | default: deny']);
  });

  it('allows what runs in the sandbox, where no policy applies, and denies what that writes here', async () => {
    const ran = await tested('allow: [read]\n', '--sandbox teams create --title Press');
    expect([ran.code, ...ran.verdicts]).toEqual([0, 'docs teams create | allow']);
    expect(ran.stderr).toContain('Policies do not apply to the sandbox');
    expect((await tested('allow: [read]\n', '--sandbox config set output json')).code).toBe(5);
  });

  it('says that no policy is in force', async () => {
    const { code, stderr } = await tested(undefined, 'config set output json');
    expect(code).toBe(0);
    expect(stderr).toContain('No policy is in force');
  });

  it('fails as the command would where the line is wrong', async () => {
    expect((await tested('allow: [read]\n', 'members updat u1')).error).toMatchObject({
      code: 'unknown_command',
    });
    expect((await tested('allow: ["*"]\n', `members update ${user} --role king --org ${org}`)).code).toBe(2);
    expect((await tested('allow: [read]\n', 'members')).error).toMatchObject({ code: 'unknown_command' });
  });

  it('records nothing in the audit chain', async () => {
    const before = await world.run(['audit', 'list'], undefined);
    await tested('allow: [read]\n', `spaces delete ${space}`);
    await tested('orgs: [other]\nallow: ["*"]\n', `members offboard ${user} --org ${org}`);
    expect((await world.run(['audit', 'list'], undefined)).stdout).toBe(before.stdout);
  });

  it('fails under an invalid policy: exit 14', async () => {
    const { code, error } = await tested('allow: [raed]\n', 'spaces list');
    expect([code, error?.code]).toEqual([14, 'policy_invalid']);
  });
});

describe('docs policy explain', () => {
  it('says in words what a policy says, in the order in which it decides', async () => {
    const policy = [
      'allow: [read, "change-requests *", "members update role=read", "* danger=change"]',
      'deny: ["spaces delete", "saml *"]',
      'ask: ["* danger=confirm", "* undo=none"]',
      'budget: { writes: 20/run, deletes: 5/day }',
      'orgs: [o1]',
      'protect: ["site:docs"]\n',
    ].join('\n');
    const { stdout, sent, code } = await world.run(['policy', 'explain'], policy);
    const rows = JSON.parse(stdout) as { about: string; means: string; line: number }[];
    expect(code).toBe(0);
    expect(sent).toEqual([]);
    expect(rows.map(({ about, means, line }) => `${line} ${about}: ${means}`)).toEqual([
      '3 deny: docs spaces delete is denied',
      '3 deny: Every command of docs saml is denied',
      '6 orgs: Only organization o1',
      '7 protect: The site docs is never changed or deleted',
      '4 ask: Every change with danger confirm or more requires an approved plan',
      '4 ask: Every change that cannot be undone requires an approved plan',
      '1 approve: No one can approve a plan: "approve" is missing',
      '2 allow: Everything that only reads may run',
      '2 allow: Every command of docs change-requests may run',
      '2 allow: docs members update where role is read may run',
      '2 allow: Every command with danger change or less may run',
      '1 default: Everything else is denied',
      '5 budget: At most 20 can be changed or deleted per run',
      '5 budget: At most 5 can be deleted per day; 5 left',
    ]);
  });

  it('lists every command with --all, and what can still deny it', async () => {
    const policy =
      'allow: [read, "members *"]\ndeny: ["members update role=admin"]\nask: ["members delete"]\n';
    const { stdout } = await world.run(['policy', 'explain', '--all'], policy);
    const rows = JSON.parse(stdout) as { command: string; verdict: string; unless: string[] }[];
    const row = (name: string) => rows.find(({ command }) => command === name);
    expect(row('spaces list')).toMatchObject({ verdict: 'allow', unless: [] });
    expect(row('spaces delete')).toMatchObject({ verdict: 'deny' });
    expect(row('members delete')).toMatchObject({ verdict: 'ask' });
    expect(row('members update')).toMatchObject({
      verdict: 'allow',
      unless: ['deny: members update role=admin'],
    });
    expect(row('members offboard')).toMatchObject({
      verdict: 'allow',
      unless: ['deny: teams members set', 'deny: teams members delete', 'ask: members delete'],
    });
    expect(row('api')).toMatchObject({ verdict: 'allow' });
  });

  it('explains a file that is not in force, and says where none is', async () => {
    const file = world.write('other.yaml', 'version: 1\ndefault: allow\n');
    const { stdout } = await world.run(['policy', 'explain', file]);
    expect(JSON.parse(stdout)).toMatchObject([{ about: 'default', means: 'Everything else may run', file }]);
    expect(JSON.parse((await world.run(['policy', 'explain'])).stdout)).toEqual([]);
    expect((await world.run(['policy', 'explain', 'missing.yaml'])).error).toMatchObject({
      code: 'policy_not_found',
    });
  });

  it('tells every mistake of a policy in force, and exits 14', async () => {
    const { code, error } = await world.run(['policy', 'explain'], 'allow: [raed]\n');
    expect([code, error?.code]).toEqual([14, 'policy_invalid']);
    expect(error?.details).toMatchObject({
      mistakes: [{ line: 2, column: 9, path: 'allow[0]', nearest: 'read' }],
    });
  });
});

it('holds the commands of the sandbox by name, as they write files here: reading alone does not allow them', async () => {
  const stop = (rules: string) => world.run(['sandbox', 'stop', '--dry-run'], rules);
  expect(await stop('allow: [read]\n')).toMatchObject({ code: 5, error: { code: 'policy_denied' } });
  expect((await stop('allow: [read, "sandbox *"]\n')).code).toBe(0);
});

describe('docs policy init', () => {
  it.each(['--read-only', '--reviewed'])('writes a policy that is valid: %s', async (flag) => {
    const file = `init${flag}.yaml`;
    const { code, stdout } = await world.run(['policy', 'init', flag, file]);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { id: file, status: 'written', file: join(world.home, file) },
    ]);
    const explained = await world.run(['policy', 'explain', file]);
    expect(explained.code).toBe(0);
    const test = (...words: string[]) => world.run(['policy', 'test', '--policy', file, '--', ...words]);
    expect((await test('spaces', 'get', space)).code).toBe(0);
    expect((await test('spaces', 'delete', space)).code).toBe(flag === '--reviewed' ? 17 : 5);
  });

  it('never overwrites, and wants to know which', async () => {
    const file = world.write('mine.yaml', 'mine\n');
    const ran = await world.run(['policy', 'init', '--read-only', 'mine.yaml', '--yes']);
    expect([ran.code, ran.error?.code]).toEqual([2, 'file_exists']);
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    const nowhere = await world.run(['policy', 'init', '--read-only', 'gone/mine.yaml']);
    expect([nowhere.code, nowhere.error?.message]).toEqual([
      13,
      expect.stringContaining('cannot write gone/mine.yaml'),
    ]);
    const unsaid = await world.run(['policy', 'init']);
    expect([unsaid.code, unsaid.error?.code]).toEqual([2, 'missing_flag']);
    expect(existsSync(join(world.home, 'policy-none.yaml'))).toBe(false);
  });

  it('is the way out of a policy that is not there, and is not told to obey it', async () => {
    for (const typed of ['gone.yaml', './gone.yaml', join(world.home, 'gone.yaml')]) {
      const { code, error } = await world.run(['teams', 'list', '--policy', typed]);
      expect([code, error?.hint]).toEqual([
        14,
        `docs policy init --read-only ${join(world.home, 'gone.yaml')}`,
      ]);
    }
    const { error } = await world.run(['policy', 'init', '--policy', 'gone.yaml']);
    expect(error?.hint).toBe('docs policy init --read-only --policy gone.yaml');
  });

  it('writes nothing in a dry run', async () => {
    expect((await world.run(['policy', 'init', '--read-only', 'dry.yaml', '--dry-run'])).code).toBe(0);
    expect(existsSync(join(world.home, 'dry.yaml'))).toBe(false);
  });
});

describe('docs doctor', () => {
  it('takes the clock of a sandbox that is served for its own, and warns of no difference', async () => {
    const { stdout } = await world.run(['doctor'], undefined, { env: { DOCS_ORG: org } });
    const clock = (JSON.parse(stdout) as { check: string }[]).find(({ check }) => check === 'clock');
    expect(clock).toEqual({ check: 'clock', state: 'ok', detail: 'the sandbox has a clock of its own' });
  });

  const finding = async (policy: string | undefined, flags: string[] = []) => {
    const { stdout } = await world.run(['doctor', ...flags], policy, { env: { DOCS_ORG: org } });
    return (JSON.parse(stdout) as { check: string; state: string; detail: string }[]).find(
      ({ check }) => check === 'policy',
    );
  };

  it('recommends a lower role where the policy never needs more', async () => {
    expect(await finding('allow: ["spaces list", "spaces get", "orgs get"]\n')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('a token of a member with the role read'),
    });
  });

  it('recommends nothing where the policy needs the role, or there is none', async () => {
    expect(await finding('allow: [read, "members update"]\n')).toMatchObject({ state: 'ok' });
    expect(await finding(undefined)).toBeUndefined();
  });
});
