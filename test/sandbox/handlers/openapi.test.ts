import { describe, expect, test } from 'vitest';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';
import { broken, openSpecWorld, organizationId, type Source, spec } from './openapi-world.js';

const sandbox = eachTest(openSpecWorld);

const list = (query = {}) => sandbox.admin.ok(ops.listOpenApiSpecs, { path: { organizationId }, query });

describe('a spec', () => {
  test('of the seed has all its fields', async () => {
    const location = `/orgs/${organizationId}/openapi/public-api`;
    expect(await sandbox.get('public-api')).toEqual({
      object: 'openapi-spec',
      id: seedId('spec public-api'),
      createdAt: '2025-06-19T08:59:57.000Z',
      updatedAt: '2025-12-06T08:59:57.000Z',
      slug: 'public-api',
      sourceURL: 'https://api.acme.example/public-api/openapi.json',
      processingState: 'complete',
      lastVersion: seedId('spec public-api version 2'),
      lastProcessedAt: '2025-12-06T09:00:00.000Z',
      permissions: { view: true, edit: true },
      urls: {
        location: `https://api.sandbox.example/v1${location}`,
        app: `https://app.sandbox.example/o/${organizationId}/openapi/public-api`,
      },
    });
  });

  test('is created pending, without a version', async () => {
    const made = await sandbox.create('orders', broken);
    expect(made).toMatchObject({
      slug: 'orders',
      processingState: 'pending',
      createdAt: '2026-01-05T09:00:00.000Z',
    });
    for (const field of ['sourceURL', 'lastVersion', 'lastProcessedAt', 'lastProcessErrorCode']) {
      expect(made).not.toHaveProperty(field);
    }
    expect(await sandbox.get('orders')).toEqual(made);
    expect(await sandbox.versions('orders')).toEqual([]);
  });

  test.each(['a', '1', 'a-b-2', 'x'.repeat(100)])('takes the slug %s', async (slug) => {
    expect(await sandbox.create(slug, broken)).toMatchObject({ slug });
  });

  test.each([
    { slug: 'orders', source: {} },
    { slug: 'orders', source: { url: 'nowhere' } },
    { slug: 'orders', source: { url: `https://a.example/${'x'.repeat(2048)}` } },
    { slug: 'orders', source: { url: 'https://a.example', text: '' } },
    { slug: 'orders', source: { file: 'x' } },
  ])('cannot be made from %o: 400', async (body) => {
    await sandbox.admin.refuses(400, ops.createOpenApiSpec, { path: { organizationId }, body });
    expect((await list()).count).toBe(1);
  });

  test('cannot take a slug of its organization, but may take one of another', async () => {
    const body = { slug: 'public-api', source: broken };
    const path = { organizationId };
    await sandbox.admin.refuses(409, ops.createOpenApiSpec, { path, body });
    expect(await sandbox.get('public-api')).toMatchObject({ processingState: 'complete' });
    const labs = { organizationId: seedId('org labs') };
    expect(await sandbox.admin.ok(ops.createOpenApiSpec, { path: labs, body })).toMatchObject({
      slug: 'public-api',
    });
  });

  test('is created or updated by PUT: 201, then 200', async () => {
    const put = (slug: string) => {
      const path = `/v1/orgs/${organizationId}/openapi/${slug}`;
      return sandbox.admin.send('PUT', path, { body: { source: broken } });
    };
    expect((await put('orders')).status).toBe(201);
    const made = await sandbox.get('orders');
    sandbox.pass(5000);
    expect((await put('orders')).status).toBe(200);
    expect(await sandbox.get('orders')).toMatchObject({
      id: made.id,
      createdAt: made.createdAt,
      updatedAt: '2026-01-05T09:00:05.000Z',
      processingState: 'pending',
    });
    expect((await list()).count).toBe(2);
    expect((await put('Orders')).status).toBe(400);
    expect((await put('x'.repeat(101))).status).toBe(400);
  });

  test('changes its source by PUT', async () => {
    const path = spec('public-api');
    const url = 'https://api.acme.example/v2.json';
    expect(await sandbox.admin.ok(ops.setOpenApiSpec, { path, body: { source: { url } } })).toMatchObject({
      sourceURL: url,
    });
    expect(await sandbox.set('public-api', broken)).not.toHaveProperty('sourceURL');
  });

  test('is deleted with its versions and its run', async () => {
    await sandbox.create('orders', broken);
    for (const slug of ['orders', 'public-api']) {
      const path = spec(slug);
      await sandbox.admin.ok(ops.deleteOpenApiSpec, { path });
      await sandbox.admin.refuses(404, ops.getOpenApiSpec, { path });
      await sandbox.admin.refuses(404, ops.deleteOpenApiSpec, { path });
      await sandbox.admin.refuses(404, ops.listOpenApiVersions, { path });
    }
    sandbox.pass(10_000);
    expect(await list()).toEqual({ items: [], count: 0 });
    await sandbox.create('public-api', broken);
    expect(await sandbox.versions('public-api')).toEqual([]);
  });
});

test('a spec may be edited from the role create on', async () => {
  const mayEdit = async (role: string) =>
    (await sandbox.as(role).ok(ops.getOpenApiSpec, { path: spec('public-api') })).permissions;
  expect(await mayEdit('create')).toEqual({ view: true, edit: true });
  expect(await mayEdit('review')).toEqual({ view: true, edit: false });
});

const orders = { text: '{"openapi": "3.1.0", "info": {"title": "Orders", "version": "1"}, "paths": {}}' };

describe('processing', () => {
  test('goes pending, progress, complete by the clock, and adds a version', async () => {
    await sandbox.create('orders', orders);
    sandbox.pass(999);
    expect(await sandbox.get('orders')).toMatchObject({ processingState: 'pending' });
    sandbox.pass(1);
    expect(await sandbox.get('orders')).toMatchObject({ processingState: 'progress' });
    sandbox.pass(1999);
    const progress = await sandbox.get('orders');
    expect(progress).toMatchObject({ processingState: 'progress' });
    expect(progress).not.toHaveProperty('lastVersion');
    sandbox.pass(7 * 86_400_000); // It ended when it was due, however late it is read.
    const done = await sandbox.get('orders');
    const [version, ...more] = await sandbox.versions('orders');
    expect(more).toEqual([]);
    expect(done).toMatchObject({
      processingState: 'complete',
      lastVersion: version?.id,
      lastProcessedAt: '2026-01-05T09:00:03.000Z',
      updatedAt: '2026-01-05T09:00:00.000Z',
    });
    expect(version?.createdAt).toBe('2026-01-05T09:00:03.000Z');
    expect(done).not.toHaveProperty('lastProcessErrorCode');
  });

  test('runs for each spec from its own start', async () => {
    await sandbox.create('orders', broken);
    sandbox.pass(2500);
    await sandbox.create('billing', broken);
    sandbox.pass(500);
    expect(await sandbox.get('orders')).toMatchObject({ processingState: 'complete' });
    expect(await sandbox.get('billing')).toMatchObject({ processingState: 'pending' });
    sandbox.pass(500);
    expect(await sandbox.get('billing')).toMatchObject({ processingState: 'progress' });
    sandbox.pass(2000);
    expect(await sandbox.get('billing')).toMatchObject({ lastProcessedAt: '2026-01-05T09:00:05.500Z' });
  });

  test('starts again with a new source; versions count up, the same content too', async () => {
    const _path = spec('public-api');
    const [second, first] = await sandbox.versions('public-api');
    for (let round = 0; round < 2; round += 1) {
      await sandbox.set('public-api', orders);
      expect(await sandbox.get('public-api')).toMatchObject({ processingState: 'pending' });
      sandbox.pass(3000);
    }
    const all = await sandbox.versions('public-api');
    expect(all).toHaveLength(4);
    expect(all.slice(2)).toEqual([second, first]);
    expect((await sandbox.get('public-api')).lastVersion).toBe(all[0]?.id);
  });

  test('drops a running job for a newer source', async () => {
    await sandbox.create('orders', orders);
    sandbox.pass(2000);
    await sandbox.set('orders', broken);
    sandbox.pass(2000);
    expect(await sandbox.get('orders')).toMatchObject({ processingState: 'progress' });
    sandbox.pass(1000);
    expect(await sandbox.get('orders')).toMatchObject({
      processingState: 'complete',
      lastProcessErrorCode: 'PARSE_ERROR',
    });
    expect(await sandbox.versions('orders')).toEqual([]);
  });

  test('that fails keeps the last version and tells why, until it succeeds', async () => {
    const _path = spec('public-api');
    const { lastVersion } = await sandbox.get('public-api');
    await sandbox.set('public-api', broken);
    sandbox.pass(3000);
    const failed = { processingState: 'complete', lastVersion, lastProcessErrorCode: 'PARSE_ERROR' };
    expect(await sandbox.get('public-api')).toMatchObject({
      ...failed,
      lastProcessedAt: '2026-01-05T09:00:03.000Z',
    });
    expect(await sandbox.set('public-api', orders)).toMatchObject({
      processingState: 'pending',
      lastProcessErrorCode: 'PARSE_ERROR',
    });
    sandbox.pass(3000);
    expect(await sandbox.get('public-api')).not.toHaveProperty('lastProcessErrorCode');
    expect(await sandbox.versions('public-api')).toHaveLength(3);
  });
});

/** The shortest valid document of a version. */
function minimal(version: string): string {
  return `{"openapi": "${version}", "info": {"title": "Orders", "version": "1"}, "paths": {}}`;
}

describe('the source', () => {
  /** The error code after processing, or null. */
  async function outcome(source: { url: string } | { text: string }) {
    await sandbox.set('orders', source);
    sandbox.pass(3000);
    const { lastProcessErrorCode, processingState } = await sandbox.get('orders');
    expect(processingState).toBe('complete');
    return lastProcessErrorCode ?? null;
  }

  test('by URL is the file host/path of the content folder, else the one of the last part', async () => {
    sandbox.put('api.example/v1/orders.json', minimal('3.0.0'));
    sandbox.put('billing.yaml', 'swagger: "2.0"\ninfo: {title: Billing, version: "1"}\npaths: {}\n');
    expect(await outcome({ url: 'https://api.example/v1/orders.json?token=1' })).toBeNull();
    expect(await outcome({ url: 'https://other.example/deep/billing.yaml' })).toBeNull();
    expect(await outcome({ url: 'https://other.example/v1/orders.json' })).toBe('FETCH_ERROR');
    expect(await outcome({ url: 'https://api.example/' })).toBe('FETCH_ERROR');
    expect(await outcome({ url: 'ftp://api.example/v1/orders.json' })).toBe('FETCH_ERROR');
  });

  test('over 10 MB, or that is not a file, is FETCH_ERROR', async () => {
    sandbox.put('large.json', new Uint8Array(10 * 1024 * 1024 + 1));
    sandbox.put('folder.json/inside', 'x');
    expect(await outcome({ url: 'https://api.example/large.json' })).toBe('FETCH_ERROR');
    expect(await outcome({ url: 'https://api.example/folder.json' })).toBe('FETCH_ERROR');
  });

  test('that is not UTF-8 is PARSE_ERROR', async () => {
    sandbox.put('orders.json', Uint8Array.of(...Buffer.from('{"openapi": "'), 0xff, ...Buffer.from('"}')));
    expect(await outcome({ url: 'https://api.example/orders.json' })).toBe('PARSE_ERROR');
  });

  test('is read when it is set, not later', async () => {
    sandbox.put('orders.json', minimal('3.1.0'));
    await sandbox.create('orders', { url: 'https://api.example/orders.json' });
    sandbox.put('orders.json', 'no spec');
    sandbox.pass(3000);
    expect(await sandbox.get('orders')).not.toHaveProperty('lastProcessErrorCode');
  });
});

const [first, second] = [1, 2].map((number) => seedId(`spec public-api version ${number}`));
const version = (versionId = first ?? '') => ({ ...spec('public-api'), versionId });

async function set(slug: string, source: Source) {
  await sandbox.set(slug, source);
  sandbox.pass(3000);
}

describe('the versions of a spec', () => {
  test('are listed with the latest first, page by page while others are added', async () => {
    const list = (query: object) =>
      sandbox.admin.ok(ops.listOpenApiVersions, { path: spec('public-api'), query });
    const page = await list({ limit: 1 });
    expect(page.items.map(({ id }) => id)).toEqual([second]);
    expect(page.count).toBe(2);
    await set('public-api', { text: 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}' });
    const rest = await list({ limit: 1, page: page.next?.page });
    expect(rest.items.map(({ id }) => id)).toEqual([first]);
    expect(rest.count).toBe(3);
    expect(rest).not.toHaveProperty('next');
  });

  test('are read one by one, and the latest by that name', async () => {
    const path = `/v1/orgs/${organizationId}/openapi/public-api/versions/${second}`;
    const latest = await sandbox.admin.ok(ops.getLatestOpenApiVersion, { path: spec('public-api') });
    expect(latest).toEqual({
      object: 'openapi-spec-version',
      id: second,
      createdAt: '2025-12-06T09:00:00.000Z',
      url: `${sandbox.url}${path}/content`,
      urls: { location: `https://api.sandbox.example${path}` },
    });
    expect(await sandbox.admin.ok(ops.getOpenApiVersion, { path: version(second) })).toEqual(latest);
    expect(await sandbox.admin.ok(ops.getOpenApiVersion, { path: version('latest') })).toEqual(latest);
    expect(await sandbox.admin.ok(ops.getOpenApiVersion, { path: version() })).toMatchObject({ id: first });
  });

  test('serve their content at their url', async () => {
    const older = await sandbox.admin.ok(ops.getOpenApiContent, { path: version() });
    const latest = await sandbox.admin.ok(ops.getLatestOpenApiContent, { path: spec('public-api') });
    expect(Object.keys(older.filesystem)).toEqual(['openapi.json']);
    const pathsOf = ({ filesystem }: typeof older) =>
      Object.keys((filesystem['openapi.json'] as { paths: object }).paths);
    expect(pathsOf(older)).toEqual(['/orders', '/customers']);
    expect(pathsOf(latest)).toEqual(['/orders', '/customers', '/invoices']);
    const { pathname } = new URL(latest.url);
    expect(latest.url).toBe(
      (await sandbox.admin.ok(ops.getLatestOpenApiVersion, { path: spec('public-api') })).url,
    );
    expect(await (await sandbox.admin.send('GET', pathname)).json()).toEqual(latest);
  });

  test('keep their content when the source changes', async () => {
    const before = await sandbox.admin.ok(ops.getLatestOpenApiContent, { path: spec('public-api') });
    await set('public-api', {
      text: '{"openapi": "3.1.0", "info": {"title": "New", "version": "1"}, "paths": {}}',
    });
    expect(await sandbox.admin.ok(ops.getOpenApiContent, { path: version(second) })).toEqual(before);
    expect(
      (await sandbox.admin.ok(ops.getLatestOpenApiContent, { path: spec('public-api') })).filesystem,
    ).toEqual({
      'openapi.json': { openapi: '3.1.0', info: { title: 'New', version: '1' }, paths: {} },
    });
  });

  test('name the file as the URL did, or for its language, and hold YAML as the same values', async () => {
    const shop = { title: 'Shop', version: '1' };
    sandbox.put(
      'shop api.yml',
      'openapi: 3.1.0\ninfo: &info\n  title: Shop\n  version: "1"\npaths: {}\nx-again: *info\n',
    );
    await set('shop', { url: 'https://api.example/v1/shop%20api.yml' });
    const content = async (slug: string) =>
      (await sandbox.admin.ok(ops.getLatestOpenApiContent, { path: spec(slug) })).filesystem;
    expect(await content('shop')).toEqual({
      'shop api.yml': { openapi: '3.1.0', info: shop, paths: {}, 'x-again': shop },
    });
    await set('shop', { text: 'swagger: "2.0"\ninfo: {title: Shop, version: "1"}\npaths: {}' });
    expect(await content('shop')).toEqual({ 'openapi.yaml': { swagger: '2.0', info: shop, paths: {} } });
  });

  test('keep keys that are special in JavaScript', async () => {
    const info = '{"title": "Shop", "version": "1"}';
    const own = '"x-own": {"__proto__": {"x": 1}}';
    await set('shop', { text: `{"openapi": "3.1.0", "info": ${info}, "paths": {}, ${own}}` });
    const { versionId } = {
      versionId: (await sandbox.admin.ok(ops.getLatestOpenApiVersion, { path: spec('shop') })).id,
    };
    const path = `/v1/orgs/${organizationId}/openapi/shop/versions/${versionId}/content`;
    expect(await (await sandbox.admin.send('GET', path)).text()).toContain('"x-own":{"__proto__":{"x":1}}}');
  });

  test('that a spec does not have are 404', async () => {
    await sandbox.set('empty', broken);
    for (const op of [ops.getLatestOpenApiVersion, ops.getLatestOpenApiContent])
      await sandbox.admin.refuses(404, op, { path: spec('empty') });
    const path = { ...spec('empty'), versionId: first ?? '' };
    for (const op of [ops.getOpenApiVersion, ops.getOpenApiContent])
      await sandbox.admin.refuses(404, op, { path });
  });
});
