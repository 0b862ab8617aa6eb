import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { World } from '../../organization/generated/world.js';
import { linkedOrganization } from './organization.js';
import { allInboundIsFound, allIsDrawn, deletionBreaksTheInbound } from './properties.js';

/** Links between the spaces of 500 random organizations, by hand. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const some = { numRuns: 500, seed: 20261122 };

test('deleting a space breaks exactly the links by reference that were found before', async () => {
  const property = fc.asyncProperty(linkedOrganization, (org) => deletionBreaksTheInbound(world, org));
  await fc.assert(property, some);
});

test('every link to a space is found, whether references are ids or whole resources', async () => {
  const property = fc.asyncProperty(linkedOrganization, (org) => allInboundIsFound(world, org));
  await fc.assert(property, some);
});

test('a graph counts every link between two spaces', async () => {
  const property = fc.asyncProperty(linkedOrganization, (org) => allIsDrawn(world, org));
  await fc.assert(property, some);
});
