import { describe, expect, test } from 'vitest';
import type { Pair } from '../../../src/access/person.js';
import { updateSpace } from '../../../src/api/resources/spaces.js';
import { seedId } from '../../sandbox/client.js';
import { accessWorldOfFile, person, space } from '../access-world.js';

/** `docs access matrix`: seven people, five spaces. */

const world = await accessWorldOfFile();
const matrix = (...words: string[]) => world.json<Pair[]>(['access', 'matrix', ...words]);
const docs = (...words: string[]) => world.docs(['access', 'matrix', ...words]);
const rolesOf = (pairs: readonly Pair[], name: string) =>
  Object.fromEntries(
    pairs.filter((pair) => pair.person.id === person(name)).map((pair) => [pair.space.title, pair.role]),
  );

describe('JSON', () => {
  test('has every pair, with null for none', async () => {
    const pairs = await matrix();
    expect(pairs).toHaveLength(35);
    expect(pairs[0]).toEqual({
      person: { id: person('goran'), email: 'goran@acme.example', displayName: 'Goran Novak' },
      space: { id: expect.any(String), title: expect.any(String) },
      role: expect.toSatisfy((role) => role === null || role === 'read'),
    });
    expect(rolesOf(pairs, 'goran')).toEqual({
      ...{ Welcome: null, 'Product Guide': 'read', 'API Reference': null },
      ...{ 'Engineering Handbook': null, 'Board Notes': null },
    });
    expect(rolesOf(pairs, 'chiara')['Board Notes']).toBe('edit');
  });

  test('is that of `members spaces`, for everybody', async () => {
    const pairs = await matrix();
    for (const name of ['ada', 'bruno', 'chiara', 'deniz', 'emil', 'farah', 'goran']) {
      const words = ['members', 'spaces', person(name)];
      const spaces = await world.json<{ permission: string; space: { title: string } }[]>(words);
      const told = Object.entries(rolesOf(pairs, name)).filter(([, role]) => role !== null);
      expect(Object.fromEntries(told), name).toEqual(
        Object.fromEntries(spaces.map(({ permission, space: { title } }) => [title, permission])),
      );
    }
  });

  test('is narrowed by spaces, collections with those inside them, and roles', async () => {
    const titles = (pairs: readonly Pair[]) => [...new Set(pairs.map((pair) => pair.space.title))];
    expect(titles(await matrix('--space', space('api')))).toEqual(['API Reference']);
    expect(titles(await matrix('--collection', seedId('collection product'))).sort()).toEqual([
      'API Reference',
      'Product Guide',
    ]);
    const admins = await matrix('--role', 'admin');
    expect(admins.map((pair) => [pair.person.id, pair.role])).toEqual(
      Array(5).fill([person('ada'), 'admin']),
    );
    const none = await matrix('--role', 'none', '--space', space('board'));
    expect(none.map(({ role }) => role)).toEqual(Array(5).fill(null));
  });
});

describe('a sheet and a table', () => {
  test('CSV has people as rows and spaces as columns', async () => {
    const both = ['--space', space('api'), '--space', space('board')];
    const { stdout, stderr, code } = await docs('-o', 'csv', ...both);
    const [header, ...rows] = stdout.trimEnd().split('\n');
    const fixed = 'person.id,person.email,person.displayName,organizationRole';
    expect(header).toBe(`${fixed},API Reference,Board Notes`);
    expect(rows).toHaveLength(7);
    expect(rows).toContain(`${person('goran')},goran@acme.example,Goran Novak,guest,,`);
    expect(rows).toContain(`${person('chiara')},chiara@acme.example,Chiara Rossi,review,edit,edit`);
    expect({ stderr, code }).toEqual({ stderr: '7 people, 2 spaces.\n', code: 0 });
  });

  test('with --fields, and in a pipe, each pair is a row', async () => {
    const rows = await docs('-o', 'csv', '--fields', 'person.email,role', '--space', space('api'));
    expect(rows.stdout).toContain('person.email,role\ngoran@acme.example,\nfarah@acme.example,read\n');
    expect((await docs('--space', space('api'))).stdout.split('\n')[1]).toBe(
      `Farah Haddad\tfarah@acme.example\tAPI Reference\tread\t${person('farah')}\t${space('api')}`,
    );
  });

  test('ids are those of people, each once', async () => {
    expect((await docs('-o', 'id', '--role', 'admin')).stdout).toBe(`${person('ada')}\n`);
    expect((await docs('-o', 'id')).stdout.trimEnd().split('\n')).toHaveLength(7);
  });

  test('a table shows the spaces that fit, and says how many do not', async () => {
    const table = ['access', 'matrix', '-o', 'table'];
    const wide = await world.docs(table, { columns: 160 });
    expect(wide.stdout).toMatch(/^PERSON .*API Reference.*Board Notes/);
    expect(wide.stderr).not.toContain('fit');
    const narrow = await world.docs(table, { columns: 60 });
    expect(narrow.stdout.split('\n')[1]).toMatch(/^Goran Novak +read +- +-/);
    expect(narrow.stderr.replaceAll(/\s+/g, ' ')).toContain(
      '3 spaces of 5 fit; for the others widen the window, name them with --space, or use -o csv',
    );
    expect(Math.max(...narrow.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test('--limit counts rows, and says that more follow', async () => {
    const cut = await docs('-o', 'csv', '--limit', '2');
    expect(cut.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(cut.stderr).toContain('showing 2; more follow');
    const whole = await docs('--json', '--limit', '7', '--space', space('api'));
    expect(whole.stderr).toBe('7 people, 1 space.\n');
  });
});

test('titles that a spreadsheet or a terminal would run are shown as text', async () => {
  const titled = (title: string) =>
    world.sandbox.admin.ok(updateSpace, { path: { spaceId: space('board') }, body: { title } });
  await titled('=1+1');
  expect((await docs('-o', 'csv', '--space', space('board'))).stdout).toContain(",organizationRole,'=1+1\n");
  await titled('\u001b[31mBoard');
  const { stdout } = await world.docs(['access', 'matrix', '--space', space('board')], { columns: 80 });
  expect(stdout).toContain('Board');
  expect(stdout).not.toContain('\u001b');
  await titled('Board Notes');
});

describe('what cannot be read', () => {
  test('is unknown, counted, and exits 3', async () => {
    world.refuse(new RegExp(`/members/${person('emil')}/spaces`));
    const ran = await docs('--role', 'admin', '--json');
    expect(ran.code).toBe(3);
    const pairs: Pair[] = JSON.parse(ran.stdout);
    expect(Object.values(rolesOf(pairs, 'emil'))).toEqual(Array(5).fill('unknown'));
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'not_all_read',
      message: '2 people, 5 spaces; 5 rows are unknown, 1 list could not be read',
      details: { rows: 10, unknown: 5, failures: 1 },
    });
    const sheet = await docs('-o', 'csv', '--space', space('api'));
    expect(sheet).toMatchObject({ code: 3, stdout: expect.stringContaining('Émil Laurent,comment,unknown') });
  });

  test('a space that only members list has a column from then on, and is named', async () => {
    world.refuse(/\/members\?.*role=admin/);
    const ran = await docs('--json');
    expect(ran.code).toBe(3);
    const pairs: Pair[] = JSON.parse(ran.stdout);
    expect(rolesOf(pairs, 'chiara')['Board Notes']).toBe('edit');
    expect(rolesOf(pairs, 'ada')['Board Notes']).toBe('admin');
    expect(rolesOf(pairs, 'goran')).not.toHaveProperty('Board Notes');
    expect(JSON.parse(ran.stderr).error.details.holes).toEqual([
      expect.stringContaining(`Space Board Notes (${space('board')})`),
    ]);
  });

  test('a site or a collection: nothing is missing, as admins have every space', async () => {
    world.refuse(/\/(sites|collections)\//);
    expect(await docs('-o', 'csv')).toMatchObject({ code: 0, stderr: '7 people, 5 spaces.\n' });
  });

  test('members: there is nothing to show', async () => {
    world.refuse(/\/members\?(?!.*role=admin)/);
    expect(await docs('--json')).toMatchObject({ code: 5 });
  });

  test.each([
    ['create', 0],
    ['read', 0],
    ['guest', 0],
    ['other-org', 6],
  ])('with the token of %s it exits %d', async (as, code) => {
    const ran = await world.docs(['access', 'matrix', '--json'], { as });
    expect(ran.code).toBe(code);
    if (code === 0) expect(JSON.parse(ran.stdout)).toHaveLength(35);
  });
});
