import type { Session } from '../../../cli/declare/session.js';
import { type Pager, startPager } from '../../../output/pager.js';
import { startProgress } from '../../../output/progress.js';
import { ReaderGone } from '../../../output/sink.js';

/** Where pieces of text go as they are made: the pager of a terminal, else standard output. */

export interface Paging {
  /** Whether this text is to be read on a terminal. */
  paged: boolean;
  /** How many pieces there are, for the progress until the first is printed. */
  total: number;
}

/**
 * Prints pieces one after the other, and waits for the reader after each. Once it returns, the pager has gone.
 * @returns whether the reader left the pager before the end; nothing more was read then
 * @throws what the pieces throw; ReaderGone where standard output is closed
 */
export async function printPieces(
  session: Session,
  pieces: AsyncIterable<string>,
  { paged, total }: Paging,
): Promise<{ left: boolean }> {
  const { io, globals, printer, settings } = session;
  const progress = startProgress(io, { text: 'Reading pages', quiet: globals.quiet ?? false, total });
  // What only reads is paged by the printer, whatever it prints.
  const off = !paged || io.paging !== undefined || globals.pager === false || globals.input === false;
  const setting = settings.pager?.value;
  let pager: Pager | undefined;
  let [count, isOpen] = [0, false];
  try {
    for await (const piece of pieces) {
      progress.count(count);
      count += 1;
      if (piece === '') continue;
      progress.stop();
      if (!isOpen) pager = await startPager(io, { off, setting, note: (line) => printer.warn(line) });
      isOpen = true;
      if (pager === undefined) await printer.painted(piece);
      else if (await hasLeft(pager, piece)) return { left: true };
    }
    return { left: false };
  } finally {
    progress.stop();
    await pager?.close();
  }
}

async function hasLeft(pager: Pager, piece: string): Promise<boolean> {
  try {
    await pager.write(piece);
    return false;
  } catch (cause) {
    if (cause instanceof ReaderGone) return true;
    throw cause;
  }
}
