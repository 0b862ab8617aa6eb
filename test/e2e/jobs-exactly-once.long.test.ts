import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runs } from '../runs.js';
import { forwardedHome } from './forwarded-home.js';
import { outcomes } from './job-home.js';

/**
 * Many deletions and many role changes on the sandbox, one request in twenty failing, killed and resumed
 * five times: each item is done exactly once, the journal says so, and undo brings the state back.
 *
 * `DOCS_TEST_RUNS=1000 npm run test:long jobs-exactly-once` does 1,000 of each.
 */
const count = runs(75);
const patience = 60_000 + count * 1000;

const { home, forwarder } = await forwardedHome({ edit: crowded });

type Row = Record<string, unknown>;

/** The seed with additional members and spaces. */
function crowded(exported: string): string {
  const { format, tables } = JSON.parse(exported) as { format: string; tables: Record<string, Row[]> };
  const numbers = Array.from({ length: count }, (_, index) => String(index + 1).padStart(5, '0'));
  const { users = [], members = [], spaces = [] } = tables;
  const [user, space] = [
    users[0] ?? {},
    spaces.find(({ parent_id }) => parent_id === null) ?? spaces[0] ?? {},
  ];
  const member = members.find(({ user_id }) => user_id === user.id) ?? {};
  users.push(
    ...numbers.map((n) => ({ ...user, id: `user${n}`, email: `user${n}@acme.example`, folded: `user${n}` })),
  );
  members.push(...numbers.map((n) => ({ ...member, user_id: `user${n}`, role: 'edit' })));
  spaces.push(
    ...numbers.map((n, at) => ({
      ...space,
      id: `space${n}`,
      title: `Space ${n}`,
      position: 1000 + at,
      parent_id: null,
    })),
  );
  return JSON.stringify({ format, tables });
}

/** The fault of one request in twenty, another one each round. */
const faults = [
  ['--reset', 'after'],
  ['--reset', 'before'],
  ['--status', '503'],
  ['--status', '502'],
  ['--reset', 'after'],
  ['--status', '500'],
];

interface Logged {
  id: string;
  method: string;
  path: string;
  status: number;
}

/** Changes that the sandbox committed, whether or not the answer arrived. */
async function committed(seen: Set<string>, fault: readonly string[] | undefined): Promise<string[]> {
  const log = await home.json<Logged[]>(['sandbox', 'requests']);
  const fresh = log.filter(({ id, method }) => method !== 'GET' && !seen.has(id));
  for (const { id } of log) seen.add(id);
  const lost = fault?.join(' ') === '--reset after';
  const done = fresh.filter(({ status }) => (status >= 200 && status < 300) || (status === 0 && lost));
  return done.map(({ path }) => path.split('/').at(-1) ?? '');
}

/** Runs to the end, killed after each further part of the changes. */
async function runKilled(
  args: readonly string[],
  seen: Set<string>,
): Promise<{ done: string[]; kills: number }> {
  const done: string[] = [];
  let kills = 0;
  let words = [...args, '--concurrency', '4', '-o', 'ndjson'];
  for (const [round, fault] of faults.entries()) {
    await home.ok(['sandbox', 'fault', '--match', '*', '--rate', '0.05', ...fault]);
    forwarder.reset();
    const running = home.start(words);
    forwarder.onChange = (changes) => {
      if (round < 5 && changes === Math.ceil(count / 15)) running.child.kill('SIGKILL');
      return 'pass';
    };
    if ((await running.ended).signal === 'SIGKILL') kills += 1;
    await forwarder.idle();
    done.push(...(await committed(seen, fault)));
    words = ['jobs', 'resume', 'last', '--concurrency', '4', '-o', 'ndjson'];
  }
  await home.ok(['sandbox', 'fault', '--clear']);
  for (let round = 0; round < 3; round++) {
    if ((await home.run(words)).code === 0) break;
  }
  done.push(...(await committed(seen, undefined)));
  return { done, kills };
}

/** The newest journal records each item as done exactly once. */
function expectJournalSaysOnce(): void {
  const journal = home.journalTexts().at(-1) ?? '';
  const all = [...outcomes(journal)].sort(([a], [b]) => a - b);
  expect(all.map(([item, seen]) => [item, seen.filter((is) => is === 'ok').length])).toEqual(
    Array.from({ length: count }, (_, item) => [item, 1]),
  );
}

test.each([
  ['role changes', 'user', ['members', 'update', '@ids', '--role', 'read', '--yes']],
  ['deletions', 'space', ['spaces', 'delete', '@ids', '--yes']],
])(
  `${count} %s, killed and resumed five times: each exactly once, and undone`,
  async (_, kind, args) => {
    const ids = Array.from(
      { length: count },
      (_each, index) => `${kind}${String(index + 1).padStart(5, '0')}`,
    );
    writeFileSync(join(home.path, 'ids'), ids.join('\n'));
    const before = await home.ok(['sandbox', 'export']);
    const seen = new Set<string>();
    // The log has the requests of the test before.
    await committed(seen, undefined);
    const startedMs = Date.now();
    const { done, kills } = await runKilled(args, seen);
    const doneMs = Date.now();
    expect({ kills, done: [...done].sort() }).toEqual({ kills: 5, done: ids });
    expectJournalSaysOnce();
    expect(await home.ok(['sandbox', 'export'])).not.toBe(before);

    const [job] = await home.json<{ id: string; state: string; ok: number }[]>(['jobs', 'list']);
    expect(job).toMatchObject({ state: 'done', ok: count });
    await home.ok(['sandbox', 'fault', '--match', '*', '--rate', '0.05', '--reset', 'after']);
    const undone = await home.run(['undo', job?.id ?? '', '--yes']);
    await home.ok(['sandbox', 'fault', '--clear']);
    if (undone.code !== 0) await home.ok(['jobs', 'resume', 'last']);
    expectJournalSaysOnce();
    expect(await home.ok(['sandbox', 'export'])).toBe(before);
    if (process.env.DOCS_TEST_RUNS !== undefined) {
      process.stdout.write(
        `${count} ${kind}s: ${kills} kills, ${done.length} committed, ${doneMs - startedMs} ms; undone in ${Date.now() - doneMs} ms\n`,
      );
    }
  },
  patience,
);
