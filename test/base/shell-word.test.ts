import { expect, test } from 'vitest';
import { shellWord } from '../../src/base/shell-word.js';

/** Words for the shells of Linux and macOS; those of Windows are in files/windows.test.ts. */

test.each([
  ['plan.json', 'plan.json'],
  ['My Files/a.json', "'My Files/a.json'"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('%s is %s', (text, word) => {
  expect(shellWord(text, 'linux')).toBe(word);
});
