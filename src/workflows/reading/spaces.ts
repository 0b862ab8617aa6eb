import { allSources, type SpaceSource, spacesIn } from '../../api/organization-spaces.js';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../errors.js';
import { readAll } from '../../jobs/in-order.js';
import { type Reading, type Unread, unreadOf } from './reading.js';

/** Reads the spaces of many lists. A list that cannot be read is reported; the others are read. */

export interface Listed<T> {
  spaces: T[];
  unread: Unread[];
}

/** Every collection and site of the organization. @throws DocsError where either cannot be listed */
export async function sourcesOf({ client, organizationId }: Reading): Promise<SpaceSource[]> {
  const sources: SpaceSource[] = [];
  for await (const source of allSources(client, organizationId)) sources.push(source);
  return sources;
}

/** The spaces of each source. @param keep what is kept of a space */
export function spacesOf<T>(
  reading: Reading,
  sources: readonly SpaceSource[],
  keep: (space: Space) => T,
): Promise<Listed<T>[]> {
  return readAll(reading, sources, async (source) => {
    const found: Listed<T> = { spaces: [], unread: [] };
    try {
      for await (const page of spacesIn(reading.client, reading.organizationId, source)) {
        found.spaces.push(...page.items.map(keep));
        found.unread.push(...(page.hidden ?? []).map(hidden));
      }
    } catch (cause) {
      found.unread.push(unreadOf(cause, reading.signal, source));
    }
    return found;
  });
}

function hidden({ id, title }: { id: string; title: string }): Unread {
  const message = 'The site lists a space that this token cannot see.';
  return { kind: 'site-space', id, title, error: new DocsError('forbidden', 'hidden_space', message) };
}

/** The spaces that were asked for; nothing at all is the whole organization. */
export interface Scope {
  spaces: readonly string[];
  collections: readonly string[];
  sites: readonly string[];
}

export function isWhole({ spaces, collections, sites }: Scope): boolean {
  return spaces.length + collections.length + sites.length === 0;
}

/**
 * Every space of the scope once: those named, then those of collections, then those of sites.
 * @param keep what is kept of a space; of a named one that is in no list, its id
 */
export async function spacesOfScope<T extends { id: string }>(
  reading: Reading,
  scope: Scope,
  keep: (space: Space) => T,
): Promise<Listed<T | { id: string }>> {
  const sources: SpaceSource[] = isWhole(scope)
    ? await sourcesOf(reading)
    : [
        ...scope.collections.map((id) => ({ kind: 'collection' as const, id })),
        ...scope.sites.map((id) => ({ kind: 'site' as const, id })),
      ];
  const listed = await spacesOf(reading, sources, keep);
  const found = new Map<string, T | { id: string }>(scope.spaces.map((id) => [id, { id }]));
  for (const space of listed.flatMap(({ spaces }) => spaces)) found.set(space.id, space);
  return { spaces: [...found.values()], unread: listed.flatMap(({ unread }) => unread) };
}
