import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashOfInput } from '../../src/jobs/job-folder.js';
import type { Header, ItemLine, PlanLine } from '../../src/jobs/journal.js';
import { sha256 } from '../../src/plans/hash.js';
import type { Plan } from '../../src/plans/plan.js';
import { approvalOf, fileOf, type Person, person } from '../policy/approval/world.js';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { type SandboxHere, sandboxHere } from './sandbox-here.js';
import { onTerminal } from './terminal.js';

/** Jobs of approved plans, resumed and undone under a policy that asks. The built program on a sandbox. */

let home: JobHome;
let sandbox: SandboxHere;
let forwarder: Forwarder;
let seed: string;
let members: string[];
const ada = person('lovelace@acme.example');
const bob = person('bob@acme.example');

const at = (name: string) => join(home.path, name);
const write = (name: string, text: string) => writeFileSync(at(name), text, { mode: 0o600 });
const policyText = (people: readonly Person[]) => {
  const by = people.map(({ email, key }) => `    - { email: ${email}, key: "${key}" }`);
  const rules = 'version: 1\ndefault: allow\nask: ["members update"]\n';
  return `${rules}approve:\n  valid: 12h\n  by:\n${by.join('\n')}\n`;
};

beforeAll(async () => {
  home = jobHome({});
  sandbox = await sandboxHere(home);
  forwarder = await startForwarder(sandbox.url);
  const words = ['auth', 'login', '--base-url', forwarder.url, '--with-token'];
  await home.ok(words, { stdin: sandbox.token });
  await home.ok(['orgs', 'use', sandbox.defaults.org]);
  write('ada.pem', ada.pem);
  seed = at('seed.json');
  writeFileSync(seed, sandbox.control.export());
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
const listed = () => {
  const run = home.run(['members', 'list', '--json'], { env: { DOCS_POLICY: '' } });
  return run.then(({ stdout }) => JSON.parse(stdout) as Member[]);
};
const commenting = async () =>
  (await listed()).filter(({ id, role }) => members.includes(id) && role === 'comment').length;
const plan = () => JSON.parse(readFileSync(at('plan.json'), 'utf8')) as Plan;

beforeEach(async () => {
  forwarder.reset();
  delete home.env.DOCS_POLICY;
  await sandbox.control.seed(seed, { isExport: true });
  for (const name of ['plan.json.approvals', 'undo.json', 'undo.json.approvals'])
    rmSync(at(name), { force: true });
  members = (await listed())
    .filter(({ role }) => role !== 'admin' && role !== 'comment')
    .slice(0, 5)
    .map(({ id }) => id);
  expect(members).toHaveLength(5);
  write('ids', members.join('\n'));
  write('policy.yaml', policyText([ada, bob]));
  home.env.DOCS_POLICY = at('policy.yaml');
  await home.ok(['members', 'update', '@ids', '--role', 'comment', '--save-plan', 'plan.json', '--yes']);
  forwarder.reset();
});

/** Approves a plan as a person does. */
async function approve(file = 'plan.json'): Promise<string> {
  const words = ['approve', file, '--key', 'ada.pem'];
  const terminal = onTerminal(words, { env: home.env, cwd: home.path, columns: 200 });
  await terminal.shows('Approve 5 changes?');
  terminal.type('y\r');
  const { code, screen } = await terminal.ended;
  expect(code, screen).toBe(0);
  return screen;
}

/** Applies the plan, and kills it while its third change is under way. */
async function applyInPart(file = 'plan.json'): Promise<number> {
  forwarder.reset();
  const running = home.start(['apply', file, '--yes', '--concurrency', '1']);
  forwarder.onChange = (count) => {
    if (count < 3) return 'pass';
    running.child.kill('SIGKILL');
    return 'lost after';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  await forwarder.idle();
  const { done } = forwarder;
  expect(done).toHaveLength(3);
  forwarder.onChange = () => 'pass';
  return done.length;
}

interface Failed {
  code: string;
  message: string;
  hint: string;
}
const resume = ['jobs', 'resume', 'last', '--json'];

/** Resumes the job, which must be refused with nothing sent. */
async function refused(): Promise<Failed & { exit: number | null }> {
  const sent = forwarder.done.length;
  const ran = await home.run(resume);
  expect(forwarder.done).toHaveLength(sent);
  const { error } = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '') as { error: Failed };
  return { ...error, exit: ran.code };
}

/** Rewrites the journal as somebody would who knows its format: its lines, and the hash in its header. */
function editJournal(edit: (header: Header, lines: ItemLine[]) => void): void {
  const path = home.journalPaths().at(-1) ?? '';
  const [header, ...lines] = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => (text === '' ? [] : [JSON.parse(text)])) as [Header, ...ItemLine[]];
  edit(header, lines);
  header.input = hashOfInput(
    header,
    lines.filter((line): line is PlanLine => line.is === 'planned'),
  );
  writeFileSync(path, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

describe('an approved apply that was killed', () => {
  beforeEach(async () => {
    await approve();
    await applyInPart();
  });

  test('is resumed, and nothing is sent twice', async () => {
    const ran = await home.run(resume);
    expect({ code: ran.code, stderr: ran.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/is finished: all 5 items are done/),
    });
    expect(await commenting()).toBe(5);
    expect(new Set(forwarder.done).size).toBe(5);
    expect(forwarder.done).toHaveLength(5);
  });

  test.each([
    ['another body', (line: PlanLine) => Object.assign(line.input.body as object, { role: 'admin' })],
    [
      'another member',
      (line: PlanLine) => Object.assign(line.input.path ?? {}, { userId: members[0] ?? '' }),
    ],
    ['another state to find', (line: PlanLine) => Object.assign(line, { expect: { role: 'edit' } })],
  ])('is denied where a line of its journal was given %s', async (_, change) => {
    editJournal((_header, lines) => {
      const line = lines.find((one): one is PlanLine => one.is === 'planned' && one.item === 3);
      expect(line).toBeDefined();
      if (line !== undefined) change(line);
    });
    expect(await refused()).toMatchObject({
      exit: 5,
      code: 'policy_denied',
      message: expect.stringMatching(
        /requires an approved plan .* Item 3 of job .* differs from the approved plan/,
      ),
      hint: expect.stringMatching(/^docs jobs show /),
    });
  });

  test('is denied where its journal has one request more', async () => {
    editJournal((header, lines) => {
      const line = lines.find((one): one is PlanLine => one.is === 'planned' && one.item === 4);
      if (line !== undefined) lines.push({ ...line, item: 5 });
      header.total = 6;
    });
    expect(await refused()).toMatchObject({ exit: 5, code: 'policy_denied' });
  });

  test('is refused where a line of its journal was edited, and its hash was not', async () => {
    const path = home.journalPaths().at(-1) ?? '';
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"comment"', '"admin"'));
    expect(await refused()).toMatchObject({ exit: 2, code: 'job_mismatch' });
  });

  test('a copy of its journal, as another job, is denied', async () => {
    const path = home.journalPaths().at(-1) ?? '';
    editJournal((header, lines) => {
      const { job } = header;
      header.job = `${job.slice(0, -1)}${job.endsWith('0') ? '1' : '0'}`;
      lines.splice(5);
    });
    renameSync(
      path,
      path.replace(/[0-9a-f](\.[0-9a-f]{16}\.jsonl)$/, (_, rest: string) => {
        const last = path.charAt(path.length - rest.length - 1);
        return `${last === '0' ? '1' : '0'}${rest}`;
      }),
    );
    expect(await refused()).toMatchObject({
      exit: 5,
      code: 'policy_denied',
      message: expect.stringContaining('was not applied by this job'),
    });
  });

  test('is refused without its approval, and resumed with a new one', async () => {
    rmSync(at('plan.json.approvals'));
    expect(await refused()).toMatchObject({
      exit: 2,
      code: 'plan_unapproved',
      hint: `docs approve ${at('plan.json')}`,
    });
    const screen = await approve();
    expect(screen).toMatch(/Job: +\S+ applied 2 of 5 changes and is unfinished/);
    expect(screen).toMatch(/Finish it with "docs jobs resume \S+"\./);
    expect((await home.run(resume)).code).toBe(0);
    expect(forwarder.done).toHaveLength(5);
  });

  test('is refused with an approval that expired since', async () => {
    const [hash, day] = [sha256(readFileSync(at('policy.yaml'))), 86_400_000];
    const when = new Date(Date.now() - day).toISOString();
    write('plan.json.approvals', fileOf(approvalOf(plan(), [], ada, { when, policies: [hash] })));
    expect(await refused()).toMatchObject({
      exit: 2,
      code: 'plan_unapproved',
      message: expect.stringContaining('counts for 12 hours'),
    });
  });

  test('is refused under another policy', async () => {
    write('policy.yaml', `${policyText([ada, bob])}# changed\n`);
    expect(await refused()).toMatchObject({ exit: 2, code: 'plan_policy_changed' });
  });

  test('is resumed under a policy that no longer asks, also without its plan', async () => {
    write('policy.yaml', 'version: 1\ndefault: allow\n');
    rmSync(at('plan.json'));
    expect((await home.run(resume)).code).toBe(0);
    expect(forwarder.done).toHaveLength(5);
  });

  test.each([
    ['is gone', () => rmSync(at('plan.json')), 'plan_unapproved', /Cannot read .*plan\.json/],
    [
      'holds another plan',
      () => {
        const file = at('plan.json');
        const env = { ...home.env, DOCS_POLICY: '' };
        const words = ['members', 'update', members[0] ?? '', '--role', 'edit'];
        return home.run([...words, '--save-plan', file, '--yes'], { env });
      },
      'plan_edited',
      /now holds another plan/,
    ],
    [
      'was edited',
      () => write('plan.json', readFileSync(at('plan.json'), 'utf8').replaceAll('"comment"', '"admin"')),
      'plan_edited',
      /was edited after it was made/,
    ],
  ])('is refused where the file of its plan %s', async (_, change, code, message) => {
    await change();
    expect(await refused()).toMatchObject({ exit: 2, code, message: expect.stringMatching(message) });
  });

  test('is denied where its journal does not name the file, as those of older versions', async () => {
    editJournal((header) => {
      delete header.planFile;
    });
    expect(await refused()).toMatchObject({ exit: 5, code: 'policy_denied' });
  });
});

describe.skipIf(spawnSync('git', ['--version']).error !== undefined)('a plan that was merged', () => {
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...words], {
      cwd,
      env: { PATH: process.env.PATH, HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const push = (message: string) => {
    git(at('clone'), 'add', '-A');
    git(at('clone'), 'commit', '-qm', message);
    git(at('clone'), 'push', '-q', at('remote.git'), 'main');
  };
  const { PATH = '' } = process.env;

  /** Commits and pushes the plan. */
  const merge = () => {
    rmSync(at('clone'), { recursive: true, force: true });
    rmSync(at('remote.git'), { recursive: true, force: true });
    git(home.path, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
    git(home.path, 'init', '-q', '-b', 'main', 'clone');
    copyFileSync(at('plan.json'), at('clone/plan.json'));
    push('plan');
  };

  beforeEach(() => {
    const rules = 'version: 1\ndefault: allow\nask: ["members update", "comments create"]\n';
    write('policy.yaml', `${rules}approve: { from: git, remote: "${at('remote.git')}", branch: main }\n`);
    merge();
    home.env.PATH = PATH;
  });
  afterAll(() => {
    home.env.PATH = PATH;
  });

  /** Does something while docs asks the remote, when it has read the plan and has sent nothing. */
  const meanwhile = (script: string) => {
    mkdirSync(at('bin'), { recursive: true });
    const found = execFileSync('which', ['git']).toString().trim();
    const text = `#!/bin/sh\ncase "$*" in *ls-remote*) ${script}; echo swapped >>'${at('swapped')}';; esac\nexec '${found}' "$@"\n`;
    writeFileSync(at('bin/git'), text, { mode: 0o755 });
    home.env.PATH = `${at('bin')}:${PATH}`;
    rmSync(at('swapped'), { force: true });
  };

  test('and whose apply was killed is resumed while it is on the branch', async () => {
    await applyInPart('clone/plan.json');
    git(at('clone'), 'rm', '-q', '--cached', 'plan.json');
    git(at('clone'), 'commit', '-qm', 'no plan');
    git(at('clone'), 'push', '-q', at('remote.git'), 'main');
    expect(await refused()).toMatchObject({
      exit: 2,
      code: 'plan_unapproved',
      message: expect.stringContaining('is not on branch main'),
    });
    push('plan again');
    expect((await home.run(resume)).code).toBe(0);
    expect(forwarder.done).toHaveLength(5);
  });

  test('and is replaced while it is verified, is applied as it was verified', async () => {
    const words = ['members', 'update', '@ids', '--role', 'admin', '--save-plan', 'other.json', '--yes'];
    await home.ok(words);
    meanwhile(`cp '${at('other.json')}' '${at('clone/plan.json')}'`);
    await home.ok(['apply', 'clone/plan.json', '--yes']);
    expect(existsSync(at('swapped'))).toBe(true);
    expect(await commenting()).toBe(5);
    expect(readFileSync(at('clone/plan.json'), 'utf8')).toContain('"admin"');
  });

  test('and whose bodies are replaced while it is verified, sends those that were verified', async () => {
    const [space] = await home.json<[{ id: string }]>(['spaces', 'list', '--limit', '1']);
    const text = 'x'.repeat(40_000);
    const words = ['comments', 'create', '--space', space.id, '--body', text];
    await home.ok([...words, '--save-plan', 'plan.json', '--yes']);
    merge();
    cpSync(at('plan.json.bodies'), at('clone/plan.json.bodies'), { recursive: true });
    const folder = at('clone/plan.json.bodies');
    meanwhile(`for body in '${folder}'/*; do echo '{"body":{"markdown":"Other"}}' >"$body"; done`);
    await home.ok(['apply', 'clone/plan.json', '--yes']);
    expect(existsSync(at('swapped'))).toBe(true);
    expect(forwarder.bodies.map((body) => JSON.parse(body))).toEqual([{ body: { markdown: text } }]);
  });

  test('is not resumed by a journal that is replaced while the plan is verified', async () => {
    await applyInPart('clone/plan.json');
    const path = home.journalPaths().at(-1) ?? '';
    const own = readFileSync(path, 'utf8');
    editJournal((_header, lines) => {
      for (const line of lines)
        if (line.is === 'planned') Object.assign(line.input.body as object, { role: 'admin' });
    });
    copyFileSync(path, at('edited.jsonl'));
    writeFileSync(path, own);
    meanwhile(`cp '${at('edited.jsonl')}' '${path}'`);
    expect(await refused()).toMatchObject({
      exit: 5,
      code: 'policy_denied',
      message: expect.stringContaining('differs from the approved plan'),
    });
    expect(existsSync(at('swapped'))).toBe(true);
  });
});

test('the undo of an approved plan is denied, and its plan is approved and applied', async () => {
  await approve();
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await commenting()).toBe(5);
  const [{ id: job }] = await home.json<[{ id: string }]>(['jobs', 'list', '--limit', '1']);
  forwarder.reset();
  const denied = await home.run(['undo', job, '--yes', '--json']);
  expect(denied.code).toBe(5);
  const { error } = JSON.parse(denied.stderr.trim().split('\n').at(-1) ?? '') as { error: Failed };
  expect(error).toMatchObject({
    code: 'policy_denied',
    hint: `docs undo ${job} --yes --json --save-plan plan.json`,
  });
  expect(forwarder.done).toEqual([]);
  await home.ok(['undo', job, '--save-plan', 'undo.json', '--yes']);
  const early = await home.run(['apply', 'undo.json', '--yes', '--json']);
  expect([early.code, JSON.parse(early.stderr).error.code]).toEqual([2, 'plan_unapproved']);
  expect(forwarder.done).toEqual([]);
  await approve('undo.json');
  expect(existsSync(at('undo.json.approvals'))).toBe(true);
  await home.ok(['apply', 'undo.json', '--yes']);
  expect(await commenting()).toBe(0);
  expect(forwarder.done).toHaveLength(5);
});
