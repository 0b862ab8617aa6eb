import { expect, test } from 'vitest';
import { addByTime } from '../../src/copy/merge.js';

const at = (...days: number[]) => days.map((day) => ({ createdAt: `2026-01-0${day}T00:00:00.000Z` }));
const page = { first: true, last: true };

test('a new item goes where its time is, on a page that is sorted by time', () => {
  expect(addByTime(at(1, 2, 4), at(3), at(1, 2, 4), page)).toEqual(at(1, 2, 3, 4));
  expect(addByTime(at(4, 2, 1), at(3), at(4, 2, 1), page)).toEqual(at(4, 3, 2, 1));
  // One of them alone is out of its order.
  expect(addByTime(at(1, 5, 2, 6), at(3), at(1, 5, 2, 6), page)).toBeUndefined();
  expect(addByTime(at(2, 2), at(3), at(2, 2), page)).toBeUndefined();
});
