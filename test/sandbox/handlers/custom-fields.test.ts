import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openPlatform);
const organizationId = seedId('org acme');

const guide = { spaceId: seedId('space guide') };
const field = (fieldName: string) => ({ organizationId, fieldName });

/** The values that the space has, by name of the field. */
async function valuesOf(path = guide) {
  const entries = await sandbox.admin.ok(ops.listSpaceFields, { path });
  const given = entries.filter(({ value }) => value !== undefined);
  return Object.fromEntries(given.map(({ customField, value }) => [customField.name, value]));
}

describe('a custom field', () => {
  test('of the seed has all its fields', async () => {
    expect(await sandbox.admin.ok(ops.getCustomField, { path: field('audience') })).toEqual({
      object: 'custom-field',
      id: seedId('field audience'),
      name: 'audience',
      type: 'select',
      title: 'Audience',
      options: ['customers', 'partners', 'staff'],
      createdAt: '2024-08-23T09:00:00.000Z',
      updatedAt: '2024-08-23T09:00:00.000Z',
      urls: { location: `https://api.sandbox.example/v1/orgs/${organizationId}/custom-fields/audience` },
      permissions: { view: true, edit: true },
    });
  });

  test.each(['text', 'number', 'boolean', 'select', 'multiselect', 'url', 'date'])(
    'is defined with the type %s',
    async (type) => {
      const body = { name: `a_${type}-1`, type };
      const made = await sandbox.admin.ok(ops.createCustomField, { path: { organizationId }, body });
      expect(made).toMatchObject(body);
      expect(made).not.toHaveProperty('title');
      expect(await sandbox.admin.ok(ops.getCustomField, { path: field(body.name) })).toEqual(made);
    },
  );

  test('cannot take a name in use, except in another organization', async () => {
    const body = { name: 'audience', type: 'text' };
    await sandbox.admin.refuses(409, ops.createCustomField, { path: { organizationId }, body });
    expect(await sandbox.admin.ok(ops.getCustomField, { path: field('audience') })).toMatchObject({
      type: 'select',
    });
    const path = { organizationId: seedId('org labs') };
    expect(await sandbox.admin.ok(ops.createCustomField, { path, body })).toMatchObject(body);
  });

  test('changes the given fields only', async () => {
    const path = field('owner-team');
    const before = await sandbox.admin.ok(ops.getCustomField, { path });
    sandbox.outside.ms += 60_000;
    const after = await sandbox.admin.ok(ops.updateCustomField, { path, body: { placeholder: 'Platform' } });
    expect(after).toEqual({ ...before, placeholder: 'Platform', updatedAt: '2026-01-05T09:01:00.000Z' });
    const both = await sandbox.admin.ok(ops.updateCustomField, {
      path,
      body: { title: 'Owner', description: 'Who' },
    });
    expect(both).toEqual({ ...after, title: 'Owner', description: 'Who' });
    expect(await sandbox.admin.ok(ops.getCustomField, { path })).toEqual(both);
  });
});

describe('values on spaces', () => {
  test('go with their field', async () => {
    expect(await valuesOf()).toEqual({ audience: 'customers', topics: ['api', 'billing'] });
    await sandbox.admin.ok(ops.deleteCustomField, { path: field('audience') });
    expect(await valuesOf()).toEqual({ topics: ['api', 'billing'] });
    const body = { name: 'audience', type: 'select', options: ['customers'] };
    await sandbox.admin.ok(ops.createCustomField, { path: { organizationId }, body });
    expect(await valuesOf()).toEqual({ topics: ['api', 'billing'] });
    const values = { audience: { value: 'customers' } };
    await sandbox.admin.ok(ops.setSpaceFields, { path: guide, body: { values } });
    expect(await valuesOf()).toEqual({ audience: 'customers', topics: ['api', 'billing'] });
  });

  test('lose what is no longer an option', async () => {
    const options = ['customers', 'everybody'];
    await sandbox.admin.ok(ops.updateCustomField, { path: field('audience'), body: { options } });
    await sandbox.admin.ok(ops.updateCustomField, {
      path: field('topics'),
      body: { options: ['security', 'api'] },
    });
    expect(await valuesOf()).toEqual({ audience: 'customers', topics: ['api'] });
    await sandbox.admin.ok(ops.updateCustomField, {
      path: field('audience'),
      body: { options: ['everybody'] },
    });
    await sandbox.admin.ok(ops.updateCustomField, { path: field('topics'), body: { options: ['security'] } });
    expect(await valuesOf()).toEqual({});
  });

  test('of a text field stay, whatever its options', async () => {
    await sandbox.admin.ok(ops.updateCustomField, {
      path: field('owner-team'),
      body: { options: ['Mobile'] },
    });
    expect(await valuesOf({ spaceId: seedId('space handbook') })).toEqual({ 'owner-team': 'Platform' });
  });
});

test('a field says that only admins may edit it', async () => {
  const client = sandbox.as('create');
  const { items } = await client.ok(ops.listCustomFields, { path: { organizationId } });
  expect(items.map(({ permissions }) => permissions.edit)).toEqual([false, false, false, false]);
  expect(await client.ok(ops.getCustomField, { path: field('topics') })).toMatchObject({
    permissions: { view: true, edit: false },
  });
});
