import { describe, expect, it } from 'vitest';
import { wordWrapped } from '../../src/output/text.js';

describe('a remark on a terminal', () => {
  const at = (columns: number) => ({ isTTY: true, columns });

  it('is broken between words, further lines indented', () => {
    expect(wordWrapped('one two three four five six', at(20))).toBe('one two three four\n  five six');
    expect(wordWrapped('  one two three four five six', at(20))).toBe('  one two three four\n    five six');
  });

  it('keeps lines that fit, commands to copy, and words longer than a line', () => {
    const command = `    docs spaces restore ${'x'.repeat(30)}`;
    expect(wordWrapped(`short\n${command}`, at(30))).toBe(`short\n${command}`);
    expect(wordWrapped(`see ${'x'.repeat(40)} there`, at(30))).toBe(`see\n  ${'x'.repeat(40)}\n  there`);
  });

  it('is left alone in a pipe, and where no width is known', () => {
    const text = 'word '.repeat(40);
    expect(wordWrapped(text, { isTTY: false, columns: 20 })).toBe(text);
    expect(wordWrapped(text, at(0))).toBe(text);
  });
});
