import { type Cell, type ColumnKind, type Severity, severityWords } from '../document/document.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { age, byteSize, grouped, safeLine } from '../output/text.js';
import { toneOf } from '../output/tones.js';

/** What the parts of a page are made of. Nothing needs a script; a style in an attribute would be refused. */

/** A drawn part. */
export interface DrawnPart {
  body: Html;
  /** How many things it lists, beside its title. */
  count?: string | undefined;
  /** Rules of its own, such as the widths of its columns. */
  css?: string;
}

/** When a page is made, in milliseconds since the epoch by the clock of the platform: ages are counted from it. */
export interface Moment {
  nowMs: number;
}

/** The mark of a severity before a line. */
export function severityMark(severity: Severity | undefined): HtmlPart {
  if (severity === undefined) return undefined;
  return html`<b class="sev ${severity}">${severityWords[severity]}</b> `;
}

/** A command; the script puts a button to copy it beside it. */
export function command(text: string): Html {
  return html`<code class="cmd">${safeLine(text)}</code>`;
}

/** A word with the tone that it has in a terminal. */
export function badge(word: string, as: 'role' | 'state'): Html {
  return html`<span class="b ${toneOf(as, word) ?? 'plain'}">${word}</span>`;
}

/** A moment to the minute, with its age where the pointer rests. */
export function timeHtml(moment: string, { nowMs }: Moment): Html {
  const ms = Date.parse(moment);
  if (Number.isNaN(ms)) return html`${moment}`;
  const text = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  return html`<time datetime="${moment}" title="${age(moment, nowMs)}, ${moment}">${text}</time>`;
}

/** A value of a table; lists line by line. */
export function cellHtml(cell: Cell, as: ColumnKind, moment: Moment): HtmlPart {
  if (cell === null || cell === '') return undefined;
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  if (typeof cell === 'number') return as === 'bytes' ? byteSize(cell) : grouped(cell);
  if (typeof cell === 'object' && as === 'flags') return cell.map((flag) => html`${badge(flag, 'state')} `);
  if (typeof cell === 'object') return cell.map((line) => html`<span class="l">${safeLine(line)}</span>`);
  if (as === 'time') return timeHtml(cell, moment);
  const text = safeLine(cell);
  if (as === 'role' || as === 'state') return badge(text, as);
  return as === 'id' ? html`<code>${text}</code>` : text;
}

/** Texts that many rows share are cut to this length in a picture, in characters. */
export function short(text: string, most: number): string {
  const line = [...safeLine(text)];
  return line.length > most ? `${line.slice(0, Math.max(1, most - 1)).join('')}…` : line.join('');
}

/** A name of a part or a row as it stands in an address: letters, digits and `-`. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
}

/** Ids of things by their titles: those of the same title are numbered. */
export function idsOf(titles: readonly string[], taken = new Set<string>()): string[] {
  return titles.map((title) => {
    const name = slug(title) || 'part';
    let id = name;
    for (let count = 2; taken.has(id); count += 1) id = `${name}-${count}`;
    taken.add(id);
    return id;
  });
}

/** A segment of a bar, which stands for a share of a whole. */
export interface Segment {
  label: string;
  count: number;
  /** A class of the style sheet: its colour. */
  tone: string;
}

/** A bar of shares with its legend: what a slide could show alone. */
export function barHtml(label: string, segments: readonly Segment[]): Html {
  const shown = segments.filter(({ count }) => count > 0);
  const all = shown.reduce((sum, { count }) => sum + count, 0);
  let at = 0;
  const rects = shown.map(({ count, tone, label: name }) => {
    const width = Math.max(4, (count / all) * 1000);
    const x = at;
    at += width;
    return html`<rect x="${x.toFixed(1)}" width="${Math.max(1, width - 3).toFixed(1)}" height="14" class="${tone}"><title>${name}: ${grouped(count)}</title></rect>`;
  });
  return html`<figure class="bar"><svg viewBox="0 0 ${Math.max(1000, Math.ceil(at))} 14" preserveAspectRatio="none" role="img" aria-label="${label}">${rects}</svg>
<figcaption>${shown.map(
    ({ label: name, count, tone }) =>
      html`<span><i class="swatch ${tone}"></i>${name} <b>${grouped(count)}</b></span> `,
  )}</figcaption></figure>`;
}
