import { describe, expect, test } from 'vitest';
import {
  getLatestOpenApiContent,
  getLatestOpenApiVersion,
  getOpenApiContent,
  getOpenApiVersion,
  listOpenApiVersions,
} from '../../../src/api/resources/openapi.js';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { broken, openSpecWorld, organizationId, type Source, spec } from './openapi-world.js';

const sandbox = eachTest(openSpecWorld);

const [first, second] = [1, 2].map((number) => seedId(`spec public-api version ${number}`));
const version = (versionId = first ?? '') => ({ ...spec('public-api'), versionId });

async function set(slug: string, source: Source) {
  await sandbox.set(slug, source);
  sandbox.pass(3000);
}

describe('the versions of a spec', () => {
  test('are listed with the latest first, page by page while others are added', async () => {
    const list = (query: object) =>
      sandbox.admin.ok(listOpenApiVersions, { path: spec('public-api'), query });
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
    const latest = await sandbox.admin.ok(getLatestOpenApiVersion, { path: spec('public-api') });
    expect(latest).toEqual({
      object: 'openapi-spec-version',
      id: second,
      createdAt: '2025-12-06T09:00:00.000Z',
      url: `${sandbox.url}${path}/content`,
      urls: { location: `https://api.sandbox.example${path}` },
    });
    expect(await sandbox.admin.ok(getOpenApiVersion, { path: version(second) })).toEqual(latest);
    expect(await sandbox.admin.ok(getOpenApiVersion, { path: version('latest') })).toEqual(latest);
    expect(await sandbox.admin.ok(getOpenApiVersion, { path: version() })).toMatchObject({ id: first });
  });

  test('serve their content at their url', async () => {
    const older = await sandbox.admin.ok(getOpenApiContent, { path: version() });
    const latest = await sandbox.admin.ok(getLatestOpenApiContent, { path: spec('public-api') });
    expect(Object.keys(older.filesystem)).toEqual(['openapi.json']);
    const pathsOf = ({ filesystem }: typeof older) =>
      Object.keys((filesystem['openapi.json'] as { paths: object }).paths);
    expect(pathsOf(older)).toEqual(['/orders', '/customers']);
    expect(pathsOf(latest)).toEqual(['/orders', '/customers', '/invoices']);
    const { pathname } = new URL(latest.url);
    expect(latest.url).toBe(
      (await sandbox.admin.ok(getLatestOpenApiVersion, { path: spec('public-api') })).url,
    );
    expect(await (await sandbox.admin.send('GET', pathname)).json()).toEqual(latest);
  });

  test('keep their content when the source changes', async () => {
    const before = await sandbox.admin.ok(getLatestOpenApiContent, { path: spec('public-api') });
    await set('public-api', {
      text: '{"openapi": "3.1.0", "info": {"title": "New", "version": "1"}, "paths": {}}',
    });
    expect(await sandbox.admin.ok(getOpenApiContent, { path: version(second) })).toEqual(before);
    expect(
      (await sandbox.admin.ok(getLatestOpenApiContent, { path: spec('public-api') })).filesystem,
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
      (await sandbox.admin.ok(getLatestOpenApiContent, { path: spec(slug) })).filesystem;
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
      versionId: (await sandbox.admin.ok(getLatestOpenApiVersion, { path: spec('shop') })).id,
    };
    const path = `/v1/orgs/${organizationId}/openapi/shop/versions/${versionId}/content`;
    expect(await (await sandbox.admin.send('GET', path)).text()).toContain('"x-own":{"__proto__":{"x":1}}}');
  });

  test('that a spec does not have are 404', async () => {
    await sandbox.set('empty', broken);
    for (const op of [getLatestOpenApiVersion, getLatestOpenApiContent])
      await sandbox.admin.refuses(404, op, { path: spec('empty') });
    const path = { ...spec('empty'), versionId: first ?? '' };
    for (const op of [getOpenApiVersion, getOpenApiContent]) await sandbox.admin.refuses(404, op, { path });
  });
});
