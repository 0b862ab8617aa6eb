import { array, assert, boolean, integer, property, record, string } from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Fact } from '../../src/document/document.js';
import { isAsciiOnly } from '../../src/document/lines.js';
import { renderTerminal, type TreeLine, treeLines } from '../../src/document/terminal.js';
import { type Palette, plain } from '../../src/output/colors.js';
import { widthOf } from '../../src/output/text-width.js';

const colourless: Palette = { good: plain, bad: plain, warn: plain, strong: plain, quiet: plain };

const text = (columns: number, lines: readonly Fact[]) =>
  renderTerminal({ title: '', parts: [{ kind: 'facts', items: lines }] }, { columns, palette: colourless })
    .split('\n')
    .slice(0, -1);

const lines: Fact[] = [
  {
    label: 'Members',
    value: '400: 7 admin, 28 create, 25 review, 121 edit, 47 comment',
    beside: 'docs members list',
  },
  { label: 'Sites', value: '6, 5 published', beside: 'docs sites list' },
  { label: 'Title', value: '文書の管理と編集の手引き 👩‍💻 for all who write here' },
];

describe('facts', () => {
  it('stand in columns where there is room', () => {
    expect(text(120, lines).slice(0, 2)).toEqual([
      'Members  400: 7 admin, 28 create, 25 review, 121 edit, 47 comment  docs members list',
      'Sites    6, 5 published                                            docs sites list',
    ]);
  });

  it('have what stands beside at the end of a line otherwise, or on the next one', () => {
    expect(text(60, lines).slice(0, 3)).toEqual([
      'Members  400: 7 admin, 28 create, 25 review, 121 edit, 47',
      '         comment                           docs members list',
      'Sites    6, 5 published                      docs sites list',
    ]);
    expect(text(40, lines).slice(0, 4)).toEqual([
      'Members  400: 7 admin, 28 create, 25',
      '         review, 121 edit, 47 comment',
      '                       docs members list',
      'Sites    6, 5 published  docs sites list',
    ]);
  });

  it.each([40, 50, 60, 80, 100, 120, 200])('fit %i columns, and lose nothing', (columns) => {
    const shown = text(columns, lines);
    expect(shown.filter((line) => widthOf(line) > columns)).toEqual([]);
    const words = shown.join(' ').split(/ +/).toSorted();
    const given = lines.flatMap(({ label, value, beside }) =>
      `${label} ${value} ${beside ?? ''}`.trim().split(' '),
    );
    expect(words).toEqual(given.toSorted());
  });

  it('keep a command whole that is longer than the terminal', () => {
    const beside = 'docs cr list --all-spaces --updated-before 60d';
    expect(text(30, [{ label: 'Stale', value: '12', beside }])).toEqual(['Stale  12', beside]);
  });

  it('make control characters visible', () => {
    expect(text(80, [{ label: 'x', value: 'a\x1b[31mb\nc' }])).toEqual(['x  a␛[31mb c']);
  });
});

/** Trees drawn with lines. */

const look = { columns: 60, ascii: false, palette: colourless };
const node = (depth: number, label: string, ...facts: string[]): TreeLine => ({ depth, label, facts });
const tree = [
  node(0, 'Acme'),
  node(1, 'Spaces', '2'),
  node(2, 'Product', '1 space', '3 days ago'),
  node(3, 'Guide'),
  node(2, 'Welcome', 'public'),
  { ...node(1, 'Sites'), remark: 'not read in full' },
];

test('nodes stand below each other, each tied to the one around it', () => {
  expect(treeLines(tree, look).join('\n')).toBe(`Acme
├─ Spaces  2
│  ├─ Product  1 space · 3 days ago
│  │  └─ Guide
│  └─ Welcome  public
└─ Sites  not read in full`);
});

test('with ASCII where the terminal has no other lines', () => {
  expect(treeLines(tree, { ...look, ascii: true }).join('\n')).toBe(`Acme
|- Spaces  2
|  |- Product  1 space, 3 days ago
|  |  \`- Guide
|  \`- Welcome  public
\`- Sites  not read in full`);
});

test('where there is little room the last facts go first, then the end of the label', () => {
  const long = [node(0, 'A title of some length', '12 spaces', '3 open', '2 days ago')];
  const at = (columns: number) =>
    treeLines(long, { ...look, columns })
      .join('\n')
      .trimEnd();
  expect(at(60)).toBe('A title of some length  12 spaces · 3 open · 2 days ago');
  expect(at(50)).toBe('A title of some length  12 spaces · 3 open');
  expect(at(34)).toBe('A title of some length  12 spaces');
  expect(at(26)).toBe('A title of some length');
  expect(at(10)).toBe('A title o…');
});

test('a long label gives way to the facts, but for its beginning', () => {
  const long = [node(0, 'x'.repeat(300), '12 spaces', '3 open')];
  const at = (columns: number) =>
    treeLines(long, { ...look, columns })
      .join('\n')
      .trimEnd();
  expect(at(60)).toBe(`${'x'.repeat(39)}…  12 spaces · 3 open`);
  expect(at(38)).toBe(`${'x'.repeat(23)}…  12 spaces`);
});

test('a level that is far inside keeps its nearest lines', () => {
  const deep = Array.from({ length: 40 }, (_, depth) => node(depth, `Level ${depth}`));
  const lines = treeLines(deep, { ...look, columns: 40 });
  expect(lines[39]).toBe(`…${' '.repeat(14)}└─ Level 39`);
});

test('no line is wider than the window or two lines, whatever the titles', () => {
  const any = string({ unit: 'grapheme', maxLength: 320 });
  const nodes = array(
    record({
      step: integer({ min: 0, max: 9 }),
      label: any,
      facts: array(any, { maxLength: 4 }),
      odd: boolean(),
    }),
  );
  assert(
    property(nodes, integer({ min: 20, max: 200 }), boolean(), (made, columns, ascii) => {
      let depth = 0;
      const drawn = made.map(({ step, label, facts, odd }, index): TreeLine => {
        depth = index === 0 ? 0 : Math.max(1, Math.min(depth + 1, step));
        return { depth, label, facts, ...(odd && { remark: 'not read in full' }) };
      });
      const lines = treeLines(drawn, { ...look, columns, ascii });
      expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
      expect(lines.filter((line) => widthOf(line.trimEnd()) > columns)).toEqual([]);
    }),
  );
});

test.each([
  [{}, 'linux', false],
  [{ LANG: 'de_DE.UTF-8' }, 'linux', false],
  [{ LANG: 'C.utf8' }, 'linux', false],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, 'linux', true],
  [{ LANG: 'en_US.ISO-8859-1', LC_ALL: '' }, 'linux', true],
  [{ LANG: 'C' }, 'win32', false],
] as const)('%o on %s: ASCII %s', (env, platform, expected) => {
  expect(isAsciiOnly({ env, platform })).toBe(expected);
});
