import type { Impact } from '../../access/impact/change.js';
import { grouped } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { cut, widthOf, wrap } from '../../output/text-width.js';
import { hanging, readable } from '../../plans/show/hanging.js';
import { type Pen, penOf } from '../../plans/show/look.js';
import { type Section, sectionsOf, titleOf } from './sections.js';

/** How many rows of a section are shown; the other formats show all. */
const mostShown = 5;

export interface TextLook {
  /** Width of the window, in columns. */
  columns: number;
  colour: boolean;
}

/** An impact for a terminal: counts, and the first few of each. Sanitised; ends with a newline. */
export function impactText(impact: Impact, look: TextLook): string {
  const columns = Math.max(40, look.columns);
  const pen = penOf(look.colour);
  const sections = sectionsOf(impact);
  const isCut = sections.some(({ rows }) => rows.length > mostShown);
  const blocks = [
    wrap(safeLine(titleOf(impact)), columns).map((line) => pen.heading(line)),
    ...sections.map((section) => blockOf(section, columns, pen)),
    isCut ? [pen.quiet('To see all, add -o csv, -o markdown, --html <file> or --json.')] : [],
  ];
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join('\n')).join('\n\n')}\n`;
}

function blockOf(section: Section, columns: number, pen: Pen): string[] {
  const { title, columns: head, rows, none, leads } = section;
  if (rows.length === 0) return [pen.quiet(none ?? '')];
  const cellOf = (cell: string, at: number) =>
    at > 0 && leads === true && cell !== '' ? `→ ${safeLine(cell)}` : safeLine(cell);
  const shown = rows.slice(0, mostShown).map((row) => row.map(cellOf));
  const more = rows.length - shown.length;
  const isProse = head.length === 1;
  return [
    pen.heading(isProse && rows.length === 1 ? title : `${title} (${grouped(rows.length)})`),
    ...shown.flatMap((row) =>
      isProse ? hanging('  ', row[0] ?? '', Math.min(columns, readable)) : rowLines(row, shown, columns),
    ),
    ...(more > 0 ? [pen.quiet(`  … and ${grouped(more)} more`)] : []),
  ];
}

/** Space between columns. */
const gap = 2;

/** A row in one line where all fit beside each other, else its last cell below the others; addresses are not cut. */
function rowLines(row: readonly string[], all: readonly (readonly string[])[], columns: number): string[] {
  const widths = row.map((_, at) => Math.max(...all.map((one) => widthOf(one[at] ?? ''))));
  const whole = widths.reduce((sum, width) => sum + width + gap, 0);
  if (whole <= columns)
    return [
      `  ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell) + gap)).join('')}`.trimEnd(),
    ];
  const cells = row.filter((cell) => cell !== '');
  const last = cells.length > 1 ? (cells.pop() ?? '') : '';
  const lead = cells.join('  ');
  return [`  ${isAddress(lead) ? lead : cut(lead, columns - 2)}`, ...restLines(last, columns)];
}

function restLines(text: string, columns: number): string[] {
  if (text === '') return [];
  return isAddress(text) ? [`      ${text}`] : hanging('      ', text, Math.min(columns, readable));
}

function isAddress(text: string): boolean {
  return /^(?:→ )?https?:/.test(text);
}
