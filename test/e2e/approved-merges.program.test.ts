import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editJournal, type FiveRoles, fiveRoles, resume } from './five-roles.js';
import type { JobHome } from './job-home.js';

/** Plans that are approved by their merge, for which docs asks git. */

let all: FiveRoles;
let home: JobHome;
beforeAll(async () => {
  all = await fiveRoles();
  ({ home } = all);
});
afterAll(() => all.close());

const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' },
  });
const commit = (message: string) => {
  git(all.at('clone'), 'add', '-A');
  git(all.at('clone'), 'commit', '-qm', message);
};
const push = () => git(all.at('clone'), 'push', '-q', all.at('remote.git'), 'main');

/** Commits and pushes the plan. */
const merge = () => {
  rmSync(all.at('clone'), { recursive: true, force: true });
  rmSync(all.at('remote.git'), { recursive: true, force: true });
  git(home.path, 'init', '-q', '--bare', '-b', 'main', 'remote.git');
  git(home.path, 'init', '-q', '-b', 'main', 'clone');
  copyFileSync(all.at('plan.json'), all.at('clone/plan.json'));
  commit('plan');
  push();
};

/** Does something while docs asks the remote, when it has read the plan and has sent nothing. */
const meanwhile = (script: string) => {
  const ref = all.at('remote.git/refs/heads/main');
  const same = all.at('remote.git/same');
  // Whoever reads the head of the branch first waits until the script has run. Who reads it again, reads a plain file.
  renameSync(ref, same);
  execFileSync('mkfifo', [ref]);
  const first = `exec 3>'${ref}'; ${script}; echo swapped >>'${all.at('swapped')}'`;
  rmSync(all.at('swapped'), { force: true });
  const text = `head=$(cat '${same}'); ${first}; mv '${same}' '${ref}'; echo "$head" >&3`;
  const shell = spawn('sh', ['-c', text], { detached: true, stdio: 'ignore' });
  shell.once('exit', () => {
    waiting = undefined;
  });
  waiting = shell;
};
let waiting: ChildProcess | undefined;
afterEach(() => {
  if (waiting?.pid !== undefined) process.kill(-waiting.pid, 'SIGKILL');
  waiting = undefined;
});

describe.skipIf(spawnSync('git', ['--version']).error !== undefined)('a merged plan', () => {
  beforeEach(async () => {
    const rules = 'version: 1\ndefault: allow\nask: ["members update", "comments create"]\n';
    await all.begin(`${rules}approve: { from: git, remote: "${all.at('remote.git')}", branch: main }\n`);
    merge();
  });

  test('whose apply was killed is resumed while it is on the branch, not only committed', async () => {
    await all.applyInPart('clone/plan.json');
    git(all.at('clone'), 'rm', '-q', '--cached', 'plan.json');
    git(all.at('clone'), 'commit', '-qm', 'no plan');
    push();
    const message = expect.stringContaining('is not on branch main');
    const unapproved = { exit: 2, code: 'plan_unapproved', message };
    expect(await all.notResumed()).toMatchObject(unapproved);
    commit('plan again');
    expect(await all.notResumed()).toMatchObject(unapproved);
    push();
    expect((await home.run(resume)).code).toBe(0);
    expect(all.forwarder.done).toHaveLength(5);
  });

  test('that is replaced while it is verified, is applied as it was verified', async () => {
    const words = ['members', 'update', '@ids', '--role', 'admin', '--save-plan', 'other.json', '--yes'];
    await home.ok(words);
    meanwhile(`cp '${all.at('other.json')}' '${all.at('clone/plan.json')}'`);
    await home.ok(['apply', 'clone/plan.json', '--yes']);
    expect(existsSync(all.at('swapped'))).toBe(true);
    expect(await all.commenting()).toBe(5);
    expect(readFileSync(all.at('clone/plan.json'), 'utf8')).toContain('"admin"');
    expect(home.journalTexts().at(-1)).toContain('"approval":"git:');
  });

  test('whose bodies are replaced while it is verified, sends those that were verified', async () => {
    const [space] = await home.json<[{ id: string }]>(['spaces', 'list', '--limit', '1']);
    const text = 'x'.repeat(40_000);
    const words = ['comments', 'create', '--space', space.id, '--body', text];
    await home.ok([...words, '--save-plan', 'plan.json', '--yes']);
    merge();
    cpSync(all.at('plan.json.bodies'), all.at('clone/plan.json.bodies'), { recursive: true });
    const folder = all.at('clone/plan.json.bodies');
    meanwhile(`for body in '${folder}'/*; do echo '{"body":{"markdown":"Other"}}' >"$body"; done`);
    await home.ok(['apply', 'clone/plan.json', '--yes']);
    expect(existsSync(all.at('swapped'))).toBe(true);
    expect(all.forwarder.bodies.map((body) => JSON.parse(body))).toEqual([{ body: { markdown: text } }]);
  });

  test('is not resumed by a journal that is replaced while the plan is verified', async () => {
    await all.applyInPart('clone/plan.json');
    const path = home.journalPaths().at(-1) ?? '';
    const own = readFileSync(path, 'utf8');
    editJournal(path, (_header, lines) => {
      for (const line of lines)
        if (line.is === 'planned') Object.assign(line.input.body as object, { role: 'admin' });
    });
    copyFileSync(path, all.at('edited.jsonl'));
    writeFileSync(path, own);
    meanwhile(`cp '${all.at('edited.jsonl')}' '${path}'`);
    expect(await all.notResumed()).toMatchObject({
      exit: 5,
      code: 'policy_denied',
      message: expect.stringContaining('differs from the approved plan'),
    });
    expect(existsSync(all.at('swapped'))).toBe(true);
  });
});
