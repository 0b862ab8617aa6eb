import { pagesPath } from '../../sandbox/server/pages.js';
import { type Html, html, name, type Part } from './html.js';

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
  body: Part;
  status?: number;
}

interface Frame {
  /** Path of the page. */
  at: string;
  /** What the footer says. */
  foot?: Part;
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
