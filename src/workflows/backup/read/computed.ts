import type { ContentPage } from '../../../api/resources/content.js';
import { placePages } from '../folder/names.js';
import { hash } from '../staleness.js';

/** Pages that the platform computes, from an OpenAPI spec for example: their text changes without a revision. */

/** A computed page, with what changes with its text; undefined if the platform does not tell. */
export interface ComputedPage {
  id: string;
  seed: string | undefined;
}

export function computedPages(pages: readonly ContentPage[]): ComputedPage[] {
  const computed = placePages(pages).filter(({ page }) => page.computed !== undefined);
  return computed.map(({ page: { id, computedSeed } }) => ({ id, seed: computedSeed }));
}

/** What content is read by: its revision, and the seeds of its computed pages. */
export function contentKey(revision: string, computed: readonly ComputedPage[]): string {
  if (computed.length === 0) return revision;
  return `${revision} ${hash(computed.map(({ id, seed }) => [id, seed ?? null])).slice(0, 16)}`;
}

/** Ids of the pages whose text may be another now. */
export function recomputed(before: readonly ComputedPage[], now: readonly ComputedPage[]): Set<string> {
  const seeds = new Map(now.map(({ id, seed }) => [id, seed]));
  const other = before.filter(({ id, seed }) => seed === undefined || seeds.get(id) !== seed);
  return new Set(other.map(({ id }) => id));
}
