import { afterAll, beforeAll, test } from 'vitest';
import { runs } from '../../runs.js';
import { explainedHolds, nothingIsMadeUp } from './explained-property.js';
import { Platform } from './platform.js';
import { someReadsFail, whatIfHolds } from './what-if-property.js';

/** The same properties as in CI over thousands of other organizations: `npm run test:organizations`. */

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.open();
});
afterAll(() => platform.close());

const numRuns = runs(3000);
const patience = 60_000 + numRuns * 300;

test(
  'explain, who and matrix give what is decided',
  () => explainedHolds(platform, { numRuns, seed: 201 }),
  patience,
);
test('no role is made up', () => nothingIsMadeUp(platform, { numRuns, seed: 202 }, someReadsFail), patience);
test('what-if holds', () => whatIfHolds(platform, { numRuns, seed: 203 }), patience);
test(
  'what-if holds where reads fail',
  () => whatIfHolds(platform, { numRuns, seed: 204 }, someReadsFail),
  patience,
);
