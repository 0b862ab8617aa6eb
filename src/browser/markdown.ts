import type {
  Definition,
  FootnoteDefinition,
  List,
  ListItem,
  PhrasingContent,
  RootContent,
  Table,
} from 'mdast';
import { Html, type HtmlPart, html, nothing } from '../document/html.js';
import { definitionsIn, markdownTree } from '../output/markdown.js';
import { deepest, sourceOf, wordsOf } from '../output/markdown-text.js';
import { targetIn } from '../sandbox/content/links.js';
import { freeAnchor } from '../sandbox/content/markdown.js';
import type { PlacedPage, Snapshot } from '../sandbox/content/revisions.js';
import type { SpaceRow } from '../sandbox/records/in-path.js';
import type { Database } from '../sandbox/store/database.js';
import { slugOf } from '../sandbox/store/rows.js';
import { spacePath } from './parts.js';

/** Where the links of a text lead, by the rules of the platform's own lists of links. */

/** Addresses of texts that are on no page: only what is elsewhere is a link. */
export const leadsElsewhere: Leads = { inside: () => undefined, picture: () => undefined };

interface PageAt {
  db: Database;
  space: SpaceRow;
  snapshot: Snapshot;
  placed: PlacedPage;
}

export function leadsFrom({ placed, ...content }: PageAt): Leads {
  const { space, snapshot } = content;
  const found = (url: string) => {
    const { target, status } = targetIn(content, placed, url) ?? {};
    return status === 'ok' ? target : undefined;
  };
  return {
    inside(url) {
      const target = found(url);
      if (target === undefined || target.kind === 'url') return undefined;
      const at = (id: string, ...rest: string[]) => spacePath(space.org_id, id, ...rest);
      if (target.kind === 'page') return at(space.id, 'pages', target.page) + fragmentOf(url);
      if (target.kind === 'file') return at(space.id, 'files', target.file);
      if (target.page !== undefined) return at(target.space, 'pages', target.page);
      return target.file === undefined ? at(target.space) : at(target.space, 'files', target.file);
    },
    picture(url) {
      const target = found(url);
      if (target?.kind !== 'file') return undefined;
      const isPicture = snapshot.fileById.get(target.file)?.content_type.startsWith('image/');
      return isPicture ? spacePath(space.org_id, space.id, 'files', target.file) : undefined;
    },
  };
}

/** The fragment of an address, as headings of rendered pages have it. */
function fragmentOf(url: string): string {
  const at = url.indexOf('#');
  return at < 0 ? '' : `#at-${url.slice(at + 1)}`;
}

/** Markdown that may come from anybody, as HTML: no markup of its own, no address but those of `leads`. */

/** Where what is written as an address leads. */
export interface Leads {
  /** Path of a page of the sandbox; undefined where it names none. */
  inside(url: string): string | undefined;
  /** Path of a picture of the sandbox; undefined for every other. */
  picture(url: string): string | undefined;
}

interface Shared {
  leads: Leads;
  source: string;
  definitions: ReadonlyMap<string, Definition>;
  /** Fragments of the headings so far. */
  taken: Set<string>;
}

/** Before every fragment, so that a heading cannot take the id of a part of the page. */
const fragment = 'at-';

/** @param title stands above it already: a first heading that only repeats it is left out */
export function rendered(markdown: string, leads: Leads, title?: string): Html {
  const source = markdown.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  if (source.trim() === '') return html`<p class="soft">No text.</p>`;
  const tree = markdownTree(source);
  if (tree === undefined)
    return html`<p class="soft">Shown as it was written: it would take long to format.</p>${asWritten(source)}`;
  const [first] = tree.children;
  if (first?.type === 'heading' && wordsOf(first).trim() === title?.trim()) tree.children.shift();
  const shared = { leads, source, definitions: definitionsIn(tree), taken: new Set<string>() };
  const notes = tree.children.filter((node) => node.type === 'footnoteDefinition');
  return html`<div class="prose" dir="auto">${blocks(tree.children, shared)}${footnotes(notes, shared)}</div>`;
}

function blocks(nodes: readonly RootContent[], shared: Shared, depth = 0): HtmlPart[] {
  return nodes.map((node) =>
    depth > deepest ? asWritten(sourceOf(node, shared)) : block(node, shared, depth),
  );
}

function block(node: RootContent, shared: Shared, depth: number): HtmlPart {
  switch (node.type) {
    case 'heading':
      return heading(node.depth, phrases(node.children, shared), wordsOf(node), shared);
    case 'paragraph':
      return html`<p dir="auto">${phrases(node.children, shared)}</p>\n`;
    case 'blockquote':
      return html`<blockquote>${blocks(node.children, shared, depth + 1)}</blockquote>\n`;
    case 'list':
      return list(node, shared, depth);
    case 'code':
      return asWritten(node.value);
    case 'table':
      return tableOf(node, shared);
    case 'thematicBreak':
      return html`<hr>\n`;
    case 'html':
      return asWritten(node.value);
    case 'definition':
    case 'footnoteDefinition':
      return nothing;
    default:
      return asWritten(sourceOf(node, shared));
  }
}

/** The title of the page is the only heading of the first level. */
function heading(depth: number, content: HtmlPart, words: string, { taken }: Shared): Html {
  const slug = freeAnchor(slugOf(words, 'section'), taken);
  const element = new Html(`h${Math.max(2, depth)}`);
  return html`<${element} id="${fragment}${slug}" dir="auto">${content}</${element}>\n`;
}

function list({ ordered, start, children }: List, shared: Shared, depth: number): Html {
  const items = children.map((child) => item(child, shared, depth));
  if (!ordered) return html`<ul>${items}</ul>\n`;
  return html`<ol start="${start ?? 1}">${items}</ol>\n`;
}

function item({ checked, spread, children }: ListItem, shared: Shared, depth: number): Html {
  const box =
    checked === true
      ? html`<span role="img" aria-label="Done">☑</span> `
      : html`<span role="img" aria-label="To do">☐</span> `;
  const inner = children.map((child) =>
    child.type === 'paragraph' && spread !== true
      ? phrases(child.children, shared)
      : blocks([child], shared, depth + 1),
  );
  return html`<li dir="auto">${typeof checked === 'boolean' && box}${inner}</li>`;
}

const sides = { left: '', center: ' class="mid"', right: ' class="end"' };

function tableOf({ align, children }: Table, shared: Shared): Html {
  const [head, ...rows] = children;
  const attribute = (at: number) => new Html(sides[align?.[at] ?? 'left']);
  const heads = head?.children.map(
    (cell, at) => html`<th scope="col"${attribute(at)}>${phrases(cell.children, shared)}</th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr>${row.children.map((cell, at) => html`<td${attribute(at)}>${phrases(cell.children, shared)}</td>`)}</tr>\n`,
  );
  return html`<div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead><tr>${heads}</tr></thead>
<tbody>${lines}</tbody></table></div>\n`;
}

function footnotes(notes: readonly FootnoteDefinition[], shared: Shared): HtmlPart {
  if (notes.length === 0) return nothing;
  return html`<hr><ol class="notes">${notes.map((note) => html`<li>${blocks(note.children, shared, 1)}</li>`)}</ol>`;
}

function phrases(nodes: readonly PhrasingContent[], shared: Shared, depth = 0): HtmlPart[] {
  return nodes.map((node) => (depth > deepest ? sourceOf(node, shared) : phrase(node, shared, depth + 1)));
}

function phrase(node: PhrasingContent, shared: Shared, depth: number): HtmlPart {
  switch (node.type) {
    case 'text':
      return node.value;
    case 'inlineCode':
      return html`<code>${node.value}</code>`;
    case 'break':
      return html`<br>`;
    case 'html':
      return /^<br\s*\/?>$/i.test(node.value) ? html`<br>` : html`<code class="soft">${node.value}</code>`;
    case 'strong':
      return html`<strong>${phrases(node.children, shared, depth)}</strong>`;
    case 'emphasis':
      return html`<em>${phrases(node.children, shared, depth)}</em>`;
    case 'delete':
      return html`<s>${phrases(node.children, shared, depth)}</s>`;
    case 'link':
      return linkHtml(node.url, phrases(node.children, shared, depth), wordsOf(node), shared);
    case 'linkReference': {
      const words = phrases(node.children, shared, depth);
      const target = shared.definitions.get(node.identifier);
      return target === undefined ? words : linkHtml(target.url, words, wordsOf(node), shared);
    }
    case 'image':
      return picture(node.url, node.alt ?? '', shared);
    case 'imageReference':
      return picture(shared.definitions.get(node.identifier)?.url ?? '', node.alt ?? '', shared);
    case 'footnoteReference':
      return html`<sup>${node.label ?? node.identifier}</sup>`;
    default:
      return sourceOf(node, shared);
  }
}

/** A link to a page of the sandbox, to https, http or mailto; any other address is only told. */
function linkHtml(url: string, words: HtmlPart, plain: string, { leads }: Shared): Html {
  if (url.startsWith('#')) return html`<a href="#${fragment}${url.slice(1)}">${words}</a>`;
  const inside = leads.inside(url);
  if (inside !== undefined) return html`<a href="${inside}">${words}</a>`;
  if (isOutside(url)) return html`<a href="${url}" rel="noreferrer noopener" class="outside">${words}</a>`;
  return html`${words}${url !== plain && html` <code class="soft">${url}</code>`}`;
}

/** Nothing is loaded from elsewhere: a picture of another host is a link to it. */
function picture(url: string, alt: string, shared: Shared): Html {
  const path = shared.leads.picture(url);
  if (path !== undefined) return html`<img src="${path}" alt="${alt}" loading="lazy">`;
  const words = alt === '' ? 'Picture' : `Picture: ${alt}`;
  return html`<span class="picture">${linkHtml(url, words, words, shared)}</span>`;
}

function isOutside(url: string): boolean {
  return /^(?:https?|mailto):/i.test(url) && URL.canParse(url);
}

function asWritten(text: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="Code"><code>${text}</code></pre>\n`;
}
