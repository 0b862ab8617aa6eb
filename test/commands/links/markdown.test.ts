import { expect, test } from 'vitest';
import { markdown } from '../../../src/commands/links/reports.js';
import { finding, looked, unread, written } from './a-check.js';

/** The comment on a pull request. */

test('a table a space, and what it came to', () => {
  expect(written(markdown(['broken']), [looked([finding()]), looked([], { space: { id: 's2' } })])).toBe(
    `## Links

### Guide

| Page | State | Link |
|---|---|---|
| [Setup](https://app.example/s/s1/setup) | broken | <code>../gone.md</code> |

1 broken link found. Looked at 2 spaces with 24 links.
`,
  );
});

test('what was not read is listed', () => {
  const text = written(markdown(['broken']), [looked([], { unread: [unread] })]);
  expect(text).toContain(
    'Looked at 0 spaces with 12 links. Not read: 1 space.\n\n**Not read**\n\n- space Secret',
  );
  expect(text).not.toContain('<plans>');
});

test('no text of others makes markup, a cell, a mention or a link of another kind', () => {
  const nasty = 'a|b\n\n# c `d` <img src=x> [e](javascript:f) **g** @all \\';
  const page = { id: 'p1', title: nasty, url: 'javascript:alert(1)' };
  const text = written(markdown(['broken']), [
    looked([finding({ link: nasty, page, space: { id: 's1', title: nasty } })], {
      space: { id: 's1', title: nasty },
    }),
  ]);
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(3);
  expect(rows[2]?.match(/\|/g)).toHaveLength(4);
  expect(text.replaceAll(/<\/?code>/g, '')).not.toMatch(/[`<>[\]*@\\]/);
  expect(text).toContain('&#64;&#8203;all');
});

test('a page address cannot end its link', () => {
  const page = { id: 'p1', title: 'P', url: 'https://app.example/a)|b(c' };
  expect(written(markdown(['broken']), [looked([finding({ page })])])).toContain(
    '[P](https://app.example/a%29%7Cb%28c)',
  );
});

test('it stays within what a comment holds, and says what it leaves out', () => {
  const many = Array.from({ length: 2000 }, (_, index) => finding({ link: `missing/${index}.md` }));
  const text = written(markdown(['broken']), [looked(many)]);
  expect(text.length).toBeLessThan(65_536);
  const rows = text.split('\n').filter((line) => line.startsWith('| [')).length;
  expect(text).toContain(`… and ${(2000 - rows).toLocaleString('en')} further findings`);
  expect(text).toContain('2,000 broken links found.');
});
