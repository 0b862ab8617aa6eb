import { test } from 'vitest';
import { hold, patience } from './hold.js';
import { editsArrive, nothingIsRemovedUnasked, oldLockIsHarmless } from './properties.js';

test(
  'edits are applied, and then nothing is left but the findings foreseen',
  () => hold({ usual: 20, seed: 3 }, editsArrive),
  patience(20),
);

test(
  'without --prune nothing is removed, and all else is done',
  () => hold({ usual: 8, seed: 4 }, nothingIsRemovedUnasked),
  patience(8),
);

test(
  'with the lock of before the apply, nothing is made twice',
  () => hold({ usual: 8, seed: 10 }, oldLockIsHarmless),
  patience(8),
);
