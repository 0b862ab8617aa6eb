import type { Listing, Page } from '../../api/client.js';
import { grouped } from '../../output/text.js';
import { withQuery } from './address.js';
import { type Html, html } from './html.js';

/** Lists of which one page is shown at a time. */

/** Items on a page. */
export const pageSize = 100;

export interface Cut<T> {
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
  for await (const { items, count, next } of listing.pages() as AsyncIterable<Page<T>>)
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
    query.page !== undefined && link(withQuery(path, { ...query, page: undefined }), 'First page');
  const after = next !== undefined && link(withQuery(path, { ...query, page: next }), 'Next page');
  return html`<nav class="paging" aria-label="Pages of the list"><span>${shown}</span> ${first} ${after}</nav>`;
}

function link(href: string, label: string): Html {
  return html`<a href="${href}">${label}</a>`;
}
