import { describe, expect, test } from 'vitest';
import { bulkHome } from './bulk-home.js';

/** What a file of rows may hold, and what `docs bulk` says of it before anything is sent. */

const known = [
  { id: 's1', title: 'Handbook' },
  { id: 's2', title: 'Guides' },
  { id: 's3', title: 'Guides' },
];
const { home, platform, rows } = await bulkHome((method, { pathname }) => {
  if (method !== 'GET') return { body: { id: 'x', title: 'x' } };
  if (pathname.endsWith('/collections')) return { body: { items: [{ id: 'c1', title: 'All' }] } };
  if (pathname === '/v1/collections/c1/spaces') return { body: { items: known } };
  const found = known.find(({ id }) => pathname === `/v1/spaces/${id}`);
  if (found !== undefined) return { body: found };
  return pathname.startsWith('/v1/spaces/') ? undefined : { body: { items: [] } };
});

const members = (from: string, ...more: string[]) => ['bulk', 'members', 'update', '--from', from, ...more];
const spaces = (from: string, ...more: string[]) => ['bulk', 'spaces', 'update', '--from', from, ...more];
/** What comes of each row where those with mistakes are left out. */
const skipping = (from: string) =>
  home.run([...members(from, '--skip-invalid'), '-o', 'tsv', '--fields', 'index,id,status']);
const changes = () => platform.requests.filter((request) => !request.startsWith('GET'));

async function expectRefused(args: string[]): Promise<string> {
  const ran = await home.run(args);
  expect({ code: ran.code, stdout: ran.stdout, changes: changes() }).toEqual({
    code: 2,
    stdout: '',
    changes: [],
  });
  return ran.stderr;
}

test.each([
  ['b.json', '[{"space": 12345678901234567890, "title": "A"}]'],
  ['b.ndjson', '{"space": 12345678901234567890, "title": "A"}'],
])('an id keeps its digits: %s', async (name, text) => {
  await home.ok(spaces(rows(name, text)));
  expect(platform.requests).toEqual(['PATCH /v1/spaces/12345678901234567890']);
});

test('so do the numbers of a body and of a field, and a dry run shows them', async () => {
  const body = rows('body.json', '{"values": {"n": {"value": 12345678901234567890}}}');
  const shown = await home.ok(['api', 'PATCH', '/v1/spaces/s1/custom-fields', '--input', body, '--dry-run']);
  expect(shown).toContain('"value":12345678901234567890');
  const field = ['spaces', 'fields', 'set', 's1', 'n=12345678901234567890', '--dry-run'];
  expect(await home.ok(field)).toContain('"value": 12345678901234567890');
  // What it says of undo rests on the value that is there.
  expect(platform.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
});

describe('--by-title', () => {
  test('finds the resource of each row, with one look at the list', async () => {
    const from = rows(
      's.csv',
      'space,emoji\nHandbook,1f600\nGUIDES,1f601\nHandbook,1f600\n'.replace('GUIDES', 's2'),
    );
    await home.ok([...spaces(from), '--by-title']);
    // Rows of different spaces are sent at the same time, so they may overtake each other.
    expect(changes().sort()).toEqual(['PATCH /v1/spaces/s1', 'PATCH /v1/spaces/s1', 'PATCH /v1/spaces/s2']);
    expect(platform.requests.filter((one) => one.startsWith('GET /v1/collections/c1/spaces'))).toHaveLength(
      1,
    );
  });

  test('a title that no resource has, and one that several have, are mistakes of their rows', async () => {
    const from = rows('s.csv', 'space,title\nHandbook,A\nNothing,B\nGuides,C\n');
    const said = await expectRefused([...spaces(from), '--by-title']);
    expect(said).toContain('Line 3: no space has the id or title "Nothing"');
    expect(said).toContain('Line 4: 2 spaces are called "Guides": s2, s3. Pass the id.');
  });
});

describe('--skip-invalid', () => {
  test('tells the id of each row, wherever its column stands and whatever it is written as', async () => {
    const csv = rows('a.csv', 'role,user\nboss,u1\nread,u2\n');
    const first = await skipping(csv);
    expect(first.stdout).toBe('0\tu1\tskipped\n1\tu2\tok\n');
    const json = rows(
      'a.json',
      '[{"role": "boss", "user": 12345678901234567890}, {"role": "boss", "user": 7}]',
    );
    const second = await skipping(json);
    expect(second.stdout).toBe('0\t12345678901234567890\tskipped\n1\t7\tskipped\n');
  });
});

test('NUL in an id is refused, and so is any other control character', async () => {
  const from = rows('a.json', '[{"user": "u\\u0000", "role": "read"}, {"user": "u\\n1", "role": "read"}]');
  const said = await expectRefused(members(from));
  expect(said).toContain('Line 1, column 3 (user): user must be an id');
  expect(said).toContain('2 of 2 rows have mistakes');
});

describe('blanks at the ends of cells', () => {
  test('are removed and told', async () => {
    const from = rows('a.csv', 'user , role\nu1 , read\n u2,comment\n');
    const ran = await home.run(members(from));
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Removed blanks at the ends of 3 cells; --keep-blanks keeps them.');
    expect(changes()).toEqual(['PATCH /v1/orgs/o1/members/u1', 'PATCH /v1/orgs/o1/members/u2']);
    expect(platform.bodies.filter((body) => body !== undefined)).toEqual([
      { role: 'read' },
      { role: 'comment' },
    ]);
  });

  test('stay with --keep-blanks, which JSON does not need', async () => {
    const from = rows('a.csv', 'space,title\ns1, A \n');
    await home.ok(spaces(from, '--keep-blanks'));
    expect(platform.bodies).toEqual([{ title: ' A ' }]);
    platform.requests.length = 0;
    const json = rows('a.json', '[{"space":"s1","title":" A "}]');
    expect(await expectRefused(spaces(json, '--keep-blanks'))).toContain('--keep-blanks is for CSV and TSV');
    await home.ok(spaces(json));
    expect(platform.bodies.at(-1)).toEqual({ title: ' A ' });
  });
});

describe('rows that contradict each other', () => {
  test('are refused, each with the line of the other', async () => {
    const from = rows('a.csv', 'user,role\nu1,read\nu2,edit\nu1,comment\n');
    const said = await expectRefused(members(from));
    expect(said).toContain(
      'Line 2, column 2 (role): contradicts line 4 for u1: "read" here, "comment" there.',
    );
    expect(said).toContain(
      'Line 4, column 2 (role): contradicts line 2 for u1: "comment" here, "read" there.',
    );
    expect(said).toContain('2 of 3 rows have mistakes; nothing was sent');
  });

  test('are refused where they move one thing to two places, or give one list twice', async () => {
    const moves = rows('m.csv', 'space,parent\ns1,c1\ns2,c1\ns1,c2\n');
    expect(await expectRefused(['bulk', 'spaces', 'move', '--from', moves])).toContain(
      'Line 4, column 2 (parent): contradicts line 2 for s1: "c2" here, "c1" there.',
    );
    const lists = rows('l.json', '[{"name":"topic","option":["a"]},\n{"name":"topic","option":["b"]}]');
    expect(await expectRefused(['bulk', 'custom-fields', 'update', '--from', lists])).toContain(
      'contradicts line 1 for topic: ["b"] here, ["a"] there.',
    );
  });

  test('are all left out with --skip-invalid', async () => {
    const from = rows('a.csv', 'user,role\nu1,read\nu2,edit\nu1,comment\n');
    const ran = await skipping(from);
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({
      code: 3,
      stdout: '0\tu1\tskipped\n1\tu2\tok\n2\tu1\tskipped\n',
    });
    expect(changes()).toEqual(['PATCH /v1/orgs/o1/members/u2']);
  });

  test('rows that set other fields, add to a list, or create do not contradict; a repeated one is told', async () => {
    const fields = rows('f.csv', 'space,name=value\ns1,a=1\ns1,b=2\n');
    await home.run(['bulk', 'spaces', 'fields', 'set', '--from', fields]);
    const teams = rows('t.csv', 'team,add\nt1,u1\nt1,u2\n');
    await home.run(['bulk', 'teams', 'members', 'update', '--from', teams]);
    const created = rows('c.csv', 'title\nA\nB\n');
    await home.run(['bulk', 'collections', 'create', '--from', created]);
    expect(changes()).toHaveLength(6);
    const twice = rows('a.csv', 'user,role\nu1,read\nu1,read\n');
    expect((await home.run(members(twice))).stderr).toContain('Line 3: repeats line 2.');
  });
});

test('a field given twice in a row of JSON is refused: by the same key, another spelling, or --set', async () => {
  const same = rows('a.json', '[{"user": "u1", "role": "read",\n "role": "edit"}]');
  expect(await expectRefused(members(same))).toContain(
    'line 2: not valid JSON: column 2: the key "role" is given twice',
  );
  const spelled = rows('b.json', '[{"user": "u1", "role": "read", "--Role": "edit"}]');
  expect(await expectRefused(members(spelled))).toContain('is given twice');
  const set = rows('c.json', '[{"user": "u1", "role": "read"}]');
  expect(await expectRefused(members(set, '--set', 'role=edit'))).toContain('is given twice');
  expect(platform.requests).toEqual([]);
});
