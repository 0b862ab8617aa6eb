import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainedHolds, nothingIsMadeUp } from './explained-property.js';
import { Platform } from './platform.js';
import { someReadsFail } from './what-if-property.js';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.open();
});
afterAll(() => platform.close());

test('explain, who and matrix give the roles that the sandbox decides, in 250 organizations', async () => {
  expect(await explainedHolds(platform, { numRuns: 250, seed: 20261124 })).toBeGreaterThan(3000);
});

test('where less can be read, no role is made up, in 150 organizations', async () => {
  const seen = await nothingIsMadeUp(platform, { numRuns: 150, seed: 20261125 }, someReadsFail);
  expect(seen.known).toBeGreaterThan(250);
  expect(seen.unknown).toBeGreaterThan(50);
});
