import { test } from 'vitest';
import { hold, patience } from './hold.js';
import { editsArrive, nothingIsRemovedUnasked, oldLockIsHarmless } from './properties.js';

/** Few organizations with many edits each: a run costs the commands, an edit next to nothing. */

test.each([
  ['edits are applied, and then nothing is left but the findings foreseen', 2, 3, editsArrive],
  ['without --prune nothing is removed, and all else is done', 1, 4, nothingIsRemovedUnasked],
  ['with the lock of before the apply, nothing is made twice', 1, 10, oldLockIsHarmless],
] as const)(
  '%s',
  (_, usual, seed, property) => hold({ usual, seed, least: 8, most: 16 }, property),
  patience(4),
);
