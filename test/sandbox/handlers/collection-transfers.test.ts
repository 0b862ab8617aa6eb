import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { type CollectionPath, idOf, labs, openCollectionWorld, product, titles } from './collection-world.js';

const world = eachTest(openCollectionWorld);

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
