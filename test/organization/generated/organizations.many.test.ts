import { test } from 'vitest';
import { hold, patience } from './hold.js';
import {
  editsArrive,
  faultsLeaveNoTrace,
  lockIsNoNeed,
  nothingIsRemovedUnasked,
  pullIsWhole,
  undoGoesBack,
} from './properties.js';
import { staleIsExact } from './stale.js';

/** The same properties as in CI over thousands of other organizations: `npm run test:organizations`. */

test('edits arrive', () => hold({ usual: 2000, seed: 101, most: 12 }, editsArrive), patience(2000));
test('pull is whole', () => hold({ usual: 2000, seed: 102 }, pullIsWhole), patience(2000));
test('the lock is no need', () => hold({ usual: 500, seed: 103 }, lockIsNoNeed), patience(500));
test(
  'nothing is removed unasked',
  () => hold({ usual: 500, seed: 104 }, nothingIsRemovedUnasked),
  patience(500),
);
test('undo goes back', () => hold({ usual: 500, seed: 105, most: 4 }, undoGoesBack), patience(500));
test('stale is exact', () => hold({ usual: 500, seed: 106, most: 6 }, staleIsExact), patience(500));
test.each([{ reset: 'after' }, { reset: 'before' }, { status: 429 }, { status: 500 }] as const)(
  'faults leave no trace: %j',
  (fault) =>
    hold({ usual: 200, seed: 107 }, (world, org, edits) =>
      faultsLeaveNoTrace(world, org, edits, { match: '*', rate: 0.05, ...fault }),
    ),
  patience(200),
);
