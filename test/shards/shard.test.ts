import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocsError } from '../../src/base/errors.js';
import { isFirst, isIn, mostShards, parseShard, shardOf } from '../../src/shards/shard.js';

/** Which part an id belongs to: a promise, which parts of different versions and machines rely on. */

const ids = fc.string({ minLength: 1, unit: 'grapheme' });
const counts = fc.integer({ min: 1, max: mostShards });

describe('parts', () => {
  test('each id is in exactly one part, and the parts together are all', () => {
    fc.assert(
      fc.property(fc.uniqueArray(ids), fc.integer({ min: 1, max: 12 }), (all, of) => {
        const parts = Array.from({ length: of }, (_, at) =>
          all.filter((id) => isIn({ index: at + 1, of }, id)),
        );
        expect(parts.flat().sort()).toEqual([...all].sort());
      }),
    );
  });

  test('one part of one is all', () => {
    fc.assert(fc.property(ids, (id) => isIn({ index: 1, of: 1 }, id) && isIn(undefined, id)));
    expect([isFirst(undefined), isFirst({ index: 1, of: 3 }), isFirst({ index: 2, of: 3 })]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('the hash is the documented one: the first 32 bits of SHA-256, modulo n, plus 1', () => {
    fc.assert(
      fc.property(ids, counts, (id, of) => {
        const hex = createHash('sha256').update(id).digest('hex').slice(0, 8);
        expect(shardOf(id, of)).toBe((Number.parseInt(hex, 16) % of) + 1);
      }),
    );
    // Written down, so that no later version moves an id.
    expect(['a', 'FVBgvClY2GOXVTOA3nXE', 'müller'].map((id) => shardOf(id, 7))).toEqual([3, 2, 5]);
  });
});

describe('--shard', () => {
  test('what parses is what is written', () => {
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const [index, of] = [Math.min(a, b), Math.max(a, b)];
        expect(parseShard(`${index}/${of}`)).toEqual({ index, of });
      }),
    );
    expect(parseShard(undefined)).toBeUndefined();
  });

  test.each([
    '0/3',
    '4/3',
    '3',
    '1/',
    '/3',
    'a/b',
    '01/3',
    '1/03',
    '-1/3',
    '1/3/5',
    '1.5/3',
    '1/1001',
    '1e0/3',
    ' 1/3',
    '',
  ])('%j is refused', (typed) => {
    expect(() => parseShard(typed)).toThrow(DocsError);
    try {
      parseShard(typed);
    } catch (cause) {
      expect(cause).toMatchObject({ kind: 'usage', code: 'invalid_shard' });
    }
  });
});
