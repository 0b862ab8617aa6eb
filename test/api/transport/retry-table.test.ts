import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs, jitterMs, mayRetry } from '../../../src/api/transport/failure.js';

/** The bounds and the spread of the waits, for any number of retries and any randomness. */

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retries = fc.nat({ max: 1000 });
const floor = fc.integer({ min: 0, max: 3_600_000 });

test('a wait lies between 0 and min(20 s, 0.5 s × 2ⁿ)', () => {
  fc.assert(
    fc.property(retries, random, (count, value) => {
      const ms = jitterMs(count, () => value);
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThanOrEqual(Math.min(20_000, 500 * 2 ** count));
    }),
  );
});

test('what the platform asks for is a floor, plus up to 10 %', () => {
  fc.assert(
    fc.property(retries, floor, random, (count, floorMs, value) => {
      const ms = backoffMs(count, floorMs, () => value);
      expect(ms).toBeGreaterThanOrEqual(floorMs);
      expect(ms).toBeLessThanOrEqual(Math.max(20_000, floorMs * 1.1));
    }),
  );
});

test('waits are spread over their whole range, so that many clients do not retry at once', () => {
  const parts = 20;
  fc.assert(
    fc.property(fc.nat({ max: 10 }), (count) => {
      const most = Math.min(20_000, 500 * 2 ** count);
      const met = new Set<number>();
      for (let at = 0; at < 1000; at += 1)
        met.add(Math.floor((jitterMs(count, () => at / 1000) / most) * parts));
      expect(met.size).toBe(parts);
    }),
  );
});

test('no condition, effect or count allows more than the maximum of attempts', () => {
  const conditions = ['not-connected', 'no-answer', 'broken-body', 'refused-for-now', 'unavailable'] as const;
  const effects = ['read', 'idempotent', 'other'] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...conditions),
      fc.constantFrom(...effects),
      fc.nat(20),
      fc.nat(20),
      (condition, effect, made, most) => {
        if (made >= most) expect(mayRetry(condition, effect, made, most)).toBe(false);
      },
    ),
  );
});
