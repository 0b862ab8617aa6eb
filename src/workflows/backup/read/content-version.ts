import type { ContentFile, ContentPage } from '../../../api/resources/content.js';

/** What the platform's lists tell of a page or file, by which it is known to be the same. */

/** Differs where the text of a page may differ. Undefined where the list tells nothing by which to know. */
export function textVersionOf({ documentId, updatedAt, git, computedSeed }: ContentPage): string | undefined {
  if (documentId === undefined && git === undefined) return undefined;
  return JSON.stringify([documentId, updatedAt, git?.oid, computedSeed]);
}

/** The same for the same page with the same text at the same path. */
export function versionOfPage({
  id,
  title,
  path,
  documentId,
  updatedAt,
  git,
  computedSeed,
}: ContentPage): string {
  return JSON.stringify([id, title, path, documentId, updatedAt, git?.oid, computedSeed]);
}

export function versionOfFile({ id, name, size, git }: ContentFile): string {
  return [id, name, size, git?.oid ?? ''].join(' ');
}
