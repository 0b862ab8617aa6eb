import { describe, expect, test } from 'vitest';
import { listCollections } from '../../src/api/resources/collections.js';
import { listMemberSpaces, listMembers } from '../../src/api/resources/members.js';
import { listTeams } from '../../src/api/resources/teams.js';
import { type Role, roles } from '../../src/api/shapes.js';
import { createRandom, seedingOf } from '../../src/sandbox/seeds/seed.js';
import { openDatabase } from '../../src/sandbox/store/database.js';
import { openPlatform } from './in-process.js';

async function acme() {
  const sandbox = await openPlatform({ seed: 'acme' });
  const path = { organizationId: sandbox.organizationId };
  return { sandbox, path, ...(await sandbox.admin.ok(listMembers, { path, query: { limit: 1000 } })) };
}

describe('acme', () => {
  test('is a company of 400, in 20 teams, with 60 spaces in nested collections', async () => {
    const { sandbox, path, items, count } = await acme();
    const { admin } = sandbox;
    expect([count, items.length]).toEqual([400, 400]);
    expect((await admin.ok(listTeams, { path })).count).toBe(20);
    const userId = sandbox.user('admin');
    const spaces = await admin.all(listMemberSpaces, { path: { ...path, userId } });
    expect(spaces).toHaveLength(60);
    const collections = await admin.all(listCollections, { path });
    const parents = new Map(collections.map(({ id, parent }) => [id, parent]));
    const depth = (id: string | undefined): number => (id === undefined ? 0 : 1 + depth(parents.get(id)));
    expect(Math.max(...collections.map(({ id }) => depth(id)))).toBe(3);
  });

  test('has believable people, of every role', async () => {
    const { items } = await acme();
    const emails = items.map(({ user }) => user.email ?? '');
    expect(new Set(emails).size).toBe(400);
    for (const email of emails) expect(email).toMatch(/^[a-z]+(\.[a-z]+\d*)?@acme\.example$/);
    expect(items.some(({ user }) => /[^\p{ASCII}]/u.test(user.displayName))).toBe(true);
    const share = (name: Role | null) => items.filter(({ role }) => role === name).length;
    for (const role of [...roles, null]) expect(share(role)).toBeGreaterThan(1);
    expect(share('read')).toBeGreaterThan(share('admin'));
    for (const { joinedAt, lastSeenAt = joinedAt } of items) {
      expect(joinedAt < '2026-01-05T09:00:00.000Z' && lastSeenAt < '2026-01-05T09:00:00.000Z').toBe(true);
    }
  });
});

test('random data depends on the seed and the resource only', async () => {
  const draw = (text: string) => Array.from({ length: 5 }, createRandom(text).below.bind(undefined, 1000));
  expect(draw('acme members')).toEqual(draw('acme members'));
  expect(draw('acme members')).not.toEqual(draw('acme teams'));
  const db = await openDatabase(':memory:');
  const { id, daysAgo } = seedingOf(db, 'acme', 'members');
  expect(id('user ada')).toBe(seedingOf(db, 'acme', 'teams').id('user ada'));
  expect(id('user ada')).toMatch(/^[A-Za-z0-9]{20}$/);
  expect(new Date(daysAgo(1, 2)).toISOString()).toBe('2026-01-04T07:00:00.000Z');
  db.close();
});
