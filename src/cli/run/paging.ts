import { derivedIo, type Io } from '../../base/io.js';
import type { PagingSink } from '../../output/paging-sink.js';
import type { Settings } from '../../settings/settings.js';
import type { Command } from '../declare/command.js';
import type { Globals } from '../declare/session.js';

/** What of a command says whether its output may go to a pager. */
export type PagedBy = Partial<Pick<Command, 'danger' | 'effect' | 'asks' | 'unpaged' | 'passThrough'>>;

/** The world of a command, and what pages its output, if anything does. */
export interface Paged {
  io: Io;
  sink?: PagingSink;
}

/** Prepares a pager for a command that only reads, where somebody is at a terminal. Starts nothing yet. */
export async function openPaging(
  io: Io,
  globals: Globals,
  settings: Settings,
  command: PagedBy,
): Promise<Paged> {
  if (!isPaged(io, globals, command)) return { io };
  const { mayPage } = await import('../../output/pager.js');
  if (!mayPage(io)) return { io };
  const { PagingSink } = await import('../../output/paging-sink.js');
  const sink = new PagingSink(io, { setting: settings.pager?.value, quiet: globals.quiet ?? false });
  return { io: derivedIo(io, { paging: sink, signal: sink.signal }), sink };
}

/** Whatever changes something, asks, or prints as it goes keeps the terminal, and so does the log of requests. */
function isPaged(io: Io, globals: Globals, { danger, effect, asks, unpaged, passThrough }: PagedBy): boolean {
  const { pager, input, debug, dryRun } = globals;
  const isOff = pager === false || input === false || debug === true || dryRun === true;
  const only = danger === 'read' && effect === undefined;
  const live = asks === true || unpaged === true || passThrough === true;
  // What runs inside of a command that is paged already writes to the same screen.
  return (
    !isOff && only && !live && io.paging === undefined && (io.stdout.rows ?? 0) > 0 && !io.env.DOCS_DEBUG
  );
}
