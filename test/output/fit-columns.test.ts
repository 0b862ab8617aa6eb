import { describe, expect, it } from 'vitest';
import { fitColumns, type Wish } from '../../src/output/fit-columns.js';

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

  it('is never exceeded', () => {
    for (let width = 1; width < 120; width += 1) {
      const widths = fitColumns([name, email, role, count, id], width).filter((columns) => columns > 0);
      const used = widths.reduce((sum, columns) => sum + columns, 0) + 2 * (widths.length - 1);
      expect(used).toBeLessThanOrEqual(width);
    }
  });
});
