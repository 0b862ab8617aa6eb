import { expect, test } from 'vitest';
import { opened } from '../opened.js';
import { randomApplies } from './random-applied.js';

/** Some of the random plans that are applied; `random-applied.long.test.ts` applies many. */

const world = opened(randomApplies);

test('what a terminal showed of a plan is what the platform gets, interrupted or not', async () => {
  const { approved, resumed } = await world.hold(36, 7);
  expect(approved).toBe(36);
  expect(resumed).toBeGreaterThan(5);
});
