import { expect, test } from 'vitest';
import type { Role } from '../../../src/api/shapes.js';
import type { AccessOrganization, Level, SpaceNode } from '../generated/organization.js';
import { emailOf, orgId, personId, spaceId, tablesOf, teamId } from '../generated/state.js';
import { worldOfFile } from '../generated-links/properties.js';

/** `docs impact access` in organizations of a few people. */

const world = await worldOfFile();

const [admin, ada, ben, guest] = [0, 1, 2, 3];
const whole = { visibility: 'public', parent: null, deleted: false, users: [], teams: [] } as const;
const space = (level: Level, more: Partial<SpaceNode> = {}): SpaceNode => ({
  ...{ ...whole, users: [], teams: [] },
  level,
  ...more,
});

/** An administrator, two editors of whom Ada is in both teams, and a guest. */
const acme = (spaces: SpaceNode[], more: Partial<AccessOrganization> = {}): AccessOrganization => ({
  people: (['admin', 'edit', 'edit', null] as (Role | null)[]).map((role) => ({ role, disabled: false })),
  teams: [
    [
      { person: ada, owner: true },
      { person: ben, owner: false },
    ],
    [{ person: ada, owner: false }],
  ],
  ...{ collections: [], sites: [], spaces },
  ...more,
});

async function whatIf(org: AccessOrganization, ...words: string[]) {
  world.load(JSON.stringify({ format: 'docs-sandbox/1', tables: tablesOf(org) }));
  world.sent();
  const { code, stdout, stderr } = await world.docs(['access', 'what-if', ...words, '--json']);
  expect(world.sent().filter((sent) => !sent.startsWith('GET '))).toEqual([]);
  const rows = stdout === '' ? [] : (JSON.parse(stdout) as Row[]);
  return { code, stderr, rows: rows.map(short).sort() };
}

interface Row {
  person: { id: string };
  space: { id: string };
  change: string;
  from: string | null;
  to: string | null;
  most: string | null;
  certain: boolean;
}

const nameOf = new Map(
  [0, 1, 2, 3].flatMap((at) => [[personId(at), `p${at}`] as const, [spaceId(at), `s${at}`] as const]),
);

/** `p1 s0 loses edit > read..edit possible` */
function short({ person, space: place, change, from, to, most, certain }: Row): string {
  const bounds = to === most ? `${to}` : `${to}..${most}`;
  const names = `${nameOf.get(person.id)} ${nameOf.get(place.id)}`;
  return `${names} ${change} ${from} > ${bounds} ${certain ? 'certain' : 'possible'}`;
}

test('a role that is raised gives for sure what the levels give, and one that is lowered takes possibly', async () => {
  const org = acme([space('review'), space('read'), space(null)]);
  expect(await whatIf(org, '--role', `${emailOf(ada)}=create`)).toMatchObject({
    code: 0,
    rows: ['p1 s0 gains edit > review certain'],
  });
  expect((await whatIf(org, '--role', `${personId(ada)}=guest`)).rows).toEqual([
    'p1 s0 loses edit > null..edit possible',
    'p1 s1 loses read > null..read possible',
  ]);
  expect((await whatIf(org, '--role', `${personId(guest)}=admin`)).rows).toEqual([
    'p3 s0 gains null > admin certain',
    'p3 s1 gains null > admin certain',
    'p3 s2 gains null > admin certain',
  ]);
});

test('a role that is higher than the levels explain is granted, and stays when they fall', async () => {
  const org = acme([space('read', { users: [{ to: ada, level: 'review' }] })]);
  expect((await whatIf(org, '--level', 'Space 0=none')).rows).toEqual([
    'p2 s0 loses read > null..read possible',
  ]);
  expect((await whatIf(org, '--level', `${spaceId(0)}=edit`)).rows).toEqual([
    'p2 s0 gains read > edit certain',
  ]);
});

test('the level of a collection reaches the spaces that inherit it, and no private one', async () => {
  const inside = { parent: 0, visibility: 'in-collection' } as const;
  const org = acme([space('inherit', inside), space('inherit', { ...inside, visibility: 'private' })], {
    collections: [{ parent: null, level: null }],
  });
  const rows = ['p1 s0 gains null > edit certain', 'p2 s0 gains null > edit certain'];
  expect((await whatIf(org, '--level', 'Collection 0=inherit')).rows).toEqual(rows);
});

test('who leaves a team loses what it may have granted; not what another member shows that it does not', async () => {
  const grant = { teams: [{ to: 1, level: 'review' as const }] };
  const org = acme([space('read', grant), space('read', { users: [{ to: ada, level: 'create' }] })]);
  const first = await whatIf(org, '--remove-team', `${emailOf(ada)}=${teamId(0)}`);
  // Ben is in the first team and reads only.
  expect(first.rows).toEqual([]);
  expect(first.stderr).toBe('No role changes.\n');
  expect((await whatIf(org, '--remove-team', `${emailOf(ada)}=Team 1`)).rows).toEqual([
    'p1 s0 loses review > read..review possible',
    'p1 s1 loses create > read..create possible',
  ]);
});

test('a team that has no space grants nothing', async () => {
  const org = acme([space('read', { users: [{ to: ada, level: 'create' }] })]);
  expect((await whatIf(org, '--delete-team', teamId(1))).rows).toEqual([]);
});

test('changes are combined: what a new level gives outweighs the team that is deleted', async () => {
  const org = acme([space('read', { teams: [{ to: 0, level: 'edit' }] })]);
  const words = ['--delete-team', 'Team 0', '--level', 'Space 0=comment'];
  expect((await whatIf(org, '--delete-team', 'Team 0')).rows).toEqual([
    'p1 s0 loses edit > read..edit possible',
    'p2 s0 loses edit > read..edit possible',
  ]);
  expect((await whatIf(org, ...words)).rows).toEqual([
    'p1 s0 loses edit > comment..edit possible',
    'p2 s0 loses edit > comment..edit possible',
  ]);
});

test('what cannot be read is unknown, counted, and exits 3', async () => {
  const org = acme([space('read'), space('edit')]);
  const match = `GET /v1/orgs/${orgId}/members/${personId(ben)}/spaces`;
  world.onRequest = (_, count) => {
    if (count === 1) world.addFault({ match, status: 403 });
  };
  const { code, rows, stderr } = await whatIf(org, '--level', `${spaceId(0)}=edit`);
  world.onRequest = () => {};
  expect(rows).toEqual(['p1 s0 gains read > edit certain', 'p2 s0 unknown unknown > unknown possible']);
  expect({ code, error: JSON.parse(stderr).error }).toMatchObject({
    code: 3,
    error: { code: 'not_all_read', details: { rows: 2, unknown: 1, failures: 1 } },
  });
});

test('a sum, and notes of what else would come of it, for people', async () => {
  world.load(JSON.stringify({ format: 'docs-sandbox/1', tables: tablesOf(acme([space('edit')])) }));
  const team = await world.docs(['access', 'what-if', '--remove-team', `${personId(ada)}=${teamId(0)}`]);
  expect(team).toMatchObject({ code: 0, stdout: '' });
  expect(team.stderr).toContain(`Team Team 0 (${teamId(0)}) would have no owner.`);
  expect(team.stderr).toContain('No role changes.');
  const role = await world.docs(['access', 'what-if', '--role', `${personId(admin)}=read`, '-o', 'table']);
  expect(role.stdout).toMatch(/^PERSON .*SPACE .*TO .*CERTAIN/);
  expect(role.stderr).toContain(
    'No admin would be left; the platform does not remove or demote the last one.',
  );
  expect(role.stderr).toContain('Possible: 1 role lost.');
});

test('a disabled admin is not enough, and the platform may count one', async () => {
  const org = acme([space('edit')]);
  const more = { role: 'admin' as const, disabled: true };
  const tables = tablesOf({ ...org, people: [...org.people, more] });
  world.load(JSON.stringify({ format: 'docs-sandbox/1', tables }));
  const role = await world.docs(['access', 'what-if', '--role', `${personId(admin)}=read`]);
  expect(role.stderr).toContain('Only disabled admins would be left, and none of them can sign in.');
  const both = ['--role', `${personId(ada)}=admin`, '--role', `${personId(admin)}=read`];
  expect((await world.docs(['access', 'what-if', ...both])).stderr).not.toContain('would be left');
});

test.each([
  [[], 2, 'missing_option'],
  [['--role', 'u1'], 2, 'invalid_input'],
  [['--role', 'u1=owner'], 2, 'invalid_input'],
  [['--level', 's1=guest'], 2, 'invalid_input'],
  [['--role', `${personId(1)}=read`, '--role', `${emailOf(1)}=edit`], 2, 'contradiction'],
  [['--role', 'nobody@acme.example=read'], 6, 'unknown_title'],
  [['--level', 'Nothing=read'], 6, 'unknown_title'],
  [['--delete-team', 'Nobody'], 6, 'unknown_title'],
  [['--remove-team', `${personId(2)}=${teamId(1)}`], 6, 'not_in_team'],
])('refuses %j', async (words, code, name) => {
  const refused = await whatIf(acme([space('read')]), ...words);
  expect({ code: refused.code, name: JSON.parse(refused.stderr).error.code }).toEqual({ code, name });
});
