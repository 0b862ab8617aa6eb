import { diffWordsWithSpace } from 'diff';
import { groupBy } from '../base/values.js';
import { actionCounts, foldsOf, lookOf, namesOf } from '../document/changes.js';
import { type Cell, type ChangedItem, type ChangesPart, cellText } from '../document/document.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { counted, grouped, safeLine, safeText } from '../output/text.js';
import { barHtml, type DrawnPart, idsOf, severityMark, short, slug } from './markup.js';

/** Changes: a bar of what is done, kinds with their counts at the left, one line a change, and equal changes as one line. */

/** So many of them are named in it. */
const mostNamed = 4;
/** Longer values are compared line by line below the line of their change, in characters. */
const longestValue = 160;

export function changesHtml({ items, empty, isTree }: ChangesPart, id: string): DrawnPart {
  if (items.length === 0) return { body: html`<p class="empty">${empty}</p>` };
  const ids = new Map(items.map((item, at) => [item, `${id}-${slug(item.id ?? '') || at + 1}`]));
  const kinds = [...groupBy(items, ({ as }) => as)].map(([kind, of]) => ({
    ...{ kind, count: grouped(of.length), folds: foldsOf(of) },
  }));
  const kindIds = idsOf(kinds.map(({ kind }) => `${id} ${kind}`));
  const links = kinds.map(
    ({ kind, count, folds }, at) =>
      html`<li><a href="#${kindIds[at]}">${kind} <span class="count">${count}</span></a>${isTree && thingsHtml(folds, ids)}</li>`,
  );
  const sections = kinds.map(
    (
      { kind, count, folds },
      at,
    ) => html`<h3 id="${kindIds[at]}">${kind} <span class="count">${count}</span></h3>
<div class="list">${folds.map((fold) => foldHtml(fold, ids))}</div>`,
  );
  const segments = actionCounts(items).map(({ action: label, count }) => ({
    ...{ label, count },
    tone: lookOf(label).tone,
  }));
  const body = html`${barHtml('What is done', segments)}
<div class="split${isTree && html` tree`}">${(kinds.length > 1 || isTree) && html`<nav class="kinds" aria-label="Kinds"><ul>${links}</ul></nav>`}<div class="changes">${sections}</div></div>`;
  return { body, count: counted(items.length, 'change') };
}

/** So many things of a kind are in the tree. */
const mostInTree = 30;

/** The things of a kind below where they are, such as the pages of a space. */
function thingsHtml(folds: readonly ChangedItem[][], ids: ReadonlyMap<ChangedItem, string>): Html {
  const shown = folds.slice(0, mostInTree).flatMap(([first, ...more]) => (first ? [{ first, more }] : []));
  const places = groupBy(shown, ({ first, more }) => (more.length > 0 ? undefined : first.place));
  const lines = [...places].map(([place, of]) => {
    const things = of.map(({ first, more }) => {
      const { mark, tone } = lookOf(first.action);
      const name = more.length === 0 ? short(first.title, 60) : `${grouped(more.length + 1)} alike`;
      return html`<li><a href="#${ids.get(first)}"><span><b class="mark ${tone}">${mark}</b> <bdi>${name}</bdi></span></a></li>`;
    });
    return place === undefined
      ? things
      : html`<li><bdi class="soft">${short(place, 60)}</bdi><ul>${things}</ul></li>`;
  });
  const left = folds.length - shown.length;
  return html`<ul>${lines}${left > 0 && html`<li class="soft">and ${grouped(left)} more</li>`}</ul>`;
}

function foldHtml(fold: readonly ChangedItem[], ids: ReadonlyMap<ChangedItem, string>): HtmlPart {
  const [first] = fold;
  if (first === undefined) return undefined;
  if (fold.length === 1) return itemHtml(first, ids.get(first));
  const { mark, tone } = lookOf(first.action);
  const names = namesOf(fold)
    .slice(0, mostNamed)
    .map((one) => short(one, 60));
  const more = fold.length - names.length;
  const words = `${names.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
  return html`<details class="fold"><summary class="row"><b class="mark ${tone}" title="${first.action}">${mark}</b>
<span class="t"><b>${grouped(fold.length)} alike</b></span>
<span class="f">${first.fields.map(fieldHtml)}<span class="soft" dir="auto">${words}</span></span></summary>
${fold.map((item) => itemHtml(item, ids.get(item)))}</details>
`;
}

function itemHtml(item: ChangedItem, id: string | undefined): Html {
  const { action, title, severity, notes = [], fields } = item;
  const { mark, tone } = lookOf(action);
  const long = fields.filter(isLong);
  const line = html`<b class="mark ${tone}" title="${action}">${mark}</b><span class="sr">${action}</span>
<span class="t">${severityMark(severity)}<bdi>${safeLine(title)}</bdi></span>
<span class="f">${fields.map((field) => (isLong(field) ? longLine(field) : fieldHtml(field)))}</span>`;
  const more = [
    ...long.map(({ name, before, after }) => html`<p class="soft">${name}</p>${linesHtml(before, after)}`),
    ...notes.map((note) => html`<p dir="auto">${safeLine(note)}</p>`),
    ...(item.id === undefined ? [] : [html`<p class="soft">Id <code>${safeLine(item.id)}</code></p>`]),
  ];
  const own = severity === undefined ? '' : ` ${severity}`;
  if (more.length === 0) return html`<div class="row${own}" id="${id}" data-row>${line}</div>\n`;
  return html`<details id="${id}" data-row class="one${own}"><summary class="row">${line}</summary><div class="more">${more}</div></details>\n`;
}

type Field = ChangedItem['fields'][number];

function isLong({ before, after }: Field): boolean {
  return [before, after].some((cell) =>
    typeof cell === 'object' && cell !== null ? cell.length > 1 : cellText(cell).length > longestValue,
  );
}

function longLine({ name, before, after }: Field): Html {
  const size = (cell: Cell) => (cell === null ? 0 : linesOf(cell).length);
  return html`<span class="v"><span class="name">${name}</span> <span class="soft">${counted(size(before), 'line')} → ${counted(size(after), 'line')}</span></span>`;
}

/** `role: read → admin`, with the words that differ marked. */
function fieldHtml({ name, before, after }: Field): Html {
  const [old, now] = [before, after].map((cell) => (cell === null ? undefined : safeLine(cellText(cell))));
  const shown =
    old === undefined || now === undefined || old === now
      ? html`${old !== undefined && html`<del><bdi>${old}</bdi></del>`}${now !== undefined && html`<ins><bdi>${now}</bdi></ins>`}`
      : wordsHtml(old, now);
  return html`<span class="v"><span class="name">${name}</span> ${shown}</span>`;
}

/** Both values whole where they share little, else one text with marks. */
function wordsHtml(old: string, now: string): Html {
  const parts = diffWordsWithSpace(old, now);
  const same = parts.reduce(
    (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
    0,
  );
  if (same * 2 < Math.max(old.length, now.length))
    return html`<del><bdi>${old}</bdi></del> <span class="arrow" aria-label="becomes">→</span> <ins><bdi>${now}</bdi></ins>`;
  return html`<bdi>${parts.map(({ added, removed, value }) => (added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : value))}</bdi>`;
}

function linesOf(cell: Cell): string[] {
  if (cell === null) return [];
  return (typeof cell === 'object' ? cell : cellText(cell).split('\n')).map(safeText);
}

/** Lines that are removed and added, those that stay between them. */
function linesHtml(before: Cell, after: Cell): Html {
  const [old, now] = [linesOf(before), linesOf(after)];
  const stays = new Set(now);
  const kept = new Set(old.filter((line) => stays.has(line)));
  const gone = old.filter((line) => !kept.has(line)).map((line) => html`<del>${line}</del>\n`);
  const lines = now.map((line) =>
    kept.has(line) ? html`<span>${line}</span>\n` : html`<ins>${line}</ins>\n`,
  );
  return html`<div class="text" dir="auto">${gone}${lines}</div>`;
}
