import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { openRounds, type Rounds } from './rounds.js';
import { differing } from './same-backups.js';

/** backup → sandbox → backup: the same files. */

let rounds: Rounds;
beforeEach(async () => {
  rounds = await openRounds();
});
afterEach(() => rounds.close());

test.each(['tiny'] as const)('the seed %s', async (seed) => {
  const { first, second, at } = rounds;
  await fillFrom(first.db, seed, { now: Date.now });
  await first.backUp(at('a'));
  const { gaps } = await second.copy(at('a'));
  await second.backUp(at('b'));
  expect(differing(at('a'), at('b'))).toEqual([]);
  expect(gaps).toEqual([]);
});
