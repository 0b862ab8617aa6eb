import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccessWorld, openAccessWorld } from '../access-world.js';
import { nothingCrashes } from './property.js';

let world: AccessWorld;
beforeAll(async () => {
  world = await openAccessWorld();
});
afterAll(() => world.close());

test('an answer that lacks a field or has another type crashes nothing and leaves nothing called whole', async () => {
  const met = await nothingCrashes(world, { numRuns: 110, seed: 20261122 });
  expect(met.damaged).toBeGreaterThan(55);
  expect(met.lacking).toBeGreaterThan(20);
});
