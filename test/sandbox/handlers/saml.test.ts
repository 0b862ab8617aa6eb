import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openPlatform);
const organizationId = seedId('org acme');

const writers = seedId('team writers');
const support = seedId('team support');
const staff = () => ({ organizationId, samlProviderId: seedId('saml staff') });
const logins = async (client = sandbox.admin) =>
  (await client.ok(ops.listSsoLogins, { path: { organizationId } })).items;

async function create(body: { label: string; defaultTeam?: string }) {
  return sandbox.admin.ok(ops.createSamlProvider, { path: { organizationId }, body });
}

describe('a SAML provider', () => {
  test('of the seed has all its fields, with the default team in its current state', async () => {
    const { samlProviderId: id } = staff();
    const location = `https://api.sandbox.example/v1/orgs/${organizationId}/saml/${id}`;
    expect(await sandbox.admin.ok(ops.getSamlProvider, { path: staff() })).toEqual({
      object: 'saml-provider',
      id,
      label: 'Acme Staff',
      ssoURL: 'https://id.acme.example/staff/sso',
      entityID: 'https://id.acme.example/staff/metadata',
      certificate: expect.stringContaining('-----BEGIN CERTIFICATE-----'),
      defaultTeam: await sandbox.admin.ok(ops.getTeam, { path: { organizationId, teamId: writers } }),
      defaultRole: 'edit',
      createdAt: '2024-11-11T09:00:00.000Z',
      service: { acsURL: `${location}/acs`, startURL: `${location}/start`, entityID: `${location}/metadata` },
      urls: { location },
    });
  });

  test('is created with the given fields; the default role is guest', async () => {
    const made = await create({ label: 'x' });
    expect(made).toMatchObject({ label: 'x', defaultRole: null });
    for (const field of ['ssoURL', 'entityID', 'certificate', 'defaultTeam']) {
      expect(made).not.toHaveProperty(field);
    }
    const full = {
      label: 'y'.repeat(30),
      entityID: 'e'.repeat(1024),
      certificate: 'c'.repeat(10_000),
      ssoURL: 'https://id.example/sso',
      defaultRole: 'comment' as const,
    };
    const body = { ...full, defaultTeam: support };
    expect(await sandbox.admin.ok(ops.createSamlProvider, { path: { organizationId }, body })).toMatchObject({
      ...full,
      defaultTeam: { object: 'team', id: support, title: 'Support', members: 3 },
    });
  });

  test('requires a default team of the organization, else 404', async () => {
    const path = { organizationId: seedId('org labs') };
    const body = { label: 'x', defaultTeam: writers };
    await sandbox.admin.refuses(404, ops.createSamlProvider, { path, body });
    const unknown = { defaultTeam: 'nobody' };
    await sandbox.admin.refuses(404, ops.updateSamlProvider, { path: staff(), body: unknown });
    expect(await sandbox.admin.ok(ops.getSamlProvider, { path: staff() })).toMatchObject({
      defaultTeam: { id: writers },
    });
  });

  test('changes the given fields only; null sets the role to guest', async () => {
    const before = await sandbox.admin.ok(ops.getSamlProvider, { path: staff() });
    const body = { label: 'Everybody', defaultRole: null, defaultTeam: support };
    const after = await sandbox.admin.ok(ops.updateSamlProvider, { path: staff(), body });
    expect(after).toEqual({
      ...before,
      label: 'Everybody',
      defaultRole: null,
      defaultTeam: await sandbox.admin.ok(ops.getTeam, { path: { organizationId, teamId: support } }),
    });
    expect(await sandbox.admin.ok(ops.updateSamlProvider, { path: staff(), body: {} })).toEqual(after);
    expect(await sandbox.admin.ok(ops.getSamlProvider, { path: staff() })).toEqual(after);
    await sandbox.admin.refuses(400, ops.updateSamlProvider, { path: staff(), body: { label: '' } });
  });

  test('loses its default team when the team is deleted', async () => {
    await sandbox.admin.ok(ops.deleteTeam, { path: { organizationId, teamId: writers } });
    expect(await sandbox.admin.ok(ops.getSamlProvider, { path: staff() })).not.toHaveProperty('defaultTeam');
  });
});

describe('the lists', () => {
  test('of SSO logins follows the providers', async () => {
    expect(await logins()).toEqual([
      {
        id: staff().samlProviderId,
        label: 'Acme Staff',
        startURL: (await sandbox.admin.ok(ops.getSamlProvider, { path: staff() })).service.startURL,
      },
    ]);
    await create({ label: 'second' });
    await sandbox.admin.ok(ops.updateSamlProvider, { path: staff(), body: { label: 'first' } });
    expect((await logins()).map(({ label }) => label)).toEqual(['first', 'second']);
  });
});
