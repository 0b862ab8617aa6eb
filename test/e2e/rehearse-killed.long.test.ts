import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processesIn, type RehearseHome, rehearseHome, until } from './rehearse-home.js';

/** A rehearsal that is killed at any moment leaves nothing, also while its copy is made from a backup. */

let home: RehearseHome;
let before: string;

beforeAll(async () => {
  home = await rehearseHome('acme');
  before = await home.state();
  await home.ok(['backup', 'run', '--out', 'backup']);
  writeFileSync(
    join(home.path, 'slow.sh'),
    'docs teams create --title Ghost --yes\nsleep 300 &\nsleep 301\n',
  );
}, 600_000);
afterAll(async () => {
  await home.ok(['sandbox', 'stop']);
  home.remove();
});

// CI tries two of each, `DOCS_TEST_RUNS=1` all.
const all = [60, 150, 250, 400, 600, 900, 1400, 2000];
const moments = process.env.DOCS_TEST_RUNS === undefined ? [250, 900] : all;

test.each([[], ['--from', 'backup']].flatMap((from) => moments.map((ms) => ({ from, ms }))))(
  'kill -9 after $ms ms, with $from',
  async ({ from, ms }) => {
    const running = home.start(['rehearse', ...from, '--script', 'slow.sh']);
    await wait(ms);
    running.child.kill('SIGKILL');
    await running.ended;
    await until(() => home.folders().every((folder) => processesIn(folder).length === 0));
    // What was left before there was a janitor goes with the next rehearsal.
    if (home.folders().length > 0) await home.run(['rehearse', '--', 'teams', 'list']);
    await until(() => home.folders().length === 0);
    expect(await home.state()).toBe(before);
  },
);
