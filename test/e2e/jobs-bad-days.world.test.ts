import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure, outcomes } from './job-home.js';
import { memberHome, update } from './member-home.js';
import type { Fate } from './member-platform.js';

/** Jobs that meet outages, refusals and repeated input. */

const { platform, home } = await memberHome(10);

const write = (name: string, text: string) => writeFileSync(join(home.path, name), text);
const everyone = Array.from({ length: 10 }, (_, index) => `u${index + 1}`);
const lines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));

test('resumes after a network outage and sends what was not sent', async () => {
  platform.onChange = async (count): Promise<Fate> => {
    if (count === 4) await platform.down();
    return 'done';
  };
  const ran = await home.run([...update, '--concurrency', '1']);
  expect(ran.code).toBe(3);
  expect(
    lines(ran.stdout)
      .map(([id, status]) => `${id} ${status}`)
      .slice(0, 5),
  ).toEqual(['u1 ok', 'u2 ok', 'u3 ok', 'u4 unknown', 'u5 failed']);
  await platform.up();
  platform.onChange = () => 'done';
  expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
  expect([...platform.changes].sort()).toEqual(everyone.map((id) => `${id} read`).sort());
});

test('finishes the other items where 3 of 10 are refused, and retries those on resume', async () => {
  const locked = ['u2', 'u5', 'u10'];
  platform.onChange = (_, id) => (locked.includes(id) ? 403 : 'done');
  const ran = await home.run([...update, '-o', 'ndjson']);
  expect(ran.code).toBe(3);
  const results = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { index: number; id: string; status: string });
  expect(results.map(({ index, id, status }) => [index, id, status])).toEqual(
    everyone.map((id, index) => [index, id, locked.includes(id) ? 'failed' : 'ok']),
  );
  const [job] = await home.json<{ id: string; state: string; failed: number }[]>(['jobs', 'list']);
  expect(job).toMatchObject({ state: 'failed', ok: 7, failed: 3, left: 0 });
  expect(failure(ran.stderr)).toMatchObject({
    code: 'partial',
    exitCode: 3,
    message: '7 of 10 items are done; 3 failed.',
    hint: `docs jobs show ${job?.id}`,
  });
  const shown = await home.json<{ items: { id: string; status: string; error?: { status: number } }[] }>([
    'jobs',
    'show',
    'last',
  ]);
  expect(
    shown.items.filter(({ status }) => status === 'failed').map(({ id, error }) => [id, error?.status]),
  ).toEqual(locked.map((id) => [id, 403]));
  platform.onChange = () => 'done';
  expect(lines(await home.ok(['jobs', 'resume', 'last'])).map(([id]) => id)).toEqual(locked);
  expect(platform.changes).toHaveLength(10);
});

test('--fail-fast skips what has not started after the first failure', async () => {
  platform.onChange = (count) => (count === 3 ? 403 : 'done');
  const ran = await home.run([...update, '--fail-fast', '--concurrency', '1']);
  expect(ran.code).toBe(3);
  expect(lines(ran.stdout).map(([, status]) => status)).toEqual([
    'ok',
    'ok',
    'failed',
    ...Array(7).fill('skipped'),
  ]);
  expect(platform.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(3);
});

describe('the same file twice', () => {
  test('is refused where it would create things twice', async () => {
    write('teams.csv', 'title\nWriters\nReaders\n');
    const make = ['bulk', 'teams', 'create', '--from', 'teams.csv'];
    await home.ok(make);
    const again = await home.run([...make, '--json']);
    expect(again.code).toBe(2);
    expect(failure(again.stderr)).toMatchObject({ code: 'done_before' });
    expect(platform.changes).toEqual(['new Writers', 'new Readers']);
    await home.ok([...make, '--again']);
    expect(platform.changes).toHaveLength(4);
  });
});

test('killed five times, with faults throughout: each item is done once', async () => {
  const fate = (count: number): Fate =>
    count % 5 === 4 ? 'lost after' : count % 7 === 3 ? 'lost before' : 'done';
  let words = [...update, '--concurrency', '3'];
  for (const at of [2, 4, 6, 8, 10]) {
    const running = home.begin(words);
    platform.onChange = (count) => {
      if (count === at) running.kill('SIGKILL');
      return fate(count);
    };
    await running.ended;
    words = ['jobs', 'resume', 'last', '--concurrency', '3'];
  }
  platform.onChange = () => 'done';
  await home.ok(['jobs', 'resume', 'last']);
  expect([...platform.changes].sort()).toEqual(everyone.map((id) => `${id} read`).sort());
  const found = [...outcomes(home.journalTexts()[0] ?? '').values()];
  expect(found.map((seen) => seen.filter((is) => is === 'ok'))).toEqual(Array(10).fill(['ok']));
});
