import { afterAll, beforeAll, test } from 'vitest';
import { runs } from '../../runs.js';
import { type AccessWorld, openAccessWorld } from '../access-world.js';
import { nothingCrashes } from './property.js';

/** The same over many more answers: `npm run test:organizations`. */

let world: AccessWorld;
beforeAll(async () => {
  world = await openAccessWorld();
});
afterAll(() => world.close());

const numRuns = runs(3000);

test(
  'no damage to an answer crashes a command',
  () => nothingCrashes(world, { numRuns, seed: 301 }),
  60_000 + numRuns * 300,
);
