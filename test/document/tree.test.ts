import { array, assert, boolean, integer, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { isAsciiOnly, type TreeLine, treeLines } from '../../src/document/terminal.js';
import { widthOf } from '../../src/output/text-width.js';
import { colourless } from './colourless.js';

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
