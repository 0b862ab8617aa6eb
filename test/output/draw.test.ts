import { Chalk } from 'chalk';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { loadDraw } from '../../src/output/table.js';
import { link } from '../../src/output/terminal.js';
import { safeLine } from '../../src/output/text.js';
import { cut, widthOf } from '../../src/output/text-width.js';
import { anyText } from '../any-text.js';

const draw = await loadDraw();
const chalk = new Chalk({ level: 1 });

/** Texts whose widths string-width 4, which cli-table3 brings, gets wrong, and others. */
const texts = [
  ...['Ada', 'Émile', 'e\u0301te\u0301', 'Ωμέγα', 'Иван', '…', ''],
  ...['日本 太郎', '한국어', '\u1112\u1161\u11ab', 'ｆｕｌｌ', 'ｶﾞ', 'か\u3099'],
  ...['👩', '👩🏽', '👩‍👩‍👧‍👦', '🧑🏽‍💻', '🏳️‍🌈', '🇩🇪🇯🇵', '1️⃣', '☂️', '❤', '🫠'],
  ...['กำ', 'नमस्ते', 'שָׁלוֹם', 'a\u200bb', 'z\u0300\u0301\u0302\u0303', 'soft\u00adhyphen'],
];
const cellText = fc.oneof(
  fc.array(fc.constantFrom(...texts), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  anyText({ maxLength: 30 }),
);

/** A row between bars: how far the second bar stands from the first is what the column takes. */
const columnOf = (line: string) => stringWidth(line.slice(0, line.lastIndexOf('|')));

describe('a drawn table', () => {
  it.each(texts)('gives a cell of %j its column', (text) => {
    const widths = [14, 1];
    const rows = [text, 'ascii'].map((each) => ({ cells: [cut(each, 14), '|'], widths }));
    expect(draw(rows).split('\n').slice(0, -1).map(columnOf)).toEqual([16, 16]);
  });

  it('has lines of the same width, whatever the cells hold', () => {
    fc.assert(
      fc.property(fc.array(cellText, { minLength: 1 }), fc.integer({ min: 2, max: 30 }), (values, width) => {
        const rows = values.map((value, index) => {
          const text = cut(safeLine(value), width);
          const shown = index % 2 === 0 ? chalk.red(text) : text;
          return { cells: [shown, '|'], widths: [width, 1] };
        });
        const lines = draw(rows).split('\n').slice(0, -1);
        expect(lines).toHaveLength(values.length);
        for (const line of lines) expect(columnOf(line)).toBe(width + 2);
      }),
    );
  });

  it('keeps the cells as they are, colours and links too, and aligns at the right where asked', () => {
    const address = link(chalk.cyan('docs'), "https://example.org/a+b,(c)!$'*?q=ü");
    const rows = [
      { cells: [address, '1'], widths: [6, 4] },
      { cells: [chalk.bold('x'), '1234'], widths: [6, 4] },
      { cells: ['longer', '5'], widths: [8, 4] },
    ];
    expect(draw(rows, ['left', 'right'])).toBe(
      `${address}       1\n${chalk.bold('x')}       1234\nlonger       5\n`,
    );
  });
});

describe('the width of a text', () => {
  it('is that of string-width', () => {
    fc.assert(
      fc.property(cellText, (value) => {
        const text = safeLine(value);
        expect(widthOf(text)).toBe(stringWidth(text));
      }),
    );
    for (let code = 0x20; code < 0xd800; code += 1) {
      const text = safeLine(String.fromCharCode(code));
      if (widthOf(text) !== stringWidth(text)) expect.unreachable(`U+${code.toString(16)}`);
    }
  });
});
