import type { Listing, Page as ListPage } from '../api/client.js';
import { type Html, type HtmlPart, html, nothing } from '../document/html.js';
import { grouped } from '../output/text.js';
import { pagesPath } from '../sandbox/server/front.js';

/** Lists of which one page is shown at a time. */

/** Items on a page. */
const pageSize = 100;

interface Cut<T> {
  items: readonly T[];
  count: number | undefined;
  next: string | undefined;
}

/** How to ask for one page: `most` keeps the client from reading the one after it ahead. */
export const onePage = { most: pageSize } as const;

/** The query of one page. */
export function pageQuery(cursor: string | undefined): { limit: number; page?: string } {
  return cursor === undefined ? { limit: pageSize } : { limit: pageSize, page: cursor };
}

/** The page that was asked for. @throws as the list */
export async function cutOf<T>(listing: Listing<T>): Promise<Cut<T>> {
  for await (const { items, count, next } of listing.pages() as AsyncIterable<ListPage<T>>)
    return { items, count, next };
  return { items: [], count: 0, next: undefined };
}

/** What of a list is shown, and the way to the rest. */
export function pageLinks(
  { items, count, next }: Cut<unknown>,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): Html {
  const isWhole = query.page === undefined && next === undefined;
  const shown = isWhole
    ? `${grouped(items.length)} in all`
    : `${grouped(items.length)} of ${grouped(count ?? 0)}`;
  const first =
    query.page !== undefined && pageLink(withQuery(path, { ...query, page: undefined }), 'First page');
  const after = next !== undefined && pageLink(withQuery(path, { ...query, page: next }), 'Next page');
  return html`<nav class="paging" aria-label="Pages of the list"><span>${shown}</span> ${first} ${after}</nav>`;
}

function pageLink(href: string, label: string): Html {
  return html`<a href="${href}">${label}</a>`;
}

/** The frame of every page: landmarks, where it is, and what is beside it. */

export interface Link {
  label: string;
  href: string;
}

/** A page, before it is framed. */
export interface Page {
  title: string;
  /** The pages above it, from the top. */
  trail?: readonly Link[];
  /** Beside it, such as the parts of an organization. */
  beside?: { label: string; links: readonly Link[] };
  body: HtmlPart;
  status?: number;
}

interface Frame {
  /** Path of the page. */
  at: string;
  /** What the footer says. */
  foot?: HtmlPart;
  /** Whether the visitor may see more than this page. */
  isOpen: boolean;
}

/** Where the files of the pages are. */
export const assets = {
  style: `${pagesPath}style.css`,
  script: `${pagesPath}script.js`,
  icon: `${pagesPath}icon.svg`,
} as const;

export const homePath = pagesPath;
export const requestsPath = `${pagesPath}requests`;

const main: readonly Link[] = [
  { label: 'Organizations', href: homePath },
  { label: 'Requests', href: requestsPath },
];

/** The page as a document. */
export function documentOf(page: Page, { at, foot, isOpen }: Frame): string {
  const { title, trail = [], beside, body } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – docs sandbox</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
${isOpen && html`<script src="${assets.script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand">docs <b>sandbox</b></p>
${isOpen && html`<nav aria-label="Sandbox">${links(main, at)}</nav>`}
</header>
${beside && html`<nav class="beside" aria-label="${beside.label}">${links(beside.links, at)}</nav>`}
<main id="main" tabindex="-1">
${trail.length > 0 && trailOf(trail)}
<h1>${name(title)}</h1>
${body}
</main>
${foot !== undefined && html`<footer><p>${foot}</p></footer>`}
</body>
</html>
`.text;
}

function links(all: readonly Link[], at: string): Html {
  const current = all
    .filter(({ href }) => href === at || at.startsWith(href.endsWith('/') ? href : `${href}/`))
    .reduce((longest, { href }) => (href.length > longest.length ? href : longest), '');
  const mark = html` aria-current="${current === at ? 'page' : 'true'}"`;
  return html`<ul>${all.map(
    ({ label, href }) => html`<li><a href="${href}"${href === current && mark}>${label}</a></li>`,
  )}</ul>`;
}

function trailOf(trail: readonly Link[]): Html {
  return html`<nav class="trail" aria-label="Above this page"><ol>${trail.map(
    ({ label, href }) => html`<li><a href="${href}">${name(label)}</a></li>`,
  )}</ol></nav>`;
}

/** Ways to the parts of what a page shows; the one that is shown is marked. */
export function tabs(label: string, all: readonly Link[], at: string): Html {
  return html`<nav class="tabs" aria-label="${label}">${links(all, at)}</nav>`;
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
export function facts(entries: readonly (readonly [string, HtmlPart])[]): Html {
  const shown = entries.filter(([, value]) => value !== undefined && value !== false && value !== '');
  return html`<dl class="facts">${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A table that scrolls by itself where the window is narrow. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly HtmlPart[])[],
): Html {
  const cells = (row: readonly HtmlPart[]) =>
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

/** Paths of pages: each segment encoded. */

type Query = Readonly<Record<string, string | undefined>>;

function pathOf(...segments: readonly string[]): string {
  return homePath + segments.map(encodeURIComponent).join('/');
}

export function orgPath(org: string, ...rest: readonly string[]): string {
  return pathOf('orgs', org, ...rest);
}

export function spacePath(org: string, space: string, ...rest: readonly string[]): string {
  return orgPath(org, 'spaces', space, ...rest);
}

/** A path with the values of a query that there are. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') given.set(key, value);
  return given.size === 0 ? path : `${path}?${given}`;
}
