import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
  transferCollection,
  updateCollection,
} from '../../../src/api/resources/collections.js';
import { createCustomField } from '../../../src/api/resources/custom-fields.js';
import { listSpaceFields, setSpaceFields } from '../../../src/api/resources/space-fields.js';
import { deleteSpace, getSpace, moveSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { openDatabase } from '../../../src/sandbox/database.js';
import { idFrom } from '../../../src/sandbox/ids.js';
import { type Client, openSandbox, type TestSandbox } from '../client.js';

let sandbox: TestSandbox;
let admin: Client;
let organizationId: string;

beforeEach(async () => {
  sandbox = await openSandbox();
  admin = sandbox.as('admin');
  organizationId = sandbox.defaults.org;
});
afterEach(() => sandbox.close());

const idOf = (name: string) => idFrom(`tiny ${name}`);
const product = { collectionId: idOf('collection product') };
const internal = { collectionId: idOf('collection internal') };
const titles = (items: readonly { title: string }[]) => items.map(({ title }) => title);
const list = (client = admin, query = {}) => client.ok(listCollections, { path: { organizationId }, query });
const spacesOf = async (path: typeof product, client = admin) =>
  titles((await client.ok(listCollectionSpaces, { path })).items);
const topLevel = async () => titles((await list(admin, { nested: false })).items);

/** Makes a collection and returns its path. */
async function create(title: string, parent?: string, client = admin) {
  const body = { title, ...(parent !== undefined && { parent }) };
  const { id } = await client.ok(createCollection, { path: { organizationId }, body });
  return { collectionId: id };
}

/** Changes the database beside the server, as another program would. */
async function sql(text: string, ...values: (string | number | null)[]) {
  const db = await openDatabase(sandbox.file);
  db.run(text, ...values);
  db.close();
}

describe('the list of collections', () => {
  test('has each collection followed by what it holds; without nested only the top level', async () => {
    const guides = await create('Guides', product.collectionId);
    await create('Old guides', guides.collectionId);
    await create('Legal');
    const all = await list();
    expect(titles(all.items)).toEqual(['Product', 'Guides', 'Old guides', 'Internal', 'Legal']);
    expect(all.count).toBe(5);
    expect(titles((await list(admin, { nested: true })).items)).toEqual(titles(all.items));
    const top = await list(admin, { nested: false });
    expect(titles(top.items)).toEqual(['Product', 'Internal', 'Legal']);
    expect(top.count).toBe(3);
  });

  test('is whole page by page, also while collections are added', async () => {
    await create('Guides', product.collectionId);
    const path = { organizationId };
    expect(titles(await admin.all(listCollections, { path, query: { limit: 1 } }))).toEqual([
      'Product',
      'Guides',
      'Internal',
    ]);
    const first = await list(admin, { limit: 2 });
    await create('Before the cursor', product.collectionId);
    const rest = await list(admin, { limit: 2, page: first.next?.page });
    expect(titles([...first.items, ...rest.items])).toEqual([
      'Product',
      'Guides',
      'Before the cursor',
      'Internal',
    ]);
  });

  test.each([{ nested: 'maybe' }, { limit: 0 }, { limit: 1001 }, { page: 'x' }, { title: 'a' }])(
    'refuses %o with 400',
    async (query) => {
      expect(await admin.refused(listCollections, { path: { organizationId }, query })).toMatchObject({
        status: 400,
      });
    },
  );

  test('has only what the caller may see; a guest sees none', async () => {
    await admin.ok(updateCollection, { path: internal, body: { defaultLevel: null } });
    expect(titles((await list()).items)).toEqual(['Product', 'Internal']);
    const seen = await list(sandbox.as('create'));
    expect(titles(seen.items)).toEqual(['Product']);
    expect(seen.count).toBe(1);
    expect((await list(sandbox.as('guest'))).items).toEqual([]);
    expect(await sandbox.as('create').refused(getCollection, { path: internal })).toMatchObject({
      status: 404,
    });
    expect(await sandbox.as('guest').refused(getCollection, { path: product })).toMatchObject({
      status: 404,
    });
  });
});

describe('a collection', () => {
  test('is read with all its fields', async () => {
    expect(await admin.ok(getCollection, { path: product })).toEqual({
      object: 'collection',
      id: product.collectionId,
      title: 'Product',
      description: 'What customers read',
      organization: organizationId,
      defaultLevel: 'inherit',
      urls: {
        location: `https://api.sandbox.example/v1/collections/${product.collectionId}`,
        app: `https://app.sandbox.example/o/${organizationId}/c/${product.collectionId}`,
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
    const client = sandbox.as(role);
    expect(await client.ok(getCollection, { path: product })).toMatchObject({ permissions });
    expect((await list(client)).items[0]).toMatchObject({ permissions });
  });

  test('tells of the level in it, not of the role in the organization', async () => {
    const client = sandbox.as('create');
    const permissions = { view: true, admin: false, viewInviteLinks: false, create: false };
    expect(await client.ok(getCollection, { path: internal })).toMatchObject({ permissions });
    expect((await list(client)).items[1]).toMatchObject({ title: 'Internal', permissions });
  });

  test('is made at the end, untitled and inheriting unless told otherwise', async () => {
    const made = await admin.ok(createCollection, { path: { organizationId }, body: {} });
    expect(made).toMatchObject({ title: 'Untitled', defaultLevel: 'inherit', organization: organizationId });
    expect(made).not.toHaveProperty('parent');
    expect(await admin.ok(getCollection, { path: { collectionId: made.id } })).toEqual(made);
    expect(await topLevel()).toEqual(['Product', 'Internal', 'Untitled']);
  });

  test('is made inside another one', async () => {
    const { collectionId: parent } = product;
    const made = await admin.ok(createCollection, {
      path: { organizationId },
      body: { title: 'Guides', parent },
    });
    expect(made).toMatchObject({ title: 'Guides', parent });
  });

  test('needs a parent that the caller sees and may create in', async () => {
    const path = { organizationId };
    const body = (parent: string) => ({ title: 'Guides', parent });
    expect(await admin.refused(createCollection, { path, body: body('nowhere') })).toMatchObject({
      status: 404,
    });
    const client = sandbox.as('create');
    const inInternal = { path, body: body(internal.collectionId) };
    expect(await client.refused(createCollection, inInternal)).toMatchObject({ status: 403 });
    await admin.ok(updateCollection, { path: internal, body: { defaultLevel: null } });
    expect(await client.refused(createCollection, inInternal)).toMatchObject({ status: 404 });
    const labs = { path: { organizationId: idOf('org labs') }, body: body(product.collectionId) };
    expect(await admin.refused(createCollection, labs)).toMatchObject({ status: 404 });
    expect((await list()).count).toBe(2);
  });

  test('changes what is given and keeps the rest', async () => {
    const path = product;
    const body = { title: 'Products', defaultLevel: 'read' as const };
    expect(await admin.ok(updateCollection, { path, body })).toMatchObject({
      title: 'Products',
      description: 'What customers read',
      defaultLevel: 'read',
    });
    expect(await admin.ok(updateCollection, { path, body: { description: 'New' } })).toMatchObject({
      title: 'Products',
      description: 'New',
    });
    const unchanged = await admin.ok(updateCollection, { path, body: {} });
    expect(await admin.ok(getCollection, { path })).toEqual(unchanged);
  });

  test.each([
    { title: 'x'.repeat(51) },
    { description: 'x'.repeat(101) },
    { defaultLevel: 'owner' },
    { title: null },
    { parent: 'x' },
  ])('refuses to become %o with 400', async (body) => {
    expect(await admin.refused(updateCollection, { path: product, body })).toMatchObject({ status: 400 });
  });

  test('takes the longest title and description', async () => {
    const body = { title: 'x'.repeat(50), description: 'y'.repeat(100) };
    expect(await admin.ok(updateCollection, { path: product, body })).toMatchObject(body);
  });

  test('that is unknown or of another organization is 404 everywhere', async () => {
    const body = { organization: organizationId };
    for (const [client, collectionId] of [
      [admin, 'nowhere'],
      [sandbox.as('other-org'), product.collectionId],
    ] as const) {
      const path = { collectionId };
      for (const op of [
        getCollection,
        deleteCollection,
        listCollectionSpaces,
        updateCollection,
        moveCollection,
      ]) {
        expect(await client.refused(op, { path })).toMatchObject({ status: 404 });
      }
      expect(await client.refused(transferCollection, { path, body })).toMatchObject({ status: 404 });
    }
  });
});

describe('the spaces of a collection', () => {
  test('are in their order, as many as the caller may see', async () => {
    const { items, count } = await admin.ok(listCollectionSpaces, { path: product });
    expect(titles(items)).toEqual(['Product Guide', 'API Reference']);
    expect(count).toBe(2);
    expect(items.map(({ parent }) => parent)).toEqual([product.collectionId, product.collectionId]);
    expect(titles(await admin.all(listCollectionSpaces, { path: product, query: { limit: 1 } }))).toEqual(
      titles(items),
    );
    await sql(
      "UPDATE spaces SET visibility = 'private', default_level = 'inherit' WHERE id = ?",
      idOf('space api'),
    );
    expect(await spacesOf(product, sandbox.as('read'))).toEqual(['Product Guide']);
    expect(await spacesOf(product)).toEqual(['Product Guide', 'API Reference']);
  });

  test('lack the deleted ones', async () => {
    await admin.ok(deleteSpace, { path: { spaceId: idOf('space guide') } });
    expect(await spacesOf(product)).toEqual(['API Reference']);
  });
});

describe('deleting a collection', () => {
  test('puts what it holds where it stood, in the order inside', async () => {
    const outer = await create('Outer', product.collectionId);
    const inner = await create('Inner', outer.collectionId);
    const position = { before: { type: 'collection', collection: inner.collectionId } } as const;
    const path = { spaceId: idOf('space welcome') };
    await admin.ok(moveSpace, { path, body: { parent: outer.collectionId, position } });
    await create('After', product.collectionId);
    await admin.ok(deleteCollection, { path: outer });
    expect(await admin.refused(getCollection, { path: outer })).toMatchObject({ status: 404 });
    expect(titles((await list()).items)).toEqual(['Product', 'Inner', 'After', 'Internal']);
    expect(await spacesOf(product)).toEqual(['Product Guide', 'API Reference', 'Welcome']);
    expect(await admin.ok(getCollection, { path: inner })).toMatchObject({ parent: product.collectionId });
    expect(await admin.ok(getSpace, { path })).toMatchObject({ parent: product.collectionId });
  });

  test('at the top level makes spaces that were open to the collection private, for the same people', async () => {
    const path = { spaceId: idOf('space handbook') };
    const reader = sandbox.as('read');
    const creator = sandbox.as('create');
    const before = await creator.ok(getSpace, { path });
    expect(before).toMatchObject({
      visibility: 'in-collection',
      permissions: { comment: true, edit: false },
    });
    await admin.ok(deleteCollection, { path: internal });
    const after = await creator.ok(getSpace, { path });
    expect(after).toMatchObject({ visibility: 'private', defaultLevel: 'comment' });
    expect(after).not.toHaveProperty('parent');
    expect(after.permissions).toEqual(before.permissions);
    expect(await reader.ok(getSpace, { path })).toMatchObject({
      permissions: { view: true, comment: false },
    });
    expect(await topLevel()).toEqual(['Product']);
  });

  test('leaves published spaces as visible as they were', async () => {
    await admin.ok(deleteCollection, { path: product });
    const space = await admin.ok(getSpace, { path: { spaceId: idOf('space guide') } });
    expect(space).toMatchObject({ visibility: 'public', defaultLevel: 'inherit' });
  });

  test('takes deleted spaces along, so that they can be restored', async () => {
    const path = { spaceId: idOf('space guide') };
    await admin.ok(deleteSpace, { path });
    await admin.ok(deleteCollection, { path: product });
    expect(await admin.ok(restoreSpace, { path })).not.toHaveProperty('parent');
  });
});

describe('moving a collection', () => {
  const collection = ({ collectionId }: typeof product) =>
    ({ type: 'collection', collection: collectionId }) as const;
  const space = (name: string) => ({ type: 'space', space: idOf(`space ${name}`) }) as const;
  const move = (path: typeof product, body: object, client = admin) =>
    client.ok(moveCollection, { path, body });
  const refused = async (path: typeof product, body: object, client = admin) =>
    (await client.refused(moveCollection, { path, body })).status;

  test('goes before or after a sibling, of either kind', async () => {
    const guides = await create('Guides');
    await move(guides, { position: { before: collection(product) } });
    expect(await topLevel()).toEqual(['Guides', 'Product', 'Internal']);
    await move(guides, { position: { after: collection(internal) } });
    expect(await topLevel()).toEqual(['Product', 'Internal', 'Guides']);
    await move(internal, { position: { after: space('welcome') } });
    expect(await topLevel()).toEqual(['Internal', 'Product', 'Guides']);
    await move(product, { position: { before: space('welcome') } });
    expect(await topLevel()).toEqual(['Product', 'Internal', 'Guides']);
  });

  test('takes both neighbours where they agree, else 400', async () => {
    const guides = await create('Guides');
    const between = { after: collection(product), before: collection(internal) };
    await move(guides, { position: between });
    expect(await topLevel()).toEqual(['Product', 'Guides', 'Internal']);
    await move(guides, { position: between });
    expect(await topLevel()).toEqual(['Product', 'Guides', 'Internal']);
    const wrong = [
      { after: collection(internal), before: collection(product) },
      { after: space('welcome'), before: collection(internal) },
      { after: collection(product), before: collection(product) },
    ];
    for (const position of wrong) expect(await refused(guides, { position })).toBe(400);
    expect(await topLevel()).toEqual(['Product', 'Guides', 'Internal']);
  });

  test('goes into another collection, at its end, and out again with null', async () => {
    expect(await move(internal, { parent: product.collectionId })).toMatchObject({
      id: internal.collectionId,
      parent: product.collectionId,
    });
    const all = await list();
    expect(titles(all.items)).toEqual(['Product', 'Internal']);
    expect(await topLevel()).toEqual(['Product']);
    expect(await move(internal, { parent: null })).not.toHaveProperty('parent');
    expect(await topLevel()).toEqual(['Product', 'Internal']);
  });

  test('goes into another collection and next to a neighbour at once', async () => {
    const guides = await create('Guides', product.collectionId);
    const position = { before: collection(guides) };
    await move(internal, { parent: product.collectionId, position });
    expect(titles((await list()).items)).toEqual(['Product', 'Internal', 'Guides']);
  });

  test('without a parent goes to that of its neighbour', async () => {
    const moved = await move(internal, { position: { after: space('guide') } });
    expect(moved).toMatchObject({ parent: product.collectionId });
  });

  test('that names nothing new changes nothing', async () => {
    const before = await list();
    await move(internal, {});
    await move(internal, { parent: null });
    await move(product, { parent: null, position: {} });
    expect(await list()).toEqual(before);
  });

  test('into itself or what it holds is 409', async () => {
    const guides = await create('Guides', product.collectionId);
    const old = await create('Old', guides.collectionId);
    for (const target of [product, guides, old]) {
      expect(await refused(product, { parent: target.collectionId })).toBe(409);
    }
    expect(await refused(product, { position: { after: collection(guides) } })).toBe(409);
    expect(await refused(guides, { parent: old.collectionId })).toBe(409);
    expect(await admin.ok(getCollection, { path: product })).not.toHaveProperty('parent');
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

  test('needs the role create there too', async () => {
    const client = sandbox.as('create');
    const guides = await create('Guides', product.collectionId);
    expect(await move(guides, { parent: null }, client)).not.toHaveProperty('parent');
    expect(await refused(guides, { parent: internal.collectionId }, client)).toBe(403);
    expect(await refused(internal, { parent: product.collectionId }, client)).toBe(403);
  });

  test('keeps to what the caller sees: deleted and hidden siblings are no neighbours, nor in between', async () => {
    const path = { spaceId: idOf('space welcome') };
    const parent = product.collectionId;
    await admin.ok(moveSpace, { path, body: { parent, position: { after: space('guide') } } });
    await admin.ok(deleteSpace, { path });
    expect(await refused(internal, { position: { after: space('welcome') } })).toBe(404);
    const position = { after: space('guide'), before: space('api') };
    expect(await move(internal, { parent, position })).toMatchObject({ parent });
    await admin.ok(restoreSpace, { path });
    expect(await spacesOf(product)).toEqual(['Product Guide', 'Welcome', 'API Reference']);
    const client = sandbox.as('create');
    const guides = await create('Guides');
    expect(await refused(guides, { position: { before: space('board') } }, client)).toBe(404);
    await move(guides, { position: { before: space('board') } });
  });
});

describe('transferring a collection', () => {
  const labs = idOf('org labs');
  const transfer = (path: typeof product, organization = labs) =>
    admin.ok(transferCollection, { path, body: { organization } });

  test('takes its spaces and collections along, to the end of the top level', async () => {
    const guides = await create('Guides', product.collectionId);
    await create('Old', guides.collectionId);
    const space = { spaceId: idOf('space welcome') };
    await admin.ok(moveSpace, { path: space, body: { parent: guides.collectionId } });
    const target = await admin.ok(createCollection, {
      path: { organizationId: labs },
      body: { title: 'Labs' },
    });
    expect(await transfer(guides)).toMatchObject({ organization: labs, id: guides.collectionId });
    expect(await admin.ok(getCollection, { path: guides })).not.toHaveProperty('parent');
    const there = await admin.ok(listCollections, { path: { organizationId: labs } });
    expect(titles(there.items)).toEqual(['Labs', 'Guides', 'Old']);
    expect(there.items.map(({ organization }) => organization)).toEqual([labs, labs, labs]);
    expect(target.title).toBe('Labs');
    expect(titles((await list()).items)).toEqual(['Product', 'Internal']);
    expect(await admin.ok(getSpace, { path: space })).toMatchObject({
      organization: labs,
      parent: guides.collectionId,
    });
    expect(await sandbox.as('create').refused(getSpace, { path: space })).toMatchObject({ status: 404 });
    expect(await sandbox.as('create').refused(getCollection, { path: guides })).toMatchObject({
      status: 404,
    });
  });

  test('keeps values of custom fields that the target has too, and drops the others', async () => {
    const path = { spaceId: idOf('space guide') };
    const body = { values: { 'owner-team': { value: 'Platform' }, 'review-by': { value: '2026-02-01' } } };
    await admin.ok(setSpaceFields, { path, body });
    const fields = [
      { name: 'owner-team', type: 'text' },
      { name: 'audience', type: 'text' },
      { name: 'topics', type: 'multiselect', options: ['api', 'labs'] },
    ];
    for (const field of fields) {
      await admin.ok(createCustomField, { path: { organizationId: labs }, body: field });
    }
    await transfer(product);
    const entries = await admin.ok(listSpaceFields, { path });
    expect(Object.fromEntries(entries.map((entry) => [entry.customField.name, entry.value]))).toEqual({
      'owner-team': 'Platform',
      audience: undefined,
      topics: ['api'],
    });
  });

  test('drops grants to teams, and to users who are not in the target', async () => {
    const spaceId = idOf('space guide');
    await sql(
      'INSERT INTO space_users (space_id, user_id, level) VALUES (?, ?, ?)',
      spaceId,
      idOf('user ada'),
      'read',
    );
    await transfer(product);
    const db = await openDatabase(sandbox.file);
    const users = db.all<{ user_id: string }>('SELECT user_id FROM space_users WHERE space_id = ?', spaceId);
    const teams = db.all('SELECT 1 FROM space_teams WHERE space_id = ?', idOf('space api'));
    db.close();
    expect(users.map(({ user_id }) => user_id)).toEqual([idOf('user ada')]);
    expect(teams).toEqual([]);
  });

  test('takes deleted spaces along', async () => {
    const path = { spaceId: idOf('space guide') };
    await admin.ok(deleteSpace, { path });
    await transfer(product);
    expect(await admin.ok(restoreSpace, { path })).toMatchObject({
      organization: labs,
      parent: product.collectionId,
    });
  });

  test('takes an admin of both organizations, and another organization', async () => {
    const refused = async (organization: unknown, client = admin) =>
      (await client.refused(transferCollection, { path: product, body: { organization } })).status;
    expect(await refused(organizationId)).toBe(412);
    expect(await refused(idOf('org globex'))).toBe(404);
    expect(await refused('nowhere')).toBe(404);
    expect(await refused('')).toBe(400);
    expect(await refused(undefined)).toBe(400);
    expect(await refused(labs, sandbox.as('create'))).toBe(403);
    await sql("UPDATE members SET role = 'create' WHERE org_id = ? AND user_id = ?", labs, idOf('user ada'));
    expect(await refused(labs)).toBe(412);
    expect(await admin.ok(getCollection, { path: product })).toMatchObject({ organization: organizationId });
  });
});

describe('roles', () => {
  test('create may create and move, not change, delete or transfer', async () => {
    const client = sandbox.as('create');
    const made = await create('Mine', product.collectionId, client);
    await client.ok(moveCollection, { path: made, body: { parent: null } });
    const body = { organization: idOf('org labs') };
    expect(await client.refused(updateCollection, { path: made, body: { title: 'x' } })).toMatchObject({
      status: 403,
    });
    expect(await client.refused(deleteCollection, { path: made })).toMatchObject({ status: 403 });
    expect(await client.refused(transferCollection, { path: made, body })).toMatchObject({ status: 403 });
  });

  test.each(['review', 'edit', 'comment', 'read'])('%s may only read', async (role) => {
    const client = sandbox.as(role);
    await client.ok(getCollection, { path: product });
    await client.ok(listCollectionSpaces, { path: product });
    expect((await list(client)).count).toBe(2);
    const path = { organizationId };
    expect(await client.refused(createCollection, { path, body: {} })).toMatchObject({ status: 403 });
    expect(await client.refused(moveCollection, { path: product, body: {} })).toMatchObject({ status: 403 });
    expect(await client.refused(deleteCollection, { path: product })).toMatchObject({ status: 403 });
  });
});
