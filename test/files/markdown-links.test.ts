import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linksIn, withoutTargets, withTargets } from '../../src/files/markdown-links.js';
import { runs } from '../runs.js';

/** Links of a text are replaced where they stand; nothing else changes. */

const found = (markdown: string) => linksIn(markdown).map(({ address, texts }) => [address, ...texts]);

describe('what is a link', () => {
  it.each([
    ['[a *b*](x.md "t")', [['x.md', 'a b']]],
    ['![alt](<x y.png>)', [['x y.png', 'alt']]],
    [
      '[![alt](i.png) more](x.md)',
      [
        ['i.png', 'alt'],
        ['x.md', 'alt more'],
      ],
    ],
    ['[a][r] and [b][R]\n\n[r]: <x.md> (t)', [['x.md', 'a', 'b']]],
    [
      '> - [a](x.md)\n>   [b](\n>   y.md)',
      [
        ['x.md', 'a'],
        ['y.md', 'b'],
      ],
    ],
    ['| a | b |\n| - | - |\n| [a](x.md) | `[b](y.md)` |', [['x.md', 'a']]],
    ['text <a class="q" href="x.md">a</a> <img src=\'i.png\'>', [['x.md'], ['i.png']]],
    ['{% content-ref url="x.md" %}\n[x.md](x.md)\n{% endcontent-ref %}', [['x.md'], ['x.md', 'x.md']]],
    [
      '[a](foo\\_bar.md) [b](a&amp;b.md)',
      [
        ['foo_bar.md', 'a'],
        ['a&b.md', 'b'],
      ],
    ],
    ['\ufeff[a](x.md)', [['x.md', 'a']]],
  ])('%j', (markdown, links) => {
    expect(found(markdown)).toEqual(links);
    for (const { start, end, raw } of linksIn(markdown)) expect(markdown.slice(start, end)).toBe(raw);
  });

  it.each([
    '```md\n[a](x.md)\n```',
    '    [a](x.md)',
    '`[a](x.md)`',
    '\\[a\\](x.md)',
    '[a\\](x.md)',
    '<!-- [a](x.md) <a href="x.md"> -->',
    '<a href=x.md>unquoted</a>',
    '[a][nothing]',
    '[a]()',
    'x.md',
  ])('%j has none', (markdown) => expect(found(markdown)).toEqual([]));

  it('leaves HTML whose lines stand in a quote, where places are unknown', () => {
    expect(found('> <div>\n> <a href="x.md">a</a>\n> </div>')).toEqual([]);
  });
});

const word = fc.constantFrom('alpha', 'b_c', '*d*', '`e`', '\\[f\\](old/x.md)', 'é 語', '&amp;', '<b>g</b>');
const target = fc.constantFrom(
  'old/x.md',
  'old/x.md#part',
  '/pages/p1',
  'https://a.example/x',
  '<old/x y.md>',
);
const inline = fc.oneof(
  { weight: 3, arbitrary: word },
  fc.tuple(word, target).map(([text, to]) => `[${text}](${to})`),
  fc.tuple(word, target).map(([text, to]) => `![${text}](${to} "title (x)")`),
  fc.constantFrom(
    '[ref][r]',
    '<a href="old/x.md">h</a>',
    '`[code](old/x.md)`',
    '[bad](old/x.md',
    '](old/x.md)',
  ),
);
const line = fc.array(inline, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(' '));
const block = fc.oneof(
  line,
  line.map((text) => `## ${text}`),
  line.map((text) => `- ${text}\n  - ${text}`),
  line.map((text) => `> ${text}\n> [q](old/x.md)`),
  line.map((text) => `\`\`\`md\n${text}\n\`\`\``),
  line.map((text) => `    ${text}`),
  line.map((text) => `| a | b |\n| --- | --- |\n| ${text.replaceAll('|', '')} | c |`),
  fc.constant('[r]: <old/x.md> "t"'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const document = fc.array(block, { maxLength: 8 }).map((blocks) => blocks.join('\n\n'));

describe('any text', () => {
  it('keeps every character but the targets that are replaced', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('../new/y.md', '/spaces/s1/pages/p2'), (markdown, to) => {
        const links = linksIn(markdown).filter(({ address }) => address.startsWith('old/x.md'));
        const changed = withTargets(
          markdown,
          links.map(({ start, end }) => ({ start, end, text: to })),
        );
        // The pieces between the targets are those of before, in their order.
        const pieces = links.reduce<{ at: number; kept: string[] }>(
          ({ at, kept }, { start, end }) => ({ at: end, kept: [...kept, markdown.slice(at, start)] }),
          { at: 0, kept: [] },
        );
        expect(changed).toBe([...pieces.kept, markdown.slice(pieces.at)].join(to));
        // Parsed again, the same links are there, and lead to the new target.
        const before = linksIn(markdown).map(({ address, texts }) => [
          address.startsWith('old/x.md') ? to : address,
          ...texts,
        ]);
        expect(found(changed)).toEqual(before);
        expect(withoutTargets(changed)).toBe(withoutTargets(markdown));
      }),
      { numRuns: runs(60) },
    );
  });

  it('takes hostile text without throwing, in time', () => {
    for (const text of [
      '['.repeat(5000),
      '![a]('.repeat(2000),
      '{% url="'.repeat(2000),
      '<a '.repeat(2000),
      '> '.repeat(500),
    ])
      expect(linksIn(text)).toEqual([]);
  });
});
