import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillFrom } from '../../../src/sandbox/store/fill.js';
import { openRounds, type Rounds } from '../../copy/rounds.js';

/** Texts of replies, which no list tells of: kept for a while, by a clock that may have been wrong. */

let rounds: Rounds;
beforeEach(async () => {
  rounds = await openRounds();
  await fillFrom(rounds.first.db, 'tiny', { now: Date.now });
});
afterEach(() => rounds.close());

const hour = 3_600_000;

test.each([
  ['kept within the day', -hour, false],
  ['read again after a day', -21 * hour, true],
  ['read again where the last run was by a clock that was ahead', hour, true],
])('are %s', async (_, offset, isRead) => {
  const { first, at } = rounds;
  await first.backUp(at('b'), { now: () => Date.now() + offset });
  first.db.write(() => first.db.run("UPDATE comment_replies SET markdown = 'Edited by hand'"));
  await first.backUp(at('b'), { full: false });
  const text = readFileSync(join(at('b'), 'spaces/Welcome/comments.json'), 'utf8');
  expect(text.includes('Edited by hand')).toBe(isRead);
});
