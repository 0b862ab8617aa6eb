import { ConsolePrinter } from '../../src/output/console-printer.js';
import type { Page, Printer, PrinterOptions, View } from '../../src/output/printer.js';
import { type FakeIo, type FakeIoOptions, fakeIo } from '../fake-io.js';

/** A world whose streams are all terminals. */
export const terminal = { terminals: ['stdin', 'stdout', 'stderr'] } as const;

export type PrintOptions = FakeIoOptions & Partial<Omit<PrinterOptions, 'io'>>;

/** A printer in a world of its own; a pipe without colour unless said otherwise. */
export function printerFor(options: PrintOptions = {}): { io: FakeIo; printer: Printer } {
  const {
    format,
    header,
    fields,
    asked,
    jq,
    sort,
    csvRaw,
    color = 0,
    quiet = false,
    nowMs,
    ...world
  } = options;
  const io = fakeIo(world);
  const given = Object.entries({ header, fields, asked, jq, sort, csvRaw, nowMs });
  const more = Object.fromEntries(
    given.filter(([, value]) => value !== undefined),
  ) as Partial<PrinterOptions>;
  const printer = new ConsolePrinter({ io, format, color, quiet, ...more });
  return { io, printer };
}

/** What one printing leaves on the two streams. */
export async function printed(
  options: PrintOptions,
  print: (printer: Printer, io: FakeIo) => Promise<unknown>,
) {
  const { io, printer } = printerFor(options);
  await print(printer, io);
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

/** Pages as the client gives them: all but the last name the next one. */
export async function* pagesOf(pages: readonly (readonly unknown[])[], count?: number): AsyncGenerator<Page> {
  for (const [index, items] of pages.entries()) {
    const next = index < pages.length - 1 ? { next: `c${index + 1}` } : {};
    yield { items, ...next, ...(count !== undefined && { count }) };
  }
}

export const ada = {
  object: 'member',
  id: 'mbr_ada',
  role: 'admin',
  user: { object: 'user', id: 'usr_ada', displayName: 'Ada Lovelace', email: 'ada@example.org' },
  disabled: false,
  joinedAt: '2025-06-12T12:00:00.000Z',
  teams: 2,
};

export const taro = {
  object: 'member',
  id: 'mbr_taro',
  role: null,
  user: { object: 'user', id: 'usr_taro', displayName: '日本 太郎', email: 'taro@example.org' },
  disabled: true,
  joinedAt: '2024-06-15T12:00:00.000Z',
  teams: 0,
};

/** Members as a command shows them. */
export const memberView: View = {
  columns: [
    { path: 'user.displayName', label: 'NAME' },
    { path: 'user.email' },
    { path: 'role' },
    { path: 'joinedAt' },
    { path: 'disabled' },
    { path: 'id' },
  ],
  fields: [
    ...['object', 'id', 'role', 'user.id', 'user.displayName', 'user.email', 'disabled', 'joinedAt', 'teams'],
  ],
  kinds: { role: 'role' },
  empty: 'No members.',
};
