import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contents, mergeContents, type PageNode } from '../../../src/sandbox/content/revisions.js';

/** Versions are named for themselves, so that no two pages are ever called alike by chance. */
const names = { page: String, file: String, reusable: String };
const pages = (...nodes: PageNode[]): Contents => ({ pages: nodes, files: [], reusables: [] });
const page = (id: string, version: number, ...below: PageNode[]): PageNode => ({
  ...{ id, version },
  ...(below.length > 0 && { pages: below }),
});

describe('mergeContents', () => {
  const base = pages(page('a', 1, page('b', 2)), page('c', 3));

  test('takes what only one side changed, from that side', () => {
    const main = pages(page('a', 10, page('b', 2)), page('c', 3));
    const change = pages(page('a', 1, page('b', 20)), page('c', 3));
    expect(mergeContents({ base, main, change }, names)?.pages).toEqual([
      page('a', 10, page('b', 20)),
      page('c', 3),
    ]);
  });

  test('puts new pages after the ones they follow', () => {
    const main = pages(page('m', 40), page('a', 1, page('b', 2)), page('c', 3));
    const change = pages(page('a', 1, page('b', 2), page('n', 50)), page('o', 60), page('c', 3));
    expect(mergeContents({ base, main, change }, names)?.pages).toEqual([
      page('m', 40),
      page('a', 1, page('b', 2), page('n', 50)),
      page('o', 60),
      page('c', 3),
    ]);
  });

  test('takes a change that both made alike only once', () => {
    const both = pages(page('a', 10, page('b', 2)));
    expect(mergeContents({ base, main: both, change: both }, names)).toEqual(both);
  });

  test('conflicts if both changed a page, or one removed what the other changed', () => {
    const edited = (version: number) => pages(page('a', 1, page('b', version)), page('c', 3));
    const without = pages(page('a', 1), page('c', 3));
    expect(mergeContents({ base, main: edited(20), change: edited(21) }, names)).toBeUndefined();
    expect(mergeContents({ base, main: without, change: edited(21) }, names)).toBeUndefined();
    expect(mergeContents({ base, main: edited(20), change: without }, names)).toBeUndefined();
  });

  test('conflicts if a new page lost its parent', () => {
    const main = pages(page('c', 3));
    const change = pages(page('a', 1, page('b', 2), page('n', 50)), page('c', 3));
    expect(mergeContents({ base, main, change }, names)).toBeUndefined();
  });

  test('conflicts if both added something with the same name', () => {
    const same = { ...names, page: (version: number) => (version >= 40 ? 'setup' : String(version)) };
    const main = pages(...base.pages, page('m', 40));
    const change = pages(...base.pages, page('n', 50));
    expect(mergeContents({ base, main, change }, same)).toBeUndefined();
    expect(mergeContents({ base, main, change }, names)).toBeDefined();
  });

  test('treats files and reusable contents in the same way', () => {
    const file = (version: number): Contents => ({
      ...pages(),
      files: [{ id: 'f', version }],
      reusables: [{ id: 'r', version }],
    });
    expect(mergeContents({ base: file(1), main: file(1), change: file(2) }, names)).toEqual(file(2));
    expect(mergeContents({ base: file(1), main: file(2), change: file(3) }, names)).toBeUndefined();
  });

  const tree = fc.letrec<{ nodes: PageNode[] }>((tie) => ({
    nodes: fc.array(
      fc.record(
        { id: fc.constant(''), version: fc.nat(3), pages: tie('nodes') },
        { requiredKeys: ['id', 'version'] },
      ),
      { maxLength: 3, depthIdentifier: 'pages' },
    ),
  })).nodes;
  /** The tree with ids by place, so that two trees share some. */
  const numbered = (nodes: readonly PageNode[], above = ''): PageNode[] =>
    nodes.map(({ version, pages: below = [] }, index) => {
      const id = `${above}/${index}`;
      return page(id, version, ...numbered(below, id));
    });

  test('returns one side if the other one changed nothing', () => {
    fc.assert(
      fc.property(tree, tree, (one, two) => {
        const [old, changed] = [pages(...numbered(one)), pages(...numbered(two))];
        const unnamed = { page: () => '', file: () => '', reusable: () => '' };
        let count = 0;
        const distinct = {
          ...unnamed,
          page: () => {
            count += 1;
            return String(count);
          },
        };
        expect(mergeContents({ base: old, main: old, change: changed }, distinct)).toEqual(changed);
        expect(mergeContents({ base: old, main: changed, change: old }, distinct)).toEqual(changed);
      }),
    );
  });
});
