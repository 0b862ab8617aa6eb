import { describe, expect, it, vi } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import type { Watched } from '../../../src/cli/declare/command.js';
import type { Globals, Session } from '../../../src/cli/declare/session.js';
import { watch } from '../../../src/cli/run/watch.js';
import { ConsolePrinter } from '../../../src/output/console-printer.js';
import type { Format } from '../../../src/output/printer.js';
import { Screen } from '../../e2e/screen.js';
import { type FakeIo, type FakeIoOptions, fakeIo } from '../../fake-io.js';

/** `--watch` with a clock that skips its sleeps, so that every reading comes at once. */

const watched: Watched = {
  field: 'state',
  moving: ['pending', 'progress'],
  final: ['complete'],
  error: 'error',
  failure: async () => (_, items) =>
    items.some((item) => (item as Item).error !== undefined)
      ? new DocsError('job-failed', 'processing_failed', 'the platform failed to process it')
      : undefined,
};

interface Item {
  id: string;
  state: string;
  error?: string;
}
type Reading = Item | readonly Item[] | DocsError;

interface Options extends FakeIoOptions {
  format?: Format;
  timeoutMs?: number;
  rows?: number;
  globals?: Globals;
  sorts?: true;
}

const view = { columns: [{ path: 'id' }, { path: 'state' }], fields: ['id', 'state', 'error'] };

/** A session of which each reading gives what comes next. */
function world(readings: readonly Reading[], options: Options = {}) {
  const { format, timeoutMs, rows, globals = {}, sorts } = options;
  const io = fakeIo({ sleep: 'skips', ...options });
  if (rows !== undefined) io.stdout.rows = rows;
  const printer = new ConsolePrinter({ io, format, color: 0, quiet: false });
  const settings = {
    ...(format && { output: { value: format } }),
    ...(timeoutMs && { timeoutMs: { value: timeoutMs } }),
  };
  const session = { io, printer, settings, globals, watch: {}, sorts };
  let count = 0;
  const run = async ({ printer: own }: Session) => {
    const reading = readings[Math.min(count, readings.length - 1)] as Reading;
    count += 1;
    if (reading instanceof DocsError) throw reading;
    if (Array.isArray(reading)) await own.list(reading, view);
    else await own.one(reading, view);
  };
  return {
    io,
    session: session as unknown as Session,
    get count() {
      return count;
    },
    watch: (about: Watched = watched, interval: unknown = true) =>
      watch(session as unknown as Session, about, interval, run),
  };
}

const [pending, progress, complete] = ['pending', 'progress', 'complete'].map((state) => ({
  id: 'a',
  state,
})) as [Item, Item, Item];
const lost = new DocsError('network', 'connection_lost', 'The connection was lost.');

describe('off a terminal', () => {
  it('TSV has a line for each change of state, and asks every two seconds', async () => {
    const at = world([pending, pending, progress, progress, complete]);
    await at.watch();
    expect(at.io.stdout.text).toBe('a\tpending\na\tprogress\na\tcomplete\n');
    expect(at.io.sleeps).toEqual([2000, 2000, 2000, 2000]);
    expect(at.count).toBe(5);
  });

  it('NDJSON has an object for each changed item of a list, and its header once', async () => {
    const b: Item = { id: 'b', state: 'complete' };
    const at = world(
      [
        [b, pending],
        [b, pending],
        [b, complete],
      ],
      { format: 'ndjson' },
    );
    await at.watch(watched, '1s');
    expect(at.io.stdout.text.trimEnd().split('\n')).toEqual(
      [b, pending, complete].map((item) => JSON.stringify(item)),
    );
    expect(at.io.sleeps).toEqual([1000, 1000]);
  });

  it('JSON is the final state alone', async () => {
    const at = world([pending, progress, complete], { format: 'json' });
    await at.watch();
    expect(JSON.parse(at.io.stdout.text)).toEqual(complete);
  });

  it('what rests at once is read once', async () => {
    const at = world([complete]);
    await at.watch();
    expect([at.count, at.io.sleeps]).toEqual([1, []]);
  });

  it('a final state that is a failure is printed, and fails', async () => {
    const failed = { id: 'a', state: 'complete', error: 'PARSE_ERROR' };
    const at = world([pending, failed]);
    await expect(at.watch()).rejects.toMatchObject({ code: 'processing_failed', exitCode: 18 });
    expect(at.io.stdout.text).toBe('a\tpending\na\tcomplete\n');
  });

  it('an unknown state rests only with an error', async () => {
    const at = world([
      { id: 'a', state: 'odd' },
      { id: 'a', state: 'pending', error: 'X' },
      { id: 'a', state: 'odd', error: 'X' },
    ]);
    await expect(at.watch()).rejects.toMatchObject({ code: 'processing_failed' });
    expect(at.count).toBe(3);
  });

  it('a list of a history fails for what moved while it was watched, not for what failed before', async () => {
    const old: Item = { id: 'old', state: 'complete', error: 'X' };
    const history: Watched = { ...watched, history: true };
    await world([
      [old, pending],
      [old, complete],
    ]).watch(history);
    const moved = { ...complete, error: 'X' };
    await expect(
      world([
        [old, pending],
        [old, moved],
      ]).watch(history),
    ).rejects.toMatchObject({ exitCode: 18 });
    await expect(world([[old]]).watch()).rejects.toMatchObject({ exitCode: 18 });
  });
});

describe('what goes wrong while it watches', () => {
  it('the first reading fails as the command does', async () => {
    const at = world([lost, complete]);
    await expect(at.watch()).rejects.toBe(lost);
    expect(at.count).toBe(1);
  });

  it('a lost connection is told, and read again in growing steps', async () => {
    const at = world([pending, lost, lost, complete]);
    await at.watch();
    expect(at.io.stdout.text).toBe('a\tpending\na\tcomplete\n');
    expect(at.io.sleeps).toEqual([2000, 3000, 4500]);
    expect(at.io.stderr.text).toContain('The connection was lost; trying again in 3 s');
  });

  it('a rate limit is waited for as long as the platform says', async () => {
    const limited = new DocsError('rate-limited', 'rate_limited', 'Too many requests.', {
      details: { waitMs: 90_000 },
    });
    const at = world([pending, limited, complete]);
    await at.watch();
    expect(at.io.sleeps).toEqual([2000, 90_000]);
  });

  it('ten failures in a row, a wrong token and a missing resource end it', async () => {
    const at = world([pending, lost]);
    await expect(at.watch()).rejects.toBe(lost);
    expect(at.count).toBe(12);
    for (const kind of ['unauthenticated', 'forbidden', 'not-found'] as const) {
      const wrong = new DocsError(kind, 'x', 'No.');
      const ended = world([pending, wrong, complete]);
      await expect(ended.watch()).rejects.toBe(wrong);
      expect(ended.count).toBe(2);
    }
  });

  it('--timeout is the deadline of the whole watch', async () => {
    const at = world([pending], { timeoutMs: 5000 });
    await expect(at.watch()).rejects.toMatchObject({ code: 'still_moving', exitCode: 12 });
    expect(at.io.sleeps).toEqual([2000, 2000, 1000]);
    expect(at.count).toBe(3);
  });

  it('parts that could not be read keep it from ending', async () => {
    const at = world([pending, complete]);
    const partial = new DocsError('partial', 'not_all_read', '1 space was not read.');
    let count = 0;
    await watch(at.session, watched, true, async ({ printer }) => {
      count += 1;
      await printer.list([complete], view);
      if (count < 3) throw partial;
    });
    expect(count).toBe(3);
  });

  it('intervals under a second, and endless lists as one value, are refused before anything is read', async () => {
    const at = world([pending], { format: 'json' });
    for (const interval of ['0.5', '500ms', '0', 'none'])
      await expect(at.watch(watched, interval)).rejects.toMatchObject({
        code: 'short_interval',
        exitCode: 2,
      });
    const { final: _, ...endless } = watched;
    await expect(at.watch(endless)).rejects.toMatchObject({ code: 'endless_watch', exitCode: 2 });
    expect(at.count).toBe(0);
  });

  it('lines of changes have no other order than theirs; a whole reading has', async () => {
    const lines = world([pending], { sorts: true });
    await expect(lines.watch()).rejects.toMatchObject({ code: 'contradiction', exitCode: 2 });
    expect(lines.count).toBe(0);
    const whole = world([[complete]], { sorts: true, format: 'json' });
    await whole.watch();
    expect(JSON.parse(whole.io.stdout.text)).toEqual([complete]);
  });
});

/** Waits until so much was written: what draws is loaded at first use. */
async function drawn({ stdout }: FakeIo, writes: number): Promise<void> {
  await vi.waitFor(() => expect(stdout.writes.length).toBeGreaterThanOrEqual(writes), {
    timeout: 50_000,
    interval: 2,
  });
}

describe('on a terminal', () => {
  const terminal = { terminals: ['stdout', 'stderr', 'stdin'], columns: 40 } as const;

  it('each reading takes the place of the last, and the final one stays alone', async () => {
    const at = world([pending, progress, complete], { ...terminal, sleep: 'waits' });
    const ended = at.watch();
    const screen = new Screen(40);
    const shown = async () => {
      await drawn(at.io, 1);
      screen.write(at.io.stdout.writes.splice(0).join('').replace(/\r?\n/g, '\r\n'));
      return screen.text();
    };
    expect(await shown()).toMatch(/^ID {5}a\nState {2}pending\nRead \d\d:\d\d:\d\d, every 2s$/);
    await at.io.advance(2000);
    expect(await shown()).toMatch(/^ID {5}a\nState {2}progress\nRead \d\d:\d\d:\d\d, every 2s$/);
    await at.io.advance(2000);
    await ended;
    expect(await shown()).toBe('ID     a\nState  complete');
    expect(screen.cursorShown).toBe(true);
  });

  it('a frame that is taller than the screen is cut and counted, the whole is printed at the end', async () => {
    const rest = Array.from({ length: 12 }, (_, at) => ({ id: `i${at}`, state: 'complete' }));
    const at = world(
      [
        [pending, ...rest],
        [complete, ...rest],
      ],
      { ...terminal, rows: 6 },
    );
    await at.watch();
    const text = at.io.stdout.text;
    expect(text).toContain('… 10 more rows');
    expect(text.lastIndexOf('i11')).toBeGreaterThan(text.lastIndexOf('more rows'));
  });

  it('another width draws the last reading again, without a request', async () => {
    const at = world([{ id: 'a'.repeat(30), state: 'pending' }], { ...terminal, sleep: 'waits' });
    const ended = at.watch();
    await drawn(at.io, 1);
    at.io.stdout.writes.length = 0;
    at.io.stdout.columns = 30;
    at.io.stdout.emit('resize');
    await drawn(at.io, 1);
    // Three lines, of which the first is now broken in two: the cursor goes up by all but its own.
    expect(at.io.stdout.text).toContain('\x1b[3A\r');
    expect(at.count).toBe(1);
    at.io.abort(new Error('SIGINT'));
    await expect(ended).rejects.toMatchObject({ exitCode: 130, isTold: true });
  });

  it('a failure keeps the last reading on the screen and says so below', async () => {
    const at = world([pending, lost, complete], { ...terminal, sleep: 'waits' });
    const ended = at.watch();
    await drawn(at.io, 1);
    await at.io.advance(2000);
    await drawn(at.io, 2);
    const screen = new Screen(100);
    screen.write(at.io.stdout.text);
    expect(screen.text()).toMatch(/^ID {5}a\nState {2}pending\nThe connection was lost; trying again…$/);
    await at.io.advance(3000);
    await ended;
  });

  it('nothing is drawn in place on a dumb terminal, in CI, for an agent, or between lines of --debug', async () => {
    for (const options of [
      { env: { TERM: 'dumb' } },
      { env: { CI: '1' } },
      { env: { CLAUDECODE: '1' } },
      { globals: { debug: true } },
    ]) {
      const at = world([pending, pending, complete], { ...terminal, ...options });
      await at.watch();
      expect(at.io.stdout.text).toBe('ID     a\nState  pending\nID     a\nState  complete\n');
      expect(at.io.stderr.text).not.toContain('\x1b');
    }
  });
});
