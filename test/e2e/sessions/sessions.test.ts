import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { firstDay } from './first-day.js';
import { record } from './record.js';

/**
 * The sessions of the guide are what docs shows: each is played again and compared. After a change that
 * is meant, DOCS_RECORD=1 writes them anew; read what came of it before it is kept.
 */
it.each([60, 80, 140])('the first day, on a terminal of %i columns', async (columns) => {
  const file = `docs/guide/sessions/first-day-${columns}.txt`;
  const played = `${await record(firstDay, columns)}\n`;
  if (process.env.DOCS_RECORD === '1') writeFileSync(file, played);
  expect(existsSync(file)).toBe(true);
  expect(played).toBe(readFileSync(file, 'utf8'));
  for (const line of played.split('\n')) expect([...line].length).toBeLessThanOrEqual(columns);
});
