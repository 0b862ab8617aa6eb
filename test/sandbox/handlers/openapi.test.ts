import { describe, expect, test } from 'vitest';
import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  getOpenApiSpec,
  listOpenApiSpecs,
  listOpenApiVersions,
  setOpenApiSpec,
} from '../../../src/api/resources/openapi.js';
import { seedId } from '../client.js';
import { eachTest } from '../each-test.js';
import { broken, openSpecWorld, organizationId, spec } from './openapi-world.js';

const sandbox = eachTest(openSpecWorld);

const list = (query = {}) => sandbox.admin.ok(listOpenApiSpecs, { path: { organizationId }, query });

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
    await sandbox.admin.refuses(400, createOpenApiSpec, { path: { organizationId }, body });
    expect((await list()).count).toBe(1);
  });

  test('cannot take a slug of its organization, but may take one of another', async () => {
    const body = { slug: 'public-api', source: broken };
    const path = { organizationId };
    await sandbox.admin.refuses(409, createOpenApiSpec, { path, body });
    expect(await sandbox.get('public-api')).toMatchObject({ processingState: 'complete' });
    const labs = { organizationId: seedId('org labs') };
    expect(await sandbox.admin.ok(createOpenApiSpec, { path: labs, body })).toMatchObject({
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
    expect(await sandbox.admin.ok(setOpenApiSpec, { path, body: { source: { url } } })).toMatchObject({
      sourceURL: url,
    });
    expect(await sandbox.set('public-api', broken)).not.toHaveProperty('sourceURL');
  });

  test('is deleted with its versions and its run', async () => {
    await sandbox.create('orders', broken);
    for (const slug of ['orders', 'public-api']) {
      const path = spec(slug);
      await sandbox.admin.ok(deleteOpenApiSpec, { path });
      await sandbox.admin.refuses(404, getOpenApiSpec, { path });
      await sandbox.admin.refuses(404, deleteOpenApiSpec, { path });
      await sandbox.admin.refuses(404, listOpenApiVersions, { path });
    }
    sandbox.pass(10_000);
    expect(await list()).toEqual({ items: [], count: 0 });
    await sandbox.create('public-api', broken);
    expect(await sandbox.versions('public-api')).toEqual([]);
  });
});

test('a spec may be edited from the role create on', async () => {
  const mayEdit = async (role: string) =>
    (await sandbox.as(role).ok(getOpenApiSpec, { path: spec('public-api') })).permissions;
  expect(await mayEdit('create')).toEqual({ view: true, edit: true });
  expect(await mayEdit('review')).toEqual({ view: true, edit: false });
});
