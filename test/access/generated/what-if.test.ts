import { afterAll, beforeAll, expect, test } from 'vitest';
import { Platform } from './platform.js';
import { someReadsFail, whatIfHolds } from './what-if-property.js';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.open();
});
afterAll(() => platform.close());

test('what is certain happens and what happens was said, in 200 organizations', async () => {
  const sight = await whatIfHolds(platform, { numRuns: 200, seed: 20261122 });
  expect(sight.unknown).toBe(0);
  expect(sight.certain).toBeGreaterThan(60);
  expect(sight.possible).toBeGreaterThan(60);
  // A third at least of the possible changes come about: not everything is called possible.
  expect(sight.idle * 3).toBeLessThan(sight.possible * 2);
});

test('where reads fail, what is not known is said, in 100 organizations', async () => {
  const sight = await whatIfHolds(platform, { numRuns: 100, seed: 20261123 }, someReadsFail);
  expect(sight.unknown).toBeGreaterThan(12);
  expect(sight.certain).toBeGreaterThan(20);
});
