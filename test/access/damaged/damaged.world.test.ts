import { expect, test } from 'vitest';
import { accessWorldOfFile } from '../access-world.js';
import { nothingCrashes } from './damage.js';

/** Answers that lack fields or hold other types; many more are in damaged.many.test.ts. */

const world = await accessWorldOfFile();

test('an answer that lacks a field or has another type crashes nothing and leaves nothing called whole', async () => {
  const met = await nothingCrashes(world, { numRuns: 1, seed: 20261122 });
  expect(met.damaged).toBeGreaterThan(8);
  expect(met.lacking).toBeGreaterThan(2);
});
