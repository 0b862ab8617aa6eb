import { expect, test } from 'vitest';
import { sameAfterCopy } from './generated.js';

test.each(['described', 'accessed'] as const)(
  'backup → sandbox → backup is the same files, for 2 %s organizations',
  async (kind) => {
    expect(await sameAfterCopy(kind, { numRuns: 2, seed: 20261201 })).toEqual([]);
  },
);
