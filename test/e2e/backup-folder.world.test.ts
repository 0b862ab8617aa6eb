import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf, filesIn, homeOfFile } from './backup-home.js';

/** The folder that `docs backup run` writes to: what is refused, and what is not followed. */

const home = homeOfFile({ backup: true });

describe('the folder', () => {
  // Of another organization: test/backup/open-folder.test.ts.
  test.each([
    ['with other files in it', 'not_a_backup', 'c/mine.txt'],
    ['that is a file', 'not_a_folder', 'c'],
  ])('%s is refused, and nothing is written', async (_, code, file) => {
    mkdirSync(home.at(dirname(file)), { recursive: true });
    writeFileSync(home.at(file), 'mine');
    const before = filesIn(home.path);
    const ran = await home.run(['backup', 'run', '--out', 'c', '--json']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(failureOf(ran.stderr).code).toBe(code);
    const own = ([path]: [string, string]) => path.startsWith('c');
    expect([...filesIn(home.path)].filter(own)).toEqual([...before].filter(own));
  });

  test('must be named', async () => {
    expect((await home.run(['backup', 'run'])).code).toBe(2);
  });

  test('is not written by --dry-run, which lists what would be read', async () => {
    const ran = await home.run(['backup', 'run', '--out', 'c', '--dry-run']);
    expect(ran).toMatchObject({ code: 0, stderr: 'Dry run: 5 new; nothing was written.\n' });
    expect(ran.stdout.match(/^\w+\t/gm)).toEqual(Array(5).fill('new\t'));
    expect(existsSync(home.at('c'))).toBe(false);
    const before = filesIn(home.at('b'));
    await home.ok(['spaces', 'update', await home.space('Welcome'), '--title', 'Hello']);
    const plan = JSON.parse((await home.backUp('--dry-run')).stdout) as { state: string }[];
    expect(plan.filter(({ state }) => state !== 'unchanged')).toEqual([
      { id: expect.any(String), title: 'Hello', state: 'changed' },
    ]);
    expect(filesIn(home.at('b'))).toEqual(before);
  });

  test('may have links, which are not followed', async () => {
    mkdirSync(home.at('elsewhere'));
    rmSync(home.at('b', 'spaces', 'Welcome'), { recursive: true });
    symlinkSync(home.at('elsewhere'), home.at('b', 'spaces', 'Welcome'));
    rmSync(home.at('b', 'org.json'));
    writeFileSync(home.at('target'), 'mine');
    symlinkSync(home.at('target'), home.at('b', 'org.json'));
    const { found } = await home.verified('--offline');
    expect(found.map(({ state, path }) => [state, path])).toEqual(
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
});
