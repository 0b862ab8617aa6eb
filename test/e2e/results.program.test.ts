import { afterAll, expect, it } from 'vitest';
import { heldResults, ofProcesses } from './held.js';
import { freshHome } from './program.js';

/** What commands that start processes print with --json is what `docs commands` says; others: results.world.test.ts. */

const home = freshHome();
afterAll(async () => {
  await home.run(['sandbox', 'stop']);
  home.remove();
});

it('what a command that starts a process prints is what docs commands says', async () => {
  const { held, checked } = await heldResults(home);
  await held('sandbox start');
  await held('sandbox status');
  await held('sandbox open');
  await held('sandbox stop');
  await held('sandbox stop');
  await held('sandbox exec', ['--', process.execPath, '-e', 'console.log(1)']);
  await held('rehearse', ['--sandbox', '--', 'teams', 'list', '--json']);
  expect(ofProcesses.filter((path) => !checked.has(path))).toEqual([]);
});
