import { expect, test } from 'vitest';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { openRounds } from './rounds.js';
import { differing } from './same-backups.js';

test('backup → sandbox → backup is the same files for acme', { timeout: 600_000 }, async () => {
  const rounds = await openRounds();
  const { first, second, at } = rounds;
  try {
    await fillFrom(first.db, 'acme', { now: Date.now });
    await first.backUp(at('a'));
    const { gaps } = await second.copy(at('a'));
    await second.backUp(at('b'));
    expect(differing(at('a'), at('b'))).toEqual([]);
    expect(gaps).toEqual([]);
  } finally {
    await rounds.close();
  }
});
