import { beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../src/sandbox/store/store.js';
import { homeOfFile, type Tables } from './backup-home.js';
import { screenHere } from './screen-here.js';

/** `docs change-requests list` over the 60 spaces of Acme, and by time. */

interface Row {
  id: string;
  updatedAt: string;
  status: string;
  createdBy?: { id: string };
  space: { id: string; title: string };
}

const home = homeOfFile({ seed: 'acme', goesOn: true, leavesTexts: true });
let tables: Tables;
beforeAll(async () => {
  const { db } = await openStore(home.at('.local', 'share', 'docs', 'sandbox.db'), Date);
  const rows = (table: string) => db.all<Tables[string][number]>(`SELECT * FROM ${table}`);
  tables = { users: rows('users'), change_requests: rows('change_requests') };
  db.close();
});

const list = ['change-requests', 'list', '--all-spaces'];
const rows = (...words: string[]) => home.json<Row[]>([...list, ...words]);
const ids = (items: readonly { id?: unknown }[]) => items.map(({ id }) => String(id)).sort();
/** Of the database, the oldest update first. */
const stored = (status: string) =>
  (tables.change_requests ?? [])
    .filter((row) => row.status === status)
    .sort((one, other) => Number(one.updated_at) - Number(other.updated_at));
/** Changes the items of the lists of one space. */
const inSpace = (space: string, change: (item: Record<string, unknown>) => unknown) => {
  home.gateway.rewrite = (line, text) => {
    if (!line.includes(`/v1/spaces/${space}/change-requests?`)) return text;
    const body = JSON.parse(text) as { items: Record<string, unknown>[] };
    return JSON.stringify({ ...body, items: body.items.map(change) });
  };
};

describe('over all spaces', () => {
  test('the five oldest of all open ones take one command and at most 70 requests', async () => {
    const ran = await home.run([...list, '--limit', '5', '-o', 'id']);
    expect(home.gateway.requests.length).toBeLessThanOrEqual(70);
    expect(ran).toMatchObject({ code: 0, stderr: 'showing 5 of 45\n' });
    const five = stored('open').slice(0, 5);
    expect(ran.stdout.trimEnd().split('\n')).toEqual(five.map(({ id }) => id));
  });

  test.each(['open', 'merged'])('lists all that are %s, each once', async (status) => {
    const found = await rows('--status', status);
    expect(ids(found)).toEqual(ids(stored(status)));
    const times = found.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted());
    const space = Object.fromEntries(
      (tables.change_requests ?? []).map(({ id, space_id }) => [id, space_id]),
    );
    for (const row of found) expect(row.space.id).toBe(space[row.id]);
  });

  test('by contributor, named by email', async () => {
    const deniz = (tables.users ?? []).find(({ email }) => email === 'deniz@acme.example');
    const found = await rows('--contributor', 'deniz@acme.example');
    const own = stored('open').filter(({ created_by }) => created_by === deniz?.id);
    expect(ids(found)).toEqual(ids(own));
    expect(found).not.toHaveLength(0);
  });

  test('before and after a time of the platform’s clock', async () => {
    const { time } = await home.json<{ time: string }>(['sandbox', 'status']);
    const limit = Date.parse(time) - 30 * 86_400_000;
    const [old, recent] = [await rows('--updated-before', '30d'), await rows('--updated-after', '30d')];
    const older = stored('open').filter(({ updated_at }) => Number(updated_at) < limit);
    expect(ids(old)).toEqual(ids(older));
    expect(old.length * recent.length).toBeGreaterThan(0);
    expect(ids([...old, ...recent])).toEqual(ids(stored('open')));
    const both = await rows('--updated-after', '2025-11-01', '--updated-before', '2025-12-01');
    expect(both.every(({ updatedAt }) => updatedAt.startsWith('2025-11-'))).toBe(true);
    expect(both).not.toHaveLength(0);
  });

  test('gives a loop both ids, in CSV and by --jq, and picks fields', async () => {
    const [first] = await rows();
    const csv = await home.ok([...list, '--fields', 'space.id,id', '-o', 'csv']);
    expect(csv.split('\n').slice(0, 2)).toEqual(['space.id,id', `${first?.space.id},${first?.id}`]);
    const jq = await home.ok([...list, '--jq', '.[] | [.space.id, .id] | @tsv']);
    expect(jq.split('\n')[0]).toBe(`${first?.space.id}\t${first?.id}`);
    expect(await home.run([...list, '--fields', 'nothing'])).toMatchObject({ code: 2 });
  });

  test('on a terminal of 80 columns with space, subject, author and status; no space is asked for', async () => {
    const { code, screen } = await screenHere(home, [...list, '--limit', '3']);
    expect(code).toBe(0);
    expect(screen).toMatch(/^SPACE +NO +SUBJECT +AUTHOR +STATUS/m);
    expect(screen).toMatch(/^Legal Guide +1 +Update “Migrate caches” +Thandi Suzuki +open/m);
  });

  test.each([
    [['--space', 's1'], '--all-spaces and --space contradict each other'],
    [['--page', 'x'], '--all-spaces and --page contradict each other'],
    [['--updated-before', '60 days'], 'invalid --updated-before "60 days"; expected a span such as 60d'],
    [['--updated-after', '2026-02-30'], 'invalid --updated-after "2026-02-30"; expected a span such as 60d'],
    [['--page-size', '5000'], '--page-size must be'],
  ])('refuses %j before anything is sent', async (words, message) => {
    const ran = await home.run([...list, ...words]);
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(home.gateway.requests).toEqual([]);
  });

  test('a space named in the environment does not narrow it', async () => {
    const { stdout } = await home.run([...list, '--json'], { env: { DOCS_SPACE: 's1' } });
    expect(JSON.parse(stdout)).toHaveLength(45);
  });
});

describe('what the platform does not give', () => {
  test.each([403, 500])('a space that answers %d is named, the others are listed, exit 3', async (status) => {
    const [gone] = stored('open');
    const left = stored('open').filter(({ space_id }) => space_id !== gone?.space_id);
    home.refuse(`/v1/spaces/${gone?.space_id}/change-requests`, status);
    const ran = await home.run([...list, '-o', 'id', '--no-retry']);
    expect(ran.code).toBe(3);
    expect(ran.stdout.trimEnd().split('\n').sort()).toEqual(ids(left));
    expect(ran.stderr).toMatch(new RegExp(`^Not read: space [^\\n]+ \\(${gone?.space_id}\\): `, 'm'));
    expect(ran.stderr).toContain(`found ${left.length} change requests in 60 spaces. Not read: 1`);
  });

  test('with --json the failure carries what was not read', async () => {
    home.refuse(/\/sites\?/, 500);
    const ran = await home.run([...list, '--json', '--no-retry']);
    expect(ran.code).toBe(3);
    const { error } = JSON.parse(ran.stderr) as { error: { details: { unread: { kind: string }[] } } };
    expect(error.details.unread).toMatchObject([{ kind: 'sites', id: home.org }]);
    expect(JSON.parse(ran.stdout)).not.toHaveLength(0);
  });

  test('where no space can be found, it fails as that request did', async () => {
    home.refuse(/\/(collections|sites|members)\?/, 403);
    expect(await home.run([...list, '--json'])).toMatchObject({ code: 5, stdout: '' });
  });

  test('one without a date is listed last, named, and exits 3: its age is unknown', async () => {
    const [oldest] = stored('open');
    inSpace(String(oldest?.space_id), (item) =>
      item.id === oldest?.id ? { ...item, updatedAt: 'soon' } : item,
    );
    const ran = await home.run([...list, '--json']);
    expect(ran.code).toBe(3);
    expect((JSON.parse(ran.stdout) as Row[]).at(-1)?.id).toBe(oldest?.id);
    expect(ran.stderr).toContain('the platform does not say when it was last updated');
    const timed = await home.run([...list, '--updated-before', '10d', '--json']);
    expect(timed.code).toBe(3);
    expect(ids(JSON.parse(timed.stdout) as Row[])).not.toContain(oldest?.id);
  });

  test('no author, and a field of a later version: printed as it is', async () => {
    const [oldest] = stored('open');
    inSpace(String(oldest?.space_id), ({ createdBy: _, ...item }) => ({ ...item, mood: 'good' }));
    const [first] = await rows();
    expect(first).toMatchObject({ id: oldest?.id, mood: 'good' });
    expect(first?.createdBy).toBeUndefined();
  });

  test.each([null, { id: 5 }])('an item that is %j: the space counts as unread', async (item) => {
    inSpace(String(stored('open')[0]?.space_id), () => item);
    const ran = await home.run([...list, '--json']);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('the platform listed a change request without an id');
  });

  test('spaces without counters are asked; a title in another type is the id', async () => {
    home.gateway.rewrite = (line, text) => {
      if (!/\/(spaces|site-spaces)\?/.test(line)) return text;
      return text.replace(/"changeRequests(Open|Draft)?":\d+,/g, '').replace(/"title":"[^"]*"/g, '"title":7');
    };
    const found = await rows();
    expect(ids(found)).toEqual(ids(stored('open')));
    expect(found.every(({ space }) => space.title === space.id)).toBe(true);
  });

  test.each(['[null]', '[{"id":""}]'])('a list of spaces %s is named as unread', async (items) => {
    home.gateway.rewrite = (line, text) =>
      /\/(spaces|site-spaces)\?/.test(line) ? `{"items":${items}}` : text;
    const ran = await home.run([...list, '--json']);
    expect(ran).toMatchObject({ code: 3, stdout: '[]\n' });
    expect(ran.stderr).toContain('the platform listed a ');
  });
});

describe('of one space', () => {
  const space = () => String(stored('open').find(({ number }) => Number(number) === 5)?.space_id);

  test('by time, in the order of the platform; nothing else differs', async () => {
    const words = ['change-requests', 'list', '--space', space(), '--json'];
    const all = JSON.parse(await home.ok(words)) as Row[];
    const old = JSON.parse(await home.ok([...words, '--updated-before', '20d'])) as Row[];
    const recent = JSON.parse(await home.ok([...words, '--updated-after', '20d'])) as Row[];
    expect([...recent, ...old].map(({ id }) => id).sort()).toEqual(ids(all));
    expect([old.length, recent.length]).not.toContain(0);
    expect(all).toEqual(expect.arrayContaining([...old, ...recent]));
  });

  test('--limit counts what is in the time, and says whether more follows', async () => {
    const words = ['change-requests', 'list', '--space', space(), '--page-size', '1', '-o', 'id'];
    const one = await home.run([...words, '--updated-before', '1d', '--limit', '1']);
    expect(one).toMatchObject({ code: 0, stderr: 'showing 1; more follow\n' });
    // The newest number is the older one here: it is left out, and does not count.
    const last = await home.run([...words, '--updated-after', '20d', '--limit', '1']);
    expect(last).toMatchObject({ code: 0, stderr: '' });
    expect(last.stdout).not.toBe(one.stdout);
  });

  test('one without a date is named and exits 3', async () => {
    inSpace(space(), ({ updatedAt: _, ...item }) => item);
    const words = ['change-requests', 'list', '--space', space(), '--updated-before', '1d', '--json'];
    const ran = await home.run(words);
    expect(ran).toMatchObject({ code: 3, stdout: '[]\n' });
    expect(ran.stderr).toContain('does not say when it was last updated');
  });
});
