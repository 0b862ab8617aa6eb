import { describe, expect, test } from 'vitest';
import { RawNumber } from '../../src/api/transport/json-text.js';
import { fieldsOf, wordsOf } from '../../src/backup/diff.js';
import { keepsReplies } from '../../src/backup/staleness.js';

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
