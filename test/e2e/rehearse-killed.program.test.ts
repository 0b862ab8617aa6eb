import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { processesIn, type RehearseHome, rehearseHome, until } from './rehearse-home.js';

/** A rehearsal that is killed leaves nothing: no process, no folder, no journal, no change. */

let home: RehearseHome;
let before: string;

/** Tells that a script has got there. */
const asleep = 'touch "$(dirname "$DOCS_REHEARSAL")/asleep"';

beforeAll(async () => {
  home = await rehearseHome();
  before = await home.state();
  writeFileSync(
    join(home.path, 'slow.sh'),
    `docs teams create --title Ghost --yes\n${asleep}\nsleep 300 &\nsleep 301\n`,
  );
  writeFileSync(join(home.path, 'sleep.sh'), `${asleep}\nsleep 300\n`);
  writeFileSync(join(home.path, 'trap.sh'), `trap "kill $!; exit 5" TERM\nsleep 300 &\n${asleep}\nwait\n`);
});
afterAll(async () => {
  await home.end();
});
afterEach(async () => {
  await until(() => home.folders().length === 0);
  expect(await home.state()).toBe(before);
});

/** Whether the script of a rehearsal sleeps. */
const sleeps = () => home.folders().some((folder) => existsSync(join(folder, 'asleep')));

test('kill -9 while its script runs', async () => {
  const running = home.start(['rehearse', '--script', 'slow.sh']);
  await until(sleeps);
  const [folder = ''] = home.folders();
  running.child.kill('SIGKILL');
  await until(() => home.folders().length === 0);
  expect(processesIn(folder)).toEqual([]);
});

test.each([250, 900])('kill -9 after %i ms', async (ms) => {
  const running = home.start(['rehearse', '--script', 'slow.sh']);
  await wait(ms);
  running.child.kill('SIGKILL');
  await running.ended;
  await until(() => home.folders().every((folder) => processesIn(folder).length === 0));
  // What was left before there was a janitor goes with the next rehearsal.
  if (home.folders().length > 0) await home.run(['rehearse', '--', 'teams', 'list']);
});

test.each([
  ['SIGTERM', 'trap.sh', 5, null],
  ['SIGINT', 'sleep.sh', null, 'SIGINT'],
] as const)('%s goes to the command, whose end is kept', async (signal, file, code, by) => {
  const running = home.start(['rehearse', '--quiet', '--script', file]);
  await until(sleeps);
  const [folder = ''] = home.folders();
  running.child.kill(signal);
  const ended = await running.ended;
  expect([ended.code, ended.signal]).toEqual([code, by]);
  expect(home.folders()).toEqual([]);
  await until(() => processesIn(folder).length === 0);
});
