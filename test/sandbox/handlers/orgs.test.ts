import { describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { type Client, seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';
import { broken } from './openapi-world.js';

const sandbox = eachTest(openPlatform);
const acme = { organizationId: seedId('org acme') };

const titles = (orgs: { title: string }[]) => orgs.map(({ title }) => title);

describe('organizations', () => {
  test('are listed for their members', async () => {
    expect(titles((await sandbox.admin.ok(ops.listOrgs, {})).items)).toEqual(['Acme Docs', 'Acme Labs']);
    expect(titles((await sandbox.as('guest').ok(ops.listOrgs, {})).items)).toEqual(['Acme Docs']);
    expect(titles((await sandbox.as('other-org').ok(ops.listOrgs, {})).items)).toEqual(['Globex']);
  });

  test('are read with permissions by role', async () => {
    const seen = async (role: string) => (await sandbox.as(role).ok(ops.getOrg, { path: acme })).permissions;
    expect(await seen('admin')).toMatchObject({ admin: true, createContent: true, viewBilling: true });
    expect(await seen('create')).toMatchObject({ admin: false, createContent: true, viewBilling: false });
    expect(await seen('guest')).toMatchObject({ view: true, admin: false, createContent: false });
  });

  test('change the given fields only', async () => {
    const before = await sandbox.admin.ok(ops.getOrg, { path: acme });
    const body = {
      ...{ title: 'Acme', emailDomains: ['acme.example', 'acme.test'], hostname: 'acme', defaultRole: null },
      ...{ logo: 'https://acme.example/logo.png', sso: true, ai: false, inviteLinks: false },
    };
    const after = await sandbox.admin.ok(ops.updateOrg, { path: acme, body });
    const { logo, ...fields } = body;
    expect(after).toEqual({ ...before, ...fields, urls: { ...before.urls, logo } });
    expect(await sandbox.admin.ok(ops.getOrg, { path: acme })).toEqual(after);
    expect(
      (await sandbox.admin.ok(ops.updateOrg, { path: acme, body: { logo: null } })).urls,
    ).not.toHaveProperty('logo');
    expect(await sandbox.admin.ok(ops.updateOrg, { path: acme, body: {} })).toMatchObject({
      title: 'Acme',
      sso: true,
    });
  });

  test('cannot share a hostname', async () => {
    const body = { hostname: 'globex' };
    await sandbox.admin.refuses(409, ops.updateOrg, { path: acme, body });
    expect(
      await sandbox.admin.ok(ops.updateOrg, { path: acme, body: { hostname: 'acme-docs' } }),
    ).toMatchObject({
      hostname: 'acme-docs',
    });
  });

  test('are found by domain by members and by users of the domain', async () => {
    const find = async (client: Client, emailDomain: string) =>
      titles((await client.ok(ops.findOrgs, { path: { emailDomain } })).organizations);
    expect(await find(sandbox.admin, 'ACME.example')).toEqual(['Acme Docs', 'Acme Labs']);
    expect(await find(sandbox.as('read'), 'acme.example')).toEqual(['Acme Docs', 'Acme Labs']);
    expect(await find(sandbox.as('other-org'), 'acme.example')).toEqual([]);
    expect(await find(sandbox.as('other-org'), 'globex.example')).toEqual(['Globex']);
    expect(await find(sandbox.admin, 'nobody.example')).toEqual([]);
  });

  test('record at a ping when a member was last seen', async () => {
    const goran = { ...acme, userId: seedId('user goran') };
    expect(await sandbox.admin.ok(ops.getMember, { path: goran })).not.toHaveProperty('lastSeenAt');
    sandbox.outside.ms += 90_000;
    expect(await sandbox.as('guest').ok(ops.pingOrg, { path: acme })).toEqual({});
    expect(await sandbox.admin.ok(ops.getMember, { path: goran })).toMatchObject({
      lastSeenAt: '2026-01-05T09:01:30.000Z',
    });
  });

  test('are searched, within what the caller may see', async () => {
    const found = async (role: string, query: string) =>
      titles((await sandbox.as(role).ok(ops.searchOrg, { path: acme, query: { query } })).items);
    expect(await found('read', 'PRODUCT')).toContain('Product Guide');
    expect(await found('admin', 'board')).toEqual(['Board Notes']);
    expect(await found('read', 'board')).toEqual([]);
  });
});

describe('link invites', () => {
  const path = { ...acme, inviteId: seedId('invite readers') };

  test('are read and changed', async () => {
    expect(await sandbox.admin.ok(ops.getInvite, { path })).toEqual({
      ...{ object: 'invite', id: path.inviteId, role: 'read', redundant: false },
    });
    expect(await sandbox.admin.ok(ops.updateInvite, { path, body: { role: 'comment' } })).toMatchObject({
      role: 'comment',
    });
    expect(await sandbox.admin.ok(ops.getInvite, { path })).toMatchObject({ role: 'comment' });
  });
});

test.each<[list: AnyOperation, create: AnyOperation, key: string, more: object, order: string[]]>([
  [ops.listSamlProviders, ops.createSamlProvider, 'label', {}, ['Acme Staff', 'zeta', 'beta']],
  [ops.listTranslations, ops.createTranslation, 'title', {}, ['Product docs', 'zeta', 'beta']],
  [ops.listOpenApiSpecs, ops.createOpenApiSpec, 'slug', { source: broken }, ['public-api', 'zeta', 'beta']],
  [
    ...[ops.listCustomFields, ops.createCustomField],
    ...['name', { type: 'text' }, ['audience', 'beta', 'owner-team', 'review-by', 'topics', 'zeta']],
  ] as [AnyOperation, AnyOperation, string, object, string[]],
])('%#: the oldest first, custom fields by name', async (list, create, key, more, order) => {
  const path = { organizationId: sandbox.organizationId };
  for (const name of ['zeta', 'beta']) {
    sandbox.outside.ms += 1000;
    await sandbox.admin.ok(create, { path, body: { [key]: name, ...more } });
  }
  const items = (await sandbox.admin.all(list, { path })) as Record<string, unknown>[];
  expect(items.map((item) => item[key])).toEqual(order);
});
