import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Site } from '../../src/api/resources/sites.js';
import { flattened, parseTree, type TreeLine, type TreeNode, treeText } from '../../src/site-tree/text.js';
import { anyText } from '../any-text.js';

const site = { id: 'w1', title: 'Docs', urls: { published: 'https://docs.example/' } } as Site;

const text = fc.oneof(
  anyText({ minLength: 1, maxLength: 20 }),
  fc.string({
    minLength: 1,
    maxLength: 12,
    unit: fc.constantFrom(...' /[]#*"\\ab\t\n\u202e\u200d\u00a0\ufeff😀'),
  }),
);
const leaf = (kind: TreeNode['kind']) =>
  fc
    .record({
      title: text,
      path: text,
      id: fc.oneof(fc.constantFrom('a1', 'b_2'), text),
      isDefault: fc.boolean(),
    })
    .map(
      (own): TreeNode => ({
        ...own,
        kind,
        ...(kind === 'space' && { space: own.id }),
        url: 'https://docs.example/guides/# [x]/',
        children: [],
      }),
    );
const withSpaces = fc
  .tuple(leaf('section'), fc.array(leaf('space'), { maxLength: 3 }))
  .map(([node, children]) => ({ ...node, children }));
const group = fc
  .tuple(leaf('group'), fc.array(withSpaces, { maxLength: 3 }))
  .map(([{ path: _, ...node }, children]) => ({ ...node, isDefault: false, children }));
const trees: fc.Arbitrary<TreeNode[]> = fc.array(fc.oneof(withSpaces, group), { minLength: 1, maxLength: 4 });

const facts = ({ kind, title, path, id, isDefault }: TreeLine | TreeNode, children: unknown) => ({
  ...{ kind, title, path, id, isDefault, children },
});
const shapeOf = (nodes: readonly (TreeLine | TreeNode)[]): unknown =>
  nodes.map((node) => facts(node, shapeOf(node.children)));

describe('the text of a tree', () => {
  it('comes back as it was, whatever titles, paths and ids hold, with addresses and without', () => {
    fc.assert(
      fc.property(trees, fc.boolean(), fc.constantFrom(undefined, 80), (nodes, urls, columns) => {
        const written = treeText({ site, nodes }, { urls, ...(columns !== undefined && { columns }) });
        // Only paths are held to the limits of the platform.
        fc.pre([...flattened(nodes)].every(({ path = '' }) => path.length <= 100));
        const { top, faults } = parseTree(written);
        expect(faults).toEqual([]);
        expect(shapeOf(top)).toEqual(shapeOf(nodes));
        expect(written).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      }),
      { numRuns: 50, seed: 20261127 },
    );
  });

  it('is aligned, marks what opens first, and ends with addresses', () => {
    const space: TreeNode = {
      ...{ kind: 'space', id: 'x1', space: 's1', title: 'Welcome', path: 'welcome', isDefault: true },
      ...{ url: 'https://docs.example/start/welcome/', children: [] },
    };
    const nodes: TreeNode[] = [
      { kind: 'section', id: 'e1', title: 'CI / CD', path: 'start', isDefault: true, children: [space] },
    ];
    expect(treeText({ site, nodes }, { urls: true })).toBe(
      [
        '# Docs (w1)  https://docs.example/',
        '"CI / CD"  /start    [section e1] *',
        '  Welcome  /welcome  [space s1] *    # https://docs.example/start/welcome/',
        '',
      ].join('\n'),
    );
    expect(treeText({ site, nodes }, { urls: true, columns: 60 })).toContain('# …/start/welcome/\n');
    expect(treeText({ site, nodes }, { urls: true, columns: 40 })).not.toContain('welcome/');
  });
});

describe('a mistake', () => {
  it.each([
    ['\tHome [section a]', 'a tab; indent with two spaces for each level'],
    ['   Home [section a]', 'indented by 3 spaces; indent with two for each level'],
    ['  Home [section a]', 'indented by 2 spaces, but nothing above it is one level higher'],
    ['"Home [section a]', 'bad quoting: "Home [section a]; quoted texts are as in JSON'],
    ['Home /"a [section a]', 'bad quoting: "a [section a]; quoted texts are as in JSON'],
    ['Home /a /b [section a]', 'a second path; a title with " /" stands in quotes'],
    ['Home / [section a]', 'a / without a path; a title with " /" stands in quotes'],
    [`Home /${'a'.repeat(101)} [section a]`, 'is longer than 100 characters'],
    ['Home [sektion a]', '[sektion]: expected [group], [section], [space] or [site-space]'],
    ['Home [section a', '[section without its ]'],
    ['Home [section a] [space b]', 'a second [; a title with " [" stands in quotes'],
    ['Home [section a] more', 'not understood: more; a comment begins with #'],
    ['Home [site-space]', '[site-space] without an id'],
    ['Home', 'Home: neither a group, a section nor a space; add [group], [section] or [space <id>]'],
    ['Home /a [group a]', 'a group with a path; groups have none'],
    ['Home [group a] *', 'a group with *; a site opens with a section'],
    [
      'G [group g]\n  Home [space a]',
      'a space directly in a group; groups hold sections, and those hold spaces',
    ],
    ['G [group g]\n  H [group h]', 'a group in a group; groups stand at the top'],
    ['A [section a]\n  B [section b]', 'a section in a section; sections stand at the top or in a group'],
    ['A [space a]\n  B [space b]', 'a space below a space; spaces hold nothing'],
    ['A\u0007b [section a]', 'a tab or another control character in the title; write it as "\\t" in quotes'],
  ])('%j is told with its line', (written, message) => {
    const { faults } = parseTree(`# a comment\r\n\r\n${written}\r\n`);
    const line = 2 + written.split('\n').length;
    expect(faults).toEqual([{ line, message: expect.stringContaining(message) }]);
  });
});
