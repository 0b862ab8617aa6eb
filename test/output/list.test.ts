import { describe, expect, it, vi } from 'vitest';
import { DocsError } from '../../src/base/errors.js';
import type { Page, View } from '../../src/output/printer.js';
import { settled } from '../fake-io.js';
import { pagesOf, printed, printerFor, terminal } from './printed.js';

const view: View = { columns: [{ path: 'id' }], fields: ['id'], empty: 'No things.' };
const item = (id: number | string) => ({ id: String(id) });
const items = (count: number) => Array.from({ length: count }, (_, index) => item(index));

describe('a list that is cut', () => {
  it('says on stderr how much of how much is shown', async () => {
    for (const world of [{}, terminal]) {
      const output = await printed({ ...world, format: 'id' }, (printer) =>
        printer.list(pagesOf([items(2), items(2)], 212), view, { limit: 3 }),
      );
      expect(output).toEqual({ stdout: '0\n1\n0\n', stderr: 'showing 3 of 212\n' });
    }
  });

  it('says that more follow where nobody knows how many', async () => {
    const { io, printer } = printerFor({ format: 'id' });
    const result = await printer.list(pagesOf([items(2), items(2)]), view, { limit: 2 });
    expect(result).toEqual({ printed: 2, cut: true });
    expect([io.stdout.text, io.stderr.text]).toEqual(['0\n1\n', 'showing 2; more follow\n']);
  });

  it('says nothing where the limit is just the end, or with --quiet', async () => {
    for (const count of [undefined, 2]) {
      const { io, printer } = printerFor({ format: 'id' });
      expect(await printer.list(pagesOf([items(2)], count), view, { limit: 2 })).toEqual({
        printed: 2,
        cut: false,
      });
      expect(io.stderr.text).toBe('');
    }
    const quiet = await printed({ format: 'id', quiet: true }, (printer) =>
      printer.list(pagesOf([items(3)], 9), view, { limit: 1 }),
    );
    expect(quiet).toEqual({ stdout: '0\n', stderr: '' });
  });

  it('asks for no page beyond the limit, and lets go of the pages', async () => {
    let asked = 0;
    let released = false;
    async function* pages(): AsyncGenerator<Page> {
      try {
        for (;;) {
          asked += 1;
          yield { items: items(10), next: 'more' };
        }
      } finally {
        released = true;
      }
    }
    await printed({ format: 'id' }, (printer) => printer.list(pages(), view, { limit: 20 }));
    expect([asked, released]).toEqual([2, true]);
  });
});

describe('a list that fails midway', () => {
  async function* broken(): AsyncGenerator<Page> {
    yield { items: [item('a')], next: 'x' };
    throw new DocsError('network', 'reset', 'The connection was reset.');
  }

  it.each([
    ['json', '[\n  {"id":"a"}'],
    ['ndjson', '{"id":"a"}\n'],
    ['csv', 'id\na\n'],
    ['tsv', 'a\n'],
    ['yaml', '- id: a\n'],
  ] as const)('never looks whole as %s', async (format, stdout) => {
    const { io, printer } = printerFor({ format });
    await expect(printer.list(broken(), view)).rejects.toMatchObject({ code: 'reset' });
    await settled();
    expect([io.stdout.text, io.stderr.text]).toEqual([stdout, '']);
  });

  it('prints nothing at all where the first page fails', async () => {
    const { io, printer } = printerFor({ format: 'json' });
    // biome-ignore lint/correctness/useYield: a list whose first page fails.
    async function* failing(): AsyncGenerator<Page> {
      throw new DocsError('forbidden', 'forbidden', 'No.');
    }
    await expect(printer.list(failing(), view)).rejects.toMatchObject({ code: 'forbidden' });
    expect(io.stdout.text).toBe('');
  });
});

describe('pages', () => {
  it('are printed as they come', async () => {
    const { io, printer } = printerFor(terminal);
    let release: () => void = () => {};
    async function* pages(): AsyncGenerator<Page> {
      yield { items: [item('first')], next: 'x', count: 2 };
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      yield { items: [item('second')], count: 2 };
    }
    const list = printer.list(pages(), view);
    await vi.waitFor(() => expect(io.stdout.text).toBe('ID\nfirst\n'), { timeout: 50_000, interval: 1 });
    release();
    await list;
    expect(io.stdout.text).toBe('ID\nfirst\nsecond\n');
  });

  it('show what comes beside the items, on a terminal only', async () => {
    async function* pages(): AsyncGenerator<Page> {
      yield { items: [item('a')], extra: { stats: { total: 9, broken: { total: 3 } } } };
    }
    const shown = await printed(terminal, (printer) => printer.list(pages(), view));
    expect(shown.stderr).toBe('total 9, broken 3\n');
    expect(await printed({}, (printer) => printer.list(pages(), view))).toEqual({
      stdout: 'a\n',
      stderr: '',
    });
  });
});

describe('remarks', () => {
  it('go to stderr, sanitised; warnings even with --quiet', async () => {
    const say = async (printer: { note(line: string): void; warn(line: string): void }) => {
      printer.note('note \x1b[31m');
      printer.warn('warning \u202e');
    };
    expect(await printed({}, say)).toEqual({ stdout: '', stderr: 'note ␛[31m\nwarning <U+202E>\n' });
    expect(await printed({ quiet: true }, say)).toEqual({ stdout: '', stderr: 'warning <U+202E>\n' });
  });
});
