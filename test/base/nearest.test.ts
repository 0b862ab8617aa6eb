import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearest } from '../../src/base/nearest.js';

const commands = ['orgs', 'members', 'teams', 'spaces', 'sites', 'change-requests', 'comments', 'content'];

describe('nearest', () => {
  test.each([
    ['memebrs', 'members'],
    ['member', 'members'],
    ['ORGS', 'orgs'],
    ['org', 'orgs'],
    ['spcaes', 'spaces'],
    ['stie', 'sites'],
    ['change', 'change-requests'],
    ['chnage-requets', 'change-requests'],
  ])('%s means %s', (typed, meant) => {
    expect(nearest(typed, commands)).toBe(meant);
  });

  test.each(['', 'x', 'xyz', 'billing', 'co', 'a'.repeat(100_000)])('nothing is near %.20s', (typed) => {
    expect(nearest(typed, commands)).toBeUndefined();
  });

  test('flags: the dashes make nothing nearer', () => {
    expect(nearest('--titel', ['--title', '--limit'])).toBe('--title');
    expect(nearest('--xyz', ['--all', '--org'])).toBeUndefined();
  });

  test('the first of equals', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
  });

  test('a swap of neighbours is one edit, so a word of three letters may have one', () => {
    expect(nearest('ogr', ['org'])).toBe('org');
    expect(nearest('oxx', ['org'])).toBeUndefined();
  });

  test('a known word is always its own nearest', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z-]{1,20}$/), { minLength: 1 }), (words) => {
        for (const word of words) expect(nearest(word, words)).toBe(word);
      }),
    );
  });
});
