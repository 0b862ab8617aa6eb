import { expect, test } from 'vitest';
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

/** Few organizations with many edits each: a run costs the commands, an edit next to nothing. */

const edits = { least: 8, most: 16 };

test.each([
  ['edits are applied, and then nothing is left but the findings foreseen', 2, 3, edits, editsArrive],
  ['without --prune nothing is removed, and all else is done', 1, 4, edits, nothingIsRemovedUnasked],
  ['with the lock of before the apply, nothing is made twice', 1, 10, edits, oldLockIsHarmless],
  ['pull, then plan: nothing to do; pull again: the same bytes', 2, 1, {}, pullIsWhole],
  ['without the lock, nothing is made twice', 2, 2, {}, lockIsNoNeed],
] as const)(
  '%s',
  (_, usual, seed, drawn, property) => hold({ usual, seed, ...drawn }, property),
  patience(4),
);

const faults = [
  { match: '*', rate: 0.05, reset: 'after' },
  { match: '*', rate: 0.05, reset: 'before' },
  { match: '*', rate: 0.05, status: 429 },
  { match: '*', rate: 0.05, status: 500 },
] as const;

test(
  'one request in twenty fails, before or after it is done, or is refused: the same end',
  () =>
    hold({ usual: 1, seed: 5, least: 6 }, (world, org, made) => faultsLeaveNoTrace(world, org, made, faults)),
  patience(faults.length),
);

const names = [
  ...['renameTeam', 'swapTeamTitles', 'describeField', 'renameNode', 'renameSite', 'renameTranslation'],
  ...['changeProvider', 'renameTeamKey', 'addSection', 'addTeam', 'moveNode', 'removeTeam'],
  'removeCollection',
];

test.each([
  [
    'an apply of exact operations, undone: the files of before have nothing to plan',
    undoGoesBack,
    4,
    6,
    { most: 3 },
  ],
  ['a change by hand makes stale exactly what rests on it', staleIsExact, 6, 9, { most: 6, names }],
] as const)(
  '%s',
  async (_, property, usual, seed, drawn) => {
    let count = 0;
    await hold({ usual, seed, ...drawn }, async (world, org, made) => {
      if (await property(world, org, made)) count += 1;
    });
    expect(count).toBeGreaterThan(1);
  },
  patience(6),
);
