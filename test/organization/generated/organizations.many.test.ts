import { test } from 'vitest';
import { hold, patience } from './hold.js';
import {
  editsArrive,
  faultsLeaveNoTrace,
  lockIsNoNeed,
  nothingIsRemovedUnasked,
  oldLockIsHarmless,
  pullIsWhole,
  undoGoesBack,
} from './properties.js';
import { staleIsExact } from './stale.js';

/** The same properties as in CI over thousands of other organizations: `npm run test:organizations`. */

test.each([
  ['edits arrive', 2000, 101, 12, editsArrive],
  ['pull is whole', 2000, 102, 8, pullIsWhole],
  ['the lock is no need', 500, 103, 8, lockIsNoNeed],
  ['nothing is removed unasked', 500, 104, 8, nothingIsRemovedUnasked],
  ['undo goes back', 500, 105, 4, undoGoesBack],
  ['stale is exact', 500, 106, 6, staleIsExact],
  ['an old lock is harmless', 500, 108, 8, oldLockIsHarmless],
] as const)('%s', (_, usual, seed, most, property) => hold({ usual, seed, most }, property), patience(2000));

test.each([{ reset: 'after' }, { reset: 'before' }, { status: 429 }, { status: 500 }] as const)(
  'faults leave no trace: %j',
  (fault) =>
    hold({ usual: 200, seed: 107 }, (world, org, edits) =>
      faultsLeaveNoTrace(world, org, edits, [{ match: '*', rate: 0.05, ...fault }]),
    ),
  patience(200),
);
