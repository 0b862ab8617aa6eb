import type { ContentPage } from '../../api/resources/content.js';

/** A page with its place in the tree. */
export interface PlacedPage {
  page: ContentPage;
  /** Id of the page above it; undefined at the top. */
  parent: string | undefined;
  /** Among the pages beside it, from 1. */
  position: number;
}

/** All pages by id, each before those below it. A tree may be deeper than the call stack; of two with one id, the first counts. */
export function placedPages(pages: readonly ContentPage[]): Map<string, PlacedPage> {
  const placed = new Map<string, PlacedPage>();
  const waiting: PlacedPage[] = [];
  const add = (below: readonly ContentPage[], parent: string | undefined) => {
    for (let index = below.length - 1; index >= 0; index -= 1) {
      const page = below[index];
      if (page !== undefined) waiting.push({ page, parent, position: index + 1 });
    }
  };
  add(pages, undefined);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, pages: below = [] } = next.page;
    if (placed.has(id)) continue;
    placed.set(id, next);
    add(below, id);
  }
  return placed;
}
