import { expect, test } from 'vitest';
import { hold, patience } from './hold.js';
import { faultsLeaveNoTrace, undoGoesBack } from './properties.js';

const faults = [
  { match: '*', rate: 0.05, reset: 'after' },
  { match: '*', rate: 0.05, reset: 'before' },
  { match: '*', rate: 0.05, status: 429 },
  { match: '*', rate: 0.05, status: 500 },
] as const;

test(
  'one request in twenty fails, before or after it is done, or is refused: the same end',
  () =>
    hold({ usual: 1, seed: 5, least: 6 }, (world, org, edits) =>
      faultsLeaveNoTrace(world, org, edits, faults),
    ),
  patience(faults.length),
);

test(
  'an apply of exact operations, undone: the files of before have nothing to plan',
  async () => {
    let undone = 0;
    await hold({ usual: 4, seed: 6, most: 3 }, async (world, org, edits) => {
      if (await undoGoesBack(world, org, edits)) undone += 1;
    });
    expect(undone).toBeGreaterThan(1);
  },
  patience(4),
);
