import { describe, expect, test } from 'vitest';
import { writePdf } from '../../../src/sandbox/content/pdf.js';

const read = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Every object begins where the table of the file says. */
function checkTable(pdf: string): void {
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1]);
  const [head = '', size = ''] = /^xref\n0 (\d+)\n/.exec(pdf.slice(start)) ?? [];
  const lines = pdf
    .slice(start + head.length)
    .split('\n')
    .slice(0, Number(size));
  expect(lines[0]).toBe('0000000000 65535 f ');
  for (const [number, line] of lines.slice(1).map((text, index) => [index + 1, text] as const)) {
    expect(line).toHaveLength(19);
    expect(pdf.slice(Number(line.slice(0, 10)))).toMatch(new RegExp(`^${number} 0 obj\\n`));
  }
}

describe('writePdf', () => {
  test('writes correct object offsets and stream lengths', () => {
    const pdf = read(writePdf('Title', [[{ text: 'One', bold: true }, { text: 'two' }], []]));
    expect(pdf).toMatch(/^%PDF-1\.4\n/);
    checkTable(pdf);
    for (const [, length, stream] of pdf.matchAll(/<< \/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g)) {
      expect(stream).toHaveLength(Number(length));
    }
    expect(pdf).toContain('/Count 2');
    expect(pdf).toContain('/F2 10 Tf (One) Tj');
  });

  test('wraps lines at 80 characters, at spaces if possible', () => {
    const pdf = read(writePdf('t', [[{ text: `${'word '.repeat(20)}end` }, { text: 'x'.repeat(81) }]]));
    const lines = Array.from(pdf.matchAll(/\((.*)\) Tj/g), ([, text]) => text);
    expect(lines).toEqual(['word '.repeat(16).trim(), 'word word word word end', 'x'.repeat(80), 'x']);
  });

  test('continues on another sheet', () => {
    const lines = Array.from({ length: 57 }, (_, index) => ({ text: `line ${index}` }));
    expect(read(writePdf('t', [lines]))).toContain('/Count 2');
  });

  test('writes WinAnsi, a question mark for the rest, and escapes', () => {
    const bytes = writePdf('t', [[{ text: 'é€“\\(a)日😀' }]]);
    expect(read(bytes)).toContain('(\u00e9\u0080\u0093\\\\\\(a\\)??) Tj');
  });
});
