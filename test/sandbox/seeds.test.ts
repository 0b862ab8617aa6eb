import { describe, expect, test } from 'vitest';
import { type Role, roles } from '../../src/api/shapes.js';
import { createRandom, seedingOf } from '../../src/sandbox/seeds/seeding.js';
import { openDatabase } from '../../src/sandbox/store/database.js';
import { openPlatform } from './in-process.js';
import * as ops from './operations.js';

async function acme() {
  const sandbox = await openPlatform({ seed: 'acme' });
  const path = { organizationId: sandbox.organizationId };
  return { sandbox, path, ...(await sandbox.admin.ok(ops.listMembers, { path, query: { limit: 1000 } })) };
}

describe('acme', () => {
  test('is a company of 400, in 20 teams, with 60 spaces in nested collections', async () => {
    const { sandbox, path, items, count } = await acme();
    const { admin } = sandbox;
    expect([count, items.length]).toEqual([400, 400]);
    expect((await admin.ok(ops.listTeams, { path })).count).toBe(20);
    const userId = sandbox.user('admin');
    const spaces = await admin.all(ops.listMemberSpaces, { path: { ...path, userId } });
    expect(spaces).toHaveLength(60);
    const collections = await admin.all(ops.listCollections, { path });
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

  test('has eight specs with their versions; the last run of three failed', async () => {
    const { sandbox, path } = await acme();
    const { admin } = sandbox;
    const specs = await admin.all(ops.listOpenApiSpecs, { path });
    const counts = specs.map(async ({ slug, lastVersion, lastProcessErrorCode = null }) => {
      const of = { ...path, specSlug: slug };
      const { items, count } = await admin.ok(ops.listOpenApiVersions, { path: of });
      expect(items[0]?.id).toBe(lastVersion);
      const times = items.map(({ createdAt }) => createdAt ?? '');
      expect(times).toEqual([...times].sort().reverse());
      for (const { id } of items) {
        const { filesystem } = await admin.ok(ops.getOpenApiContent, { path: { ...of, versionId: id } });
        expect(filesystem['openapi.json']).toHaveProperty('openapi', '3.1.0');
      }
      return [slug, count, lastProcessErrorCode];
    });
    expect(await Promise.all(counts)).toEqual([
      ...[
        ['public-api', 2, null],
        ['billing', 5, null],
        ['search', 2, null],
        ['identity', 2, null],
      ],
      ...[
        ['webhooks', 1, null],
        ['shipping', 2, 'FETCH_TIMEOUT'],
        ['reports', 1, 'PARSE_ERROR'],
      ],
      ['legacy-crm', 0, 'FETCH_ERROR'],
    ]);
  });

  test('has SAML providers and translation settings', async () => {
    const { sandbox, path } = await acme();
    const providers = await sandbox.admin.all(ops.listSamlProviders, { path });
    expect(providers.map(({ label, defaultTeam }) => [label, defaultTeam?.title])).toEqual([
      ...[
        ['Acme Staff', 'Writers'],
        ['Partners', 'Support'],
        ['Contractors', undefined],
      ],
    ]);
    const settings = await sandbox.admin.all(ops.listTranslations, { path });
    expect(settings.map(({ title, languages }) => [title, languages.length])).toEqual([
      ...[
        ['Product docs', 3],
        ['Help Center, Asia', 3],
        ['Policies', 5],
        ['Release notes', 0],
      ],
    ]);
  });

  test('has sites of every visibility, published and not', async () => {
    const { sandbox, path } = await acme();
    const sites = await sandbox.admin.all(ops.listSites, { path });
    expect(sites.map(({ title, visibility, published }) => [title, visibility, published])).toEqual([
      ...[
        ['Acme Docs', 'public', true],
        ['Acme Help Center', 'public', true],
      ],
      ...[
        ['Partner Portal', 'share-link', true],
        ['Engineering Hub', 'visitor-auth', true],
      ],
      ...[
        ['Working at Acme', 'unlisted', true],
        ['Acme Docs Next', 'public', false],
      ],
    ]);
    // A site without sections is published as its site spaces.
    const of = { ...path, siteId: sites[1]?.id ?? '' };
    const { structure } = await sandbox.admin.ok(ops.getPublishedSite, { path: of });
    expect(structure).toMatchObject({
      type: 'siteSpaces',
      structure: [
        {
          title: 'Customers Handbook',
          urls: { published: 'https://www.acme.example/help/customers-handbook/' },
        },
        { title: 'Getting Started Handbook' },
        { title: 'Integrations Handbook' },
        { title: 'Customers FAQ' },
      ],
    });
  });

  test('has many comments, and correct counts', async () => {
    const { sandbox } = await acme();
    const path = { spaceId: sandbox.defaults.space ?? '' };
    const count = async (status: string) =>
      (await sandbox.admin.ok(ops.listComments, { path, query: { status, limit: 1 } })).count;
    const open = await count('open');
    expect((await sandbox.admin.ok(ops.getSpace, { path })).comments).toBe(open);
    expect(open).toBeGreaterThan(0);
    expect(await count('all')).toBeGreaterThan(open);
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
