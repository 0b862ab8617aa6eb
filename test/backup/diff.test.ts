import { describe, expect, it, test } from 'vitest';
import { RawNumber } from '../../src/api/transport/json-text.js';
import { fieldsOf, wordsOf } from '../../src/backup/diff.js';
import { diffSpace, foldedForReading } from '../../src/backup/diff-backups.js';
import type { FileEntry } from '../../src/backup/manifest.js';
import { StoredFiles } from '../../src/backup/reader.js';
import type { Difference } from '../../src/backup/shapes.js';
import { keepsReplies } from '../../src/backup/staleness.js';

/** Differences as people read them: what is gone first, and one line for a new role. */

const role: Difference = {
  ...{ change: 'changed', kind: 'member', id: 'u1', title: 'Ibrahim', detail: 'role: comment → edit' },
  fields: [{ field: 'role', before: 'comment', after: 'edit' }],
};
const permission = (space: string, after: string, id = 'u1'): Difference => ({
  ...{ change: 'changed', kind: 'access', id, title: 'Ibrahim', space, spaceId: space },
  detail: `permission: comment → ${after}`,
  fields: [{ field: 'permission', before: 'comment', after }],
});
const gone: Difference = { change: 'removed', kind: 'space', id: 's9', title: 'Board Notes' };

it('puts permissions that became the new role into its line, and what is gone above it', () => {
  const same = ['API', 'Guide', 'Welcome', 'Legal'].map((space) => permission(space, 'edit'));
  const other = [permission('Ops', 'read'), permission('API', 'edit', 'u2')];
  const { differences, followed } = foldedForReading([role, ...same, ...other, gone]);
  expect(followed).toBe(4);
  expect(differences).toEqual([
    gone,
    { ...role, detail: 'role: comment → edit; the same in 4 spaces: API, Guide, Welcome and 1 more' },
    ...other,
  ]);
});

it('leaves permissions that follow from no role', () => {
  const all = [permission('API', 'edit'), gone];
  expect(foldedForReading(all)).toMatchObject({ followed: 0, differences: [gone, all[0]] });
});

/** What differs between two values, and in what words it is told. */

describe('fieldsOf', () => {
  const [one, two] = [
    { id: '1', title: 'A' },
    { id: '2', title: 'A' },
  ];
  test.each([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a value', { a: { b: 1 } }, { a: { b: 2 } }, [{ field: 'a.b', before: 1, after: 2 }]],
    ['a value that came', {}, { a: null }, [{ field: 'a', after: null }]],
    ['a value that went', { a: 0 }, {}, [{ field: 'a', before: 0 }]],
    ['another type', { a: '1' }, { a: 1 }, [{ field: 'a', before: '1', after: 1 }]],
    ['a list of values', { a: ['x'] }, { a: ['x', 'y'] }, [{ field: 'a', before: ['x'], after: ['x', 'y'] }]],
    [
      'an element, by its id, under its title',
      { a: [{ id: '1', title: 'One', n: 1 }] },
      { a: [{ id: '1', title: 'First', n: 1 }] },
      [{ field: 'a.First.title', before: 'One', after: 'First' }],
    ],
    ['elements with one title, under their ids', [one, two], [one], [{ field: '2', before: two }]],
    [
      'another order',
      [{ id: '1' }, { id: '2' }],
      [{ id: '2' }, { id: '1' }],
      [{ field: 'order', before: ['1', '2'], after: ['2', '1'] }],
    ],
    [
      'elements without a name, as a whole',
      [{ x: 1 }],
      [{ x: 2 }],
      [{ field: 'value', before: [{ x: 1 }], after: [{ x: 2 }] }],
    ],
    [
      'the lines of a text',
      { text: 'a\nb\nc' },
      { text: 'a\nB\nB\nc' },
      [{ field: 'text', before: 'b', after: 'B\nB' }],
    ],
  ])('tells %s', (_, before, after, fields) => {
    expect(fieldsOf(before, after)).toEqual(fields);
  });

  test('a number beyond a double by its digits', () => {
    const [one, two] = [new RawNumber('9007199254740993'), new RawNumber('9007199254740995')];
    expect(fieldsOf({ a: one }, { a: new RawNumber('9007199254740993') })).toEqual([]);
    expect(wordsOf(fieldsOf({ a: one }, { a: two }))).toBe('a: 9007199254740993 → 9007199254740995');
  });

  test('keys that objects have anyway', () => {
    const [before, after] = ['{"__proto__": 1}', '{"toString": 2}'].map(
      (text) => JSON.parse(text) as unknown,
    );
    expect(fieldsOf(before, after)).toEqual([
      { field: '__proto__', before: 1 },
      { field: 'toString', after: 2 },
    ]);
  });
});

test('words name four fields, and shorten values', () => {
  const fields = ['a', 'b', 'c', 'd', 'e'].map((field) => ({ field, before: '', after: 'x'.repeat(50) }));
  expect(wordsOf(fields)).toBe(
    `${['a', 'b', 'c', 'd'].map((field) => `${field}: "" → ${'x'.repeat(39)}…`).join('; ')}; and 1 more`,
  );
  expect(wordsOf([{ field: 'reply', after: { body: { markdown: 'Yes.\nIt is.' } } }])).toBe(
    'reply: (none) → Yes. It is.',
  );
});

test.each([
  ['just read', 0, true],
  ['read 20 hours ago', 20 * 3_600_000, false],
  ['read a minute later ago', 20 * 3_600_000 - 60_000, true],
  ['read in the future, by a clock that was wrong', -1, false],
])('replies %s', (_, agoMs, kept) => {
  const now = Date.parse('2026-01-05T09:00:00Z');
  const readAt = new Date(now - agoMs).toISOString();
  expect(keepsReplies(readAt, false, now)).toBe(kept);
  expect(keepsReplies(readAt, true, now)).toBe(false);
  expect(keepsReplies(undefined, false, now)).toBe(false);
});

/** Comments that differ between two backups of a space are called by how they begin. */

/** A space of nothing but comments. */
function spaceWith(...texts: string[]) {
  const comments = texts.map((markdown, at) => ({ id: `c${at}`, body: { markdown }, target: {} }));
  const items = comments.map((comment) => ({ comment, replies: [] }));
  const bytes = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const files = [{ kind: 'comments', path: 'comments.json', sha256: `${bytes}` }] as FileEntry[];
  const folder = {
    root: 'b',
    async read() {
      return (async function* () {
        yield bytes;
      })();
    },
    text: async () => `${bytes}`,
  };
  return { files: new StoredFiles(folder, 'spaces/Guide/', files), space: { id: 's1', title: 'Guide' } };
}

test.each([
  ['Is this\n\nright?', 'Is this right?'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['🙂'.repeat(61), `${'🙂'.repeat(59)}…`],
])('%j is %j', async (text, title) => {
  const found: unknown[] = [];
  for await (const one of diffSpace(spaceWith(), spaceWith(text))) found.push(one);
  expect(found).toEqual([{ change: 'added', kind: 'comment', id: 'c0', title, space: 'Guide' }]);
});
