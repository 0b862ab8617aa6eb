import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openPlatform);
const organizationId = seedId('org acme');

const idOf = (name: string) => sandbox.user(name);
const names = (items: { user: { displayName: string } }[]) => items.map(({ user }) => user.displayName);
const list = (query = {}) => sandbox.admin.ok(ops.listMembers, { path: { organizationId }, query });

describe('the list of members', () => {
  test('begins with the latest to join; asc reverses it', async () => {
    const { items, count, next } = await list({ limit: 3 });
    expect(names(items)).toEqual(['Goran Novak', 'Farah Haddad', 'Émil Laurent']);
    expect(count).toBe(7);
    expect(next?.page).toMatch(/^[\w-]+$/);
    expect(names((await list({ order: 'asc', limit: 2 })).items)).toEqual(['Ada Okafor', 'Bruno Keller']);
  });

  test('filters by role; guest is the role null', async () => {
    expect(names((await list({ role: 'review' })).items)).toEqual(['Chiara Rossi']);
    const guests = await list({ role: 'guest' });
    expect(guests.items.map(({ role }) => role)).toEqual([null]);
    expect(guests.count).toBe(1);
  });

  test('searches names and emails regardless of case, in any script', async () => {
    expect(names((await list({ search: 'ÉMIL' })).items)).toEqual(['Émil Laurent']);
    expect(names((await list({ search: 'FARAH@acme' })).items)).toEqual(['Farah Haddad']);
    expect((await list({ search: '%' })).items).toEqual([]);
  });

  test('by lastSeenAt holds only active members', async () => {
    const { items } = await list({ sort: 'lastSeenAt', order: 'asc' });
    expect(names(items)).toHaveLength(6);
    const seen = items.map(({ lastSeenAt }) => lastSeenAt);
    expect(seen).toEqual([...seen].sort());
  });
});

describe('a member', () => {
  test('is read with user, counts and times', async () => {
    expect(
      await sandbox.admin.ok(ops.getMember, { path: { organizationId, userId: idOf('edit') } }),
    ).toMatchObject({
      object: 'member',
      id: idOf('edit'),
      role: 'edit',
      user: { displayName: 'Deniz Yıldız', email: 'deniz@acme.example' },
      disabled: false,
      sso: false,
    });
  });

  test('changes role; null makes a guest', async () => {
    const path = { organizationId, userId: idOf('edit') };
    expect(await sandbox.admin.ok(ops.updateMember, { path, body: { role: 'create' } })).toMatchObject({
      role: 'create',
    });
    expect(await sandbox.admin.ok(ops.updateMember, { path, body: { role: null } })).toMatchObject({
      role: null,
    });
    expect(await sandbox.admin.ok(ops.getMember, { path })).toMatchObject({ role: null });
  });

  test('becomes an SSO member', async () => {
    const path = { organizationId, userId: idOf('read') };
    expect(await sandbox.admin.ok(ops.linkMemberSso, { path })).toMatchObject({ sso: true });
  });
});

describe('the last admin', () => {
  test('can be neither removed nor demoted', async () => {
    const path = { organizationId, userId: idOf('admin') };
    await sandbox.admin.refuses(409, ops.deleteMember, { path });
    await sandbox.admin.refuses(409, ops.updateMember, { path, body: { role: 'create' } });
    expect(await sandbox.admin.ok(ops.updateMember, { path, body: { role: 'admin' } })).toMatchObject({
      role: 'admin',
    });
  });

  test('is no longer the last once there is another', async () => {
    await sandbox.admin.ok(ops.updateMember, {
      path: { organizationId, userId: idOf('create') },
      body: { role: 'admin' },
    });
    await sandbox.admin.ok(ops.updateMember, {
      path: { organizationId, userId: idOf('admin') },
      body: { role: 'read' },
    });
    const other = sandbox.as('create');
    await sandbox.admin.refuses(403, ops.deleteMember, { path: { organizationId, userId: idOf('read') } });
    const path = { organizationId, userId: idOf('create') };
    await other.refuses(409, ops.deleteMember, { path });
  });
});
const org = { organizationId: seedId('org acme') };
const writers = { ...org, teamId: seedId('team writers') };
const user = (name: string) => seedId(`user ${name}`);

/** The members of the writers, by first name, with their role. */
async function roles(): Promise<Record<string, string>> {
  const items = await sandbox.admin.all(ops.listTeamMembers, { path: writers });
  const pairs = items.map(({ organization, team }) => [
    organization.user.displayName.split(' ')[0],
    team.role,
  ]);
  return Object.fromEntries(pairs);
}

describe('teams', () => {
  const titles = async (query = {}) => {
    const { items, count } = await sandbox.admin.ok(ops.listTeams, { path: org, query });
    expect(count).toBe(items.length);
    return items.map(({ title }) => title);
  };

  test('are listed, filtered by title and by who manages them', async () => {
    expect(await titles()).toEqual(['Writers', 'Support']);
    expect(await titles({ title: 'WRIT' })).toEqual(['Writers']);
    expect(await titles({ owner: user('chiara') })).toEqual(['Writers']);
    expect(await titles({ owner: user('deniz') })).toEqual([]);
    expect(await titles({ owner: user('bruno'), title: 'writers' })).toEqual([]);
    await sandbox.admin.refuses(404, ops.listTeams, { path: org, query: { owner: 'nobody' } });
  });

  test('are read with counts and the permissions of the caller', async () => {
    const seen = (role: string) => sandbox.as(role).ok(ops.getTeam, { path: writers });
    expect(await seen('admin')).toMatchObject({ title: 'Writers', members: 2, spaces: 1 });
    expect((await seen('admin')).permissions).toEqual({ admin: true, view: true });
    expect((await seen('review')).permissions).toEqual({ admin: true, view: true });
    expect((await seen('edit')).permissions).toEqual({ admin: false, view: true });
  });

  test('are created with members, each once', async () => {
    const members = [user('ada'), user('farah'), user('ada')];
    const team = await sandbox.admin.ok(ops.createTeam, { path: org, body: { title: 'Éditeurs', members } });
    expect(team).toMatchObject({ title: 'Éditeurs', members: 2, createdAt: '2026-01-05T09:00:00.000Z' });
    expect(await sandbox.admin.ok(ops.getTeam, { path: { ...org, teamId: team.id } })).toEqual(team);
    expect(await titles({ title: 'éDIT' })).toEqual(['Éditeurs']);
    expect(
      (await sandbox.admin.send('PUT', `/v1/orgs/${org.organizationId}/teams`, { body: { title: 'T' } }))
        .status,
    ).toBe(201);
  });

  test('are not created if a member is unknown', async () => {
    const body = { title: 'Ghosts', members: [user('ada'), user('hanna')] };
    await sandbox.admin.refuses(404, ops.createTeam, { path: org, body });
    expect(await titles()).toEqual(['Writers', 'Support']);
  });

  test('are renamed and deleted; their members stay in the organization', async () => {
    expect(
      await sandbox.admin.ok(ops.updateTeam, { path: writers, body: { title: 'Authors' } }),
    ).toMatchObject({
      title: 'Authors',
    });
    expect(await titles({ title: 'author' })).toEqual(['Authors']);
    await sandbox.admin.ok(ops.deleteTeam, { path: writers });
    expect(await titles()).toEqual(['Support']);
    const deniz = { ...org, userId: user('deniz') };
    expect((await sandbox.admin.ok(ops.listMemberTeams, { path: deniz })).items).toEqual([]);
  });

  test('of a member are listed with its role in them', async () => {
    const { items } = await sandbox.admin.ok(ops.listMemberTeams, {
      path: { ...org, userId: user('chiara') },
    });
    expect(items.map(({ team, member }) => [team.title, member.role])).toEqual([['Writers', 'owner']]);
    const query = { title: 'support' };
    expect(
      (await sandbox.admin.ok(ops.listMemberTeams, { path: { ...org, userId: user('chiara') }, query }))
        .items,
    ).toEqual([]);
  });
});

/** Spec A, "States and transitions": a test for each line of the table. */
describe('team membership', () => {
  const set = (name: string, body: { role?: 'owner' | 'member' } = {}) =>
    sandbox.admin.ok(ops.setTeamMember, { path: { ...writers, userId: user(name) }, body });
  const update = (body: Parameters<typeof sandbox.admin.ok<typeof ops.updateTeamMembers>>[1]['body']) =>
    sandbox.admin.ok(ops.updateTeamMembers, { path: writers, ...(body && { body }) });

  test('starts with the given role, by default member', async () => {
    await set('ada', { role: 'owner' });
    await set('farah');
    expect(await roles()).toEqual({ Chiara: 'owner', Deniz: 'member', Ada: 'owner', Farah: 'member' });
  });

  test('starts by add, with an id or an email in any case', async () => {
    await update({ add: [user('ada'), 'FARAH@acme.example'] });
    expect(await roles()).toEqual({ Chiara: 'owner', Deniz: 'member', Ada: 'member', Farah: 'member' });
  });

  test('can change role; without a role it keeps its own', async () => {
    await set('deniz', { role: 'owner' });
    expect(await roles()).toMatchObject({ Deniz: 'owner' });
    await set('deniz');
    await update({ add: [user('deniz')] });
    expect(await roles()).toMatchObject({ Deniz: 'owner' });
    await update({
      memberships: { [user('deniz')]: { role: 'member' }, 'ada@acme.example': { role: 'owner' } },
    });
    expect(await roles()).toEqual({ Chiara: 'owner', Deniz: 'member', Ada: 'owner' });
  });

  test('ends by DELETE and by remove', async () => {
    const path = { ...writers, userId: user('deniz') };
    await sandbox.admin.ok(ops.deleteTeamMember, { path });
    expect(await roles()).toEqual({ Chiara: 'owner' });
    await sandbox.admin.refuses(404, ops.deleteTeamMember, { path });
    await update({ remove: ['chiara@acme.example'] });
    expect(await roles()).toEqual({});
  });

  test('ends if a user is in both add and remove', async () => {
    await update({
      add: [user('ada'), user('deniz')],
      memberships: { 'ada@acme.example': { role: 'owner' } },
      remove: ['ada@acme.example', user('deniz')],
    });
    expect(await roles()).toEqual({ Chiara: 'owner' });
  });

  test('ends with the membership of the organization', async () => {
    await sandbox.admin.ok(ops.deleteMember, { path: { ...org, userId: user('deniz') } });
    expect(await roles()).toEqual({ Chiara: 'owner' });
  });

  test('is unchanged if any user is unknown', async () => {
    const before = await roles();
    for (const body of [
      { add: [user('ada'), 'nobody'] },
      { add: [user('ada')], remove: ['nobody@acme.example'] },
      { remove: [user('deniz')], memberships: { [user('hanna')]: { role: 'member' } } },
    ]) {
      await sandbox.admin.refuses(404, ops.updateTeamMembers, { path: writers, body });
    }
    const path = { ...writers, userId: user('hanna') };
    await sandbox.admin.refuses(404, ops.setTeamMember, { path, body: {} });
    expect(await roles()).toEqual(before);
  });

  test('is managed by the owners of the team too', async () => {
    const body = { add: [user('farah')] };
    await sandbox.as('review').ok(ops.updateTeamMembers, { path: writers, body });
    expect(await roles()).toMatchObject({ Farah: 'member' });
  });
});
