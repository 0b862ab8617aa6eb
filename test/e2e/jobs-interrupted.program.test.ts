import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outcomes } from './job-home.js';
import { memberHome, update as updateAll } from './member-home.js';

/** An interrupted job of a hundred items: every item is done exactly once. */

const { platform, home } = await memberHome(100);
const update = [...updateAll, '--yes'];
const resume = ['jobs', 'resume', 'last', '--json'];

/** What `--debug` says of a write in flight once the signal was taken. */
const isTaken = '* interrupted; ';

/** Each of the hundred members was changed exactly once, as the journal records. */
function expectEachOnce(): void {
  const expected = Array.from({ length: 100 }, (_, index) => `u${index + 1} read`);
  expect([...platform.changes].sort()).toEqual(expected.sort());
  const [journal = ''] = home.journalTexts();
  const all = [...outcomes(journal)].sort(([a], [b]) => a - b);
  expect(all.map(([item, seen]) => [item, seen.filter((is) => is === 'ok')])).toEqual(
    Array.from({ length: 100 }, (_, item) => [item, ['ok']]),
  );
}

test('kill -9 at item 50 of 100, with a torn last line', async () => {
  const running = home.start(update);
  // Of those under way at that moment, some are done and some are not; nobody hears of either.
  platform.onChange = (count) => {
    if (count === 50) running.child.kill('SIGKILL');
    if (count < 50) return 'done';
    return count % 2 === 0 ? 'lost after' : 'lost before';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  const [path = ''] = home.journalPaths();
  appendFileSync(path, '{"item":99,"is":"star');
  const done = platform.changes.length;
  expect(done).toBeGreaterThanOrEqual(49);
  expect(done).toBeLessThan(100);

  platform.onChange = () => 'done';
  const resumed = await home.run(resume);
  expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Job \S+ is finished: all 100 items are done\.\n$/),
  });
  expectEachOnce();
  expect((await home.run(resume)).stderr).toMatch(/is finished: all 100 items are done/);
  expect(platform.changes).toHaveLength(100);
});

test('SIGINT lets running items end, starts nothing new and says how to resume', async () => {
  const running = home.start(update);
  platform.onChange = (count) => {
    if (count === 30) running.child.kill('SIGINT');
    return 'done';
  };
  const ended = await running.ended;
  expect({ code: ended.code, signal: ended.signal }).toEqual({ code: null, signal: 'SIGINT' });
  const done = platform.changes.length;
  expect(done).toBeLessThan(60);
  expect(ended.stderr).toContain(`interrupted: ${done} of 100 items are done; ${100 - done} skipped`);
  expect(ended.stderr).toMatch(/Try: docs jobs resume \d{8}-\d{6}-[0-9a-f]{6}\n/);
  expect(
    ended.stdout
      .split('\n')
      .slice(0, -1)
      .every((line) => /^u\d+\tok\t$/.test(line)),
  ).toBe(true);
  expect((await home.run(resume)).code).toBe(0);
  expectEachOnce();
});

test('SIGTERM does the same; the JSON array stays open', async () => {
  const running = home.start([...update, '--json']);
  platform.onChange = (count) => {
    if (count === 10) running.child.kill('SIGTERM');
    return 'done';
  };
  const ended = await running.ended;
  expect(ended.signal).toBe('SIGTERM');
  expect(() => JSON.parse(ended.stdout)).toThrow();
  const error = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '') as { error: unknown };
  expect(error).toMatchObject({ error: { code: 'terminated', exitCode: 143 } });
});

test('a second SIGINT kills at once; resume looks up what was running', async () => {
  const running = home.start([...update, '--debug']);
  platform.onChange = (count) => {
    if (count < 13) return 'done';
    // All eight wait for an answer that never comes.
    if (count === 20) running.child.kill('SIGINT');
    return 'no answer';
  };
  let said = '';
  running.child.stderr.on('data', (text: string) => {
    const wasTaken = said.includes(isTaken);
    said += text;
    // Before the first is taken, the two may be one.
    if (!wasTaken && said.includes(isTaken)) running.child.kill('SIGINT');
  });
  expect((await running.ended).signal).toBe('SIGINT');
  const [journal = ''] = home.journalTexts();
  expect(outcomes(journal).size).toBeLessThan(platform.changes.length);
  platform.onChange = () => 'done';
  expect((await home.run(resume)).code).toBe(0);
  expectEachOnce();
});

test('a reader that goes away ends the job with exit 3; the job can be resumed', async () => {
  const running = home.start(update);
  running.child.stdout.once('data', () => running.child.stdout.destroy());
  const ended = await running.ended;
  expect(ended.code).toBe(3);
  const done = platform.changes.length;
  expect(done).toBeLessThan(100);
  expect(ended.stderr).toContain(`${done} of 100 items are done; ${100 - done} skipped`);
  expect((await home.run(resume)).code).toBe(0);
  expectEachOnce();
});
