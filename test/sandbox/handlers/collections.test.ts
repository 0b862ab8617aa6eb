import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { idOf, internal, labs, openCollectionWorld, product, titles } from './collection-world.js';

const world = eachTest(openCollectionWorld);

describe('the list of collections', () => {
  test('has each collection followed by its children; without nested only the top level', async () => {
    const guides = await world.create('Guides', product.collectionId);
    await world.create('Old guides', guides.collectionId);
    await world.create('Legal');
    const all = await world.list();
    expect(titles(all.items)).toEqual(['Product', 'Guides', 'Old guides', 'Internal', 'Legal']);
    expect(all.count).toBe(5);
    expect(titles((await world.list(world.admin, { nested: true })).items)).toEqual(titles(all.items));
    const top = await world.list(world.admin, { nested: false });
    expect(titles(top.items)).toEqual(['Product', 'Internal', 'Legal']);
    expect(top.count).toBe(3);
  });

  test('has only what the caller may see; a guest sees none', async () => {
    await world.admin.ok(ops.updateCollection, { path: internal, body: { defaultLevel: null } });
    expect(titles((await world.list()).items)).toEqual(['Product', 'Internal']);
    const seen = await world.list(world.as('create'));
    expect(titles(seen.items)).toEqual(['Product']);
    expect(seen.count).toBe(1);
    expect((await world.list(world.as('guest'))).items).toEqual([]);
    await world.as('create').refuses(404, ops.getCollection, { path: internal });
    await world.as('guest').refuses(404, ops.getCollection, { path: product });
  });
});

describe('a collection', () => {
  test('is read with all its fields', async () => {
    expect(await world.admin.ok(ops.getCollection, { path: product })).toEqual({
      object: 'collection',
      id: product.collectionId,
      title: 'Product',
      description: 'What customers read',
      organization: world.organizationId,
      defaultLevel: 'inherit',
      urls: {
        location: `https://api.sandbox.example/v1/collections/${product.collectionId}`,
        app: `https://app.sandbox.example/o/${world.organizationId}/c/${product.collectionId}`,
      },
      permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
    });
  });

  test.each([
    ['admin', { view: true, admin: true, viewInviteLinks: true, create: true }],
    ['create', { view: true, admin: false, viewInviteLinks: false, create: true }],
    ['review', { view: true, admin: false, viewInviteLinks: false, create: false }],
    ['read', { view: true, admin: false, viewInviteLinks: false, create: false }],
  ])('tells %s what it may do, in the list too', async (role, permissions) => {
    const client = world.as(role);
    expect(await client.ok(ops.getCollection, { path: product })).toMatchObject({ permissions });
    expect((await world.list(client)).items[0]).toMatchObject({ permissions });
  });

  test('shows the level in it, not the role in the organization', async () => {
    const client = world.as('create');
    const permissions = { view: true, admin: false, viewInviteLinks: false, create: false };
    expect(await client.ok(ops.getCollection, { path: internal })).toMatchObject({ permissions });
    expect((await world.list(client)).items[1]).toMatchObject({ title: 'Internal', permissions });
  });

  test('is created at the end, by default untitled and inheriting', async () => {
    const made = await world.admin.ok(ops.createCollection, {
      path: { organizationId: world.organizationId },
      body: {},
    });
    expect(made).toMatchObject({
      title: 'Untitled',
      defaultLevel: 'inherit',
      organization: world.organizationId,
    });
    expect(made).not.toHaveProperty('parent');
    expect(await world.admin.ok(ops.getCollection, { path: { collectionId: made.id } })).toEqual(made);
    expect(await world.topLevel()).toEqual(['Product', 'Internal', 'Untitled']);
  });

  test('requires a parent that the caller sees and may create in', async () => {
    const path = { organizationId: world.organizationId };
    const body = (parent: string) => ({ title: 'Guides', parent });
    await world.admin.refuses(404, ops.createCollection, { path, body: body('nowhere') });
    const client = world.as('create');
    const inInternal = { path, body: body(internal.collectionId) };
    await client.refuses(403, ops.createCollection, inInternal);
    await world.admin.ok(ops.updateCollection, { path: internal, body: { defaultLevel: null } });
    await client.refuses(404, ops.createCollection, inInternal);
    const elsewhere = { path: { organizationId: labs }, body: body(product.collectionId) };
    await world.admin.refuses(404, ops.createCollection, elsewhere);
    expect((await world.list()).count).toBe(2);
  });

  test('changes the given fields only', async () => {
    const path = product;
    const body = { title: 'Products', defaultLevel: 'read' as const };
    expect(await world.admin.ok(ops.updateCollection, { path, body })).toMatchObject({
      title: 'Products',
      description: 'What customers read',
      defaultLevel: 'read',
    });
    expect(await world.admin.ok(ops.updateCollection, { path, body: { description: 'New' } })).toMatchObject({
      title: 'Products',
      description: 'New',
    });
    const unchanged = await world.admin.ok(ops.updateCollection, { path, body: {} });
    expect(await world.admin.ok(ops.getCollection, { path })).toEqual(unchanged);
  });
});

describe('the spaces of a collection', () => {
  test('are listed in order, if the caller can see them', async () => {
    const { items, count } = await world.admin.ok(ops.listCollectionSpaces, { path: product });
    expect(titles(items)).toEqual(['Product Guide', 'API Reference']);
    expect(count).toBe(2);
    expect(items.map(({ parent }) => parent)).toEqual([product.collectionId, product.collectionId]);
    expect(
      titles(await world.admin.all(ops.listCollectionSpaces, { path: product, query: { limit: 1 } })),
    ).toEqual(titles(items));
    const hide = "UPDATE spaces SET visibility = 'private', default_level = 'inherit' WHERE id = ?";
    await world.beside((db) => db.run(hide, idOf('space api')));
    expect(await world.spacesOf(product, world.as('read'))).toEqual(['Product Guide']);
    expect(await world.spacesOf(product)).toEqual(['Product Guide', 'API Reference']);
  });

  test("equal the single reads, with each caller's permissions", async () => {
    for (const client of [world.admin, world.as('edit'), world.as('read')]) {
      const { items } = await client.ok(ops.listCollectionSpaces, { path: product });
      const alone = items.map(({ id }) => client.ok(ops.getSpace, { path: { spaceId: id } }));
      expect(items).toEqual(await Promise.all(alone));
    }
  });
});
