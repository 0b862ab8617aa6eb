import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openPlatform);
const organizationId = seedId('org acme');

const product = () => ({ organizationId, translationSettingsId: seedId('translation product docs') });
const create = (title: string) =>
  sandbox.admin.ok(ops.createTranslation, { path: { organizationId }, body: { title } });

describe('translation settings', () => {
  test('say that only admins may edit them', async () => {
    const { permissions } = await sandbox.as('create').ok(ops.getTranslation, { path: product() });
    expect(permissions).toEqual({ view: true, edit: false });
  });

  test('of the seed have all their fields', async () => {
    const { translationSettingsId: id } = product();
    expect(await sandbox.admin.ok(ops.getTranslation, { path: product() })).toEqual({
      object: 'translation-settings',
      id,
      title: 'Product docs',
      languages: ['de', 'fr', 'ja'],
      createdAt: '2025-03-11T09:00:00.000Z',
      updatedAt: '2025-10-22T04:00:00.000Z',
      permissions: { view: true, edit: true },
      urls: { location: `https://api.sandbox.example/v1/orgs/${organizationId}/translations/${id}` },
    });
  });

  test('are created with languages and read back unchanged', async () => {
    const made = await create('x'.repeat(100));
    expect(made).toMatchObject({ title: 'x'.repeat(100), languages: ['de', 'es', 'fr', 'ja'] });
    expect(made.updatedAt).toBe(made.createdAt);
    const path = { organizationId, translationSettingsId: made.id };
    expect(await sandbox.admin.ok(ops.getTranslation, { path })).toEqual(made);
  });

  test('take a new title and record the time', async () => {
    const before = await sandbox.admin.ok(ops.getTranslation, { path: product() });
    sandbox.outside.ms += 60_000;
    const after = await sandbox.admin.ok(ops.updateTranslation, {
      path: product(),
      body: { title: 'All docs' },
    });
    expect(after).toEqual({ ...before, title: 'All docs', updatedAt: '2026-01-05T09:01:00.000Z' });
    expect(await sandbox.admin.ok(ops.getTranslation, { path: product() })).toEqual(after);
  });
});
