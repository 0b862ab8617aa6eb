import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freshHome, program, runProgram } from './program.js';
import { onTerminal } from './terminal.js';

/** The guide as it is installed, and in a pager. */

const home = freshHome();
afterAll(() => home.remove());

it('an installation without the guide says so; other help works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-bare-'));
  const build = dirname(dirname(program));
  for (const part of ['bin', 'dist']) cpSync(join(build, part), join(folder, part), { recursive: true });
  const path = join(folder, 'bin', 'docs.js');
  const run = (...words: string[]) => runProgram(words, home.env, home.path, '', { path });
  expect(await run('help', 'guide')).toMatchObject({ code: 14, stdout: '' });
  expect(await run('help', 'guide', 'backup', '--json')).toMatchObject({
    stderr: expect.stringContaining('"code":"guide_missing"'),
  });
  expect(await run('help', 'offboarding')).toMatchObject({ code: 2 });
  expect(await run('help', 'backup')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('__complete', 'help', 'o')).toMatchObject({ code: 0, stderr: '' });
  rmSync(folder, { recursive: true });
});

it('a page goes to the pager, unless --no-pager', async () => {
  const env = {
    ...home.env,
    TERM: 'xterm-256color',
    PAGER: `${process.execPath} -e "process.stdin.resume().on('end', () => console.log('[paged]'))"`,
  };
  const onScreen = (...words: string[]) => onTerminal(['help', ...words], { cwd: home.path, env }).ended;
  expect((await onScreen('offboarding')).screen).toBe('[paged]');
  const plain = await onScreen('offboarding', '--no-pager');
  expect(plain.screen).toMatch(/^# Offboarding/);
  const short = await onScreen('guide', 'bulk', 'trash');
  expect(short.screen).toMatch(/^## Trash/);
});
