import { agentOf, isCi } from '../base/callers.js';
import type { Io } from '../base/io.js';

export { isCi } from '../base/callers.js';

/** What a terminal allows. A run in CI never prompts, never shows progress, and has colour only where it is forced. */

/**
 * Prompts need a terminal on stdin and stderr that can move its cursor, and neither `--no-input`, CI nor an agent,
 * which cannot answer.
 */
export function isInteractive(io: Io, globals: { input?: boolean }): boolean {
  // Last, since Node makes a stream to tell.
  const isCalm = isAttended(io, globals) && io.env.TERM !== 'dumb' && agentOf(io) === undefined;
  return isCalm && io.stdin.isTTY === true;
}

/**
 * Whether somebody sees what is said on stderr; standard input may be a file. An agent counts: what a text may
 * stand for, such as a title, must not depend on who typed it.
 */
export function isAttended(io: Io, { input }: { input?: boolean }): boolean {
  return input !== false && !isCi(io) && io.stderr.isTTY === true;
}

/** Columns of a terminal that does not tell its own. */
const usualColumns = 80;

/**
 * Columns that a text on a stream may take: those of the terminal; elsewhere those of COLUMNS.
 * @param otherwise where neither is known
 */
export function terminalWidth(
  io: Pick<Io, 'env' | 'stdout' | 'stderr'>,
  { stream = 'stdout', otherwise = usualColumns }: { stream?: 'stdout' | 'stderr'; otherwise?: number } = {},
): number {
  const { columns, isTTY } = io[stream];
  if (isTTY === true) return columns || usualColumns;
  return columns || Number(io.env.COLUMNS) || otherwise;
}

/** How many colours chalk may use: none, 16, 256 or all of them. Ours are of the 16. */
export type ColorLevel = 0 | 1 | 2 | 3;

/**
 * The colours of a stream. `--no-color` comes first, then FORCE_COLOR (as in chalk), NO_COLOR
 * (no-color.org), CLICOLOR_FORCE (bixense.com/clicolors), and then whether the stream is a terminal.
 */
export function colorLevel(io: Io, { color }: { color?: boolean }, stream: 'stdout' | 'stderr'): ColorLevel {
  const { NO_COLOR = '', CLICOLOR_FORCE = '', TERM } = io.env;
  if (color === false) return 0;
  const forced = forcedLevel(io.env.FORCE_COLOR);
  if (forced !== undefined) return forced;
  if (NO_COLOR !== '') return 0;
  if (!['', '0'].includes(CLICOLOR_FORCE)) return 1;
  return io[stream].isTTY === true && TERM !== 'dumb' && !isCi(io) ? 1 : 0;
}

/** What FORCE_COLOR says, by the rules of supports-color: set to nothing or `true`, it means 16 colours. */
function forcedLevel(value: string | undefined): ColorLevel | undefined {
  if (value === undefined) return undefined;
  if (value === '' || value === 'true') return 1;
  if (value === 'false') return 0;
  return ([0, 1, 2, 3] as const).findLast((level) => level <= Number.parseInt(value, 10));
}
