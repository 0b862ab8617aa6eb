import { afterAll, expect, test } from 'vitest';
import { savedWorld } from './world.js';

const world = await savedWorld();
afterAll(() => world.close());

test('saved parts of a review are joined without the platform, and are what it says now', async () => {
  world.lay('shards/answers');
  const joined = await world.run(['members', 'review', '--merge', 'parts'], {
    env: { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' },
  });
  expect(joined).toMatchObject({
    code: 0,
    stderr:
      'Joins 2 parts, read from 2026-03-02T09:00:00.000Z to 2026-03-02T09:00:00.000Z.\n7 members to review.\n',
  });
  expect(joined.stdout).toBe(await world.ok(['members', 'review']));
  const file = 'parts/1-of-2/answers.ndjson';
  world.write(file, world.read(file).replace('"status":200', '"status":201'));
  expect((await world.run(['members', 'review', '--merge', 'parts'])).code).not.toBe(0);
});
