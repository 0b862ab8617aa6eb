import { escapeHtml } from '../../document/html.js';

/** HTML that was written here; every other text is escaped where it is put in. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | undefined | false | readonly Part[];

/** A template: what it holds is escaped, in elements and in quoted attributes, unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((own, at) => own + textOf(parts[at])).join(''));
}

export const nothing = new Html('');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(textOf).join('');
  return escapeHtml(String(part));
}

/** A name that somebody gave: its direction stays its own. */
export function name(text: string, otherwise = 'Untitled'): Html {
  return text.trim() === '' ? html`<i>${otherwise}</i>` : html`<bdi>${text}</bdi>`;
}

/** A time, as it is in answers, to the minute; whole for who points at it. */
export function time(moment: string | undefined): Html {
  if (moment === undefined) return nothing;
  return html`<time datetime="${moment}" title="${moment}">${moment.slice(0, 16).replace('T', ' ')}</time>`;
}

/** Something to copy: text, and a button that the script of the pages shows. */
export function copyable(text: string, what: string): Html {
  const label = `Copy ${what}`;
  return html`<code>${text}</code> <button type="button" class="copy" hidden data-copy="${text}" aria-label="${label}">Copy</button>`;
}

/** Terms and what is said of them; those without a value are left out. */
export function facts(entries: readonly (readonly [string, Part])[]): Html {
  const shown = entries.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl class="facts">${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A table that scrolls by itself where the window is narrow. */
export function table(caption: string, heads: readonly string[], rows: readonly (readonly Part[])[]): Html {
  const cells = (row: readonly Part[]) =>
    row.map((cell, at) => (at === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`));
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
}

/** A state in a word. */
export function badge(word: string): Html {
  return html`<span class="badge">${word}</span>`;
}
