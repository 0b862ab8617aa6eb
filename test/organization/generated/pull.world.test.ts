import { test } from 'vitest';
import { hold, patience } from './hold.js';
import { lockIsNoNeed, pullIsWhole } from './properties.js';

test.each([
  ['pull, then plan: nothing to do; pull again: the same bytes', 2, 1, pullIsWhole],
  ['without the lock, nothing is made twice', 2, 2, lockIsNoNeed],
] as const)('%s', (_, usual, seed, property) => hold({ usual, seed }, property), patience(2));
