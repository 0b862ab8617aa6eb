import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StalePlatform, stalePlatform } from './stale-platform.js';

/** Weeks of a docs lead's nightly job: warned, answered, archived, taken back. */

let platform: StalePlatform;
let ids: Record<'A' | 'B' | 'C' | 'D', string>;
beforeAll(async () => {
  platform = await stalePlatform();
  const [A = '', B = '', C = '', D = ''] = await platform.opened(['A', 'B', 'C', 'D']);
  ids = { A, B, C, D };
  await platform.as('edit', 'POST', `/spaces/${platform.space}/change-requests`, { subject: 'Draft' });
  await platform.pass(61);
  writeFileSync(
    join(platform.home.path, 'keep.txt'),
    `# Kept on purpose\nAPI Reference/${await number(D)}\nnope\n`,
  );
});
afterAll(() => platform.end());

const requestPath = (id: string) => `/spaces/${platform.space}/change-requests/${id}`;
const number = async (id: string) =>
  (await platform.as<{ number: number }>('admin', 'GET', requestPath(id))).number;
const actions = async (...words: string[]) =>
  Object.fromEntries(
    Object.entries(await platform.listed(...words)).map(([subject, { action }]) => [subject, action]),
  );
const keep = ['--exempt', '@keep.txt'];
const run = (...words: string[]) => platform.home.run(platform.stale(...keep, ...words));
type Tables = Record<string, Record<string, unknown>[]>;
const exported = async (): Promise<Tables> =>
  (JSON.parse(await platform.home.ok(['sandbox', 'export'])) as { tables: Tables }).tables;

/** Rows that differ between two exports, as `table.column`. */
function differing(before: Tables, after: Tables): string[] {
  const found = new Set<string>();
  for (const table of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old = [], now = []] = [before[table], after[table]];
    if (old.length !== now.length) found.add(`${table}: ${old.length} rows, then ${now.length}`);
    else
      for (const [index, row] of now.entries())
        for (const [column, value] of Object.entries(row))
          if (value !== old[index]?.[column]) found.add(`${table}.${column}`);
  }
  return [...found].sort();
}

describe.sequential('a change request that nothing happens on', () => {
  test('is listed, with what would be done; a list changes nothing', async () => {
    platform.forwarder.reset();
    const rows = await platform.listed(...keep);
    expect(rows.A).toMatchObject({
      action: 'warn',
      age: 61,
      why: 'nothing new for 61 days',
      author: { displayName: expect.any(String) },
    });
    expect(await actions(...keep)).toMatchObject({ A: 'warn', B: 'warn', C: 'warn', D: 'exempt' });
    expect(rows).not.toHaveProperty('Draft');
    expect(await actions('--drafts')).toMatchObject({ Draft: 'warn', D: 'warn' });
    expect(await actions('--older-than', '62d')).toEqual({});
    const { stderr } = await run('--list');
    expect(stderr).toContain('nope matches none of the change requests that were read (keep.txt:3).');
    expect(platform.forwarder.done).toEqual([]);
  });

  test('is warned once, by a job that undo takes back in full', async () => {
    const before = await exported();
    const planned = await platform.home.json<{
      operations: { undo: string; action: string }[];
      notes: object[];
    }>(platform.stale(...keep, '--dry-run'));
    expect(planned.operations.map(({ action, undo }) => [action, undo])).toEqual([
      ['create', 'exact'],
      ['create', 'exact'],
      ['create', 'exact'],
    ]);
    expect(planned.notes).toMatchObject([{ code: 'exempt' }, { code: 'unmatched', item: 'nope' }]);
    const first = await run('--yes', '--json');
    expect({ code: first.code, sent: platform.forwarder.done.length }).toEqual({ code: 0, sent: 3 });
    const [warning] = await platform.comments(ids.A);
    expect(warning?.body.markdown).toMatch(
      /^Hello .*for 61 days.*\n\n`docs-stale: warned .* state \w{16}`$/s,
    );
    expect(await platform.comments(ids.D)).toEqual([]);

    const again = await run('--yes', '--archive', '--json');
    expect({ code: again.code, stdout: again.stdout, sent: platform.forwarder.done.length }).toEqual({
      ...{ code: 0, stdout: '[]\n', sent: 3 },
    });
    expect(again.stderr).toContain('Warned on ');

    const undone = await platform.home.run(['undo', 'last', '--yes']);
    expect(undone).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('3 items undone.'),
    });
    // When the lead was last seen, and how many ids were given out.
    expect(differing(before, await exported())).toEqual(['members.last_seen_at', 'state.value']);
    expect((await run('--yes')).code).toBe(0);
  });

  test('cannot be warned by anybody else, whatever they write', async () => {
    const [warning] = await platform.comments(ids.A);
    const [forged = ''] = await platform.opened(['Forged']);
    await platform.comment(forged, warning?.body.markdown ?? '');
    expect(await actions('--archive')).not.toHaveProperty('Forged');
    await platform.as('edit', 'PATCH', requestPath(forged), { status: 'archived' });
  });

  test('asks whose warnings count where a dry run cannot tell', async () => {
    const { code, stderr } = await run('--dry-run', '--json');
    expect({ code, error: JSON.parse(stderr) as unknown }).toMatchObject({
      code: 2,
      error: {
        error: {
          code: 'owner_unknown',
          hint: expect.stringMatching(/^docs change-requests stale --as <user>/),
        },
      },
    });
  });

  test('refuses --as somebody who is not a member', async () => {
    const { code, stderr } = await run('--list', '--as', 'nobody@acme.example', '--json');
    expect([code, stderr]).toEqual([6, expect.stringContaining('nobody@acme.example')]);
  });

  test('is spared by an answer; the others are due, then archived, and undo opens them again', async () => {
    await platform.pass(14);
    const [answered] = await platform.comments(ids.B);
    const path = `${requestPath(ids.B)}/comments/${answered?.id}/replies`;
    await platform.as('edit', 'POST', path, { body: { markdown: 'Next week!' } });
    const due = await platform.listed(...keep);
    expect(due).toMatchObject({ A: { action: 'due' }, B: { action: 'spared' }, C: { action: 'due' } });
    expect(due.B?.why).toMatch(/^a reply since the warning of /);

    const before = await exported();
    const { code, stdout, stderr } = await run('--archive', '--yes', '--json');
    expect({ code, keys: (JSON.parse(stdout) as { key: string }[]).map(({ key }) => key) }).toEqual({
      code: 0,
      keys: [`API Reference/${await number(ids.A)}`, `API Reference/${await number(ids.C)}`],
    });
    expect(stderr).toContain('A reply since the warning of');
    expect(await Promise.all(Object.values(ids).map(platform.statusOf))).toEqual([
      ...['archived', 'open', 'archived', 'open'],
    ]);
    const shown = await platform.home.json<{ items: { undo: string }[] }>(['jobs', 'show', 'last']);
    expect(JSON.stringify(shown)).not.toMatch(/best-effort|"undo":"none"/);
    expect((await platform.home.run(['undo', 'last', '--yes'])).stderr).toContain(
      'Read again: all as before.',
    );
    // The platform counts both changes of the status as updates, and the API cannot set that time.
    expect(differing(before, await exported())).toEqual([
      'change_requests.updated_at',
      'members.last_seen_at',
    ]);
    expect(await actions(...keep)).toEqual({ A: 'spared', B: 'spared', C: 'spared', D: 'exempt' });
  });

  test('is warned again only after another whole silence', async () => {
    await platform.pass(59);
    expect(await actions(...keep)).toEqual({ A: 'spared', B: 'spared', C: 'spared', D: 'exempt' });
    await platform.pass(1);
    expect(await actions(...keep)).toEqual({ A: 'warn', B: 'warn', C: 'warn', D: 'exempt' });
    writeFileSync(join(platform.home.path, 'text.md'), '{author}: {subject} goes on {date}.\n');
    expect((await run('--message', '@text.md', '--yes')).code).toBe(0);
    expect((await platform.comments(ids.A)).map(({ body }) => body.markdown)[0]).toMatch(
      /: A goes on \d{4}-/,
    );
  });
});

describe.sequential('what happens between reading and sending', () => {
  const lead = async () =>
    (
      await platform.home.json<{ id: string; role: string; user: { email: string } }[]>(['members', 'list'])
    ).find(({ role }) => role === 'admin')?.id ?? '';

  test('spares those in a saved plan that is applied later, and no others', async () => {
    await platform.pass(14);
    const plan = ['--archive', '--as', await lead(), '--save-plan', 'plan.json'];
    expect((await run(...plan)).code).toBe(0);
    await platform.comment(ids.C, 'Wait!');
    const { code, stdout } = await platform.home.run([
      'apply',
      'plan.json',
      '--yes',
      '--replan',
      'rest.json',
    ]);
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('discussion has changed; nothing was sent for it'),
    });
    expect(await platform.statusOf(ids.A)).toBe('archived');
    expect(await platform.statusOf(ids.C)).toBe('open');
    // A new plan of what is left does not forget what it rests on.
    expect(JSON.parse(readFileSync(join(platform.home.path, 'rest.json'), 'utf8'))).toMatchObject({
      operations: [{ reads: { fields: expect.arrayContaining(['discussion', 'revision']) } }],
    });
    expect((await platform.home.run(['apply', 'rest.json', '--yes'])).code).not.toBe(0);
    expect(await platform.statusOf(ids.C)).toBe('open');
    expect(await actions(...keep, '--archive')).toEqual({ C: 'spared', D: 'exempt' });
  });

  test('spares those that somebody comments on while the job runs, warned or archived', async () => {
    await platform.pass(61);
    const [E = ''] = await platform.opened(['E']);
    await platform.pass(61);
    platform.forwarder.reset();
    const commented = new Promise<void>((done, failed) => {
      platform.forwarder.onChange = (count) => {
        if (count > 1) return 'pass';
        platform.comment(E, 'Alive!').then(() => done(), failed);
        return 'pass';
      };
    });
    const { code, stdout } = await run('--concurrency', '1', '--yes', '--json');
    await commented;
    const rows = JSON.parse(stdout) as { status: string; error?: { code: string } }[];
    // The one that was left alone for the shortest time is the last.
    expect({ code, rows: rows.map(({ status, error }) => [status, error?.code]) }).toEqual({
      code: 3,
      rows: [...rows.slice(1).map(() => ['ok', undefined]), ['failed', 'stale']],
    });
    expect(rows.length).toBeGreaterThan(1);
    expect((await platform.comments(E)).map(({ body }) => body.markdown)).toEqual(['Alive!']);
  });
});

test('what cannot be read is said, and ends with exit 3 after the rest was done', async () => {
  await platform.pass(61);
  const requests = `GET /v1/spaces/${platform.space}/change-requests/${ids.D}/comments`;
  await platform.home.ok(['sandbox', 'fault', '--match', requests, '--status', '403', '--times', '9']);
  const { code, stdout, stderr } = await platform.home.run(platform.stale('--list', '--json'));
  await platform.home.ok(['sandbox', 'fault', '--clear']);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: object };
  expect({ code, error }).toMatchObject({ code: 3, error: { code: 'unread', details: { unread: [{}] } } });
  expect((JSON.parse(stdout) as { subject: string }[]).map(({ subject }) => subject)).not.toContain('D');
});

test('bad input is refused before anything is read', async () => {
  platform.forwarder.reset();
  let reads = 0;
  platform.forwarder.onRead = () => {
    reads += 1;
  };
  writeFileSync(join(platform.home.path, 'bad.txt'), '12\n');
  for (const [words, code] of [
    [['--older-than', 'soon'], 'bad_span'],
    [['--warn', '0d'], 'bad_span'],
    [['--exempt', '@bad.txt'], 'bad_exempt'],
    [['--message', 'Hi {nobody}'], 'bad_message'],
    [['--list', '--save-plan', 'x.json'], 'contradiction'],
  ] as const) {
    const ran = await platform.home.run(['change-requests', 'stale', ...words, '--json']);
    expect({ words, code: ran.code, stderr: ran.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`"code":"${code}"`),
    });
  }
  expect(reads).toBe(0);
});
