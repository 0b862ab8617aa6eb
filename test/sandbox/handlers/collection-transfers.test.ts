import { describe, expect, test } from 'vitest';
import {
  createCollection,
  getCollection,
  listCollections,
  transferCollection,
} from '../../../src/api/resources/collections.js';
import { deleteSpace, getSpace, moveSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { eachTest } from '../each-test.js';
import { type CollectionPath, idOf, labs, openCollectionWorld, product, titles } from './collection-world.js';

const world = eachTest(openCollectionWorld);

describe('transferring a collection', () => {
  const transfer = (path: CollectionPath, organization = labs) =>
    world.admin.ok(transferCollection, { path, body: { organization } });

  test('takes its spaces and collections along, to the end of the top level', async () => {
    const guides = await world.create('Guides', product.collectionId);
    await world.create('Old', guides.collectionId);
    const space = { spaceId: idOf('space welcome') };
    await world.admin.ok(moveSpace, { path: space, body: { parent: guides.collectionId } });
    const target = await world.admin.ok(createCollection, {
      path: { organizationId: labs },
      body: { title: 'Labs' },
    });
    expect(await transfer(guides)).toMatchObject({ organization: labs, id: guides.collectionId });
    expect(await world.admin.ok(getCollection, { path: guides })).not.toHaveProperty('parent');
    const there = await world.admin.ok(listCollections, { path: { organizationId: labs } });
    expect(titles(there.items)).toEqual(['Labs', 'Guides', 'Old']);
    expect(there.items.map(({ organization }) => organization)).toEqual([labs, labs, labs]);
    expect(target.title).toBe('Labs');
    expect(titles((await world.list()).items)).toEqual(['Product', 'Internal']);
    expect(await world.admin.ok(getSpace, { path: space })).toMatchObject({
      organization: labs,
      parent: guides.collectionId,
    });
    await world.as('create').refuses(404, getSpace, { path: space });
    await world.as('create').refuses(404, getCollection, { path: guides });
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
    await world.admin.ok(deleteSpace, { path });
    await transfer(product);
    expect(await world.admin.ok(restoreSpace, { path })).toMatchObject({
      organization: labs,
      parent: product.collectionId,
    });
  });

  test('takes an admin of both organizations, and another organization', async () => {
    const refused = async (organization: unknown, client = world.admin) =>
      (await client.refused(transferCollection, { path: product, body: { organization } })).status;
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
    expect(await world.admin.ok(getCollection, { path: product })).toMatchObject({
      organization: world.organizationId,
    });
  });
});
