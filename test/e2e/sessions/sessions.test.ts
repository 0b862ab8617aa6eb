import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, inject, test } from 'vitest';
import { firstDay } from './first-day.js';
import { record } from './record.js';

/**
 * The recorded sessions of the guide are what a terminal really shows.
 * DOCS_RECORD=1 writes them anew.
 */
describe.each([60, 80, 140])('a terminal of %i columns', (columns) => {
  test('shows the first day as it is recorded', async () => {
    const seen = await record(inject('program'), columns, firstDay);
    const file = `docs/guide/sessions/first-day-${columns}.txt`;
    if (process.env.DOCS_RECORD === '1') {
      mkdirSync('docs/guide/sessions', { recursive: true });
      writeFileSync(file, seen);
    }
    expect(seen).toBe(readFileSync(file, 'utf8'));
    expect(seen.split('\n').every((line) => line.length <= columns)).toBe(true);
  });
});
