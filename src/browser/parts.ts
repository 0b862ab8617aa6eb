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
  return html`<nav class="tools soft" aria-label="Pages of the list"><span>${shown}</span> ${first} ${after}</nav>`;
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
  body: HtmlPart;
  status?: number;
}

/** Ways to parts of the sandbox, with how many things each has. */
export interface Side {
  label: string;
  links: readonly SideLink[];
}

export interface SideLink extends Link {
  count?: number | undefined;
  /** Whether it is of its page alone, not of those below it. */
  alone?: true;
}

/** What is around a page, for a visitor who may see others. */
export interface Frame {
  /** Path of the page. */
  at: string;
  /** The data, and where they are. */
  source: string;
  sides: readonly Side[];
  /** Of the organization that is searched. */
  search?: { action: string; value: string } | undefined;
  /** Above the page: whom it is seen as, and what was done. */
  above: HtmlPart;
  clock: string;
}

/** Where the files of the pages are. */
export const assets = {
  style: `${pagesPath}style.css`,
  script: `${pagesPath}script.js`,
  icon: `${pagesPath}icon.svg`,
} as const;

export const homePath = pagesPath;
export const requestsPath = `${pagesPath}requests`;

/** The page as a document. @param frame undefined for a visitor who may see no more than this page */
export function documentOf({ title, trail = [], body }: Page, frame?: Frame): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – docs sandbox</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
${frame && html`<script src="${assets.script}" defer></script>`}
</head>
<body class="pages">
<a class="skip" href="#main">Skip to the content</a>
<header class="side"><p class="brand">${frame ? html`<a href="${homePath}">docs <b>sandbox</b></a>` : html`docs <b>sandbox</b>`}</p>
${frame && sideHtml(frame)}</header>
<main id="main" tabindex="-1">
${frame?.above}
${trail.length > 0 && trailOf(trail)}
<h1>${name(title)}</h1>
${body}
</main>
</body>
</html>
`.text;
}

function sideHtml({ at, source, sides, search, clock }: Frame): Html {
  const form =
    search &&
    html`<form role="search" action="${search.action}"><label class="sr" for="q">Search the organization</label>
<input id="q" name="q" type="search" placeholder="Search" value="${search.value}" aria-keyshortcuts="/"></form>`;
  const navs = sides.map(
    ({ label, links }) => html`<nav aria-label="${label}"><h2>${label}</h2>${linkList(links, at)}</nav>`,
  );
  return html`<p class="soft where">${source}<br><time>${clock}</time></p>
<button type="button" class="menu" popovertarget="menu">Menu</button>
<div id="menu" popover>${form}${navs}</div>`;
}

function linkList(all: Side['links'], at: string): Html {
  const current = all
    .filter(({ href, alone }) => href === at || (alone !== true && at.startsWith(`${href}/`)))
    .reduce((longest, { href }) => (href.length > longest.length ? href : longest), '');
  const mark = html` aria-current="${current === at ? 'page' : 'true'}"`;
  return html`<ul>${all.map(
    ({ label, href, count }) =>
      html`<li><a href="${href}"${href === current && mark}>${label}${count !== undefined && html` <span class="count">${grouped(count)}</span>`}</a></li>`,
  )}</ul>`;
}

function trailOf(trail: readonly Link[]): Html {
  return html`<nav class="trail" aria-label="Above this page"><ol>${trail.map(
    ({ label, href }) => html`<li><a href="${href}">${name(label)}</a> /</li>`,
  )}</ol></nav>`;
}

/** Ways to the parts of what a page shows; the one that is shown is marked. */
export function tabs(label: string, all: readonly Link[], at: string): Html {
  return html`<nav class="tabs" aria-label="${label}">${linkList(all, at)}</nav>`;
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
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table class="lines">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>`;
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
