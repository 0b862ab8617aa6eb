import { describe, expect, it } from 'vitest';
import type { Page, View } from '../../src/output/printer.js';
import { ReaderGone, Sink } from '../../src/output/sink.js';
import { fakeIo, settled } from '../fake-io.js';
import { pagesOf, printerFor } from './printed.js';

const view: View = { columns: [{ path: 'id' }], fields: ['id'] };
const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `item-${index}` }));

describe('standard output', () => {
  it('is written in large chunks, not item by item', async () => {
    const { io, printer } = printerFor({ format: 'ndjson' });
    await printer.list(pagesOf([items(20_000)]), view);
    expect(io.stdout.text.split('\n')).toHaveLength(20_001);
    expect(io.stdout.writes.length).toBeLessThan(10);
  });

  it('waits for a slow reader, and fetches nothing meanwhile', async () => {
    const { io, printer } = printerFor({ format: 'ndjson' });
    let asked = 0;
    async function* pages(): AsyncGenerator<Page> {
      while (asked < 50) {
        asked += 1;
        yield { items: items(1000), next: 'more' };
      }
    }
    io.stdout.pauseReader();
    const list = printer.list(pages(), view);
    for (let turn = 0; turn < 20; turn += 1) await settled();
    expect(asked).toBe(1);
    io.stdout.resumeReader();
    expect(await list).toEqual({ printed: 50_000, cut: false });
    expect(io.stdout.text.split('\n')).toHaveLength(50_001);
  });

  it('stops waiting for a slow reader when the run is to end', async () => {
    const { io, printer } = printerFor({ format: 'ndjson' });
    io.stdout.pauseReader();
    const list = printer.list(pagesOf([items(5000)]), view);
    await settled();
    io.abort(new Error('SIGINT'));
    await expect(list).rejects.toThrow('SIGINT');
  });

  it.each(['EPIPE', 'ERR_STREAM_DESTROYED'])(
    'tells by ReaderGone that nobody reads any more (%s)',
    async (code) => {
      const { io, printer } = printerFor({ format: 'id' });
      let asked = 0;
      async function* pages(): AsyncGenerator<Page> {
        for (;;) {
          asked += 1;
          if (asked === 3) io.stdout.failWith = code;
          await settled();
          yield { items: items(10), next: 'more' };
        }
      }
      await expect(printer.list(pages(), view)).rejects.toBeInstanceOf(ReaderGone);
      expect(asked).toBeLessThanOrEqual(4);
      await expect(printer.text('more')).rejects.toBeInstanceOf(ReaderGone);
    },
  );

  it.each([
    ['ENOSPC', 'disk_full', 'cannot write the output: the disk is full'],
    ['EIO', 'io_error', 'cannot write the output: an input/output error'],
  ])('tells of %s in one line, exit 13', async (system, code, message) => {
    const { io, printer } = printerFor({ format: 'json' });
    io.stdout.failWith = system;
    await expect(printer.one({ id: 'a' }, view)).rejects.toMatchObject({
      kind: 'local-io',
      exitCode: 13,
      code,
      message,
    });
  });

  it('has everything handed over when flushed', async () => {
    const io = fakeIo();
    const sink = new Sink(io.stdout, io.signal);
    io.stdout.pauseReader();
    sink.add('whole');
    let flushed = false;
    const flush = sink.flush().then(() => {
      flushed = true;
    });
    await settled();
    expect(flushed).toBe(false);
    io.stdout.resumeReader();
    await flush;
    expect(io.stdout.text).toBe('whole');
  });
});

describe('bytes', () => {
  it('come after the text before them, and may change once they are passed on', async () => {
    const io = fakeIo();
    const sink = new Sink(io.stdout, io.signal);
    const bytes = Buffer.from('bytes ');
    sink.add('text ');
    io.stdout.pauseReader();
    let isPassed = false;
    const passed = sink.pass(bytes).then(() => {
      isPassed = true;
    });
    await settled();
    expect(isPassed).toBe(false);
    io.stdout.resumeReader();
    await passed;
    bytes.fill('x');
    sink.add('more');
    await sink.flush();
    expect(io.stdout.text).toBe('text bytes more');
  });
});

describe('standard error', () => {
  it('never makes a command fail', async () => {
    const { io, printer } = printerFor({ format: 'id' });
    io.stderr.failWith = 'EPIPE';
    printer.warn('one');
    await settled();
    printer.warn('two');
    await printer.list(pagesOf([items(1)]), view);
    expect(io.stdout.text).toBe('item-0\n');
  });
});
