import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findMerged } from '../../../src/policy/approval/merged-plan.js';
import { fakeIo } from '../../fake-io.js';

/** Approval by merging, against the system's git: a remote, and a clone of it whose owner may write anything. */

const hasGit = spawnSync('git', ['--version']).error === undefined;

describe.skipIf(!hasGit)('a plan on a branch of a remote', () => {
  let root: string;
  let remote: string;
  let clone: string;
  let plan: string;
  const git = (cwd: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...words], {
      cwd,
      stdio: 'pipe',
      env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    })
      .toString()
      .trim();
  const commit = (text: string, path = 'plans/plan.json') => {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
    git(clone, 'add', '-A');
    git(clone, 'commit', '-qm', 'plan');
    return git(clone, 'rev-parse', 'HEAD');
  };
  const find = (env: Record<string, string> = {}, more: Partial<{ remote: string; branch: string }> = {}) => {
    const io = fakeIo({ env: { PATH: process.env.PATH, HOME: root, ...env }, cwd: clone });
    const bytes = readFileSync(plan);
    return findMerged(io, { file: plan, bytes }, { remote, branch: 'main', ...more });
  };

  // Made once, and put back for each test: the clone names the path of its remote.
  let made: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'docs-merged-'));
    made = `${root}-made`;
    remote = join(root, 'remote.git');
    clone = join(root, 'clone');
    git(root, 'init', '-q', '--bare', '-b', 'main', remote);
    git(root, 'clone', '-q', remote, clone);
    git(clone, 'checkout', '-q', '-B', 'main');
    commit('# read me\n', 'README.md');
    git(clone, 'push', '-q', 'origin', 'main');
    renameSync(root, made);
  });
  beforeEach(() => {
    plan = join(clone, 'plans/plan.json');
    cpSync(made, root, { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  afterAll(() => rmSync(made, { recursive: true, force: true }));

  function pushByOthers(): void {
    const other = join(root, 'other');
    git(root, 'clone', '-q', remote, other);
    writeFileSync(join(other, 'more'), '');
    git(other, 'add', '-A');
    git(other, 'commit', '-qm', 'more');
    git(other, 'push', '-q', 'origin', 'main');
  }

  test('is approved by the commit at its head', async () => {
    const id = commit('{"plan": 1}\n');
    git(clone, 'push', '-q', 'origin', 'main');
    expect(await find()).toEqual({ commit: id });
    // Whatever is on top of it, and from a shallow clone, too.
    const next = commit('more', 'other/page.md');
    git(clone, 'push', '-q', 'origin', 'main');
    expect(await find()).toEqual({ commit: next });
    const shallow = join(root, 'shallow');
    git(root, 'clone', '-q', '--depth', '1', `file://${remote}`, shallow);
    plan = join(shallow, 'plans/plan.json');
    expect(await find()).toEqual({ commit: next });
  });

  test('is not approved by a commit that was not pushed', async () => {
    commit('{"plan": 1}\n');
    expect(await find()).toMatchObject({ why: expect.stringContaining('not on branch main') });
  });

  test('is not approved once it differs by a byte, or is gone from the branch', async () => {
    commit('{"plan": 1}\n');
    git(clone, 'push', '-q', 'origin', 'main');
    writeFileSync(plan, '{"plan": 2}\n');
    expect(await find()).toHaveProperty('why');
    git(clone, 'rm', '-qf', 'plans/plan.json');
    git(clone, 'commit', '-qm', 'gone');
    git(clone, 'push', '-q', 'origin', 'main');
    mkdirSync(dirname(plan), { recursive: true });
    writeFileSync(plan, '{"plan": 1}\n');
    expect(await find()).toMatchObject({ why: expect.stringContaining('not on branch main') });
  });

  test('is not approved by a local ref, another remote, configuration or variables that say so', async () => {
    const id = commit('{"plan": 1}\n');
    git(clone, 'update-ref', 'refs/remotes/origin/main', id);
    expect(await find()).toHaveProperty('why');
    const evil = join(root, 'evil.git');
    git(root, 'clone', '-q', '--bare', clone, evil);
    git(clone, 'remote', 'set-url', 'origin', evil);
    git(clone, 'config', `url.${evil}.insteadOf`, remote);
    git(root, 'config', '--global', `url.${evil}.insteadOf`, remote);
    git(clone, 'fetch', '-q', 'origin');
    expect(await find()).toHaveProperty('why');
    const variables = {
      GIT_DIR: evil,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${evil}.insteadOf`,
      GIT_CONFIG_VALUE_0: remote,
      GIT_CONFIG_PARAMETERS: `'url.${evil}.insteadOf=${remote}'`,
      GIT_CONFIG_GLOBAL: join(root, '.gitconfig'),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(evil, 'objects'),
    };
    expect(await find(variables)).toHaveProperty('why');
  });

  test('is not approved by objects that were replaced or forged', async () => {
    const head = git(clone, 'rev-parse', 'HEAD');
    const own = commit('{"plan": 1}\n');
    git(clone, 'replace', head, own);
    expect(await find()).toHaveProperty('why');
    git(clone, 'replace', '-d', head);
    // Under the name of the real tree, the tree with the plan.
    const real = git(clone, 'rev-parse', `${head}^{tree}`);
    const forged = execFileSync('git', ['cat-file', 'tree', `${own}^{tree}`], { cwd: clone });
    const path = join(clone, '.git/objects', real.slice(0, 2), real.slice(2));
    chmodSync(path, 0o644);
    writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`tree ${forged.length}\0`), forged])));
    expect(git(clone, 'cat-file', 'tree', real)).toContain('plans');
    expect(await find()).toHaveProperty('why');
  });

  test('runs nothing that the repository names', async () => {
    const id = commit('{"plan": 1}\n');
    git(clone, 'push', '-q', 'origin', 'main');
    const script = join(root, 'script');
    writeFileSync(script, `#!/bin/sh\ntouch '${join(root, 'ran')}'\n`, { mode: 0o755 });
    for (const name of [
      'core.fsmonitor',
      'core.sshCommand',
      'core.pager',
      'credential.helper',
      'core.askPass',
      'remote.origin.uploadpack',
    ])
      git(clone, 'config', name, script);
    git(clone, 'config', 'core.hooksPath', root);
    const variables = {
      GIT_PAGER: script,
      PAGER: script,
      GIT_SSH_COMMAND: script,
      GIT_ASKPASS: script,
      SSH_ASKPASS: script,
      GIT_EXTERNAL_DIFF: script,
      GIT_TRACE: join(root, 'ran'),
    };
    expect(await find(variables)).toEqual({ commit: id });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  test.each([
    ['what was pushed by others and not fetched', {}, 'is not in this repository'],
    ['a branch that is not there', { branch: 'release' }, 'has no branch release'],
    ['a remote that is not there', { remote: '/nowhere/x.git' }, 'cannot read branch main'],
    ['a remote that runs a program', { remote: 'ext::touch x' }, 'not an https, ssh or file address'],
    [
      'a remote that says nothing of itself',
      { remote: 'http://git.example/x.git' },
      'not an https, ssh or file address',
    ],
  ])('%s is told', async (_, more, why) => {
    commit('{"plan": 1}\n');
    git(clone, 'push', '-q', 'origin', 'main');
    if (Object.keys(more).length === 0) pushByOthers();
    expect(await find({}, more)).toMatchObject({ why: expect.stringContaining(why) });
  });

  test('the git that the caller puts first in PATH is not asked, nor is its ssh', async () => {
    const head = commit('{"plan": 1}\n');
    const bin = join(root, 'bin');
    mkdirSync(bin);
    for (const name of ['git', 'ssh'])
      writeFileSync(
        join(bin, name),
        `#!/bin/sh\necho asked >'${root}/asked'\necho "${head}\trefs/heads/main"\n`,
        {
          mode: 0o755,
        },
      );
    const env = { PATH: `${bin}:${process.env.PATH}`, GIT_EXEC_PATH: bin, LD_PRELOAD: join(bin, 'none.so') };
    expect(await find(env)).toMatchObject({ why: expect.stringContaining('is not on branch main') });
    await find(env, { remote: 'ssh://git@127.0.0.1:9/x.git' });
    expect(existsSync(join(root, 'asked'))).toBe(false);
    git(clone, 'push', '-q', 'origin', 'main');
    expect(await find(env)).toEqual({ commit: head });
    expect(await find({ PATH: '/nowhere' })).toEqual({ commit: head });
  });

  test('outside of a repository it is told', async () => {
    commit('{"plan": 1}\n');
    plan = join(root, 'plan.json');
    writeFileSync(plan, '{}');
    expect(await find()).toMatchObject({ why: expect.stringContaining('is not in a git repository') });
  });

  test('a repository of SHA-256, and a further work tree', async () => {
    for (const path of [remote, clone]) rmSync(path, { recursive: true });
    git(root, 'init', '-q', '--bare', '--object-format=sha256', '-b', 'main', remote);
    git(root, 'init', '-q', '--object-format=sha256', '-b', 'main', clone);
    const id = commit('{"plan": 1}\n');
    git(clone, 'push', '-q', remote, 'main');
    expect(await find()).toEqual({ commit: id });
    const tree = join(root, 'tree');
    git(clone, 'worktree', 'add', '-q', '--detach', tree);
    plan = join(tree, 'plans/plan.json');
    expect(await find()).toEqual({ commit: id });
  });
});
