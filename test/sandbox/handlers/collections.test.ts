import { describe, expect, test } from 'vitest';
import { deleteCollection, getCollection, moveCollection } from '../../../src/api/resources/collections.js';
import { deleteSpace, getSpace, moveSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import {
  type CollectionPath,
  idOf,
  internal,
  labs,
  openCollectionWorld,
  product,
  titles,
} from './collection-world.js';

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

describe('transferring a collection', () => {
  const transfer = (path: CollectionPath, organization = labs) =>
    world.admin.ok(ops.transferCollection, { path, body: { organization } });

  test('takes its spaces and collections along, to the end of the top level', async () => {
    const guides = await world.create('Guides', product.collectionId);
    await world.create('Old', guides.collectionId);
    const space = { spaceId: idOf('space welcome') };
    await world.admin.ok(ops.moveSpace, { path: space, body: { parent: guides.collectionId } });
    const target = await world.admin.ok(ops.createCollection, {
      path: { organizationId: labs },
      body: { title: 'Labs' },
    });
    expect(await transfer(guides)).toMatchObject({ organization: labs, id: guides.collectionId });
    expect(await world.admin.ok(ops.getCollection, { path: guides })).not.toHaveProperty('parent');
    const there = await world.admin.ok(ops.listCollections, { path: { organizationId: labs } });
    expect(titles(there.items)).toEqual(['Labs', 'Guides', 'Old']);
    expect(there.items.map(({ organization }) => organization)).toEqual([labs, labs, labs]);
    expect(target.title).toBe('Labs');
    expect(titles((await world.list()).items)).toEqual(['Product', 'Internal']);
    expect(await world.admin.ok(ops.getSpace, { path: space })).toMatchObject({
      organization: labs,
      parent: guides.collectionId,
    });
    await world.as('create').refuses(404, ops.getSpace, { path: space });
    await world.as('create').refuses(404, ops.getCollection, { path: guides });
  });

  test('drops grants to teams, and to users who are not in the target', async () => {
    const spaceId = idOf('space guide');
    const grant = 'INSERT INTO space_users (space_id, user_id, level) VALUES (?, ?, ?)';
    await world.beside((db) => db.run(grant, spaceId, idOf('user ada'), 'read'));
    await transfer(product);
    const left = await world.beside((db) => ({
      users: db.all('SELECT user_id FROM space_users WHERE space_id = ?', spaceId),
      teams: db.all('SELECT team_id FROM space_teams WHERE space_id = ?', idOf('space api')),
    }));
    expect(left).toEqual({ users: [{ user_id: idOf('user ada') }], teams: [] });
  });

  test('takes deleted spaces along', async () => {
    const path = { spaceId: idOf('space guide') };
    await world.admin.ok(ops.deleteSpace, { path });
    await transfer(product);
    expect(await world.admin.ok(ops.restoreSpace, { path })).toMatchObject({
      organization: labs,
      parent: product.collectionId,
    });
  });

  test('takes an admin of both organizations, and another organization', async () => {
    const refused = async (organization: unknown, client = world.admin) =>
      (await client.refused(ops.transferCollection, { path: product, body: { organization } })).status;
    expect(await refused(world.organizationId)).toBe(412);
    expect(await refused(idOf('org globex'))).toBe(404);
    expect(await refused('nowhere')).toBe(404);
    expect(await refused('')).toBe(400);
    expect(await refused(undefined)).toBe(400);
    expect(await refused(labs, world.as('create'))).toBe(403);
    await world.beside((db) =>
      db.run("UPDATE members SET role = 'create' WHERE org_id = ? AND user_id = ?", labs, idOf('user ada')),
    );
    expect(await refused(labs)).toBe(412);
    expect(await world.admin.ok(ops.getCollection, { path: product })).toMatchObject({
      organization: world.organizationId,
    });
  });
});

describe('moving a collection', () => {
  const collection = ({ collectionId }: CollectionPath) =>
    ({ type: 'collection', collection: collectionId }) as const;
  const space = (name: string) => ({ type: 'space', space: idOf(`space ${name}`) }) as const;
  const move = (path: CollectionPath, body: object, client = world.admin) =>
    client.ok(moveCollection, { path, body });
  const refused = async (path: CollectionPath, body: object, client = world.admin) =>
    (await client.refused(moveCollection, { path, body })).status;

  test('goes before or after a sibling, of either kind', async () => {
    const guides = await world.create('Guides');
    await move(guides, { position: { before: collection(product) } });
    expect(await world.topLevel()).toEqual(['Guides', 'Product', 'Internal']);
    await move(guides, { position: { after: collection(internal) } });
    expect(await world.topLevel()).toEqual(['Product', 'Internal', 'Guides']);
    await move(internal, { position: { after: space('welcome') } });
    expect(await world.topLevel()).toEqual(['Internal', 'Product', 'Guides']);
    await move(product, { position: { before: space('welcome') } });
    expect(await world.topLevel()).toEqual(['Product', 'Internal', 'Guides']);
  });

  test('accepts both neighbours if they are adjacent, else 400', async () => {
    const guides = await world.create('Guides');
    const between = { after: collection(product), before: collection(internal) };
    await move(guides, { position: between });
    expect(await world.topLevel()).toEqual(['Product', 'Guides', 'Internal']);
    await move(guides, { position: between });
    expect(await world.topLevel()).toEqual(['Product', 'Guides', 'Internal']);
    const wrong = [
      { after: collection(internal), before: collection(product) },
      { after: space('welcome'), before: collection(internal) },
      { after: collection(product), before: collection(product) },
    ];
    for (const position of wrong) expect(await refused(guides, { position })).toBe(400);
    expect(await world.topLevel()).toEqual(['Product', 'Guides', 'Internal']);
  });

  test('goes into another collection, at its end, and out again with null', async () => {
    expect(await move(internal, { parent: product.collectionId })).toMatchObject({
      id: internal.collectionId,
      parent: product.collectionId,
    });
    const all = await world.list();
    expect(titles(all.items)).toEqual(['Product', 'Internal']);
    expect(await world.topLevel()).toEqual(['Product']);
    expect(await move(internal, { parent: null })).not.toHaveProperty('parent');
    expect(await world.topLevel()).toEqual(['Product', 'Internal']);
  });

  test('goes into another collection and next to a neighbour at once', async () => {
    const guides = await world.create('Guides', product.collectionId);
    const position = { before: collection(guides) };
    await move(internal, { parent: product.collectionId, position });
    expect(titles((await world.list()).items)).toEqual(['Product', 'Internal', 'Guides']);
  });

  test('without a parent goes to that of its neighbour', async () => {
    const moved = await move(internal, { position: { after: space('guide') } });
    expect(moved).toMatchObject({ parent: product.collectionId });
  });

  test('without a new place changes nothing', async () => {
    const before = await world.list();
    await move(internal, {});
    await move(internal, { parent: null });
    await move(product, { parent: null, position: {} });
    expect(await world.list()).toEqual(before);
  });

  test('into itself or its own collections is 409', async () => {
    const guides = await world.create('Guides', product.collectionId);
    const old = await world.create('Old', guides.collectionId);
    for (const target of [product, guides, old]) {
      expect(await refused(product, { parent: target.collectionId })).toBe(409);
    }
    expect(await refused(product, { position: { after: collection(guides) } })).toBe(409);
    expect(await refused(guides, { parent: old.collectionId })).toBe(409);
    expect(await world.admin.ok(getCollection, { path: product })).not.toHaveProperty('parent');
  });

  test('needs a parent and neighbours that exist, side by side with it', async () => {
    expect(await refused(internal, { parent: 'nowhere' })).toBe(404);
    expect(await refused(internal, { position: { after: space('nowhere') } })).toBe(404);
    const other = { parent: null, position: { before: space('guide') } };
    expect(await refused(internal, other)).toBe(404);
    expect(await refused(internal, { position: { after: space('globex') } })).toBe(404);
    expect(await refused(internal, { position: { after: collection(internal) } })).toBe(400);
    for (const body of [
      { parent: 7 },
      { position: { before: { type: 'page', page: 'x' } } },
      { position: { near: space('guide') } },
      { to: 'x' },
    ]) {
      expect(await refused(internal, body)).toBe(400);
    }
  });

  test('requires the role create in the target too', async () => {
    const client = world.as('create');
    const guides = await world.create('Guides', product.collectionId);
    expect(await move(guides, { parent: null }, client)).not.toHaveProperty('parent');
    expect(await refused(guides, { parent: internal.collectionId }, client)).toBe(403);
    expect(await refused(internal, { parent: product.collectionId }, client)).toBe(403);
  });

  test('ignores deleted and hidden siblings as neighbours', async () => {
    const path = { spaceId: idOf('space welcome') };
    const parent = product.collectionId;
    await world.admin.ok(moveSpace, { path, body: { parent, position: { after: space('guide') } } });
    await world.admin.ok(deleteSpace, { path });
    expect(await refused(internal, { position: { after: space('welcome') } })).toBe(404);
    const position = { after: space('guide'), before: space('api') };
    expect(await move(internal, { parent, position })).toMatchObject({ parent });
    await world.admin.ok(restoreSpace, { path });
    expect(await world.spacesOf(product)).toEqual(['Product Guide', 'Welcome', 'API Reference']);
    const client = world.as('create');
    const guides = await world.create('Guides');
    expect(await refused(guides, { position: { before: space('board') } }, client)).toBe(404);
    await move(guides, { position: { before: space('board') } });
  });
});

describe('deleting a collection', () => {
  test('replaces it by its children, in their order', async () => {
    const outer = await world.create('Outer', product.collectionId);
    const inner = await world.create('Inner', outer.collectionId);
    const position = { before: { type: 'collection', collection: inner.collectionId } } as const;
    const path = { spaceId: idOf('space welcome') };
    await world.admin.ok(moveSpace, { path, body: { parent: outer.collectionId, position } });
    await world.create('After', product.collectionId);
    await world.admin.ok(deleteCollection, { path: outer });
    await world.admin.refuses(404, getCollection, { path: outer });
    expect(titles((await world.list()).items)).toEqual(['Product', 'Inner', 'After', 'Internal']);
    expect(await world.spacesOf(product)).toEqual(['Product Guide', 'API Reference', 'Welcome']);
    expect(await world.admin.ok(getCollection, { path: inner })).toMatchObject({
      parent: product.collectionId,
    });
    expect(await world.admin.ok(getSpace, { path })).toMatchObject({ parent: product.collectionId });
  });

  test('at the top level makes spaces that were open to the collection private, for the same people', async () => {
    const path = { spaceId: idOf('space handbook') };
    const reader = world.as('read');
    const creator = world.as('create');
    const before = await creator.ok(getSpace, { path });
    expect(before).toMatchObject({
      visibility: 'in-collection',
      permissions: { comment: true, edit: false },
    });
    await world.admin.ok(deleteCollection, { path: internal });
    const after = await creator.ok(getSpace, { path });
    expect(after).toMatchObject({ visibility: 'private', defaultLevel: 'comment' });
    expect(after).not.toHaveProperty('parent');
    expect(after.permissions).toEqual(before.permissions);
    expect(await reader.ok(getSpace, { path })).toMatchObject({
      permissions: { view: true, comment: false },
    });
    expect(await world.topLevel()).toEqual(['Product']);
  });

  test('leaves published spaces as visible as they were', async () => {
    await world.admin.ok(deleteCollection, { path: product });
    const space = await world.admin.ok(getSpace, { path: { spaceId: idOf('space guide') } });
    expect(space).toMatchObject({ visibility: 'public', defaultLevel: 'inherit' });
  });

  test('takes deleted spaces along, so that they can be restored', async () => {
    const path = { spaceId: idOf('space guide') };
    await world.admin.ok(deleteSpace, { path });
    await world.admin.ok(deleteCollection, { path: product });
    expect(await world.admin.ok(restoreSpace, { path })).not.toHaveProperty('parent');
  });
});
