import { describe, expect, it } from 'vitest';
import { writeStandardError } from '../../src/output/terminal.js';
import { lines, sinkOn } from './paged.js';

describe('output that needs a pager', () => {
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

  it('is printed without a pager that cannot start', async () => {
    const { io, sink } = sinkOn('no-such-program');
    sink.add(lines(30));
    await sink.flush();
    await sink.close();
    expect(io.stdout.text).toBe(lines(30));
    expect(io.stderr.text).toContain('Cannot start the pager no-such-program: it was not found');
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
