import { describe, expect, test } from 'vitest';
import { linkTargets, plainText, sectionsOf } from '../../../src/sandbox/content/markdown.js';

describe('linkTargets', () => {
  test('finds every kind of link, each target once', () => {
    const text = [
      'See [one](one.md), ![image](img.png "title") and [one again](one.md).',
      '[![badge](badge.svg)](target.md) <https://auto.example/x>',
      '[two][ref] and [spaced](<with space.md>) and [parens](a_(b).md)',
      '<a class="x" href="three.html">three</a> <img alt="" src=\'four.gif\'>',
      '',
      '[ref]: two.md "Title"',
    ].join('\n');
    expect(linkTargets(text)).toEqual([
      ...['one.md', 'img.png', 'badge.svg', 'target.md', 'https://auto.example/x', 'with space.md'],
      ...['a_(b).md', 'three.html', 'four.gif', 'two.md'],
    ]);
  });

  test('finds none in code', () => {
    const text = '`[a](b)` ``[c](d)``\n\n```\n[e](f)\n```\n\n~~~md\n[g](h)\n```\n[i](j)\n~~~\n\n[k](l)';
    expect(linkTargets(text)).toEqual(['l']);
  });

  test('stays fast on adversarial text', () => {
    for (const text of [
      '['.repeat(100_000),
      ']('.repeat(50_000),
      '<a '.repeat(30_000),
      '`'.repeat(100_001),
    ]) {
      expect(linkTargets(text)).toEqual([]);
    }
  });
});

describe('sectionsOf', () => {
  test('splits at headings outside code, with unique anchors', () => {
    const text =
      'Intro.\n\n## Set *up* ##\n\nText.\n\n```\n# no heading\n```\n\n### Set up\n#nor this\n# Größe';
    expect(sectionsOf(text)).toEqual([
      { title: '', level: 0, anchor: '', markdown: 'Intro.\n\n' },
      { title: 'Set up', level: 2, anchor: 'set-up', markdown: '\nText.\n\n```\n# no heading\n```\n\n' },
      { title: 'Set up', level: 3, anchor: 'set-up-1', markdown: '#nor this\n' },
      { title: 'Größe', level: 1, anchor: 'gro-e', markdown: '' },
    ]);
  });
});

test('plainText removes markup', () => {
  const text =
    '> **Bold** and *slanted* `code` [link](x.md) ![alt](y.png) <br> 2 * 3 \\* 4\n\n| a | b |\n| --- | --- |\n| c | d |';
  expect(plainText(text)).toBe('Bold and slanted code link alt  2 * 3 * 4\n\na   b\nc   d');
});
