import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { World } from '../../organization/generated/world.js';
import { linkedOrganization } from '../generated-links/organization.js';
import { impactIsWhatHappens } from './generated.js';

/** Deletions in 500 random organizations, by hand. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

test('what a deletion breaks is what its impact listed', async () => {
  const property = fc.asyncProperty(linkedOrganization, (org) => impactIsWhatHappens(world, org));
  await fc.assert(property, { numRuns: 500, seed: 20261122 });
}, 900_000);
