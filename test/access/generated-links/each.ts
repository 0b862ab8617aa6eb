import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { World } from '../../organization/generated/world.js';
import { type LinkedOrganization, linkedOrganization } from './organization.js';

type Property = (world: World, org: LinkedOrganization) => Promise<void>;

const seed = 20261122;

/** Declares a test of each property with this many random organizations, all in one world. */
export function holdForEach(numRuns: number, properties: Readonly<Record<string, Property>>): void {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  // A test that runs out of time goes on in the world that the next one loads.
  const patience = 60_000 + numRuns * 1000;
  for (const [name, holds] of Object.entries(properties)) {
    const property = fc.asyncProperty(linkedOrganization, (org) => holds(world, org));
    test(name, () => fc.assert(property, { numRuns, seed }), patience);
  }
}
