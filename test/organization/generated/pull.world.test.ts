import { test } from 'vitest';
import { hold, patience } from './hold.js';
import { lockIsNoNeed, pullIsWhole } from './properties.js';

test(
  'pull, then plan: nothing to do; pull again: the same bytes',
  () => hold({ usual: 15, seed: 1 }, pullIsWhole),
  patience(15),
);

test(
  'without the lock, nothing is made twice',
  () => hold({ usual: 15, seed: 2 }, lockIsNoNeed),
  patience(15),
);
