import { afterEach, describe, expect, it, vi } from 'vitest';
import { startProgress } from '../../src/output/progress.js';
import { type FakeIo, type FakeIoOptions, fakeIo, settled } from '../fake-io.js';
import { pagesOf, printerFor, terminal } from './printed.js';

/** Lets the spinner's module load, which takes more than one turn. */
const loaded = (io: FakeIo) =>
  vi.waitFor(() => expect(io.stderr.text).not.toBe(''), { timeout: 50_000, interval: 1 });

const plain = (text: string) => text.replace(/\x1b\[[?\d;]*[a-zA-Z]/g, '').replace(/[⠀-⣿] ?/g, '|');

describe('progress', () => {
  let running: { stop(): void } | undefined;
  afterEach(() => running?.stop());

  it('appears on stderr after 300 ms and is gone when stopped', async () => {
    const io = fakeIo(terminal);
    running = startProgress(io, { text: 'Deleting\x1b space', quiet: false });
    await io.advance(299);
    expect(io.stderr.text).toBe('');
    await io.advance(1);
    await loaded(io);
    expect(plain(io.stderr.text)).toContain('Deleting␛ space…');
    running.stop();
    expect(io.stderr.text.endsWith('\x1b[1G\x1b[2K')).toBe(true);
    expect(io.stdout.text).toBe('');
  });

  it('goes on with what comes next: its words, from 0, with its own total, as quiet as before', async () => {
    const io = fakeIo(terminal);
    const progress = startProgress(io, { text: 'Looking', quiet: false, total: 3 });
    running = progress;
    progress.count(2);
    progress.next('Reading', 10);
    progress.count(5);
    await io.advance(300);
    await loaded(io);
    expect(plain(io.stderr.text)).toMatch(/^\S* ?Reading █{10}░{10} 5\/10/m);
    expect(plain(io.stderr.text)).not.toContain('Looking');
    progress.stop();
    expect(io.stderr.text.endsWith('\x1b[1G\x1b[2K')).toBe(true);

    const quiet = fakeIo(terminal);
    startProgress(quiet, { text: 'Looking', quiet: true }).next('Reading');
    await quiet.advance(1000);
    expect([quiet.sleeps, quiet.stderr.text]).toEqual([[], '']);
  });

  it('never appears when stopped in time', async () => {
    const io = fakeIo(terminal);
    const progress = startProgress(io, { text: 'Fetching', quiet: false });
    await io.advance(200);
    progress.stop();
    await io.advance(1000);
    expect([io.sleeps, io.stderr.text]).toEqual([[300], '']);
  });

  it('never appears when stopped while it is being loaded', async () => {
    const ends = async (): Promise<void> => {
      await null;
      progress.stop();
    };
    const io = { ...fakeIo(terminal), sleep: ends };
    const progress = startProgress(io, { text: 'Fetching', quiet: false });
    await import('ora');
    await settled();
    expect(io.stderr.text).toBe('');
  });

  it.each<[string, Partial<Parameters<typeof startProgress>[1]>, number, string]>([
    ['counts, with a rate', { done: 2000 }, 1700, 'Doing… 2,000, 1,000/s'],
    [
      'has a bar and the time left where the total is known',
      { done: 500, total: 2000 },
      ...([9700, 'Doing █████░░░░░░░░░░░░░░░ 500/2,000, 30 s left'] as const),
    ],
  ])('%s', async (_, counts, agoMs, shown) => {
    const io = fakeIo(terminal);
    running = startProgress(io, { text: 'Doing', quiet: false, sinceMs: io.now() - agoMs, ...counts });
    await io.advance(300);
    await loaded(io);
    expect(plain(io.stderr.text)).toContain(shown);
  });

  it('tells done, failed, to go, rate and time left of a job', async () => {
    const io = fakeIo(terminal);
    const progress = startProgress(io, { text: 'Doing', quiet: false, total: 100, sinceMs: io.now() - 9700 });
    running = progress;
    progress.count(50, 2);
    await io.advance(300);
    await loaded(io);
    expect(plain(io.stderr.text)).toContain(
      'Doing ██████████░░░░░░░░░░ 50/100, 2 failed, 50 to go, 5/s, 10 s left',
    );
  });

  it('is hidden while something is printed, and comes back', async () => {
    const io = fakeIo(terminal);
    const progress = startProgress(io, { text: 'Changing', quiet: false, total: 100 });
    running = progress;
    progress.hide();
    await io.advance(300);
    await import('ora');
    await settled();
    expect(io.stderr.text).toBe('');
    progress.show();
    await loaded(io);
    progress.hide();
    expect(io.stderr.text.endsWith('\x1b[1G\x1b[2K')).toBe(true);
    expect(plain(io.stderr.text)).toContain('Changing');
  });

  it.each<[string, FakeIoOptions, boolean]>([
    ['stdout is a pipe', { terminals: ['stderr'] }, false],
    ['stderr is a pipe', { terminals: ['stdout'] }, false],
    ['the terminal has no columns', { ...terminal, columns: 0 }, false],
    ['it is CI', { ...terminal, env: { CI: 'true' } }, false],
    ['the terminal is dumb', { ...terminal, env: { TERM: 'dumb' } }, false],
    ['--quiet is given', terminal, true],
  ])('never appears where %s', async (_, world, quiet) => {
    const io = fakeIo(world);
    running = startProgress(io, { text: 'Fetching', quiet });
    await io.advance(10_000);
    expect([io.sleeps, io.stderr.text]).toEqual([[], '']);
  });

  it('shows while a list waits for its first page, and is gone before the table', async () => {
    const { io, printer } = printerFor(terminal);
    let release: () => void = () => {};
    async function* pages() {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield* pagesOf([[{ id: 'a' }]], 1);
    }
    const list = printer.list(pages(), { columns: [{ path: 'id' }], fields: ['id'] });
    // What prints a list is loaded first, and its 300 ms begin then.
    await vi.waitFor(
      async () => {
        await io.advance(300);
        expect(io.stderr.text).not.toBe('');
      },
      { timeout: 50_000 },
    );
    expect(plain(io.stderr.text)).toContain('Fetching…');
    expect(io.stdout.text).toBe('');
    release();
    await list;
    expect(io.stderr.text.endsWith('\x1b[1G\x1b[2K')).toBe(true);
    expect(io.stdout.text).toBe('ID\na\n');
  });
});
