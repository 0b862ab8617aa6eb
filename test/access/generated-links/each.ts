import fc from 'fast-check';
import { test } from 'vitest';
import type { World } from '../../organization/generated/world.js';
import { impactIsWhatHappens } from '../impact/generated.js';
import { type LinkedOrganization, linkedOrganization } from './organization.js';
import { allInboundIsFound, allIsDrawn, deletionBreaksTheInbound } from './properties.js';
import { worldOfFile } from './world-of-file.js';

type Property = (world: World, org: LinkedOrganization) => Promise<void>;

const properties: Readonly<Record<string, Property>> = {
  'deleting a space breaks exactly the links by reference that were found before': deletionBreaksTheInbound,
  'every link to a space is found, whether references are ids or whole resources': allInboundIsFound,
  'a graph counts every link between two spaces': allIsDrawn,
  'what a deletion breaks is what its impact listed': impactIsWhatHappens,
};

/** Declares a test of each property with this many random organizations, all in one world. */
export async function holdForEach(numRuns: number): Promise<void> {
  const world = await worldOfFile();
  // A test that runs out of time goes on in the world that the next one loads.
  const timeout = 60_000 + numRuns * 1000;
  for (const [name, holds] of Object.entries(properties)) {
    const property = fc.asyncProperty(linkedOrganization, (org) => holds(world, org));
    test(name, { timeout }, () => fc.assert(property, { numRuns, seed: 20261122 }));
  }
}
