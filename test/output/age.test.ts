import { describe, expect, it } from 'vitest';
import { age } from '../../src/output/text.js';

const nowMs = Date.parse('2025-06-15T12:00:00Z');

describe('age', () => {
  it.each([
    ['2025-06-15T11:59:30Z', 'just now'],
    ['2025-06-15T12:00:30Z', 'just now'],
    ['2025-06-15T11:59:00Z', '1 minute ago'],
    ['2025-06-15T11:01:00Z', '59 minutes ago'],
    ['2025-06-15T11:00:10Z', '1 hour ago'],
    ['2025-06-14T13:00:00Z', '23 hours ago'],
    ['2025-06-14T12:20:00Z', '1 day ago'],
    ['2025-06-12T12:00:00Z', '3 days ago'],
    ['2025-06-20T12:00:00Z', 'in 5 days'],
    ['2025-05-17T12:00:00Z', '29 days ago'],
    ['2025-05-15T12:00:00Z', '1 month ago'],
    ['2024-07-15T12:00:00Z', '11 months ago'],
    ['2024-06-15T12:00:00Z', '1 year ago'],
    ['2015-06-15T12:00:00Z', '10 years ago'],
    ['2025-06-12T14:00:00+02:00', '3 days ago'],
  ])('of %s is %s', (moment, expected) => {
    expect(age(moment, nowMs)).toBe(expected);
  });

  it('is the text itself where that is no date', () => {
    expect(age('soon', nowMs)).toBe('soon');
  });
});
