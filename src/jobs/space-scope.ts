import type { Space } from '../api/resources/spaces.js';
import { runInOrder } from './in-order.js';
import { allSources, type Reading, type SpaceSource, spacesOf } from './space-sources.js';
import type { Unread } from './unread.js';

/** The spaces that a job over many spaces reads. */

/** What was asked for; nothing at all is the whole organization. */
export interface Scope {
  spaces: readonly string[];
  collections: readonly string[];
  sites: readonly string[];
}

/** What is kept of each space; of a named one that is in no list, its id. */
interface Listed<T> {
  spaces: (T | { id: string })[];
  unread: Unread[];
}

export function isWhole({ spaces, collections, sites }: Scope): boolean {
  return spaces.length + collections.length + sites.length === 0;
}

/**
 * Every space of the scope once: those named, then those of collections, then those of sites.
 * @param keep what is kept of a space
 */
export async function spacesOfScope<T extends { id: string }>(
  reading: Reading,
  scope: Scope,
  keep: (space: Space) => T,
): Promise<Listed<T>> {
  const sources = isWhole(scope) ? await allSources(reading) : namedSources(scope);
  const seen = new Map<string, T | { id: string }>(scope.spaces.map((id) => [id, { id }]));
  const shown = new Set<string>();
  const unread: Unread[] = [];
  const list = (index: number) => spacesOf(reading, sources[index] as SpaceSource, keep);
  for await (const listed of runInOrder(sources.length, list, reading)) {
    for (const space of listed.spaces) if (!shown.has(space.id)) seen.set(space.id, space);
    for (const { id } of listed.spaces) shown.add(id);
    unread.push(...listed.unread);
  }
  return { spaces: [...seen.values()], unread };
}

function namedSources({ collections, sites }: Scope): SpaceSource[] {
  return [
    ...collections.map((id) => ({ kind: 'collection' as const, id })),
    ...sites.map((id) => ({ kind: 'site' as const, id })),
  ];
}
