import type { Io } from '../base/io.js';
import { type Painter, type Palette, plain } from '../output/colors.js';
import { widthOf, wrap } from '../output/text-width.js';

/** What drawings on a terminal are made of. */

export interface TerminalLook {
  columns: number;
  palette: Palette;
  /** Whether the terminal has no characters but ASCII. */
  ascii?: boolean;
  /** From when ages are counted, in milliseconds since the epoch. */
  nowMs?: number | undefined;
  /** Whether equal rows are one: a person reads it, and the other media have each. */
  folds?: boolean;
}

/** Sentences are never wider: longer lines are hard to read. */
export const readable = 100;

/**
 * A text in lines that begin below its first word.
 * @param lead what stands before it @param least columns that it gets at least @param mark how the lead looks
 */
export function hanging(
  lead: string,
  text: string,
  columns: number,
  { least = 20, mark = plain, paint = plain }: { least?: number; mark?: Painter; paint?: Painter } = {},
): string[] {
  const width = widthOf(lead);
  const [first = '', ...more] = wrap(text, Math.max(least, columns - width));
  return [mark(lead) + paint(first), ...more.map((line) => ' '.repeat(width) + paint(line))];
}

export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

/**
 * Whether lines must be drawn with ASCII: where the locale names an encoding that is not UTF-8, and on a dumb
 * terminal. No locale at all is taken for UTF-8, as in containers.
 */
export function isAsciiOnly({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  if (env.TERM === 'dumb') return true;
  if (platform === 'win32') return false;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

const asciiSigns = {
  '█': '#',
  '→': '->',
  '–': '-',
  '✗': 'x',
  '✓': '+',
  '▲': '^',
  '│': '|',
  '├': '|',
  '└': '`',
  '⇅': '%',
  '≠': '=',
  '·': '.',
};

/** A sign of ours, as far as the terminal has it. */
export function sign(of: string, { ascii }: Pick<TerminalLook, 'ascii'>): string {
  return ascii === true ? ((asciiSigns as Record<string, string>)[of] ?? of) : of;
}
