import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { World } from '../../organization/generated/world.js';
import { linkedOrganization } from '../generated-links/organization.js';
import { impactIsWhatHappens } from './generated.js';

/** Deletions in random organizations; 500 of them in generated.many.test.ts. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

test('what a deletion breaks is what its impact listed', async () => {
  const property = fc.asyncProperty(linkedOrganization, (org) => impactIsWhatHappens(world, org));
  await fc.assert(property, { numRuns: 20, seed: 20261122 });
});
