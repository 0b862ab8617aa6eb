import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { processesIn, rehearseHomeOfFile } from './rehearse-home.js';

/** A rehearsal that is killed leaves nothing: no process, no folder, no journal, no change. */

const home = rehearseHomeOfFile();
let before: string;

/** Tells that a script has got there. */
const asleep = 'touch "$(dirname "$DOCS_REHEARSAL")/asleep"';

beforeAll(async () => {
  before = await home.state();
  home.script('slow.sh', `docs teams create --title Ghost --yes\n${asleep}\nsleep 300 &\nsleep 301\n`);
  home.script('sleep.sh', `${asleep}\nsleep 300\n`);
  home.script('trap.sh', `trap "kill $!; exit 5" TERM\nsleep 300 &\n${asleep}\nwait\n`);
});
afterEach(async () => {
  await noFolder();
  expect(await home.state()).toBe(before);
});

const noFolder = () => expect.poll(home.folders).toEqual([]);
const noProcessIn = (folder: string) => expect.poll(() => processesIn(folder)).toEqual([]);
/** Whether the script of a rehearsal sleeps. While dash begins a program, it passes no signal on. */
const sleeps = () =>
  home
    .folders()
    .some((folder) => existsSync(join(folder, 'asleep')) && processesIn(folder, 'sleep').length > 0);

test('kill -9 while its script runs', async () => {
  const running = home.start(['rehearse', '--script', 'slow.sh']);
  await expect.poll(sleeps).toBe(true);
  const [folder = ''] = home.folders();
  running.child.kill('SIGKILL');
  await noFolder();
  expect(processesIn(folder)).toEqual([]);
});

test('kill -9 while its copy is made', async () => {
  const running = home.start(['rehearse', '--script', 'slow.sh']);
  await expect.poll(() => home.folders().length, { interval: 5 }).toBe(1);
  const [folder = ''] = home.folders();
  running.child.kill('SIGKILL');
  await running.ended;
  await noProcessIn(folder);
  // What was left before there was a janitor goes with the next rehearsal.
  if (home.folders().length > 0) await home.rehearse('--', 'teams', 'list');
});

test.each([
  ['SIGTERM', 'trap.sh', 5, null],
  ['SIGINT', 'sleep.sh', null, 'SIGINT'],
] as const)('%s goes to the command, whose end is kept', async (signal, file, code, by) => {
  const running = home.start(['rehearse', '--quiet', '--script', file]);
  await expect.poll(sleeps).toBe(true);
  const [folder = ''] = home.folders();
  running.child.kill(signal);
  const ended = await running.ended;
  expect([ended.code, ended.signal]).toEqual([code, by]);
  expect(home.folders()).toEqual([]);
  await noProcessIn(folder);
});
