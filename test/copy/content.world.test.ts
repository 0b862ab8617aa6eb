import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { runs } from '../runs.js';
import { generatedContent, writeSpace } from './generated-content.js';
import { openRounds, type Rounds } from './rounds.js';
import { differing } from './same-backups.js';

/** backup → sandbox → backup: the same bytes, whatever is in the pages. */

let rounds: Rounds;
beforeAll(async () => {
  rounds = await openRounds();
});
afterAll(() => rounds.close());

test('the same bytes for generated content', async () => {
  const { first, second } = rounds;
  const several = fc.array(generatedContent, { minLength: 5, maxLength: 5 });
  const property = fc.asyncProperty(several, async (contents) => {
    rounds.clear();
    await fillFrom(first.db, 'tiny', { now: Date.now });
    for (const [index, content] of contents.entries()) writeSpace(first.db, content, String(index));
    await first.backUp(rounds.at('a'));
    const { spaces, gaps } = await second.copy(rounds.at('a'));
    await second.backUp(rounds.at('b'));
    expect(differing(rounds.at('a'), rounds.at('b'))).toEqual([]);
    expect({ spaces, gaps }).toEqual({ spaces: 10, gaps: [] });
  });
  await fc.assert(property, { numRuns: runs(1), seed: Number(process.env.DOCS_TEST_SEED ?? 7) });
});
