import { expect, test } from 'vitest';
import { opened } from '../opened.js';
import { randomApplies } from './random-applied.js';

/** Some of the random plans that are applied; `random-applied.long.test.ts` applies many. */

const world = opened(randomApplies);

test('what the terminal showed is what the platform gets', async () => {
  const start = Date.now();
  const told = await world.hold(Number(process.env.N ?? 5), 7);
  console.log(told, Date.now() - start);
  expect(told.approved).toBeGreaterThan(0);
});
