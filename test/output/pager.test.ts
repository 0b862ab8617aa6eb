import { describe, expect, it } from 'vitest';
import { ScreenRows } from '../../src/output/pager.js';
import { writeStandardError } from '../../src/output/terminal.js';
import { lines, sinkOn } from './paged.js';

/** What becomes of output while no pager is needed. */
describe('output that may need a pager', () => {
  it('is held back until it ends, and printed where it fits', async () => {
    const { io, sink } = sinkOn();
    sink.add(lines(9));
    await sink.flush();
    expect(io.stdout.text).toBe('');
    await sink.close();
    expect(io.stdout.text).toBe(lines(9));
  });

  it('comes before what is said about it', async () => {
    const { io, sink } = sinkOn();
    sink.add(lines(2));
    await sink.push();
    writeStandardError(io, 'a note\n');
    expect(io.stdout.text).toBe(lines(2));
    await sink.close();
    expect(io.stdout.text).toBe(lines(2));
  });
});

describe('lines on the screen', () => {
  const full = (text: string) => {
    const rows = new ScreenRows({ columns: 10, rows: 3 });
    rows.add(text);
    return rows.isFull;
  };
  it.each([
    ['a\nb\n', false],
    ['a\nb\nc\n', true],
    ['a\nb\nc', true],
    [`${'x'.repeat(20)}\n`, false],
    [`${'x'.repeat(21)}\n`, true],
    [`${'字'.repeat(10)}\n`, false],
    [`${'字'.repeat(11)}\n`, true],
    [`${'字'.repeat(10)}\n`.repeat(2), true],
    [`\x1b[31m${'x'.repeat(20)}\x1b[39m\n`, false],
    [`\x1b]8;;https://a.example/${'y'.repeat(99)}\x1b\\text\x1b]8;;\x1b\\\n`, false],
    ['\n\n', false],
    ['x'.repeat(1_000_000), true],
  ])('%# are counted as they are wrapped', (text, expected) => {
    expect(full(text)).toBe(expected);
  });
});
