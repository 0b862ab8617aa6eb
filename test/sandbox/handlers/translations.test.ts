import { describe, expect, test } from 'vitest';
import {
  createTranslation,
  deleteTranslation,
  getTranslation,
  listTranslations,
  updateTranslation,
} from '../../../src/api/resources/translations.js';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';

const sandbox = eachTest(openPlatform);
const organizationId = seedId('org acme');

const product = () => ({ organizationId, translationSettingsId: seedId('translation product docs') });
const list = (query = {}) => sandbox.admin.ok(listTranslations, { path: { organizationId }, query });
const create = (title: string) =>
  sandbox.admin.ok(createTranslation, { path: { organizationId }, body: { title } });

describe('translation settings', () => {
  test('of the seed have all their fields', async () => {
    const { translationSettingsId: id } = product();
    expect(await sandbox.admin.ok(getTranslation, { path: product() })).toEqual({
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
    expect(await sandbox.admin.ok(getTranslation, { path })).toEqual(made);
  });

  test.each([{}, { title: '' }, { title: 'x'.repeat(101) }, { title: 1 }, { title: 'x', languages: ['de'] }])(
    'cannot be made from or become %o: 400',
    async (body) => {
      await sandbox.admin.refuses(400, createTranslation, { path: { organizationId }, body });
      await sandbox.admin.refuses(400, updateTranslation, { path: product(), body });
      expect((await list()).items.map(({ title }) => title)).toEqual(['Product docs']);
    },
  );

  test('take a new title and record the time', async () => {
    const before = await sandbox.admin.ok(getTranslation, { path: product() });
    sandbox.outside.ms += 60_000;
    const after = await sandbox.admin.ok(updateTranslation, { path: product(), body: { title: 'All docs' } });
    expect(after).toEqual({ ...before, title: 'All docs', updatedAt: '2026-01-05T09:01:00.000Z' });
    expect(await sandbox.admin.ok(getTranslation, { path: product() })).toEqual(after);
  });

  test('are gone once deleted', async () => {
    await sandbox.admin.ok(deleteTranslation, { path: product() });
    await sandbox.admin.refuses(404, getTranslation, { path: product() });
    await sandbox.admin.refuses(404, deleteTranslation, { path: product() });
    const body = { title: 'x' };
    await sandbox.admin.refuses(404, updateTranslation, { path: product(), body });
    expect(await list()).toEqual({ items: [], count: 0 });
  });

  test('of another organization are 404', async () => {
    const path = { ...product(), organizationId: seedId('org labs') };
    await sandbox.admin.refuses(404, getTranslation, { path });
    await sandbox.admin.refuses(404, updateTranslation, { path, body: { title: 'x' } });
    await sandbox.admin.refuses(404, deleteTranslation, { path });
    expect((await list()).count).toBe(1);
    expect(await sandbox.as('other-org').refused(getTranslation, { path: product() })).toMatchObject({
      status: 404,
    });
  });
});

test('the list begins with the oldest, page by page', async () => {
  sandbox.outside.ms += 1000;
  await create('second');
  sandbox.outside.ms += 1000;
  await create('third');
  const { items, count, next } = await list({ limit: 2 });
  expect(items.map(({ title }) => title)).toEqual(['Product docs', 'second']);
  expect(count).toBe(3);
  expect((await list({ page: next?.page })).items.map(({ title }) => title)).toEqual(['third']);
  for (const query of [{ limit: 1001 }, { page: 'x' }, { title: 'x' }]) {
    await sandbox.admin.refuses(400, listTranslations, { path: { organizationId }, query });
  }
});

test.each(['create', 'read', 'guest'])('%s reads, and may not change anything', async (role) => {
  const client = sandbox.as(role);
  expect((await client.ok(listTranslations, { path: { organizationId } })).count).toBe(1);
  const read = await client.ok(getTranslation, { path: product() });
  expect(read.permissions).toEqual({ view: true, edit: false });
  const body = { title: 'x' };
  await client.refuses(403, createTranslation, { path: { organizationId }, body });
  await client.refuses(403, updateTranslation, { path: product(), body });
  await client.refuses(403, deleteTranslation, { path: product() });
});
