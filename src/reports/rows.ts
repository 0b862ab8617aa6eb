import {
  type Cell,
  type ColumnKind,
  cellText,
  type ReportColumn,
  type TablePart,
} from '../document/document.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { counted, safeLine } from '../output/text.js';
import { cellHtml, command, type DrawnPart, type Moment, severityMark } from './markup.js';

/**
 * A table as real rows, so that the browser's own search finds each: groups of them
 * that are out of sight are not laid out (`content-visibility`).
 */

/** Characters of the narrowest and the widest column. */
const [narrowest, widest] = [6, 42];
/** Tables of more columns lie on paper. */
const mostUpright = 8;
/** Rows that are measured: the widths shall not wait for thousands. */
const measured = 400;
/** Rows of a group: the browser watches each group, which takes long with thousands. */
const together = 100;

export function tableHtml(part: TablePart, id: string, moment: Moment): DrawnPart {
  const { columns, rows, empty } = part;
  if (rows.length === 0) return { body: html`<p class="empty">${empty}</p>` };
  const widths = widthsOf(part);
  const all = widths.reduce((sum, width) => sum + width, 0);
  const cols = widths.map((width) => html`<col width="${((100 * width) / all).toFixed(2)}%">`);
  const heads = columns.map(({ label, as }) => html`<th scope="col" data-as="${as}">${label}</th>`);
  const ids = rowIds(part, id);
  const lines = rows.map((row, at) => rowHtml(part, { row, at, id: ids[at] ?? '' }, moment));
  const groups = Array.from({ length: Math.ceil(lines.length / together) }, (_group, at) =>
    lines.slice(at * together, (at + 1) * together),
  );
  const body = html`${decisionsHtml(part)}<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}-title"><table id="${id}-rows" class="rows${columns.length > mostUpright && html` wide`}" aria-labelledby="${id}-title">
<colgroup>${cols}</colgroup>
<thead><tr>${heads}</tr></thead>
${groups.map((group) => html`<tbody>\n${group}</tbody>\n`)}</table></div>`;
  const tracks = widths.map((width) => `minmax(0,${width}fr)`).join(' ');
  const css = `#${id}-rows{min-width:${all}ch}#${id}-rows tr{grid-template-columns:${tracks}}`;
  return { body, count: counted(rows.length, 'row'), css };
}

/** What the script needs to ask for decisions; on paper there is a line to sign. */
function decisionsHtml({ decisions }: TablePart): HtmlPart {
  if (decisions === undefined) return undefined;
  return html`<div class="decide" data-decisions="${JSON.stringify(decisions)}"></div>
<p class="sign">Decided by <span></span> on <span></span></p>`;
}

function rowHtml(
  { columns, marks = [] }: TablePart,
  { row, at, id }: { row: readonly Cell[]; at: number; id: string },
  moment: Moment,
): Html {
  const mark = marks[at];
  const cells = columns.map(({ as }, index): Html => {
    const cell = row[index] ?? null;
    const shown: HtmlPart = [
      index === 0 ? severityMark(mark?.severity) : undefined,
      cellHtml(cell, as, moment),
    ];
    // The first cell names the row. Numbers sort by their value.
    const value = typeof cell === 'number' ? html` data-v="${cell}"` : undefined;
    return index === 0
      ? html`<th scope="row" dir="auto"${value}>${shown}</th>`
      : html`<td dir="auto"${value}${isNumeric(as) && html` class="n"`}>${shown}</td>`;
  });
  const more = moreHtml(mark, columns.length);
  return html`<tr id="${id}" data-row${mark?.severity !== undefined && html` class="${mark.severity}"`}>${cells}</tr>${more}
`;
}

/** What a row is based on, and what mends it, below it. */
function moreHtml(mark: NonNullable<TablePart['marks']>[number], width: number): HtmlPart {
  const { evidence = [], command: mends } = mark ?? {};
  if (evidence.length === 0 && mends === undefined) return undefined;
  const why =
    evidence.length > 0 &&
    html`<details><summary>Why</summary>${evidence.map((line) => html`<p dir="auto">${safeLine(line)}</p>`)}</details>`;
  return html`<tr class="more"><td colspan="${width}">${mends !== undefined && command(mends)}${why}</td></tr>`;
}

/** By the value of the id column, where there is one: an address of a row holds if another comes before it. */
function rowIds({ columns, rows }: TablePart, id: string): string[] {
  const at = columns.findLastIndex(({ as }) => as === 'id');
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const own = at === -1 ? '' : cellText(row[at] ?? null).replaceAll(/[^\w-]/g, '');
    const name = own === '' || seen.has(own) ? `${id}-${index + 1}` : `${id}-${own}`;
    seen.add(own);
    return name;
  });
}

function isNumeric(as: ColumnKind): boolean {
  return as === 'count' || as === 'bytes';
}

/** Widths of columns, in characters. */
function widthsOf({ columns, rows }: TablePart): number[] {
  const step = Math.max(1, Math.floor(rows.length / measured));
  const sample = rows.filter((_row, at) => at % step === 0);
  return columns.map((column, at) =>
    widthOf(
      column,
      sample.map((row) => row[at] ?? null),
    ),
  );
}

function widthOf({ label, as }: ReportColumn, cells: readonly Cell[]): number {
  const lengths = cells.map(longestLine).sort((one, other) => one - other);
  // One long text shall not make its column wide: it wraps.
  const usual = lengths[Math.floor(lengths.length * 0.95)] ?? 0;
  const text = as === 'time' ? 16 : Math.ceil(usual * 1.1);
  // Beside the text: space on both sides, and the border of a badge.
  const needed = Math.max(text, label.length + 2) + (as === 'role' || as === 'state' ? 5 : 4);
  return Math.min(widest, Math.max(narrowest, needed));
}

function longestLine(cell: Cell): number {
  const lines = cell !== null && typeof cell === 'object' ? cell : cellText(cell).split('\n');
  return lines.reduce((longest, line) => Math.max(longest, line.length), 0);
}
