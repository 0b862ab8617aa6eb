import { slug } from '../base/name.js';

/** Folds case for searches, in any script; SQLite folds ASCII only. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

const longest = 90;

/** The title as a path segment: lowercase Latin letters, digits and hyphens; `otherwise` if none is left. */
export function slugOf(title: string, otherwise: string): string {
  return slug(title, { most: longest }) || otherwise;
}

export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
