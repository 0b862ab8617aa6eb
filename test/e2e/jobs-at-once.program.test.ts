import { expect, test } from 'vitest';
import { failure, outcomes } from './job-home.js';
import { memberHome, update } from './member-home.js';
import type { Fate } from './member-platform.js';
import type { Ran } from './program.js';
import { runsHere } from './runs-here.js';

/** Processes at once: each has its own job, or one of them is told that the other is at work. */

const { platform, home } = await memberHome(10);
runsHere(home);
/** In a process of its own; what comes beside it is within the test. */
const start = (words: readonly string[]) => home.start(words).ended;

/** Runs another command once the platform sees that change, and lets the first go on when it has ended. */
function whileAt(change: number, run: () => Promise<Ran>): () => Ran | undefined {
  let ran: Ran | undefined;
  platform.onChange = async (count): Promise<Fate> => {
    if (count === change) ran = await run();
    return 'done';
  };
  return () => ran;
}

test('two jobs run, each with its own journal', async () => {
  const roles = ['read', 'comment'];
  const ran = await Promise.all(roles.map((role) => start(['members', 'update', '@ids', '--role', role])));
  expect(ran.map(({ code }) => code)).toEqual([0, 0]);
  expect(platform.changes).toHaveLength(20);
  expect(home.journalTexts().map((text) => [...outcomes(text).values()].flat())).toEqual([
    Array(10).fill('ok'),
    Array(10).fill('ok'),
  ]);
});

test('while a job runs, the same input is refused, and its journal is not discarded', async () => {
  let discarded: Ran | undefined;
  const second = whileAt(3, () => home.run([...update, '--json']));
  const run = platform.onChange;
  platform.onChange = async (count, what) => {
    const name = home.journalPaths()[0]?.split('/').at(-1)?.split('.')[0] ?? '';
    if (count === 3) discarded = await home.run(['jobs', 'discard', name, '--yes', '--json']);
    return run(count, what);
  };
  expect((await start(update)).code).toBe(0);
  expect(second()?.code).toBe(2);
  expect(failure(second()?.stderr ?? '').message).toMatch(
    /with the same input is already running \(pid \d+\)/,
  );
  expect(discarded?.code).toBe(13);
  expect(failure(discarded?.stderr ?? '')).toMatchObject({ code: 'job_running' });
  expect(home.journalPaths()).toHaveLength(1);
  expect(platform.changes).toHaveLength(10);
});

test('a second resume is refused while the first runs', async () => {
  platform.onChange = () => 403;
  await start(update);
  const second = whileAt(11, () => start(['jobs', 'resume', 'last', '--json']));
  expect((await start(['jobs', 'resume', 'last'])).code).toBe(0);
  expect(second()?.code).toBe(13);
  expect(failure(second()?.stderr ?? '')).toMatchObject({ code: 'job_running' });
  expect(platform.changes).toHaveLength(10);
});
