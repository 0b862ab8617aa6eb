import type { ContentFile, ContentPage } from '../api/resources/content.js';
import type { Space } from '../api/resources/spaces.js';
import { stringify } from '../output/json.js';
import { hashOf } from './folder.js';
import { cleaned } from './gathering.js';
import { type SpaceManifest, spaceManifestText } from './manifest.js';
import { placePages } from './names.js';

/**
 * What of a space is read again. All of it is decided here, from what the last run left:
 *
 * 1. Lists are read in every run: values of fields, comments, open change requests and their comments.
 * 2. Settings are read again if the entry of the space in the list of spaces differs (`seenOf`).
 * 3. Pages and files, of the space and of a change request, are kept if their key is that of the last run
 *    (`lastKey`): the revision, for a change request with that of the space, and the seeds of computed
 *    pages, which change without a revision (`contentKey`).
 * 4. Texts of replies are kept as long as the comment has as many, and the last reading is recent
 *    (`keepsReplies`): no list tells whether a reply was edited. The manifest says when they were read.
 *
 * Of a space whose manifest is not the one that the last run left, nothing is reused (trust.ts).
 *
 * Two smaller decisions are made where the bytes are: a file of content (`versionOfFile`)
 * and the content of an OpenAPI version (organization.ts) are fetched again if their version changed.
 */

/** How long texts of replies are kept without reading them: less than a day, so that daily runs read all. */
const repliesLastMs = 20 * 3_600_000;

/**
 * Whether replies of the last run may stand for those of the platform.
 * @param readAt when they were read; undefined if that is not known
 */
export function keepsReplies(readAt: string | undefined, full: boolean, nowMs: number): boolean {
  const age = nowMs - Date.parse(readAt ?? '');
  return !full && age >= 0 && age < repliesLastMs;
}

/** The key that a part of a space was last read by; undefined if it is to be read in any case. */
export function lastKey(old: SpaceManifest | undefined, full: boolean, part: string): string | undefined {
  return full ? undefined : old?.parts.find(({ name }) => name === part)?.key;
}

/** Whether a reading found what the last run had, all of it. */
export function isAsBefore(old: SpaceManifest | undefined, now: SpaceManifest): boolean {
  return old?.state === 'whole' && spaceManifestText(old) === spaceManifestText(now);
}

/** A hash of a space's entry in the list of spaces. */
export function seenOf(space: Space): string {
  return hash(cleaned(space));
}

export function hash(value: unknown): string {
  return hashOf(stringify(value));
}

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

/** What the platform's lists tell of a page or file, by which it is known to be the same. */

/** Differs where the text of a page may differ. Undefined where the list tells nothing by which to know. */
export function textVersionOf({ documentId, updatedAt, git, computedSeed }: ContentPage): string | undefined {
  if (documentId === undefined && git === undefined) return undefined;
  return JSON.stringify([documentId, updatedAt, git?.oid, computedSeed]);
}

/** The same for the same page with the same text at the same path. */
export function versionOfPage(page: ContentPage): string {
  const { id, title, path, documentId, updatedAt, git, computedSeed } = page;
  return JSON.stringify([id, title, path, documentId, updatedAt, git?.oid, computedSeed]);
}

export function versionOfFile({ id, name, size, git }: ContentFile): string {
  return [id, name, size, git?.oid ?? ''].join(' ');
}
