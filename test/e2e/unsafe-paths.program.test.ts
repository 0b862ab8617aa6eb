import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectRefused, own, put, refusesInstead, unsafeHome } from './unsafe-home.js';

/**
 * A named pipe in place of files that docs opens by itself is refused, and never waited for: a run that waits fails by
 * the time limit of its test. What else may stand there: unsafe-paths.world.test.ts.
 */

const world = await unsafeHome();
const { at } = world;
const pipe = (path: string) => execFileSync('mkfifo', ['-m', '600', path]);

refusesInstead(world, 'a named pipe', pipe);

it.skipIf('enableCompileCache' in nodeModule).each([
  ['a named pipe', pipe],
  ['a directory', (path: string) => mkdirSync(path, { mode: 0o700 })],
])('%s in place of the code cache is refused', async (_, make) => {
  const { home } = world;
  const folder = at('.cache', 'docs', 'code');
  rmSync(folder, { recursive: true, force: true });
  await home.ok(['config', 'path']);
  const path = join(folder, readdirSync(folder)[0] ?? '');
  put(path, make);
  expectRefused(await home.run(['config', 'path']), path);
  const { stderr } = await home.run(['config', 'path', '--json']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unsafe_path', exitCode: 14 } });
});

it('a named pipe in place of cached ids: nothing is offered from it', async () => {
  const { home } = world;
  const folder = at('.cache', 'docs', 'completion');
  await home.run(['--sandbox', '__complete', 'teams', 'get', ''], own);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) put(join(folder, name), pipe);
  const ran = await home.run(['__complete', '--sandbox', 'teams', 'get', ''], own);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
});

it('a named pipe in place of the start-up file of a shell is refused', async () => {
  put(at('.bashrc'), pipe);
  expectRefused(await world.home.run(['completion', 'bash', '--install', '--yes']), at('.bashrc'));
});
