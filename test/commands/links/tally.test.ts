import { expect, test } from 'vitest';
import { Tally, tallyWords } from '../../../src/commands/links/link-check.js';
import { finding, looked } from './a-check.js';

test.each([
  [false, '1 broken link found. Looked at 1 space with 3 links.'],
  [true, '1 broken link found. Looked at 1 page with 3 links.'],
])('a check of a change request (%s) says what it looked at', (changeRequest, words) => {
  const tally = new Tally(changeRequest);
  tally.add(looked([finding()], { links: 3 }), 0);
  expect(tallyWords(tally, ['broken'])).toBe(words);
});
