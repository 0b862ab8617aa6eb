import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';
import { type OnTerminal, onTerminal } from './terminal.js';

/** Roles on a terminal: the present one is under the cursor, and making an admin is confirmed by name. */

const people: Record<string, { role: string | null; displayName: string }> = {
  ada: { role: 'admin', displayName: 'Ada Lovelace' },
  bob: { role: 'read', displayName: 'Bob Moss' },
  gus: { role: null, displayName: 'Gus Guest' },
};

/** What the platform shows of a member. */
function member(id: string): Record<string, unknown> {
  const { role, displayName } = people[id] ?? { role: null, displayName: id };
  return {
    ...{ object: 'member', id, role, disabled: false, joinedAt: '2030-01-01T00:00:00Z', sso: false },
    ...{ user: { object: 'user', id, displayName, email: `${id}@acme.example` }, spaces: 0, teams: 0 },
    ...(id === owner && { lastSeenAt: `2030-01-01T00:00:0${pings}Z` }),
  };
}

let home: Home;
let platform: StubPlatform;
let owner: string;
let pings: number;
beforeEach(async () => {
  home = freshHome();
  [owner, pings] = ['ada', 0];
  platform = await stubPlatform((method, url) => {
    const { pathname: path, searchParams: query } = url;
    if (path.endsWith('/ping')) pings += 1;
    if (path.endsWith('/ping')) return { body: {} };
    const invite = { object: 'invite', id: 'i1', role: 'edit', redundant: false };
    if (path.includes('/link-invites/')) return { body: invite };
    const id = /\/members\/(\w+)$/.exec(path)?.[1];
    if (id !== undefined) return method === 'DELETE' ? { status: 204 } : { body: member(id) };
    // A second admin, so that nobody is the last one.
    const admins = [member('ada'), { ...member('bob'), role: 'admin' }];
    const items = query.get('role') === 'admin' ? admins : Object.keys(people).map(member);
    return { body: { items, next: {}, count: items.length } };
  });
});
afterEach(async () => {
  await platform.close();
  home.remove();
});

function docs(...args: string[]): OnTerminal {
  const env = { ...home.env, DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' };
  return onTerminal(args, { cwd: home.path, env, columns: 160 });
}

const sent = () => platform.requests.filter((line) => !/^GET|\/ping$/.test(line));
const body = () => platform.bodies.findLast((sentBody) => sentBody !== undefined);

describe('a role to choose', () => {
  it.each([
    ['bob', 'read, as it is now', 'read'],
    ['ada', 'admin, as it is now', 'admin'],
    ['gus', 'guest (no role), as it is now', null],
  ])('has the present one of %s under the cursor', async (id, shown, role) => {
    const terminal = docs('members', 'update', id);
    await terminal.shows(`❯ ${shown}`);
    await terminal.answer('guest (no role)');
    expect((await terminal.ended).code).toBe(0);
    expect(sent()).toEqual([`PATCH /v1/orgs/o1/members/${id}`]);
    expect(body()).toEqual({ role });
  });

  it('has the lowest one under the cursor for several people', async () => {
    const terminal = docs('members', 'update', 'ada', 'bob');
    expect(await terminal.leave('❯ read')).toMatchObject({ signal: 2 });
    expect(sent()).toEqual([]);
  });

  it('has that of an invite link under the cursor', async () => {
    const terminal = docs('invites', 'update', 'i1');
    await terminal.answer('❯ edit, as it is now');
    expect((await terminal.ended).code).toBe(0);
    expect(body()).toEqual({ role: 'edit' });
  });
});

describe('a new admin', () => {
  it.each([
    ['y', 0, ['PATCH /v1/orgs/o1/members/bob']],
    ['', 2, []],
  ])('is confirmed by name: %j', async (answer, code, requests) => {
    const terminal = docs('members', 'update', 'bob', '--role', 'admin');
    await terminal.shows(
      'Bob Moss (bob@acme.example) would control the whole organization. The role now: read.',
    );
    await terminal.answer('? Make Bob Moss (bob@acme.example) an admin? (y/N)', answer);
    expect((await terminal.ended).code).toBe(code);
    expect(sent()).toEqual(requests);
  });

  it('is confirmed among others and in rows of a file, too', async () => {
    const several = docs('members', 'update', 'ada', 'bob', 'gus', '--role', 'admin');
    await several.shows(
      'Gus Guest (gus@acme.example) would control the whole organization. The role now: guest.',
    );
    await several.shows('? Update 3 members? (y/N)');
    expect(several.screen.text()).not.toContain('Ada');
    several.type('\r');
    expect((await several.ended).code).toBe(2);
    writeFileSync(join(home.path, 'rows.csv'), 'user,role\nbob,admin\n');
    const rows = docs('bulk', 'members', 'update', '--from', 'rows.csv');
    await rows.answer('? Make Bob Moss (bob@acme.example) an admin? (y/N)');
    expect((await rows.ended).code).toBe(2);
    expect(sent()).toEqual([]);
  });

  it('is not confirmed with --yes, nor where the role stays', async () => {
    expect((await docs('members', 'update', 'bob', '--role', 'admin', '--yes').ended).code).toBe(0);
    expect((await docs('members', 'update', 'ada', '--role', 'admin').ended).code).toBe(0);
    expect(sent()).toHaveLength(2);
  });
});

describe('yourself', () => {
  it.each([
    ['demoted', ['update', 'ada', '--role', 'read']],
    ['removed', ['delete', 'ada']],
  ])('is not %s, and not asked', async (_, words) => {
    const terminal = docs('members', ...words);
    await terminal.shows('ada@acme.example owns the token in use; another admin has to do this.');
    expect((await terminal.ended).code).toBe(2);
    expect(terminal.screen.text()).not.toContain('(y/N)');
    expect(sent()).toEqual([]);
  });

  it('is not asked where somebody else is demoted', async () => {
    const ran = await docs('members', 'update', 'bob', '--role', 'comment').ended;
    expect(ran.code).toBe(0);
    expect(sent()).toEqual(['PATCH /v1/orgs/o1/members/bob']);
  });
});

describe('a change that lets more people in', () => {
  const change = ['invites', 'update', 'i1', '--role', 'review'];

  it('says so and asks; without a yes nothing is sent', async () => {
    const terminal = docs(...change);
    await terminal.shows('Whoever joins by the invite i1 would get the role review.');
    await terminal.answer('(y/N)');
    expect((await terminal.ended).code).toBe(2);
    expect(sent()).toEqual([]);
  });

  it('is made with a yes, and is not asked about where it narrows', async () => {
    const terminal = docs(...change);
    await terminal.answer('(y/N)', 'y');
    expect((await terminal.ended).code).toBe(0);
    expect((await docs('invites', 'update', 'i1', '--role', 'read').ended).code).toBe(0);
    expect(sent()).toEqual(['PATCH /v1/orgs/o1/link-invites/i1', 'PATCH /v1/orgs/o1/link-invites/i1']);
  });
});
