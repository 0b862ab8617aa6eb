import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings } from '../../src/settings/settings.js';
import { buildChild } from './child.js';
import { failureOf, freshWorld, isRoot, lockOut, stranger } from './world.js';

/** What only a process of its own, or a shell, can try of the settings file. */
let child: Awaited<ReturnType<typeof buildChild>>;
beforeAll(async () => {
  child = await buildChild();
});
afterAll(() => child.remove());

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test.each([
  ['a short write on a full disk: exit 13, and the old file is whole', {}],
  ['the same under SNAP, where conf would write in place', { SNAP: '/snap' }],
])('%s', async (_, env) => {
  const { home, configDir, configFile, write } = freshWorld();
  const before = { profiles: { old: { org: 'o'.repeat(2000) } } };
  write(configFile, before);
  const limit = { shell: 'ulimit -f 1' };
  const { code, stdout } = await child.run(['save', 'new'], { HOME: home, ...env }, limit);
  expect({ code, error: JSON.parse(stdout) }).toMatchObject({
    code: 13,
    error: {
      code: 'cannot_write_settings',
      message: `cannot write ${configFile}; nothing was changed: the file would be larger than allowed.`,
    },
  });
  expect(json(configFile)).toEqual(before);
  expect(readdirSync(configDir)).toEqual(['config.json']);
});

test('leaves signal handling unchanged, so that a command in progress can finish its journal', async () => {
  const { home, configFile } = freshWorld();
  const { stdout } = await child.run(['signals', 'p'], { HOME: home });
  expect(Object.keys(json(configFile).profiles)).toEqual(['p0']);
  // Node ignores this one anyway; a write over the limit of file sizes has to fail, not to kill.
  expect(JSON.parse(stdout)).toEqual(['SIGXFSZ']);
});

test('the hint works as printed, whatever the path', async () => {
  const { home, with: change, write } = freshWorld();
  const io = change({ env: { XDG_CONFIG_HOME: join(home, "it's a $HOME") } });
  const path = write(join(home, "it's a $HOME", 'docs', 'config.json'), '{');
  const { hint } = await failureOf(() => readSettings(io, {}));
  execFileSync('sh', ['-c', String(hint)]);
  expect(readSettings(io, {}).profile.value).toBe('default');
  expect(readFileSync(`${path}.broken`, 'utf8')).toBe('{');
});

test('a pipe, which would block for ever: exit 14', async () => {
  const { io, configDir, configFile } = freshWorld();
  mkdirSync(configDir, { recursive: true });
  execFileSync('mkfifo', ['-m', '600', configFile]);
  expect(await failureOf(() => readSettings(io, {}))).toMatchObject({
    exitCode: 14,
    message: `the settings file ${configFile} is not a file; it was left unchanged`,
  });
});

test('a file without read permission: exit 13, naming it', async () => {
  const { home, configDir, configFile, write } = freshWorld();
  write(configFile, {});
  lockOut(configFile);
  // Root reads everything, so another user has to try.
  const as = isRoot ? { uid: stranger, gid: stranger } : {};
  if (isRoot) {
    for (const path of [home, dirname(configDir), configDir, configFile]) chownSync(path, stranger, stranger);
  }
  const { code, stdout } = await child.run(['read'], { HOME: home }, as);
  expect({ code, error: JSON.parse(stdout) }).toMatchObject({
    code: 13,
    error: {
      code: 'cannot_read_settings',
      message: `cannot read ${configFile}: permission denied`,
      hint: `ls -la ${configDir}`,
    },
  });
});
