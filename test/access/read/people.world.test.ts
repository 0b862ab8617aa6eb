import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTeams, type PersonAccess, readPeople } from '../../../src/access/people.js';

import { deleteMember, setTeamMember } from '../../../src/api/resources/members.js';
import { seedId } from '../../sandbox/client.js';
import { openReadWorld, scripted } from './read-world.js';

/** Members with their spaces and teams: complete, or with what is missing. */

const person = (name: string) => seedId(`user ${name}`);
const nameOf = ({ member }: PersonAccess) => member.user.email?.split('@')[0];

const world = await openReadWorld();
beforeEach(() => world.reset());
afterAll(() => world.close());

describe('a small organization', () => {
  const read = async (
    ...[which]: Parameters<typeof readPeople> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const people: PersonAccess[] = [];
    for await (const window of readPeople(world.reading, which)) people.push(...window);
    return people;
  };
  const refuse = (match: string, status = 403) => world.control.faults.add({ match: `GET ${match}`, status });

  test('each person comes once, with spaces, roles and teams', async () => {
    const people = await read({ teams: await openTeams(world.reading) });
    expect(people.map(nameOf)).toEqual(['goran', 'farah', 'emil', 'deniz', 'chiara', 'bruno', 'ada']);
    const chiara = people[4];
    expect(chiara?.spaces?.map(({ space, role }) => [space.title, role])).toContainEqual([
      'Board Notes',
      'edit',
    ]);
    expect(chiara?.teams).toEqual({
      teams: [{ id: seedId('team writers'), title: 'Writers', role: 'owner', onlyOwner: true }],
      known: true,
      unread: [],
    });
    expect(people.flatMap(({ unread }) => unread)).toEqual([]);
  });

  test('with two owners, a team has no only owner', async () => {
    const { organizationId } = world.reading;
    const path = { organizationId, teamId: seedId('team writers'), userId: person('deniz') };
    await world.sandbox.admin.ok(setTeamMember, { path, body: { role: 'owner' } });
    for (const teams of [await openTeams(world.reading), await openTeams(world.reading, 1)]) {
      const owners = await read({ ids: [person('chiara'), path.userId], teams });
      expect(owners.map(({ teams: own }) => own?.teams)).toEqual([
        [{ id: path.teamId, title: 'Writers', role: 'owner', onlyOwner: false }],
        [{ id: path.teamId, title: 'Writers', role: 'owner', onlyOwner: false }],
      ]);
    }
  });

  test('only those with a role, or those named, are read', async () => {
    expect((await read({ roles: ['guest', 'read', 'read'] })).map(nameOf)).toEqual(['goran', 'farah']);
    world.sent.length = 0;
    const ids = [person('emil'), person('ada'), person('emil')];
    expect((await read({ ids })).map(nameOf)).toEqual(['emil', 'ada']);
    expect(world.sent).toHaveLength(4);
    await expect(read({ ids: ['nobody'] })).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('spaces that may not be read are unknown, not none', async () => {
    refuse(`/v1/orgs/*/members/${person('farah')}/spaces*`);
    const farah = (await read()).find((one) => nameOf(one) === 'farah');
    expect(farah).toMatchObject({
      spaces: undefined,
      unread: [
        {
          kind: 'member-spaces',
          id: person('farah'),
          title: 'farah@acme.example',
          error: { kind: 'forbidden' },
        },
      ],
    });
  });

  test('a member who is removed between the list and the read is reported', async () => {
    const path = { organizationId: world.reading.organizationId, userId: person('goran') };
    world.before = async (asked) => {
      if (asked.endsWith(`/${path.userId}/spaces`)) await world.sandbox.admin.ok(deleteMember, { path });
    };
    const people = await read();
    expect(people).toHaveLength(7);
    expect(people[0]).toMatchObject({ spaces: undefined, unread: [{ error: { kind: 'not-found' } }] });
    expect(people.slice(1).every(({ spaces }) => spaces !== undefined)).toBe(true);
  });

  test('teams that may not be read leave nobody with a complete list', async () => {
    refuse(`/v1/orgs/*/teams/${seedId('team writers')}/members*`);
    const teams = await openTeams(world.reading);
    expect(teams.unread).toMatchObject([
      { kind: 'team-members', title: 'Writers', error: { kind: 'forbidden' } },
    ]);
    const people = await read({ teams });
    expect(people.every(({ teams: own }) => own?.known === false)).toBe(true);
    expect(people[5]?.teams?.teams).toMatchObject([{ title: 'Support', role: 'owner' }]);
    world.control.faults.clear();
    refuse('/v1/orgs/*/teams*');
    expect((await openTeams(world.reading)).unread).toMatchObject([{ kind: 'teams' }]);
  });

  test('for few people, the teams of each are read; a team that cannot be read is not called theirs alone', async () => {
    const teams = await openTeams(world.reading, 1);
    refuse(`/v1/orgs/*/teams/${seedId('team support')}/members*`);
    world.sent.length = 0;
    const [chiara, bruno, ada] = await read({ ids: ['chiara', 'bruno', 'ada'].map(person), teams });
    expect(chiara?.teams).toMatchObject({ known: true, teams: [{ title: 'Writers', onlyOwner: true }] });
    expect(bruno?.teams).toMatchObject({ known: true, teams: [{ title: 'Support', onlyOwner: false }] });
    expect(ada?.teams).toEqual({ teams: [], known: true, unread: [] });
    expect(teams.unread).toMatchObject([{ kind: 'team-members', title: 'Support' }]);
    expect(world.sent.filter((one) => one.includes('/teams'))).toHaveLength(4);
  });

  test('a list of members that cannot be read, and a token that is refused, end the reading', async () => {
    refuse(`/v1/orgs/*/members/${person('farah')}/spaces*`, 401);
    await expect(read()).rejects.toMatchObject({ kind: 'unauthenticated' });
    world.control.faults.clear();
    refuse('/v1/orgs/*/members');
    await expect(read()).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

describe('many members', () => {
  const [pageSize, count] = [200, 800];

  /** @param inTeam how many members each team says it has */
  const platform = (inTeam: number) => {
    const held = { listed: 0, delivered: 0, most: 0, asked: [] as string[] };
    const page = (query: URLSearchParams) => {
      const first = Number(query.get('page') ?? 0);
      held.listed += pageSize;
      held.most = Math.max(held.most, held.listed - held.delivered);
      const items = Array.from({ length: pageSize }, (_, at) => memberAt(first + at));
      return { items, ...(first + pageSize < count && { next: { page: String(first + pageSize) } }) };
    };
    const reading = scripted((path, query) => {
      if (path.endsWith('/members') && !path.includes('/teams/')) return page(query);
      held.asked.push(path);
      if (path.endsWith('/spaces')) return { items: [] };
      const team = { id: 't1', title: 'Everybody', members: inTeam, spaces: 0 };
      if (path.endsWith('/orgs/o1/teams')) return { items: [team] };
      return { items: [{ team, member: { role: 'member' } }] };
    });
    return { reading, held };
  };
  const memberAt = (at: number) => ({
    ...{ id: `u${at}`, role: 'read', user: { displayName: `U ${at}` }, teams: at % 2 },
  });

  test('pass through a window, whatever their number', async () => {
    const { reading, held } = platform(90_000);
    const teams = await openTeams(reading);
    // Ninety pages of members in teams are too many to hold: each person's are read with the person.
    expect(held.asked).toEqual(['/v1/orgs/o1/teams']);
    let inTeams = 0;
    for await (const people of readPeople(reading, { teams })) {
      expect(people.length).toBeLessThanOrEqual(64);
      held.delivered += people.length;
      inTeams += people.filter(({ teams: own }) => own?.teams.length === 1).length;
    }
    expect(held.delivered).toBe(count);
    expect(inTeams).toBe(count / 2);
    // The page in use, the one fetched ahead, and a window that began in the page before.
    expect(held.most).toBeLessThanOrEqual(2 * pageSize + 64);
    expect(held.asked).toHaveLength(1 + count + count / 2);
  });

  test('one that comes again at the end of a page is read once', async () => {
    const pages: Record<string, unknown> = {
      first: { items: [memberAt(0), memberAt(2)], next: { page: 'second' } },
      second: { items: [memberAt(2), memberAt(4)] },
    };
    const reading = scripted((path, query) =>
      path.endsWith('/members') ? pages[query.get('page') ?? 'first'] : { items: [] },
    );
    const ids: string[] = [];
    for await (const people of readPeople(reading)) ids.push(...people.map(({ member }) => member.id));
    expect(ids).toEqual(['u0', 'u2', 'u4']);
  });
});
