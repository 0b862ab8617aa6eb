import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { docsLine } from '../started.js';
import { type BackupHome, backupHome, failureOf, filesIn } from './backup-home.js';

/** The folder that `docs backup run` writes to: what is refused, and what is not followed. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
});
afterEach(() => home.end());

const text = (...names: string[]) => readFileSync(home.at('b', ...names), 'utf8');
const verified = async (...words: string[]) => {
  const { code, stdout } = await home.run(['backup', 'verify', 'b', '--json', ...words]);
  return { code, found: JSON.parse(stdout) as { state: string; path?: string; kind: string }[] };
};
const clean = { code: 0, found: [] };

describe('the folder', () => {
  test('with other files in it is refused, and nothing is written', async () => {
    mkdirSync(home.at('b'));
    writeFileSync(home.at('b', 'mine.txt'), 'mine');
    const ran = await home.backUp();
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(failureOf(ran.stderr).code).toBe('not_a_backup');
    expect(filesIn(home.at('b')).size).toBe(1);
  });

  test('of another organization is refused, and nothing is written', async () => {
    await home.backedUp();
    const manifest = text('manifest.json').replace(home.org, 'another');
    writeFileSync(home.at('b', 'manifest.json'), manifest);
    const before = filesIn(home.at('b'));
    const ran = await home.backUp();
    expect(ran.code).toBe(2);
    expect(failureOf(ran.stderr)).toMatchObject({ code: 'other_organization' });
    expect(filesIn(home.at('b'))).toEqual(before);
  });

  test('that is a file, or not named, is refused', async () => {
    writeFileSync(home.at('b'), '');
    expect(failureOf((await home.backUp()).stderr).code).toBe('not_a_folder');
    expect((await home.run(['backup', 'run'])).code).toBe(2);
  });

  test('is not written by --dry-run, which lists what would be read', async () => {
    const ran = await home.run(['backup', 'run', '--out', 'b', '--dry-run']);
    expect(ran.code).toBe(0);
    expect(
      ran.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split('\t')[0]),
    ).toEqual(Array(5).fill('new'));
    expect(ran.stderr).toBe('Dry run: 5 new; nothing was written.\n');
    expect(existsSync(home.at('b'))).toBe(false);
    await home.backedUp();
    const before = filesIn(home.at('b'));
    await home.ok(['spaces', 'update', await home.space('Welcome'), '--title', 'Hello']);
    const again = await home.run(['backup', 'run', '--out', 'b', '--dry-run', '--json']);
    const plan = JSON.parse(again.stdout) as { title: string; state: string }[];
    expect(plan.filter(({ state }) => state !== 'unchanged')).toEqual([
      { id: expect.any(String), title: 'Hello', state: 'changed' },
    ]);
    expect(filesIn(home.at('b'))).toEqual(before);
  });

  test('may have links, which are not followed', async () => {
    await home.backedUp();
    mkdirSync(home.at('elsewhere'));
    rmSync(home.at('b', 'spaces', 'Welcome'), { recursive: true });
    symlinkSync(home.at('elsewhere'), home.at('b', 'spaces', 'Welcome'));
    rmSync(home.at('b', 'org.json'));
    writeFileSync(home.at('target'), 'mine');
    symlinkSync(home.at('target'), home.at('b', 'org.json'));
    expect((await verified('--offline')).found.map(({ state, path }) => [state, path])).toEqual(
      expect.arrayContaining([
        ['unsafe', 'org.json'],
        ['missing', 'spaces/Welcome/manifest.json'],
      ]),
    );
    const ran = await home.backUp();
    expect(ran.code).toBe(13);
    expect(failureOf(ran.stderr).code).toBe('unsafe_link');
    expect(readdirSync(home.at('elsewhere'))).toEqual([]);
    expect(readFileSync(home.at('target'), 'utf8')).toBe('mine');
  });

  test('is written by one run at a time', async () => {
    let second: ReturnType<typeof home.backUp> | undefined;
    home.gateway.rule = (line) => {
      if (line.includes('/content/page/')) second ??= home.backUp();
      return undefined;
    };
    const first = home.backUp();
    expect((await first).code).toBe(0);
    const { code, stderr } = (await second) ?? { code: null, stderr: '' };
    // It may have come after the first had ended.
    if (code !== 0) expect(failureOf(stderr)).toMatchObject({ code: 'backup_running', exitCode: 13 });
    expect(await verified()).toEqual(clean);
  });
});

/** A disk of its own takes the rights to mount one. */
const mayMount = process.platform === 'linux' && spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!mayMount)('a full disk is exit 13, and leaves whole files only', async () => {
  mkdirSync(home.at('b'));
  const words = ['backup', 'run', '--out', home.at('b'), '--json'].join(' ');
  const script = [
    `mount -t tmpfs -o size=160k,mode=700 tmpfs '${home.at('b')}'`,
    `${docsLine} ${words} > '${home.at('stdout')}' 2> '${home.at('stderr')}'`,
    `echo $? > '${home.at('code')}'`,
    `cp -r '${home.at('b')}' '${home.at('kept')}'`,
  ].join('; ');
  const child = spawn('unshare', ['-rm', 'sh', '-c', script], { env: home.env, cwd: home.path });
  await new Promise((done) => child.on('close', done));
  const read = (name: string) => readFileSync(home.at(name), 'utf8');
  expect(read('code')).toBe('13\n');
  expect(failureOf(read('stderr'))).toMatchObject({ code: 'disk_full', exitCode: 13 });
  for (const path of filesIn(home.at('kept')).keys())
    if (path.endsWith('.json')) JSON.parse(readFileSync(home.at('kept', path), 'utf8'));
  // With room it goes on there.
  cpSync(home.at('kept'), home.at('b'), { recursive: true });
  expect((await home.backedUp()).status).toBe('whole');
  expect(await verified()).toEqual(clean);
});
