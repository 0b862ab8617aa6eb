import type { HeatLine, HeatPart } from '../document/document.js';
import { Grid, type GridLine } from '../document/grid.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { grouped, safeLine } from '../output/text.js';
import { type DrawnPart, short } from './markup.js';

/** People by spaces as a grid that fits a screen, its legend, and what gives each cell its level. */

export function gridHtml(part: HeatPart, id: string): DrawnPart {
  const { rows, columns, axes } = part;
  if (!hasPairs(part)) return { body: html`<p class="empty">There is nothing to compare.</p>` };
  const grid = new Grid(part);
  const heads = grid.columns.map(
    ({ title, detail }) =>
      html`<th scope="col"><b dir="auto">${short(title, 44)}</b> <span class="soft" dir="auto">${short(detail, 60)}</span></th>`,
  );
  const named = (name: string, lines: readonly GridLine[]) =>
    lines.length > 0 &&
    html`<tbody><tr class="over"><th scope="rowgroup" colspan="${grid.columns.length + 1}">${name}</th></tr>${lines.map((line) => rowHtml(grid, line))}</tbody>`;
  const rest = grid.apart.length > 0 ? 'Everyone else' : 'Everyone';
  const body = html`${legendHtml(part)}
<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}-title"><table class="grid" aria-labelledby="${id}-title">
<thead><tr><td></td>${heads}</tr></thead>${named('Unlike all others: a grant gives the outlined role', grid.apart)}
${named(grid.isMixed ? `${rest}, by group: mixed cells differ` : rest, grid.groups)}</table></div>
${whyHtml(grid)}${membersHtml(grid)}
<div id="${id}-lookup" class="lookup" data-heat="${JSON.stringify(axes)}"></div>`;
  return { body, count: `${grouped(rows.length)} × ${grouped(columns.length)}` };
}

/** Whether a map has anything to look up. */
export function hasPairs({ rows, columns }: HeatPart): boolean {
  return rows.length > 0 && columns.length > 0;
}

function legendHtml(part: HeatPart): Html {
  const counts = part.levels.map(() => 0);
  for (const level of part.cells) counts[level] = (counts[level] ?? 0) + 1;
  const items = part.levels.map(
    (level, at) =>
      html`<li><i class="swatch ${toneOf(part, at)}"></i>${level} <span class="soft">${grouped(counts[at] ?? 0)}</span></li>`,
  );
  return html`<ul class="legend">${items}</ul>`;
}

/** Six shades for the levels, from the weakest; those that are no values have their own. */
function toneOf({ levels, aside = 0 }: HeatPart, level: number): string {
  if (level === 0) return 'r0';
  if (level <= aside) return 'rx';
  const last = levels.length - aside - 2;
  return `r${last <= 0 ? 6 : 1 + Math.round(((level - aside - 1) * 5) / last)}`;
}

function rowHtml(grid: Grid, line: GridLine): Html {
  const { part } = grid;
  const cells = grid.columns.map((column) => {
    const { levels, reasons, isApart } = grid.cell(line, column);
    const names = levels.map((level) => part.levels[level] ?? '');
    const [only] = names;
    const text = names.length > 1 ? 'mixed' : levels[0] === 0 ? '–' : (only ?? '');
    const title = [names.join(', '), ...reasons].filter(Boolean).join('; ');
    const tone = levels.length > 1 ? 'mixed' : toneOf(part, levels[0] ?? 0);
    return html`<td class="${tone}${isApart && ' apart'}" title="${title}">${text}</td>`;
  });
  return html`<tr data-row><th scope="row"><b dir="auto">${line.title}</b> <span class="soft" dir="auto">${line.detail}</span></th>${cells}</tr>\n`;
}

/** What gives each cell its level, in words: for whoever has no pointer, and on paper. */
function whyHtml(grid: Grid): Html {
  const lines = [...grid.apart, ...grid.groups].map((line) => {
    const cells = grid.columns.flatMap((column) => {
      const { levels, reasons } = grid.cell(line, column);
      const names = levels.map((level) => grid.part.levels[level] ?? '').join(' or ');
      return reasons.length === 0
        ? []
        : [html`<li dir="auto">${column.title}: <b>${names}</b>. ${reasons.join(' ')}</li>`];
    });
    return cells.length > 0 && html`<h4 dir="auto">${line.title}</h4><ul>${cells}</ul>`;
  });
  return html`<details class="aside"><summary>Why</summary>${lines}</details>`;
}

/** Who and what the lines stand for. */
function membersHtml({ part, apart, groups, columns }: Grid): HtmlPart {
  const [person, space] = part.axes;
  const listed = (lines: readonly GridLine[], all: readonly HeatLine[]) =>
    lines.flatMap(({ members, title }) =>
      members.length < 2
        ? []
        : [
            html`<h4>${title}</h4><p dir="auto">${members.map((at) => safeLine(all[at]?.label ?? '')).join(', ')}</p>`,
          ],
    );
  const shown = [...listed([...apart, ...groups], part.rows), ...listed(columns, part.columns)];
  return (
    shown.length > 0 &&
    html`<details class="aside"><summary>${person} and ${space.toLowerCase()} by group</summary>${shown}</details>`
  );
}
