import { describe, expect, test } from 'vitest';
import { deleteCollection, getCollection, moveCollection } from '../../../src/api/resources/collections.js';
import { deleteSpace, getSpace, moveSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { eachTest } from '../each-test.js';
import {
  type CollectionPath,
  idOf,
  internal,
  openCollectionWorld,
  product,
  titles,
} from './collection-world.js';

const world = eachTest(openCollectionWorld);

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
