import { expect, test } from 'vitest';
import { explainedHolds, nothingIsMadeUp } from './explained-property.js';
import { platformOfFile } from './platform.js';
import { teamImpactHolds } from './team-impact-property.js';
import { someReadsFail, whatIfHolds } from './what-if-property.js';

/** Commands about access in random organizations; thousands of others are in access.many.test.ts. */

const platform = await platformOfFile();

test('explain, who and matrix give the roles that the sandbox decides, in 40 organizations', async () => {
  expect(await explainedHolds(platform, { numRuns: 40, seed: 20261124 })).toBeGreaterThan(400);
});

test('where less can be read, no role is made up, in 80 organizations', async () => {
  const seen = await nothingIsMadeUp(platform, { numRuns: 80, seed: 20261125 }, someReadsFail);
  expect(seen.known).toBeGreaterThan(130);
  expect(seen.unknown).toBeGreaterThan(25);
});

test('what is certain happens and what happens was said, in 80 organizations', async () => {
  const sight = await whatIfHolds(platform, { numRuns: 80, seed: 20261122 });
  expect(sight.unknown).toBe(0);
  expect(sight.certain).toBeGreaterThan(20);
  expect(sight.possible).toBeGreaterThan(20);
  // A third at least of the possible changes come about: not everything is called possible.
  expect(sight.idle * 3).toBeLessThan(sight.possible * 2);
});

test('where reads fail, what is not known is said, in 100 organizations', async () => {
  const sight = await whatIfHolds(platform, { numRuns: 100, seed: 20261123 }, someReadsFail);
  expect(sight.unknown).toBeGreaterThan(12);
  expect(sight.certain).toBeGreaterThan(20);
});

test('impact delete team and what-if --delete-team say the same, in 20 organizations', async () => {
  expect(await teamImpactHolds(platform, { numRuns: 20, seed: 20261122 })).toBeGreaterThan(5);
});
