import { defined } from '../../base/values.js';
import type { Document } from '../../document/document.js';
import type { TerminalPart } from '../../document/terminal.js';
import { loadPalette, type Palette } from '../../output/colors.js';
import { colorLevel, terminalWidth } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Text that a command lays out itself, for people at a terminal. */

/** Whether a person reads it: on a terminal, unless a format or an order of rows was asked for. */
export function wantsText({ io, settings, globals, sorts }: Session): boolean {
  const { output, fields } = settings;
  return io.stdout.isTTY === true && (output ?? fields ?? globals.jq ?? sorts) === undefined;
}

/** How text looks on standard output. */
export function paletteOf({ io, globals }: Pick<Session, 'io' | 'globals'>): Promise<Palette> {
  return loadPalette(colorLevel(io, globals, 'stdout'));
}

/** Columns of standard output. */
export function columnsOf({ io }: Pick<Session, 'io'>): number {
  return terminalWidth(io);
}

/** Nothing is cut outside a terminal. */
const uncut = 10_000;

/** Columns of a text that is for a terminal, a pipe and a file alike. */
export function pageColumnsOf({ io }: Pick<Session, 'io'>): number {
  return terminalWidth(io, { otherwise: uncut });
}

/**
 * Prints a document as text.
 * @param options.columns default: those of the terminal
 * @param options.nowMs from when ages are counted
 * @param options.seeAll said where rows were left out
 */
export async function printDocument(
  session: Session,
  document: Pick<Document<TerminalPart>, 'title' | 'parts'>,
  { columns = columnsOf(session), nowMs, seeAll }: { columns?: number; nowMs?: number; seeAll?: string } = {},
): Promise<void> {
  const [palette, { isAsciiOnly, renderTerminal }] = await Promise.all([
    paletteOf(session),
    import('../../document/terminal.js'),
  ]);
  const look = { columns, palette, ascii: isAsciiOnly(session.io), ...defined({ nowMs }) };
  await session.printer.painted(renderTerminal(document, look, seeAll));
}
