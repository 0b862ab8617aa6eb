import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainedHolds, nothingIsMadeUp } from './explained-property.js';
import { Platform } from './platform.js';
import { someReadsFail } from './what-if-property.js';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.open();
});
afterAll(() => platform.close());

test('explain, who and matrix give the roles that the sandbox decides, in 120 organizations', async () => {
  expect(await explainedHolds(platform, { numRuns: 120, seed: 20261124 })).toBeGreaterThan(1400);
});

test('where less can be read, no role is made up, in 80 organizations', async () => {
  const seen = await nothingIsMadeUp(platform, { numRuns: 80, seed: 20261125 }, someReadsFail);
  expect(seen.known).toBeGreaterThan(130);
  expect(seen.unknown).toBeGreaterThan(25);
});
