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
