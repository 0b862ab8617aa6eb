import { type Painter, plain } from './colors.js';
import { safeLine } from './safe-text.js';
import { widthOf, wrap } from './text-width.js';

/** Facts of different kinds, one below the other: a label, what it is, and something beside it. */

export interface Labelled {
  label: string;
  value: string;
  /** Such as a command that tells more. */
  beside?: string;
  /** How the value looks. */
  paint?: Painter;
}

export interface LabelledLook {
  columns: number;
  label: Painter;
  beside: Painter;
  /** Where there is no column for it beside the values: at the end of the line or of the next one, or nowhere. */
  otherwise: 'at-end' | 'nowhere';
}

/** Columns that a value needs at least before what stands beside it gives way. */
const leastValue = 36;
const gap = 2;

/** The lines as text that fits the columns and ends with a newline. What stands beside is never cut or broken. */
export function labelledText(lines: readonly Labelled[], look: LabelledLook): string {
  const safe = lines.map((line) => ({ ...line, value: safeLine(line.value) }));
  const start = gap + most(safe.map(({ label }) => label));
  const longest = most(safe.map(({ value }) => value));
  const left = look.columns - start - gap - most(safe.map(({ beside = '' }) => beside));
  const isBeside = left >= Math.min(longest, leastValue);
  const width = isBeside ? Math.min(longest, left) : Math.max(1, look.columns - start);
  return safe.map((line) => `${textOf(line, { start, width, isBeside, look })}\n`).join('');
}

interface Layout {
  /** The column in which values begin. */
  start: number;
  width: number;
  isBeside: boolean;
  look: LabelledLook;
}

function textOf(
  { label, value, beside, paint = plain }: Labelled,
  { start, width, isBeside, look }: Layout,
): string {
  const lines = wrap(value, width);
  const [first = '', ...more] = lines;
  const head = `${look.label(label)}${' '.repeat(start - widthOf(label))}${paint(first)}`;
  const shown = [head, ...more.map((line) => ' '.repeat(start) + paint(line))];
  if (beside === undefined || (!isBeside && look.otherwise === 'nowhere')) return shown.join('\n');
  const text = look.beside(safeLine(beside));
  if (isBeside) return shown.with(0, `${head}${' '.repeat(gap + width - widthOf(first))}${text}`).join('\n');
  const left = look.columns - widthOf(beside);
  const used = start + widthOf(lines.at(-1) ?? '');
  if (used + gap > left) return [...shown, ' '.repeat(Math.max(0, left)) + text].join('\n');
  return shown.with(-1, `${shown.at(-1)}${' '.repeat(left - used)}${text}`).join('\n');
}

function most(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}
