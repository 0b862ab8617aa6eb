import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitColumns, type Wish } from '../../src/output/table.js';
import { runs } from '../runs.js';

/** Which columns a window shows, and how wide. */

const name: Wish = { natural: 24, keep: true, flexible: true };
const id: Wish = { natural: 20, keep: true, flexible: false };
const role: Wish = { natural: 7, keep: false, flexible: false };
const email: Wish = { natural: 30, keep: false, flexible: true };
const count: Wish = { natural: 5, keep: false, flexible: false };

describe('a window', () => {
  it('that is wide enough shows all as they are', () => {
    expect(fitColumns([name, email, role, id], 200)).toEqual([24, 30, 7, 20]);
  });

  it('gives up a column before one left of it is cut below 40', () => {
    expect(fitColumns([name, email, role, id], 80)).toEqual([24, 30, 0, 20]);
    expect(fitColumns([name, { ...email, natural: 60 }, role, id], 100)).toEqual([24, 43, 7, 20]);
    expect(fitColumns([name, { ...email, natural: 60 }, role, id], 97)).toEqual([24, 40, 7, 20]);
    expect(fitColumns([name, { ...email, natural: 60 }, role, id], 96)).toEqual([24, 48, 0, 20]);
  });

  it('cuts text where nothing right of it is left to give up', () => {
    expect(fitColumns([name, email, role, id], 77)).toEqual([24, 29, 0, 20]);
    expect(fitColumns([name, email, role, id], 64)).toEqual([24, 16, 0, 20]);
  });

  it('gives up columns from the right, and takes back what fits in place of a wide one', () => {
    expect(fitColumns([name, email, role, id], 60)).toEqual([24, 0, 7, 20]);
    expect(fitColumns([name, email, role, count, id], 60)).toEqual([24, 0, 7, 0, 20]);
    expect(fitColumns([name, email, role, count, id], 62)).toEqual([24, 0, 7, 5, 20]);
  });

  it('takes back nothing that is empty', () => {
    expect(fitColumns([name, email, { ...role, empty: true }, id], 60)).toEqual([24, 0, 0, 20]);
  });

  it('keeps what identifies, whatever its width', () => {
    expect(fitColumns([name, email, role, id], 30)).toEqual([8, 0, 0, 20]);
    expect(fitColumns([name, email, role, id], 3)).toEqual([3, 0, 0, 0]);
  });
});

describe('any columns in any window', () => {
  const wish: fc.Arbitrary<Wish> = fc.record({
    natural: fc.integer({ min: 1, max: 90 }),
    keep: fc.boolean(),
    flexible: fc.boolean(),
    empty: fc.boolean(),
  });
  const given = fc.record({
    wishes: fc.array(wish, { maxLength: 12 }),
    available: fc.integer({ min: 1, max: 250 }),
  });
  const always = (holds: (wishes: readonly Wish[], widths: readonly number[], available: number) => void) =>
    fc.assert(
      fc.property(given, ({ wishes, available }) => holds(wishes, fitColumns(wishes, available), available)),
      { numRuns: runs(300) },
    );
  const used = (widths: readonly number[]) => {
    const shown = widths.filter((width) => width > 0);
    return shown.reduce((sum, width) => sum + width, 2 * Math.max(0, shown.length - 1));
  };

  it('are never wider than the window, nor than they need to be', () => {
    always((wishes, widths, available) => {
      expect(widths).toHaveLength(wishes.length);
      expect(used(widths)).toBeLessThanOrEqual(available);
      for (const [index, width] of widths.entries())
        expect(width).toBeLessThanOrEqual(wishes[index]?.natural ?? 0);
    });
  });

  it('are whole where they all fit', () => {
    always((wishes, widths, available) => {
      const natural = wishes.map((one) => one.natural);
      if (used(natural) <= available) expect(widths).toEqual(natural);
    });
  });

  it('are not cut below 40 while one right of them that could be given up is shown', () => {
    always((wishes, widths) => {
      const last = wishes.findLastIndex(({ keep }, index) => !keep && (widths[index] ?? 0) > 0);
      for (const [index, width] of widths.slice(0, Math.max(last, 0)).entries())
        if (width > 0) expect(width).toBeGreaterThanOrEqual(Math.min(wishes[index]?.natural ?? 0, 40));
    });
  });

  it('are whole or given up where a cut value means nothing, but for those that identify', () => {
    always((wishes, widths) => {
      for (const [index, { keep, flexible, natural }] of wishes.entries())
        if (!keep && !flexible) expect([0, natural]).toContain(widths[index]);
    });
  });

  it('are given up only where they do not fit beside those that are shown', () => {
    always((wishes, widths, available) => {
      if (wishes.some(({ keep }, index) => keep && widths[index] === 0)) return;
      for (const [index, { keep, empty, natural }] of wishes.entries()) {
        if (keep || empty === true || widths[index] !== 0) continue;
        const whole = wishes.map((one, at) => (at === index ? natural : widths[at] === 0 ? 0 : one.natural));
        expect(used(whole)).toBeGreaterThan(available);
      }
    });
  });

  it('keep all that identifies, as long as each has four columns', () => {
    always((wishes, widths, available) => {
      const kept = wishes.filter(({ keep }) => keep);
      if (available < kept.length * 6) return;
      for (const [index, { keep }] of wishes.entries()) if (keep) expect(widths[index]).toBeGreaterThan(0);
    });
  });
});
