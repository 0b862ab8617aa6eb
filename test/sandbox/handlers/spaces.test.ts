import { describe, expect, test } from 'vitest';
import { childrenOf } from '../../../src/sandbox/handlers/relocate.js';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openPlatform);
const dayMs = 86_400_000;
const organizationId = seedId('org acme');
const space = (name: string) => ({ spaceId: seedId(`space ${name}`) });
const collection = (name: string) => seedId(`collection ${name}`);

/** Titles and ids of the children of a parent, in order. */
function order(parentId: string | null): string[] {
  const ids = sandbox.beside((db) => childrenOf(db, organizationId, parentId)).map(({ id }) => id);
  const names = ['welcome', 'guide', 'api', 'handbook', 'board'].map((name) => [
    seedId(`space ${name}`),
    name,
  ]);
  const known = Object.fromEntries([
    ...names,
    [collection('product'), 'Product'],
    [collection('internal'), 'Internal'],
  ]);
  return ids.map((id) => known[id] ?? id);
}

describe('a space', () => {
  test('changes what is given, at the time of the change', async () => {
    sandbox.outside.ms += 60_000;
    const body = { title: 'Guide', editMode: 'locked', defaultLevel: 'comment', emoji: '🧭' } as const;
    const changed = await sandbox.admin.ok(ops.updateSpace, { path: space('guide'), body });
    expect(changed).toMatchObject({ ...body, updatedAt: '2026-01-05T09:01:00.000Z' });
    expect(await sandbox.admin.ok(ops.getSpace, { path: space('guide') })).toEqual(changed);
    const again = { defaultLevel: null, editMode: 'live' } as const;
    expect(await sandbox.admin.ok(ops.updateSpace, { path: space('guide'), body: again })).toMatchObject({
      ...{ title: 'Guide', emoji: '🧭', ...again },
    });
  });

  test('has an emoji or an icon, or neither', async () => {
    const change = (body: { emoji?: string | null; icon?: string | null }) =>
      sandbox.admin.ok(ops.updateSpace, { path: space('guide'), body });
    const icon = 'https://acme.example/icon.svg';
    const iconic = await change({ icon });
    expect([iconic.emoji, iconic.urls?.icon]).toEqual(['', icon]);
    const plain = await change({ emoji: '📗' });
    expect([plain.emoji, plain.urls?.icon]).toEqual(['📗', undefined]);
    expect(await change({ emoji: null, icon: null })).toMatchObject({ emoji: '' });
    const both = { emoji: '📗', icon };
    await sandbox.admin.refuses(400, ops.updateSpace, { path: space('guide'), body: both });
  });
});

describe('a deleted space', () => {
  const path = space('guide');

  test('is gone from every list and read', async () => {
    const farah = { organizationId, userId: seedId('user farah') };
    const before = (await sandbox.admin.ok(ops.listMemberSpaces, { path: farah })).count;
    const answer = await sandbox.admin.send('DELETE', `/v1/spaces/${path.spaceId}`);
    expect([answer.status, await answer.text()]).toEqual([205, '']);
    for (const op of [ops.getSpace, ops.deleteSpace, ops.duplicateSpace, ops.listSpaceFields]) {
      await sandbox.admin.refuses(404, op, { path });
    }
    expect((await sandbox.admin.ok(ops.listMemberSpaces, { path: farah })).count).toBe(before - 1);
  });

  test('comes back within seven days as it was', async () => {
    const before = await sandbox.admin.ok(ops.getSpace, { path });
    await sandbox.admin.ok(ops.deleteSpace, { path });
    sandbox.outside.ms += 7 * dayMs - 1;
    expect(await sandbox.admin.ok(ops.restoreSpace, { path })).toEqual(before);
    expect(await sandbox.admin.ok(ops.getSpace, { path })).toEqual(before);
  });

  test('cannot be restored unless deleted', async () => {
    await sandbox.admin.refuses(409, ops.restoreSpace, { path });
  });
});

describe('the duplicate of a space', () => {
  test('goes next to it, unpublished, with its creator as admin', async () => {
    const client = sandbox.as('create');
    const copy = await client.ok(ops.duplicateSpace, { path: space('guide') });
    expect(copy).toMatchObject({
      ...{ title: 'Copy of Product Guide', visibility: 'in-collection', parent: collection('product') },
      ...{ createdAt: '2026-01-05T09:00:00.000Z', permissions: { admin: true } },
    });
    expect(order(collection('product'))).toEqual(['guide', copy.id, 'api']);
    expect(
      await client.ok(ops.updateSpace, { path: { spaceId: copy.id }, body: { title: 'Mine' } }),
    ).toMatchObject({ title: 'Mine' });
    await client.refuses(403, ops.updateSpace, { path: space('guide'), body: {} });
  });

  test('has a title of at most 50 characters, none of them split', async () => {
    await sandbox.admin.ok(ops.updateSpace, { path: space('guide'), body: { title: '🚀'.repeat(50) } });
    const copy = await sandbox.admin.ok(ops.duplicateSpace, { path: space('guide') });
    expect(copy.title).toBe(`Copy of ${'🚀'.repeat(42)}`);
  });

  test('copies the values of custom fields', async () => {
    const copy = await sandbox.admin.ok(ops.duplicateSpace, { path: space('guide') });
    const values = async (path: { spaceId: string }) =>
      (await sandbox.admin.ok(ops.listSpaceFields, { path })).map(({ customField, value }) => [
        customField.name,
        value,
      ]);
    expect(await values({ spaceId: copy.id })).toEqual(await values(space('guide')));
  });

  test('requires the level create in the space', async () => {
    await sandbox.as('create').refuses(403, ops.duplicateSpace, { path: space('api') });
  });
});

describe('moving a space', () => {
  const move = (name: string, body: Parameters<typeof sandbox.admin.ok<typeof ops.moveSpace>>[1]['body']) =>
    sandbox.admin.ok(ops.moveSpace, { path: space(name), ...(body && { body }) });
  const before = (name: string) => ({ before: { type: 'space' as const, space: seedId(`space ${name}`) } });
  const after = (name: string) => ({ after: { type: 'space' as const, space: seedId(`space ${name}`) } });

  test('to another collection puts it at the end', async () => {
    expect(await move('handbook', { parent: collection('product') })).toMatchObject({
      parent: collection('product'),
    });
    expect(order(collection('product'))).toEqual(['guide', 'api', 'handbook']);
    expect(order(collection('internal'))).toEqual([]);
  });

  test('before or after a neighbour puts it there, under the same parent', async () => {
    await move('handbook', { position: before('api') });
    expect(order(collection('product'))).toEqual(['guide', 'handbook', 'api']);
    await move('handbook', { position: after('api') });
    expect(order(collection('product'))).toEqual(['guide', 'api', 'handbook']);
    await move('guide', {
      parent: collection('product'),
      position: { ...after('api'), ...before('handbook') },
    });
    expect(order(collection('product'))).toEqual(['api', 'guide', 'handbook']);
  });

  test('counts collections as neighbours', async () => {
    expect(order(null)).toEqual(['welcome', 'Product', 'Internal', 'board']);
    await move('board', { position: { before: { type: 'collection', collection: collection('product') } } });
    expect(order(null)).toEqual(['welcome', 'board', 'Product', 'Internal']);
  });

  test('to the top level makes a space private if its visibility was in-collection', async () => {
    const moved = await move('handbook', { parent: null });
    expect(moved).not.toHaveProperty('parent');
    expect(moved.visibility).toBe('private');
    expect((await move('guide', { parent: null })).visibility).toBe('public');
  });

  test('without a target changes nothing', async () => {
    const now = await sandbox.admin.ok(ops.getSpace, { path: space('guide') });
    expect(await move('guide', {})).toEqual(now);
    expect(order(collection('product'))).toEqual(['guide', 'api']);
  });

  test('is refused if parent and neighbours disagree or are unknown', async () => {
    const cases: [unknown, number][] = [
      [{ position: { ...before('guide'), ...after('api') } }, 400],
      [{ position: before('handbook') }, 400],
      [{ parent: collection('internal'), position: before('guide') }, 404],
      [{ parent: 'nowhere' }, 404],
      [{ position: { before: { type: 'space', space: 'nowhere' } } }, 404],
      [{ position: before('globex') }, 404],
      [{ position: { before: { type: 'page', page: 'p' } } }, 400],
      [{ parent: '' }, 400],
    ];
    for (const [body, status] of cases) {
      expect(
        await sandbox.admin.refused(ops.moveSpace, { path: space('handbook'), body }),
        JSON.stringify(body),
      ).toMatchObject({ status });
    }
    expect(order(collection('internal'))).toEqual(['handbook']);
  });

  test('requires the level create in the space and in the target', async () => {
    const creator = sandbox.as('create');
    const to = (name: string) => ({ body: { parent: collection(name) } });
    expect(await creator.ok(ops.moveSpace, { path: space('welcome'), ...to('product') })).toMatchObject({
      title: 'Welcome',
    });
    await creator.refuses(403, ops.moveSpace, { path: space('welcome'), ...to('internal') });
    await creator.refuses(403, ops.moveSpace, { path: space('handbook'), ...to('product') });
    await sandbox.as('edit').refuses(403, ops.moveSpace, { path: space('guide'), body: {} });
  });
});

describe('transferring a space', () => {
  const to = (name: string) => ({ body: { organization: seedId(`org ${name}`) } });
  const path = space('guide');

  test('drops parent, grants and values', async () => {
    const moved = await sandbox.admin.ok(ops.transferSpace, { path, ...to('labs') });
    expect(moved).toMatchObject({ organization: seedId('org labs'), title: 'Product Guide' });
    expect(moved).not.toHaveProperty('parent');
    expect(await sandbox.admin.ok(ops.listSpaceFields, { path })).toEqual([]);
    await sandbox.as('create').refuses(404, ops.getSpace, { path });
    await sandbox.as('guest').refuses(404, ops.getSpace, { path });
  });

  test('out of a collection makes it private if its visibility was in-collection', async () => {
    const api = space('api');
    expect(await sandbox.admin.ok(ops.getSpace, { path: api })).toMatchObject({
      visibility: 'in-collection',
    });
    const moved = await sandbox.admin.ok(ops.transferSpace, { path: api, ...to('labs') });
    expect(moved).toMatchObject({ visibility: 'private' });
    expect(await sandbox.admin.ok(ops.getSpace, { path: api })).toMatchObject({ visibility: 'private' });
  });

  test('keeps the grants and values that the target can hold, as the transfer of a collection does', async () => {
    const [organization, user] = [seedId('org labs'), seedId('user chiara')];
    const board = space('board');
    const fields = { values: { audience: { value: 'staff' }, topics: { value: ['api', 'security'] } } };
    await sandbox.admin.ok(ops.setSpaceFields, { path: board, body: fields });
    for (const body of [
      { name: 'audience', type: 'text' },
      { name: 'topics', type: 'multiselect', options: ['api', 'labs'] },
    ])
      await sandbox.admin.ok(ops.createCustomField, { path: { organizationId: organization }, body });
    const member = "INSERT INTO members (org_id, user_id, role, joined_at) VALUES (?, ?, 'read', 0)";
    sandbox.beside((db) => db.run(member, organization, user));
    await sandbox.admin.ok(ops.transferSpace, { path: board, ...to('labs') });
    const kept = { permissions: { edit: true, merge: false } };
    expect(await sandbox.as('review').ok(ops.getSpace, { path: board })).toMatchObject(kept);
    const entries = await sandbox.admin.ok(ops.listSpaceFields, { path: board });
    expect(Object.fromEntries(entries.map((entry) => [entry.customField.name, entry.value]))).toEqual({
      audience: undefined,
      topics: ['api'],
    });
  });

  test('requires an administrator of both organizations', async () => {
    await sandbox.as('create').refuses(403, ops.transferSpace, { path, ...to('labs') });
    await sandbox.admin.refuses(404, ops.transferSpace, { path, ...to('globex') });
    await sandbox.admin.refuses(412, ops.transferSpace, { path, ...to('acme') });
    const demoted = "UPDATE members SET role = 'create' WHERE org_id = ? AND user_id = ?";
    sandbox.beside((db) => db.run(demoted, seedId('org labs'), seedId('user ada')));
    expect(await sandbox.admin.refused(ops.transferSpace, { path, ...to('labs') })).toEqual({
      status: 412,
      message: 'you are not an administrator of the target organization',
    });
    expect(await sandbox.admin.ok(ops.getSpace, { path })).toMatchObject({ organization: organizationId });
  });
});

describe('who may see a space', () => {
  /** What each role may do in the spaces of Acme: the rules of access.ts, line by line. */
  const levels: Record<string, Record<string, string | undefined>> = {
    admin: { welcome: 'admin', guide: 'admin', api: 'admin', handbook: 'admin', board: 'admin' },
    create: { welcome: 'create', guide: 'create', api: 'read', handbook: 'comment' },
    review: { welcome: 'review', guide: 'review', api: 'edit', handbook: 'comment', board: 'edit' },
    edit: { welcome: 'edit', guide: 'edit', api: 'edit', handbook: 'comment' },
    comment: { welcome: 'comment', guide: 'comment', api: 'read', handbook: 'comment' },
    read: { welcome: 'read', guide: 'read', api: 'read', handbook: 'read' },
    guest: { guide: 'read' },
  };

  test.each(Object.entries(levels))('%s', async (role, expected) => {
    const userId = sandbox.tokens.find(({ name }) => name === role)?.member ?? '';
    const { items, count } = await sandbox.admin.ok(ops.listMemberSpaces, {
      path: { organizationId, userId },
    });
    const named = Object.fromEntries(
      ['welcome', 'guide', 'api', 'handbook', 'board'].map((name) => [seedId(`space ${name}`), name]),
    );
    expect(Object.fromEntries(items.map((item) => [named[item.space.id], item.permission]))).toEqual(
      expected,
    );
    expect(count).toBe(items.length);
    for (const name of Object.values(named)) {
      const client = sandbox.as(role);
      const answer = await client.send('GET', `/v1/spaces/${seedId(`space ${name}`)}`);
      expect([name, answer.status]).toEqual([name, name in expected ? 200 : 404]);
    }
  });

  test('follows the default level of space and collection at once', async () => {
    const client = sandbox.as('edit');
    await sandbox.admin.ok(ops.updateSpace, { path: space('guide'), body: { defaultLevel: null } });
    await client.refuses(404, ops.getSpace, { path: space('guide') });
    await sandbox.admin.ok(ops.updateSpace, { path: space('guide'), body: { defaultLevel: 'comment' } });
    expect((await client.ok(ops.getSpace, { path: space('guide') })).permissions).toMatchObject({
      ...{ comment: true, edit: false },
    });
  });
});

describe('custom field values of a space', () => {
  const path = space('welcome');
  const set = (values: Record<string, { value: string | number | boolean | string[] }>) =>
    sandbox.admin.ok(ops.setSpaceFields, { path, body: { values } });

  test('are listed with all fields of the organization', async () => {
    await set({
      audience: { value: 'staff' },
      topics: { value: ['api'] },
      'review-by': { value: '2026-03-01' },
    });
    const entries = await sandbox.admin.ok(ops.listSpaceFields, { path });
    expect(entries.map(({ customField, value }) => [customField.name, value])).toEqual([
      ['audience', 'staff'],
      ['owner-team', undefined],
      ['review-by', '2026-03-01'],
      ['topics', ['api']],
    ]);
  });

  test('must fit their field, or nothing changes', async () => {
    for (const value of [
      { audience: { value: 'nobody' } },
      { topics: { value: 'api' } },
      { topics: { value: ['x'] } },
    ]) {
      const body = { values: { 'owner-team': { value: 'Data' }, ...value } };
      await sandbox.admin.refuses(400, ops.setSpaceFields, { path, body });
    }
    const unknown = { values: { 'owner-team': { value: 'Data' }, colour: { value: 'red' } } };
    await sandbox.admin.refuses(404, ops.setSpaceFields, { path, body: unknown });
    const long = { values: { 'owner-team': { value: 'x'.repeat(257) } } };
    await sandbox.admin.refuses(400, ops.setSpaceFields, { path, body: long });
    const entries = await sandbox.admin.ok(ops.listSpaceFields, { path });
    expect(entries.filter(({ value }) => value !== undefined)).toEqual([]);
  });

  test('of text and lists can be cleared by an empty one, others only replaced', async () => {
    await set({
      audience: { value: 'staff' },
      'owner-team': { value: 'Docs' },
      'review-by': { value: '2026-03-01' },
      topics: { value: ['api'] },
    });
    await set({ 'owner-team': { value: '' }, topics: { value: [] } });
    const values = async () => {
      const entries = await sandbox.admin.ok(ops.listSpaceFields, { path });
      return entries.map((entry) => ('value' in entry ? entry.value : null));
    };
    expect(await values()).toEqual(['staff', null, '2026-03-01', null]);
    for (const [name, value] of [
      ['audience', ''],
      ['review-by', ''],
      ['owner-team', null],
    ] as const) {
      const body = { values: { [name]: { value } } };
      await sandbox.admin.refuses(400, ops.setSpaceFields, { path, body });
    }
    expect(await values()).toEqual(['staff', null, '2026-03-01', null]);
  });

  test('can be set by anyone who may edit the space', async () => {
    const body = { values: { audience: { value: 'staff' } } };
    await sandbox.as('edit').ok(ops.setSpaceFields, { path, body });
    await sandbox.as('comment').refuses(403, ops.setSpaceFields, { path, body });
    await sandbox.as('create').refuses(403, ops.setSpaceFields, { path: space('api'), body });
  });
});
