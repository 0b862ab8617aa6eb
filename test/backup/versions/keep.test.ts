import { expect, test } from 'vitest';
import { expired, parseKeep } from '../../../src/backup/records.js';

/** What `--keep` means. */

test.each([
  ['30', { runs: 30 }],
  ['90d', { days: 90 }],
  ['0', undefined],
  ['0d', undefined],
  ['none', undefined],
])('%s', (text, keep) => {
  expect(parseKeep(text)).toEqual(keep);
});

test.each(['', '-1', '1.5', '90h', 'all', '100001', '99999999999999999999', '٣'])('%j is refused', (text) => {
  expect(() => parseKeep(text)).toThrow(expect.objectContaining({ code: 'invalid_keep', exitCode: 2 }));
});

test('runs expire by number or by age, the oldest first', () => {
  const runs = [1, 2, 3].map((day) => ({ startedAt: `2026-01-0${day}T00:00:00.000Z` }));
  const now = Date.parse('2026-01-04T00:00:00.000Z');
  expect(expired(runs, { runs: 2 }, now)).toEqual(runs.slice(0, 1));
  expect(expired(runs, { runs: 9 }, now)).toEqual([]);
  expect(expired(runs, { days: 2 }, now)).toEqual(runs.slice(0, 1));
  expect(expired(runs, { days: 9 }, now)).toEqual([]);
});
