import { expect, test } from 'vitest';
import { explainedHolds, nothingIsMadeUp } from './explained-property.js';
import { platformOfFile } from './platform.js';
import { someReadsFail, teamImpactHolds, whatIfHolds } from './what-if.js';

/** Commands about access in random organizations; thousands of others are in access.many.test.ts. */

const platform = await platformOfFile();

test('explain, who and matrix give the roles that the sandbox decides, in 8 organizations', async () => {
  expect(await explainedHolds(platform, { numRuns: 8, seed: 20261124 })).toBeGreaterThan(80);
});

test('where less can be read, no role is made up, in 16 organizations', async () => {
  const seen = await nothingIsMadeUp(platform, { numRuns: 16, seed: 20261125 }, someReadsFail);
  expect(seen.known).toBeGreaterThan(25);
  expect(seen.unknown).toBeGreaterThan(4);
});

test('what is certain happens and what happens was said, in 16 organizations', async () => {
  const sight = await whatIfHolds(platform, { numRuns: 16, seed: 20261122 });
  expect(sight.unknown).toBe(0);
  expect(sight.certain).toBeGreaterThan(2);
  expect(sight.possible).toBeGreaterThan(2);
  // A third at least of the possible changes come about: not everything is called possible.
  expect(sight.idle * 3).toBeLessThan(sight.possible * 2);
});

test('where reads fail, what is not known is said, in 20 organizations', async () => {
  const sight = await whatIfHolds(platform, { numRuns: 20, seed: 20261123 }, someReadsFail);
  expect(sight.unknown).toBeGreaterThan(2);
  expect(sight.certain).toBeGreaterThan(2);
});

test('impact delete team and what-if --delete-team say the same, in 5 organizations', async () => {
  expect(await teamImpactHolds(platform, { numRuns: 5, seed: 20261122 })).toBeGreaterThan(1);
});
