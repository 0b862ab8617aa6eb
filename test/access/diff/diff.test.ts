import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../../../src/main.js';
import { fakeIo } from '../../fake-io.js';

/** `docs access diff` of saved matrices; nothing is sent. */

const home = mkdtempSync(join(tmpdir(), 'docs-access-diff-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Roles = Record<string, string | null>;

/** Pairs as `docs access matrix --json` prints them, from `{'ada guide': 'edit'}`. */
const pairs = (roles: Roles) =>
  Object.entries(roles).map(([key, role]) => {
    const [person = '', space = ''] = key.split(' ');
    return {
      person: { id: person, email: `${person}@acme.example`, displayName: person.toUpperCase() },
      space: { id: space, title: `The ${space}` },
      role,
    };
  });
const json = (roles: Roles) => `${JSON.stringify(pairs(roles), null, 2)}\n`;
const ndjson = (roles: Roles) =>
  pairs(roles)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
/** People as rows and spaces as columns, as `-o csv` prints it. */
const grid = (roles: Roles) => {
  const each = (at: number) => [...new Set(Object.keys(roles).map((key) => key.split(' ')[at] ?? ''))];
  const spaces = each(1);
  const rows = each(0).map((person) => [
    ...[person, `${person}@acme.example`, person.toUpperCase(), 'edit'],
    ...spaces.map((space) => roles[`${person} ${space}`] ?? ''),
  ]);
  const fixed = ['person.id', 'person.email', 'person.displayName', 'organizationRole'];
  const head = [...fixed, ...spaces.map((one) => `The ${one}`)];
  return [head, ...rows].map((cells) => `${cells.join(',')}\n`).join('');
};
const sheet = (roles: Roles) =>
  `person.id,space.id,space.title,role\n${pairs(roles)
    .map(({ person, space, role }) => `${person.id},${space.id},${space.title},${role ?? ''}\n`)
    .join('')}`;

const monday = { 'ada guide': 'edit', 'ada board': null, 'ben guide': 'read', 'ben board': 'admin' };
const tuesday = { 'ada guide': 'read', 'ada board': 'read', 'ben guide': 'read', 'ben board': null };

async function diff(a: string | Uint8Array, b: string | Uint8Array, words: string[] = [], stdin?: string) {
  writeFileSync(join(home, 'a'), a);
  writeFileSync(join(home, 'b'), b);
  const names = words.includes('-') ? [] : ['a', 'b'];
  const io = fakeIo({ env: { HOME: home }, cwd: home, ...(stdin !== undefined && { stdin }) });
  const code = await run(['access', 'diff', ...names, ...words], io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

interface Row {
  change: string;
  person: { id: string } | null;
  space: { id: string | null; title: string } | null;
  from: string | null;
  to: string | null;
}

async function rows(a: string, b: string): Promise<string[]> {
  const { code, stdout } = await diff(a, b, ['--json']);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as Row[]).map(({ change, person, space, from, to }) =>
    [change, person?.id, space?.title, ...(from === to ? [] : [from, to])]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}

const changes = [
  'changed ada The guide edit read',
  'gained ada The board  read',
  'lost ben The board admin ',
];

const forms = [
  ['JSON', json],
  ['NDJSON', ndjson],
  ['a grid in CSV', grid],
  ['pairs in CSV', sheet],
] as const;
test.each(forms.flatMap(([name, one]) => forms.map(([to, other]) => [name, to, one, other] as const)))(
  '%s is compared with %s',
  async (_, __, written, other) => {
    expect(await rows(written(monday), other(tuesday))).toEqual(changes);
    expect(await rows(written(monday), other(monday))).toEqual([]);
  },
);

test('an unknown role, and a pair that is not listed, are told and no change', async () => {
  const { 'ada guide': _, ...rest } = monday;
  expect(await rows(json(monday), json({ ...monday, 'ada guide': 'unknown' }))).toEqual([
    'unknown ada The guide edit unknown',
  ]);
  expect(await rows(json(rest), json(monday))).toEqual(['unknown ada The guide unknown edit']);
  const { code, stderr } = await diff(json(rest), json(monday), ['--exit-code']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '0 roles gained, 0 lost, 0 changed, 1 unknown.\n' });
});

test('people and spaces appear and disappear, with their roles', async () => {
  const before = { 'ada guide': 'edit', 'ben guide': 'read' };
  const after = { 'ada board': 'admin', 'eve board': null };
  expect(await rows(json(before), json(after))).toEqual([
    'appeared The board',
    'disappeared The guide',
    'gained ada The board  admin',
    'lost ada The guide edit ',
    'appeared eve',
    'disappeared ben',
    'lost ben The guide read ',
  ]);
});

test('spaces of the same title are told apart in a grid', async () => {
  const two = pairs({ 'ada s1': 'edit', 'ada s2': 'read' });
  for (const { space } of two) space.title = 'Same';
  const head = 'person.id,Same (s1),Same (s2)\n';
  const { stdout } = await diff(JSON.stringify(two), `${head}ada,edit,admin\n`, ['--json']);
  expect(JSON.parse(stdout)).toMatchObject([
    { change: 'changed', space: { id: 's2' }, from: 'read', to: 'admin' },
  ]);
});

test('exits 17 with --exit-code, and reads one matrix from standard input', async () => {
  const same = await diff(json(monday), json(monday), ['--exit-code']);
  expect(same).toEqual({ code: 0, stdout: '', stderr: 'No differences.\n' });
  const words = ['a', '-', '--exit-code', '-o', 'csv'];
  const other = await diff(json(monday), json(tuesday), words, ndjson(tuesday));
  expect(other.code).toBe(17);
  expect(other.stdout.split('\r\n').join('\n')).toContain(
    'changed,ADA,The guide,edit,read,ada@acme.example,ada,guide\n',
  );
  expect(other.stderr).toContain('1 role gained, 1 lost, 1 changed (findings, exit 17)');
});

test('UTF-16, as PowerShell writes it, is read', async () => {
  const wide = Buffer.from(`\ufeff${json(tuesday)}`, 'utf16le');
  const { code, stderr } = await diff(json(tuesday), wide);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No differences.\n' });
});

describe('a file that is no matrix', () => {
  beforeEach(() => writeFileSync(join(home, 'good'), json(monday)));

  test.each([
    ['truncated JSON', json(monday).slice(0, -20), 'it ends within row 4, so it is truncated'],
    ['JSON without its end', json(monday).trimEnd().slice(0, -1), 'it ends within row 5, so it is truncated'],
    ['truncated NDJSON', ndjson(monday).slice(0, -20), 'it ends within row 4, so it is truncated'],
    ['truncated CSV', grid(monday).slice(0, -8), 'row 2 is not a whole row of CSV'],
    ['two matrices', json(monday) + json(tuesday), 'more text follows its list of 4 rows'],
    ['two matrices in lines', ndjson(monday) + ndjson(tuesday), 'lists ada@acme.example in guide twice'],
    ['another list', '[{"id":"u1","role":"read"}]', 'row 1 has "id", which no matrix has'],
    ['a list of texts', '["u1"]', 'row 1 is not an object'],
    ['broken JSON', '[{"person":}]', 'row 1 is not valid JSON'],
    ['another sheet', 'id,role\nu1,read\n', 'its header has no person.id'],
    ['who', 'person.id,role,via\nu1,read,granted\n', 'its header has role'],
    ['an unknown role', 'person.id,space.id,role\nu1,s1,owner\n', 'row 1 has no role'],
    ['an empty file', '', 'it is empty'],
    ['bytes', Buffer.from([0x5b, 0xff, 0xfe, 0xfd]), 'it is not UTF-8'],
  ])('%s is refused', async (_, text, why) => {
    const { code, stdout, stderr } = await diff(json(monday), text, ['--json']);
    const message = expect.stringContaining(why);
    expect({ code, stdout, error: JSON.parse(stderr).error }).toMatchObject({
      ...{ code: 2, stdout: '' },
      error: { code: 'not_a_matrix', message, hint: 'docs access matrix --json' },
    });
  });

  test.each([
    [['none', 'good'], 13, 'cannot read none: no such file'],
    [['.', 'good'], 13, 'cannot read .: it is a directory'],
    [['-', '-'], 2, 'only one of <a> and <b> can be standard input'],
  ])('%j is refused', async (names, code, message) => {
    const io = fakeIo({ env: { HOME: home }, cwd: home, stdin: '' });
    expect(await run(['access', 'diff', ...names], io)).toBe(code);
    expect(io.stderr.text).toContain(message);
  });

  test('of another organization is refused', async () => {
    const { code, stderr } = await diff(json(monday), json({ 'zoe atlas': 'read' }), ['--json']);
    expect({ code, name: JSON.parse(stderr).error.code }).toEqual({ code: 2, name: 'nothing_in_common' });
  });
});
