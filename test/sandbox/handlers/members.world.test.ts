import { describe, expect, test } from 'vitest';
import {
  deleteMember,
  getMember,
  linkMemberSso,
  listMemberSpaces,
  listMembers,
  listMemberTeams,
  updateMember,
} from '../../../src/api/resources/members.js';
import { openSandbox, seedId } from '../client.js';
import { eachTest } from '../each-test.js';

const sandbox = eachTest(openSandbox);
const organizationId = seedId('org acme');

const idOf = (name: string) => sandbox.tokens.find((token) => token.name === name)?.member ?? '';
const names = (items: { user: { displayName: string } }[]) => items.map(({ user }) => user.displayName);
const list = (query = {}) => sandbox.admin.ok(listMembers, { path: { organizationId }, query });

describe('the list of members', () => {
  test('begins with the latest to join; asc reverses it', async () => {
    const { items, count, next } = await list({ limit: 3 });
    expect(names(items)).toEqual(['Goran Novak', 'Farah Haddad', 'Émil Laurent']);
    expect(count).toBe(7);
    expect(next?.page).toMatch(/^[\w-]+$/);
    expect(names((await list({ order: 'asc', limit: 2 })).items)).toEqual(['Ada Okafor', 'Bruno Keller']);
  });

  test('has no next on the last page', async () => {
    expect(await list({ limit: 7 })).not.toHaveProperty('next');
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

  test.each([
    { role: 'boss' },
    { sort: 'name' },
    { order: 'up' },
    { limit: 1001 },
    { limit: 0 },
    { limit: 'ten' },
    { colour: 'red' },
    { page: 'nonsense' },
    { page: Buffer.from('["x",1]').toString('base64url') },
  ])('refuses %o with 400', async (query) => {
    expect(await sandbox.admin.refused(listMembers, { path: { organizationId }, query })).toMatchObject({
      status: 400,
    });
  });
});

describe('cursors', () => {
  test('skip and repeat nothing while members come and go', async () => {
    const first = await list({ limit: 3 });
    await sandbox.admin.ok(deleteMember, { path: { organizationId, userId: idOf('comment') } });
    const second = await list({ limit: 3, page: first.next?.page });
    expect(names(second.items)).toEqual(['Deniz Yıldız', 'Chiara Rossi', 'Bruno Keller']);
  });

  test('of another list, of other filters, or changed by hand are refused', async () => {
    const { next } = await list({ limit: 3 });
    const page = next?.page ?? '';
    const [seal, ...keys] = JSON.parse(Buffer.from(page, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify([seal, keys[0] - 1, keys[1]])).toString('base64url');
    for (const query of [{ page, order: 'asc' }, { page, search: 'a' }, { page: forged }]) {
      expect(await sandbox.admin.refused(listMembers, { path: { organizationId }, query })).toMatchObject({
        status: 400,
      });
    }
    expect(names((await list({ page, limit: 1 })).items)).toEqual(['Deniz Yıldız']);
  });
});

describe('a member', () => {
  test('is read with user, counts and times', async () => {
    expect(
      await sandbox.admin.ok(getMember, { path: { organizationId, userId: idOf('edit') } }),
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
    expect(await sandbox.admin.ok(updateMember, { path, body: { role: 'create' } })).toMatchObject({
      role: 'create',
    });
    expect(await sandbox.admin.ok(updateMember, { path, body: { role: null } })).toMatchObject({
      role: null,
    });
    expect(await sandbox.admin.ok(getMember, { path })).toMatchObject({ role: null });
  });

  test('is gone once removed, with its teams', async () => {
    const path = { organizationId, userId: idOf('edit') };
    await sandbox.admin.ok(deleteMember, { path });
    expect(await sandbox.admin.refused(getMember, { path })).toMatchObject({ status: 404 });
    expect(await sandbox.admin.refused(deleteMember, { path })).toMatchObject({ status: 404 });
    expect(await sandbox.admin.refused(listMemberTeams, { path })).toMatchObject({ status: 404 });
    expect((await list()).count).toBe(6);
  });

  test('becomes an SSO member', async () => {
    const path = { organizationId, userId: idOf('read') };
    expect(await sandbox.admin.ok(linkMemberSso, { path })).toMatchObject({ sso: true });
  });

  test('who is unknown is 404 everywhere', async () => {
    const path = { organizationId, userId: 'nobody' };
    for (const op of [getMember, deleteMember, linkMemberSso, listMemberSpaces, listMemberTeams]) {
      expect(await sandbox.admin.refused(op, { path })).toMatchObject({ status: 404 });
    }
    expect(await sandbox.admin.refused(updateMember, { path, body: { role: 'read' } })).toMatchObject({
      status: 404,
    });
  });
});

describe('the last admin', () => {
  test('can be neither removed nor demoted', async () => {
    const path = { organizationId, userId: idOf('admin') };
    expect(await sandbox.admin.refused(deleteMember, { path })).toMatchObject({ status: 409 });
    expect(await sandbox.admin.refused(updateMember, { path, body: { role: 'create' } })).toMatchObject({
      status: 409,
    });
    expect(await sandbox.admin.ok(updateMember, { path, body: { role: 'admin' } })).toMatchObject({
      role: 'admin',
    });
  });

  test('is no longer the last once there is another', async () => {
    await sandbox.admin.ok(updateMember, {
      path: { organizationId, userId: idOf('create') },
      body: { role: 'admin' },
    });
    await sandbox.admin.ok(updateMember, {
      path: { organizationId, userId: idOf('admin') },
      body: { role: 'read' },
    });
    const other = sandbox.as('create');
    expect(
      await sandbox.admin.refused(deleteMember, { path: { organizationId, userId: idOf('read') } }),
    ).toMatchObject({
      status: 403,
    });
    const path = { organizationId, userId: idOf('create') };
    expect(await other.refused(deleteMember, { path })).toMatchObject({ status: 409 });
  });
});

describe('roles', () => {
  test.each(['create', 'review', 'edit', 'comment', 'read', 'guest'])(
    '%s may read members, not change them',
    async (role) => {
      const client = sandbox.as(role);
      expect((await client.ok(listMembers, { path: { organizationId } })).count).toBe(7);
      const path = { organizationId, userId: idOf('read') };
      expect(await client.refused(updateMember, { path, body: { role: 'admin' } })).toMatchObject({
        status: 403,
      });
      expect(await client.refused(deleteMember, { path })).toMatchObject({ status: 403 });
      expect(await client.refused(linkMemberSso, { path })).toMatchObject({ status: 403 });
    },
  );

  test('members of another organization get 404', async () => {
    const client = sandbox.as('other-org');
    expect(await client.refused(listMembers, { path: { organizationId } })).toMatchObject({ status: 404 });
  });
});
