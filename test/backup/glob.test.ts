import { expect, it } from 'vitest';
import { globMatches } from '../../src/backup/verify.js';

it.each([
  ['docs-backup', 'docs-backup', true],
  ['docs-*', 'docs-backup', true],
  ['*', '', true],
  ['*@acme.example', 'ada@acme.example', true],
  ['*@acme.example', 'ada@acme.example.evil', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a.c', 'abc', false],
  ['*ab*', 'aab', true],
  ['', 'a', false],
])('the pattern %j and the text %j: %j', (glob, text, fits) => {
  expect(globMatches(glob, text)).toBe(fits);
});

it('takes no time without end', () => {
  expect(globMatches('*a'.repeat(200), `${'a'.repeat(5000)}b`)).toBe(false);
});
