import type { Pager } from '../../output/pager.js';
import { startProgress } from '../../output/progress.js';
import { ReaderGone } from '../../output/sink.js';
import { canRedraw } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** A long text: each piece is printed as soon as it is read, on a terminal in a pager. */
export interface PagedText {
  /** Sanitised, with their colours. */
  items: readonly string[] | AsyncIterable<string>;
  /** Whether it is to be read on a terminal. */
  paged: boolean;
  /** How many pieces there are, for the progress until the first is printed; without it there is none. */
  total?: number;
}

/**
 * Prints pieces one after the other, and waits for the reader after each. Once it returns, the pager has gone.
 * @returns whether the reader left the pager before the end; nothing more was read then
 * @throws what the pieces throw; ReaderGone where standard output is closed
 */
export async function printPieces(session: Session, { items, paged, total }: PagedText): Promise<boolean> {
  const { io, globals, printer, settings } = session;
  const quiet = globals.quiet === true || total === undefined;
  const progress = startProgress(io, { text: 'Reading pages', quiet, total });
  // What only reads is paged by the printer, whatever it prints.
  const isOff =
    !paged ||
    io.paging !== undefined ||
    globals.pager === false ||
    globals.input === false ||
    !canRedraw(io, 'stdout');
  const setting = settings.pager?.value;
  let pager: Pager | undefined;
  let [count, isOpen] = [0, false];
  try {
    for await (const piece of items) {
      progress.count(count);
      count += 1;
      if (piece === '') continue;
      progress.stop();
      if (!isOpen && !isOff) {
        const { startPager } = await import('../../output/pager.js');
        pager = await startPager(io, { off: false, setting, note: (line) => printer.warn(line) });
      }
      isOpen = true;
      if (pager === undefined) await printer.painted(piece);
      else if (await hasLeft(pager, piece)) return true;
    }
    return false;
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
