import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentPage, Revision } from '../../src/api/resources/content.js';
import type { Hunk } from '../../src/change-requests/change.js';
import { compareContent, filesWithoutHash, movedIds } from '../../src/change-requests/compare-content.js';
import { compareTexts, countWords, tokensOf } from '../../src/change-requests/compare-texts.js';
import { runs } from '../runs.js';

/** Texts of pages compared: what is shown is true of both texts, and bounded whatever they are. */

const marked = (hunks: readonly Hunk[] = []) =>
  hunks
    .flatMap(({ parts }) => parts)
    .map(({ change, text }) =>
      change === 'same' ? text : change === 'added' ? `{+${text}+}` : `[-${text}-]`,
    )
    .join('');

/** One side of a hunk. */
const sideOf = ({ parts }: Hunk, without: 'added' | 'removed') =>
  parts.flatMap(({ change, text }) => (change === without ? [] : [text])).join('');

function applied(before: string, hunks: readonly Hunk[]): string {
  const lines = before.match(/[^\n]*\n/g) ?? [];
  let [result, at] = ['', 0];
  for (const hunk of hunks) {
    const start = hunk.before.line - 1;
    result += lines.slice(at, start).join('');
    expect(lines.slice(start, start + hunk.before.lines).join('')).toBe(sideOf(hunk, 'added'));
    result += sideOf(hunk, 'removed');
    at = start + hunk.before.lines;
  }
  return result + lines.slice(at).join('');
}

describe('two texts', () => {
  it('that are the same, or end or break their lines in another way, have no difference', () => {
    expect(compareTexts('one\ntwo', 'one\r\ntwo\n')).toBeUndefined();
    expect(compareTexts('', '')).toBeUndefined();
  });

  it('differ by words, with three lines around', () => {
    const before = `${'above\n'.repeat(5)}Run the old setup now.\n${'below\n'.repeat(5)}`;
    const found = compareTexts(before, before.replace('old setup', 'new quick setup'));
    expect(marked(found?.hunks)).toBe(
      'above\nabove\nabove\nRun the [-old-]{+new quick+} setup now.\nbelow\nbelow\nbelow\n',
    );
    expect(found?.hunks?.[0]).toMatchObject({ before: { line: 3, lines: 7 }, after: { line: 3, lines: 7 } });
    expect(found).toMatchObject({ words: { added: 2, removed: 1 }, compared: 'words' });
  });

  it('with little in common are shown as whole lines', () => {
    const found = compareTexts('Alpha beta gamma delta epsilon zeta\n', 'One two three four five six zeta\n');
    expect(marked(found?.hunks)).toBe(
      '[-Alpha beta gamma delta epsilon zeta\n-]{+One two three four five six zeta\n+}',
    );
  });

  it('turn into each other by the hunks, whatever they are', () => {
    const pieces = ['a', 'b', 'word', ' ', ' ', '\n', '\n', '.', 'Слово', '語', '👩‍💻', '\u202e', '`'];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((some) => `${some.join('')}\n`);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const found = compareTexts(before, after);
        if (before === after) expect(found).toBeUndefined();
        else expect(applied(before, found?.hunks ?? [])).toBe(after);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('large texts', () => {
  const words = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

  it('that differ everywhere are compared by lines', () => {
    const found = compareTexts(`${words('a', 3000).join('\n')}\n`, `${words('b', 3000).join('\n')}\n`);
    expect(found).toMatchObject({ compared: 'lines', words: { added: 3000, removed: 3000 } });
    expect(found?.hunks).toHaveLength(1);
  });

  it('in one line are compared by lines, too', () => {
    const found = compareTexts(`${words('a', 40_000).join(' ')}\n`, `${words('b', 40_000).join(' ')}\n`);
    expect(found).toMatchObject({ compared: 'counted', words: { added: 40_000, removed: 40_000 } });
    const smaller = compareTexts(words('a', 20_000).join(' '), words('b', 20_000).join(' '));
    expect(smaller).toMatchObject({ compared: 'lines', words: { added: 20_000, removed: 20_000 } });
  });

  it('are counted and not shown where too much of them differs', () => {
    const found = compareTexts('', 'word '.repeat(200_000));
    expect(found).toEqual({ compared: 'counted', words: { added: 200_000, removed: 0 } });
  });

  it('show a small change, however long they are', () => {
    const long = 'The same line of a long page.\n'.repeat(100_000);
    const found = compareTexts(`${long}end\n`, `${long}start\n`);
    expect(marked(found?.hunks)).toMatch(/\[-end\n-\]\{\+start\n\+\}$/);
  });
});

describe('words', () => {
  it('are those of any script; marks and emoji stay whole', () => {
    expect(tokensOf('Наша ёлка, über naïve')).toEqual(['Наша', ' ', 'ёлка', ',', ' ', 'über', ' ', 'naïve']);
    expect(tokensOf('文書を読む')).toEqual(['文', '書', 'を', '読', 'む']);
    expect(tokensOf('e\u0301a 👩‍💻👍🏽🇩🇪')).toEqual(['e\u0301a', ' ', '👩‍💻', '👍🏽', '🇩🇪']);
    expect(tokensOf('a\n\n  b')).toEqual(['a', '\n', '\n', '  ', 'b']);
  });

  it('are counted between spaces', () => {
    expect(countWords('one, two-three  four\n')).toBe(3);
    expect(countWords('文書 one')).toBe(3);
    expect(countWords(' \n')).toBe(0);
  });
});

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
