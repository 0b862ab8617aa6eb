import { expect, test } from 'vitest';
import { runs } from '../runs.js';
import { sameAfterCopy } from './generated.js';

/** The same property as in CI over hundreds of other organizations: `npm run test:organizations`. */

const numRuns = runs(250);

test.each(['described', 'accessed'] as const)(
  'backup → sandbox → backup is the same files, for many %s organizations',
  { timeout: 60_000 + numRuns * 5000 },
  async (kind) => {
    expect(await sameAfterCopy(kind, { numRuns, seed: 301 })).toEqual([]);
  },
);
