import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentPage, Revision } from '../../../src/api/resources/content.js';
import {
  compareContent,
  filesWithoutHash,
  movedIds,
} from '../../../src/workflows/change-diff/compare-content.js';
import { runs } from '../../runs.js';

/** Two contents compared by their lists alone: what moved, what has another text, what is there no more. */

type Given = Partial<ContentPage> & { id: string };

function page({ id, pages = [], ...more }: Given): ContentPage {
  return { id, title: id, type: 'document', path: id, documentId: `d-${id}`, pages, ...more };
}

function revision(pages: ContentPage[], more: Partial<Revision> = {}): Revision {
  const createdAt = '2026-01-05T09:00:00.000Z';
  return {
    ...{ object: 'revision', id: 'r', parents: [], pages, files: [], createdAt, urls: {}, type: 'edits' },
    ...more,
  };
}

function changes(before: ContentPage[], after: ContentPage[]) {
  return compareContent(revision(before), revision(after)).map(({ change: { id, changes }, reads }) => [
    ...[id, changes.join(' '), reads],
  ]);
}

const [a, b, c, d] = [page({ id: 'a' }), page({ id: 'b' }), page({ id: 'c' }), page({ id: 'd' })];

describe('pages', () => {
  it('whose lists are the same are not named', () => {
    expect(changes([a, b], [a, b])).toEqual([]);
  });

  it('are added, removed, and read on the side that has them', () => {
    expect(changes([a, b], [a, c])).toEqual([
      ['c', 'added', 'after'],
      ['b', 'removed', 'before'],
    ]);
  });

  it('with another text are read on both sides; so are those of which lists do not tell', () => {
    expect(changes([a], [page({ id: 'a', documentId: 'other' })])).toEqual([['a', '', 'both']]);
    const unknown = { ...a };
    delete unknown.documentId;
    expect(changes([unknown], [unknown])).toEqual([['a', '', 'both']]);
    const seeded = (computedSeed: string) => [page({ id: 'a', computedSeed })];
    expect(changes(seeded('1'), seeded('2'))).toHaveLength(1);
  });

  it('are moved with what is below them, which is not named', () => {
    const inside = page({ id: 'x', pages: [page({ id: 'y', path: 'x/y' })] });
    const below = page({ id: 'x', path: 'a/x', pages: [page({ id: 'y', path: 'a/x/y' })] });
    const found = compareContent(revision([a, inside]), revision([page({ id: 'a', pages: [below] })]));
    expect(found.map(({ change }) => change)).toEqual([
      {
        ...{ kind: 'page', id: 'x', title: 'x', path: 'a/x', change: 'moved', changes: ['moved'] },
        from: { title: 'x', path: 'x', position: 2 },
        to: { title: 'x', path: 'a/x', parent: 'a', position: 1 },
      },
    ]);
  });

  it('are moved among those beside them, the fewest that explain the order', () => {
    expect(changes([a, b, c, d], [d, a, b, c])).toEqual([['d', 'moved', 'none']]);
    expect(changes([a, b, c], [a, d, b, c])).toEqual([['d', 'added', 'after']]);
  });

  it('are renamed and get other settings; where nothing is said of one, it is off', () => {
    const renamed = page({ id: 'a', title: 'New', slug: 'new', path: 'new', icon: 'bolt', hidden: false });
    const [found] = compareContent(revision([a]), revision([renamed]));
    expect(found?.change).toMatchObject({
      changes: ['renamed', 'settings'],
      from: { title: 'a', path: 'a' },
      to: { title: 'New', path: 'new' },
      fields: [{ field: 'icon', to: 'bolt' }],
    });
  });

  it('of a tree deeper than the call stack are compared', () => {
    let [deep, deeper] = [page({ id: 'p0' }), page({ id: 'p0', title: 'New' })];
    for (let at = 1; at < 20_000; at += 1)
      [deep, deeper] = [page({ id: `p${at}`, pages: [deep] }), page({ id: `p${at}`, pages: [deeper] })];
    expect(changes([deep], [deeper])).toEqual([['p0', 'renamed', 'none']]);
  });
});

describe('files and reusable content', () => {
  const file = (id: string, name: string, size = 1, oid = id) => ({
    ...{ id, name, contentType: 'image/png', downloadURL: `https://files.example/${Math.random()}`, size },
    git: { oid, path: name },
  });

  it('are added, removed, renamed and replaced; a new address is no change', () => {
    const before = [file('f1', 'a.png'), file('f2', 'b.png'), file('f3', 'c.png'), file('f4', 'd.png')];
    const others = [file('f3', 'c.png', 5, 'new'), file('f5', 'd.png'), file('f6', 'e.png')];
    const after = [file('f1', 'a.png'), file('f2', 'b2.png'), ...others];
    const found = compareContent(revision([], { files: before }), revision([], { files: after }));
    expect(found.map(({ change: { id, changes }, reads }) => [id, changes.join(' '), reads])).toEqual([
      ['f2', 'renamed', 'none'],
      ['f3', 'replaced', 'none'],
      ['f5', 'replaced', 'none'],
      ['f6', 'added', 'none'],
    ]);
    const gone = compareContent(revision([], { files: before }), revision([], { files: [] }));
    expect(gone.every(({ change }) => change.changes[0] === 'removed')).toBe(true);
  });

  it('a hash that only one side has tells nothing; files without one are counted', () => {
    const { git: _, ...bare } = file('f1', 'a.png');
    const [one, hashed] = [revision([], { files: [bare] }), revision([], { files: [file('f1', 'a.png')] })];
    for (const other of [one, hashed]) {
      expect(compareContent(one, other)).toEqual([]);
      expect(compareContent(other, one)).toEqual([]);
      expect([filesWithoutHash(one, other), filesWithoutHash(other, one)]).toEqual([1, 1]);
    }
    expect(filesWithoutHash(hashed, hashed)).toBe(0);
    // What is known to differ is shown as such.
    const larger = revision([], { files: [{ ...bare, size: 2 }] });
    expect(compareContent(one, larger)).toHaveLength(1);
    expect(filesWithoutHash(one, larger)).toBe(0);
  });

  it('tells which reusable content is another', () => {
    const one = (document: string) => ({ reusableContents: [{ id: 'x', title: 'Note', document }] });
    const [found] = compareContent(revision([], one('d1')), revision([], one('d2')));
    expect(found?.change).toMatchObject({ kind: 'reusable-content', id: 'x', changes: ['edited'] });
  });
});

it('the moved ids are as few as can be, and the others keep their order', () => {
  const orders = fc
    .uniqueArray(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 7 })
    .map((ids) => ids.map(String))
    .chain((ids) => fc.tuple(fc.constant(ids), fc.shuffledSubarray(ids, { minLength: ids.length })));
  fc.assert(
    fc.property(orders, ([before, after]) => {
      const moved = movedIds(before, after);
      const kept = (ids: string[]) => ids.filter((id) => !moved.has(id));
      expect(kept(before)).toEqual(kept(after));
      const fewest = Math.min(
        ...Array.from({ length: 1 << before.length }, (_, mask) => {
          const left = (ids: string[]) => ids.filter((id) => (mask & (1 << before.indexOf(id))) === 0);
          return left(before).join() === left(after).join() ? before.length - left(before).length : 99;
        }),
      );
      expect(moved.size).toBe(fewest);
    }),
    { numRuns: runs(100) },
  );
});
