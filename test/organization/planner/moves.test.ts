import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Move, movesFor, type Placed } from '../../../src/organization/planner/moves.js';
import { distances, longestRun } from './fewest.js';

/** Letters in capitals are groups, whose moves name both; the others are sections, whose moves name sections only. */
const isGroup = (item: string) => item === item.toUpperCase();

function placed(wanted: readonly string[], now: readonly string[], narrow = true): Placed<string>[] {
  return wanted.map((item) => {
    const place = now.indexOf(item);
    return { item, now: place < 0 ? undefined : place, isNarrow: narrow && !isGroup(item) };
  });
}

function apply(list: readonly string[], moves: readonly Move<string>[]): string[] {
  const result = [...list];
  for (const { item, side, of } of moves) {
    if (result.includes(item)) result.splice(result.indexOf(item), 1);
    const place = result.indexOf(of);
    expect(place, `${of} is there to be named`).toBeGreaterThanOrEqual(0);
    result.splice(side === 'after' ? place + 1 : place, 0, item);
  }
  return result;
}

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const mixed = ['a', 'B', 'c', 'D', 'e', 'F', 'g'];
const orders = (of: string[]) =>
  fc.tuple(
    fc.shuffledSubarray(of, { minLength: of.length }),
    fc.shuffledSubarray(of, { minLength: of.length }),
  );

describe('moves', () => {
  it('bring any list into any order, as few as there can be', () => {
    fc.assert(
      fc.property(orders(letters), ([now, wanted]) => {
        const moves = movesFor(placed(wanted, now, false));
        expect(apply(now, moves)).toEqual(wanted);
        expect(moves.length).toBe(now.length - longestRun(wanted.map((item) => now.indexOf(item))));
        expect(new Set(moves.map(({ item }) => item)).size).toBe(moves.length);
      }),
      { numRuns: 500 },
    );
  });

  it('leave items alone that no file names', () => {
    fc.assert(
      fc.property(orders(letters), fc.subarray(letters), ([now, all], named) => {
        const wanted = all.filter((item) => named.includes(item));
        const after = apply(now, movesFor(placed(wanted, now, false)));
        expect(after.filter((item) => named.includes(item))).toEqual(wanted);
        const others = (list: readonly string[]) => list.filter((item) => !named.includes(item));
        expect(others(after)).toEqual(others(now));
      }),
    );
  });

  it('of sections name sections only, those of groups both, and each item moves at most once', () => {
    fc.assert(
      fc.property(orders(mixed), ([now, wanted]) => {
        const moves = movesFor(placed(wanted, now));
        expect(apply(now, moves)).toEqual(wanted);
        for (const { item, of } of moves)
          if (!isGroup(item)) expect(isGroup(of), `${item} names ${of}`).toBe(false);
        expect(new Set(moves.map(({ item }) => item)).size).toBe(moves.length);
      }),
      { numRuns: 1000 },
    );
  });

  // One more only where lone sections between groups change places: each waits for the other.
  it('of a mixed list are as few as any search finds, or one more', () => {
    const all = permutations(['a', 'B', 'c', 'D', 'e']);
    // Other names are no other case.
    for (const now of all.filter((list) => /a.*c.*e/.test(list.join()) && /B.*D/.test(list.join()))) {
      const least = distances(now, isGroup);
      for (const wanted of all)
        expect(movesFor(placed(wanted, now)).length - (least.get(wanted.join()) ?? 0)).toBeOneOf([0, 1]);
    }
  });

  it('of a section go beside one that itself leaves later', () => {
    const now = ['a', 'B', 'D', 'c', 'e'];
    expect(movesFor(placed(['e', 'B', 'D', 'c', 'a'], now))).toEqual([
      { item: 'e', side: 'before', of: 'a' },
      { item: 'a', side: 'after', of: 'c' },
    ]);
  });

  it('place what nothing shows, once', () => {
    const moves = movesFor(placed(['a', 'X', 'b', 'Y'], ['b', 'a']));
    expect(apply(['b', 'a'], moves)).toEqual(['a', 'X', 'b', 'Y']);
    expect(moves).toHaveLength(3);
  });

  it('are none where there is one item, or none', () => {
    expect(movesFor([])).toEqual([]);
    expect(movesFor(placed(['a'], []))).toEqual([]);
  });

  it('of 200,000 items are found in one pass', () => {
    const now = Array.from({ length: 200_000 }, (_, at) => `i${at}`);
    const wanted = [...now.slice(1), now[0] as string];
    const places = new Map(now.map((item, at) => [item, at]));
    const moves = movesFor(wanted.map((item) => ({ item, now: places.get(item), isNarrow: true })));
    expect(moves).toEqual([{ item: 'i0', side: 'after', of: 'i199999' }]);
  });
});

function permutations(items: readonly string[]): string[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
