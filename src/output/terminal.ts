import { agentOf } from '../base/callers.js';
import { isCi } from '../base/ci.js';
import type { Io } from '../base/io.js';
import type { ColorLevel } from './colors.js';

/** What a terminal allows. A run in CI never prompts, never shows progress, and has colour only where it is forced. */

/** Whether a person is at a stream, and what is printed there can be drawn over: neither in CI nor for an agent. */
export function canRedraw(io: Io, stream: 'stdout' | 'stderr'): boolean {
  return io[stream].isTTY === true && !isCi(io) && io.env.TERM !== 'dumb' && agentOf(io) === undefined;
}

/** Whether questions may be asked: not with `--no-input`, and only where somebody can answer. */
export function isInteractive(io: Io, { input }: { input?: boolean }): boolean {
  // Standard input comes last, since Node makes a stream to tell.
  return input !== false && canRedraw(io, 'stderr') && io.stdin.isTTY === true;
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

/** Whether a terminal is known to show OSC 8 links; others may print them as text. FORCE_HYPERLINK decides. */
export function showsLinks(env: Readonly<Record<string, string | undefined>>): boolean {
  const forced = env.FORCE_HYPERLINK;
  if (forced !== undefined && forced !== '') return forced !== '0';
  const term = env.TERM ?? '';
  if (isCi({ env }) || term === 'dumb' || /^(screen|tmux|linux)/.test(term)) return false;
  if (env.WT_SESSION || env.KONSOLE_VERSION || env.DOMTERM || env.KITTY_WINDOW_ID) return true;
  if (/^(xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/.test(term)) return true;
  if (['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'zed'].includes(env.TERM_PROGRAM ?? ''))
    return true;
  return Number(env.VTE_VERSION ?? 0) >= 5000;
}

/**
 * Sanitised text that opens an http(s) address when clicked: a terminal would hand others to whatever program
 * claims them. URL encodes whatever in the address could end the escape sequence.
 */
export function link(text: string, address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) return text;
  return `\x1b]8;;${url.href}\x1b\\${text}\x1b]8;;\x1b\\`;
}

/** Writes sanitised lines, once a pager has closed. Never throws or waits: a closed stderr must not change how a command ends. */
export function writeStandardError(io: Io, text: string): void {
  const { stderr, paging } = io;
  if (paging?.keeps(text)) return;
  paging?.show();
  if (stderr.destroyed || stderr.writableEnded) return;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  stderr.write(text);
}

function ignore(): void {}
