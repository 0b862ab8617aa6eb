import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { openRounds } from '../copy/rounds.js';

/** Texts of replies, which no list tells of: kept for a while, by a clock that may have been wrong. */

const rounds = await openRounds();
beforeEach(() => fillFrom(rounds.first.db, 'tiny', { now: Date.now }));
afterAll(() => rounds.close());

const hour = 3_600_000;

test.each([
  ['kept within the day', -hour, false],
  ['read again after a day', -21 * hour, true],
  ['read again where the last run was by a clock that was ahead', hour, true],
])('are %s', async (name, offset, isRead) => {
  const { first } = rounds;
  const folder = rounds.at(name);
  await first.backUp(folder, { now: () => Date.now() + offset });
  first.db.write(() => first.db.run("UPDATE comment_replies SET markdown = 'Edited by hand'"));
  await first.backUp(folder, { full: false });
  const text = readFileSync(join(folder, 'spaces/Welcome/comments.json'), 'utf8');
  expect(text.includes('Edited by hand')).toBe(isRead);
});
