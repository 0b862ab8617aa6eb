import { describe, expect, it } from 'vitest';
import { cellOf } from '../../src/output/cells.js';
import { createPaint } from '../../src/output/colors.js';
import type { ResolvedColumn } from '../../src/output/columns.js';
import { details } from '../../src/output/details.js';
import type { Screen } from '../../src/output/table.js';
import { pagesOf, printed, terminal } from './printed.js';

/** Values of a size that nobody reads must not take long to show. */

const column: ResolvedColumn = { path: 'text', label: 'text', keep: true, isId: false };
const odd = '\t\n'.repeat(240_000);

describe('a value of half a million characters', () => {
  it('is cut before it is cleaned, where its cell will be cut', () => {
    for (const text of [odd, [odd], { odd }])
      expect(cellOf({ text }, column, undefined, 100).text).toHaveLength(100);
    expect(cellOf({ text: `  a\n${odd}` }, { ...column, as: 'firstLine' }, undefined, 3).text).toBe('a');
  });

  it('is one line of a table', async () => {
    const item = { id: 'a1', text: `a${odd}` };
    const view = { columns: [{ path: 'id' }, { path: 'text' }], fields: ['id', 'text'] };
    const { stdout } = await printed({ ...terminal, format: 'table' }, (printer) =>
      printer.list(pagesOf([[item]]), view),
    );
    expect(stdout).toBe('ID  TEXT\na1  a…\n');
  });

  it('is shown whole as part of one thing, each line by itself', () => {
    const draw = () => {
      throw new Error('A table for each line takes too long.');
    };
    const paint = createPaint(undefined);
    const screen: Screen = { columns: 80, isTerminal: true, paint, draw, links: false, nowMs: undefined };
    const shown = details({ text: `a${'\n'.repeat(480_000)}b` }, [column], undefined, screen);
    expect(shown).toHaveLength('Text  a\n'.length + 479_999 + '      b\n'.length);
  });
});
