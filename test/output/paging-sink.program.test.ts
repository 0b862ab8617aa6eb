import { describe, expect, it } from 'vitest';
import { PagingSink } from '../../src/output/paging-sink.js';
import { ScreenRows } from '../../src/output/screen-rows.js';
import { writeStandardError } from '../../src/output/standard-error.js';
import { type FakeIo, fakeIo } from '../fake-io.js';
import { terminal } from './printed.js';

/** Ten lines of screen; the pager is a program that reads all it is given and shows none of it. */
function sinkOn(pager = 'sh -c "cat > /dev/null"'): { io: FakeIo; sink: PagingSink } {
  const io = fakeIo({
    ...terminal,
    env: { DOCS_PAGER: pager, PATH: process.env.PATH },
    cwd: '/',
    columns: 20,
  });
  io.stdout.rows = 10;
  const sink = new PagingSink(io, { setting: undefined, quiet: false });
  return { io: Object.assign(io, { paging: sink }), sink };
}
const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}\n`).join('');

describe('output that may need a pager', () => {
  it('is held back until it ends, and printed where it fits', async () => {
    const { io, sink } = sinkOn();
    sink.add(lines(9));
    await sink.flush();
    expect(io.stdout.text).toBe('');
    await sink.close();
    expect(io.stdout.text).toBe(lines(9));
  });

  it('goes to the pager once it fills the screen, with what is said meanwhile after it', async () => {
    const { io, sink } = sinkOn();
    sink.add(lines(5));
    await sink.push();
    sink.add(lines(5));
    await sink.push();
    expect(sink.isOpen).toBe(true);
    writeStandardError(io, 'a note\n');
    expect(io.stderr.text).toBe('');
    await sink.close();
    expect({ stdout: io.stdout.text, stderr: io.stderr.text }).toEqual({ stdout: '', stderr: 'a note\n' });
  });

  it('is shown where more is slow to come, and all of it is paged where it then does not fit', async () => {
    const { io, sink } = sinkOn('sh -c "exit 3"');
    sink.add(lines(5));
    await sink.push();
    await io.advance(199);
    expect(io.stdout.text).toBe('');
    await io.advance(1);
    expect(io.stdout.text).toBe(lines(5));
    sink.add(lines(8));
    await sink.push();
    await sink.close();
    expect(io.stdout.text).toBe(lines(5) + lines(5) + lines(8));
    expect(io.stderr.text).toContain('The pager sh failed with exit code 3. Printing without it.');
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

  it('is printed without a pager that cannot start', async () => {
    const { io, sink } = sinkOn('no-such-program');
    sink.add(lines(30));
    await sink.flush();
    await sink.close();
    expect(io.stdout.text).toBe(lines(30));
    expect(io.stderr.text).toContain('Cannot start the pager no-such-program: it was not found.');
  });

  it('ends the run of whoever leaves the pager', async () => {
    const { sink } = sinkOn('true');
    sink.add(lines(30));
    await sink.push().catch(() => {});
    await new Promise<void>((done) => {
      if (sink.signal.aborted) done();
      else sink.signal.addEventListener('abort', () => done());
    });
    expect(sink.outcome(new Error('aborted'))).toMatchObject({ name: 'ReaderGone' });
    await expect(sink.push()).rejects.toMatchObject({ name: 'ReaderGone' });
    await sink.close();
  });

  it('is no failure for who pressed Ctrl-C in the pager; before, it is', async () => {
    const early = sinkOn();
    early.io.abort(new Error('SIGINT'));
    const cause = new Error('as it was');
    expect(early.sink.outcome(cause)).toBe(cause);
    const { io, sink } = sinkOn();
    let taken = false;
    io.signalTaken = () => {
      taken = true;
    };
    sink.add(lines(30));
    await sink.push();
    io.abort(new Error('SIGINT'));
    expect(sink.outcome(cause)).toMatchObject({ name: 'ReaderGone' });
    await sink.close();
    expect(taken).toBe(true);
    expect(io.stderr.text).toBe('Interrupted: not all of the output was read.\n');
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
    [`\x1b[31m${'x'.repeat(20)}\x1b[39m\n`, false],
    [`\x1b]8;;https://a.example/${'y'.repeat(99)}\x1b\\text\x1b]8;;\x1b\\\n`, false],
    ['\n\n', false],
    ['x'.repeat(1_000_000), true],
  ])('%# are counted as they are wrapped', (text, expected) => {
    expect(full(text)).toBe(expected);
  });
});
