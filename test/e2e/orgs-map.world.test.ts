import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MapRow } from '../../src/commands/orgs/shapes.js';
import { type BackupHome, backupHome, homeOfFile, type Tables } from './backup-home.js';
import { screenHere } from './screen-here.js';

/** `docs orgs map`: everything stands where the other commands say it is. */

const home = homeOfFile({ goesOn: true });
const map = (...words: string[]) => home.json<MapRow[]>(['orgs', 'map', ...words]);
const ofKind = (rows: MapRow[], kind: MapRow['kind']) => rows.filter((row) => row.kind === kind);
const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

/** What a terminal shows, line by line. */
async function screen(
  at: BackupHome,
  columns: number,
  words: string[] = [],
  env: Record<string, string> = {},
) {
  const options = { env: { NO_COLOR: '1', ...env }, columns };
  const { code, screen: text } = await screenHere(at, ['orgs', 'map', ...words], options);
  return { code, lines: text.split('\n').map((line) => line.trimEnd()) };
}

describe('what it says', () => {
  test('is what the other commands list', async () => {
    const rows = await map();
    const list = <T>(...words: string[]) => home.json<(T & { id: string })[]>([...words, 'list']);
    const [spaces, collections, sites, teams, members] = await Promise.all([
      list<{ parent?: string; visibility: string; changeRequestsOpen: number }>('spaces'),
      list<{ parent?: string }>('collections'),
      list<{ siteSpaces: number }>('sites'),
      list<{ members: number }>('teams'),
      list<{ role: string | null }>('members'),
    ]);
    const expectRow = (row: object) => expect(rows).toContainEqual(expect.objectContaining(row));
    for (const { id, visibility, changeRequestsOpen: openChangeRequests, parent = 'spaces' } of spaces)
      expectRow({ kind: 'space', id, visibility, parent, openChangeRequests });
    expect(ids(ofKind(rows, 'space'))).toEqual(ids(spaces));
    for (const { id, parent = 'spaces' } of collections) expectRow({ kind: 'collection', id, parent });
    for (const { id, siteSpaces } of sites)
      expectRow({ kind: 'site', id, parent: 'sites', spaces: siteSpaces });
    for (const { id, members: people } of teams) expectRow({ kind: 'team', id, members: people });
    const roles = Object.fromEntries(ofKind(rows, 'role').map(({ id, members: people }) => [id, people]));
    for (const [role, people] of Object.entries(roles))
      expect(members.filter((one) => (one.role ?? 'guest') === role)).toHaveLength(people ?? 0);
    const totals = Object.fromEntries(ofKind(rows, 'part').map(({ id, total }) => [id, total]));
    const { openapi, saml, ...first } = totals;
    expect(first).toEqual({ spaces: 5, sites: sites.length, teams: teams.length, people: 7 });
    expect([openapi, saml]).toEqual([ofKind(rows, 'openapi').length, ofKind(rows, 'saml').length]);
  });

  test('of a site is its tree', async () => {
    const rows = await map('--only', 'sites');
    for (const site of ofKind(rows, 'site')) {
      const tree = await home.json<MapRow[]>(['sites', 'tree', site.id]);
      const start = rows.indexOf(site) + 1;
      const length = rows.slice(start).findIndex(({ depth }) => depth <= 2);
      const own = rows.slice(start, length === -1 ? undefined : start + length);
      const simple = ({ title, path, depth }: MapRow, less: number) => [depth - less, title, path];
      expect(own.map((row) => simple(row, 3))).toEqual(tree.map((row) => simple(row, 0)));
    }
  });

  test('reads each list once, and the pages of spaces only where they are to be counted', async () => {
    const sentBy = async (...words: string[]) => {
      const before = home.gateway.requests.length;
      const rows = await map(...words);
      return { rows, sent: home.gateway.requests.slice(before) };
    };
    const { sent } = await sentBy();
    expect(sent.filter((line) => !line.startsWith('GET '))).toEqual([]);
    expect(sent).toHaveLength(new Set(sent).size);
    expect(sent.filter((line) => line.includes('/pages'))).toEqual([]);
    const counted = await sentBy('--pages', '--only', 'spaces');
    expect(counted.sent.filter((line) => line.includes('/pages'))).toHaveLength(5);
    for (const { id, pages } of ofKind(counted.rows, 'space').slice(0, 3)) {
      const listed = await home.ok(['content', 'pages', 'list', '--space', id, '-o', 'id']);
      expect(listed.trimEnd().split('\n')).toHaveLength(pages ?? 0);
    }
    const people = await sentBy('--only', 'people');
    expect(people.sent.every((line) => /^GET \/v1\/orgs\/[^/]+(\/members\?.*)?$/.test(line))).toBe(true);
  });

  test('in a pipe is a row a node; --depth and --only leave out rows', async () => {
    const words = ['orgs', 'map', '--only', 'people,teams', '--depth', '1'];
    const { stdout, stderr, code } = await home.run(words);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').slice(0, 3).join(' '));
    expect({ code, stderr, rows }).toEqual({
      ...{ code: 0, stderr: '' },
      rows: ['organization 0 Acme Docs', 'part 1 Teams', 'part 1 People'],
    });
    for (const wrong of [
      ['--only', 'people', '--pages'],
      ['--only', 'persons'],
      ['--depth', '0'],
    ])
      expect((await home.run(['orgs', 'map', ...wrong])).code).toBe(2);
  });
});

describe('what cannot be read', () => {
  test('is named, marked, and exits 3; the rest is there', async () => {
    home.refuse(/\/teams\?|\/saml/, 403);
    const { code, stdout, stderr } = await home.run(['orgs', 'map']);
    expect(code).toBe(3);
    expect(stderr).toContain('Not read: teams of ');
    expect(stderr).toContain('the map lacks what could not be read: teams, saml');
    const rows = await home.run(['orgs', 'map', '--json']);
    const parsed = JSON.parse(rows.stdout) as MapRow[];
    expect(ofKind(parsed, 'part').filter(({ unread }) => unread)).toEqual([
      { kind: 'part', depth: 1, title: 'Teams', id: 'teams', parent: home.org, unread: true },
      { kind: 'part', depth: 1, title: 'SAML providers', id: 'saml', parent: home.org, unread: true },
    ]);
    expect(JSON.parse(rows.stderr)).toMatchObject({
      error: { code: 'not_all_read', exitCode: 3, details: { parts: ['teams', 'saml'] } },
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(parsed.length);
    expect((await home.run(['orgs', 'map', '-o', 'mermaid'])).stdout).toContain(
      '"Teams<br/>not read in full"',
    );
  });

  test('of one collection leaves what is there at least', async () => {
    home.refuse(/\/v1\/collections\/[^/]+\/spaces/, 403);
    const { code, stdout } = await home.run(['orgs', 'map', '--json']);
    const rows = JSON.parse(stdout) as MapRow[];
    expect(code).toBe(3);
    expect(ofKind(rows, 'collection').every(({ unread }) => unread)).toBe(true);
    expect(rows.find(({ id }) => id === 'spaces')).toMatchObject({ unread: true });
    const { lines } = await screen(home, 80);
    expect(lines.join('\n')).toMatch(/├─ Spaces {2}at least \d+ · not read in full/);
  });

  test('of everything is one failure', async () => {
    for (const [env, code] of [
      [{ DOCS_TOKEN: 'sbx_wrong' }, 4],
      [{ DOCS_ORG: 'nowhere' }, 6],
    ] as const) {
      const ran = await home.run(['orgs', 'map', '--no-retry'], { env: { ...env } });
      expect([ran.code, ran.stdout]).toEqual([code, '']);
    }
  });
});

describe('on a terminal', () => {
  test.each([60, 120])('of %i columns each node has a line, and every line fits', async (columns) => {
    const { code, lines } = await screen(home, columns, ['--only', 'sites,teams,people,openapi,saml']);
    expect(code).toBe(0);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.filter((line) => /^(│ {2}| {3})*[├└]─ /.test(line)).length).toBe(
      (await map('--only', 'sites,teams,people,openapi,saml')).length - 1,
    );
    expect(lines.join('\n')).toMatch(/^├─ People {2}7$/m);
  });

  test('whose locale is not UTF-8 has lines of ASCII', async () => {
    const { lines } = await screen(home, 80, ['--only', 'people'], { LC_ALL: 'C' });
    expect(lines.join('\n')).toMatch(/^`- People {2}7\n {3}\|- admin {2}\d (?:person|people)$/m);
  });
});

describe('titles', () => {
  const hostile = [
    '"]; evil [label="x',
    '<script>alert(1)</script>',
    'end',
    'שלום \u202e#`$',
    'é'.repeat(300),
    '\u001b[31mred\nline',
  ];

  let tiny: BackupHome;
  beforeAll(async () => {
    const change = (tables: Tables) => {
      for (const [kind, shift] of [
        ['spaces', 0],
        ['teams', 4],
      ] as const)
        for (const [index, row] of (tables[kind] ?? []).entries())
          row.title = hostile[(index + shift) % hostile.length];
    };
    tiny = await backupHome({ change });
  });
  afterAll(() => tiny.end());

  // In drawings: test/commands/orgs-map.test.ts.
  test('of any kind stay text', async () => {
    const rows = await tiny.json<MapRow[]>(['orgs', 'map']);
    const titles = rows.map(({ title }) => title);
    expect(hostile.filter((title) => !titles.includes(title))).toEqual([]);
    const tsv = (await tiny.ok(['orgs', 'map'])).trimEnd().split('\n');
    expect(tsv).toHaveLength(rows.length);
    for (const columns of [60, 120]) {
      const { lines } = await screen(tiny, columns);
      expect(lines.filter((line) => [...line].length > columns)).toEqual([]);
      expect(lines.filter((line) => /[├└]─ /.test(line))).toHaveLength(rows.length - 1);
    }
  });
});

describe('--html', () => {
  test('writes a page beside what is printed, and replaces nothing else', async () => {
    const plain = await home.run(['orgs', 'map']);
    const { code, stdout, stderr } = await home.run(['orgs', 'map', '--html', 'map.html']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: plain.stdout });
    expect(stderr).toMatch(/^Wrote map\.html \([\d.]+ kB\)\.\n$/);
    expect(statSync(home.at('map.html')).mode & 0o777).toBe(0o600);
    expect(readFileSync(home.at('map.html'), 'utf8')).toContain('<title>Map of Acme Docs</title>');
    writeFileSync(home.at('mine.html'), 'mine');
    const before = home.gateway.requests.length;
    const refused = await home.run(['orgs', 'map', '--html', 'mine.html']);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(home.gateway.requests).toHaveLength(before);
    expect(readFileSync(home.at('mine.html'), 'utf8')).toBe('mine');
  });

  test('says what could not be read', async () => {
    home.refuse('/saml', 403);
    expect((await home.run(['orgs', 'map', '--html', 'part.html'])).code).toBe(3);
    expect(readFileSync(home.at('part.html'), 'utf8')).toContain('Not read: SAML providers of ');
  });
});
