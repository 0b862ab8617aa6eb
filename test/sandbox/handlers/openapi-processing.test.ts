import { describe, expect, test } from 'vitest';
import { eachTest } from '../each-test.js';
import { broken, openSpecWorld, spec } from './openapi-world.js';

const sandbox = eachTest(openSpecWorld);

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
