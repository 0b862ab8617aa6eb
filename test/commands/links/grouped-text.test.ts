import { expect, test } from 'vitest';
import { groupedText } from '../../../src/commands/links/reports.js';
import { finding, looked } from './a-check.js';

/** What a person sees on a terminal. */

test('a space, its pages, their links; a space and a page are named once', () => {
  const text = groupedText();
  const setup = { id: 'p1', title: 'Setup', path: 'guides/setup' };
  const other = { id: 's2', title: 'Other' };
  const all = [
    looked([
      finding({ page: setup }),
      finding({ page: setup, link: 'x.png' }),
      finding({ page: { id: 'p2' } }),
    ]),
    looked([]),
    looked([finding({ space: other, status: 'in-app', link: 'https://app.example' })], { space: other }),
  ];
  expect(all.map(text).join('')).toBe(`Guide (s1)
  Setup  /guides/setup
    broken  ../gone.md
    broken  x.png
  p2
    broken  ../gone.md

Other (s2)
  Setup
    in-app  https://app.example
`);
});

test('text of others neither commands the terminal nor makes lines of its own', () => {
  const nasty = 'a\u001b[2J\nb';
  const text = groupedText()(
    looked([finding({ link: nasty, page: { id: 'p1', title: nasty, path: nasty } })], {
      space: { id: 's1', title: nasty },
    }),
  );
  expect(text.trimEnd().split('\n')).toEqual(['a␛[2J b (s1)', '  a␛[2J b  /a␛[2J b', '    broken  a␛[2J b']);
});
