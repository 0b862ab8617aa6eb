import { type SpaceSource, sourceLists, spacesIn } from '../api/organization-spaces.js';
import type { Space } from '../api/resources/spaces.js';
import { DocsError } from '../errors.js';
import { readAll } from '../jobs/in-order.js';
import { type Reading, type Unread, unreadOf } from './reading.js';

/** Reads the spaces of many lists. A list that cannot be read is reported; the others are read. */

export interface Listed<T> {
  spaces: T[];
  unread: Unread[];
}

/**
 * What the spaces of the organization are in: collections, sites, and what some administrators can access.
 * A space in none of them cannot be found; while one of them is unread, a space that was not found may exist.
 */
export async function sourcesOf(reading: Reading): Promise<{ sources: SpaceSource[]; unread: Unread[] }> {
  const { client, organizationId, signal } = reading;
  const sources: SpaceSource[] = [];
  const unread: Unread[] = [];
  for (const [kind, list] of Object.entries(sourceLists)) {
    try {
      for await (const source of list(client, organizationId)) sources.push(source);
    } catch (cause) {
      unread.push(unreadOf(cause, signal, { kind, id: organizationId }));
    }
  }
  return { sources, unread };
}

/** The spaces of a collection by id, in the order of the platform. */
export interface Order {
  collection: string;
  items: string[];
}

/**
 * Every space of the organization that can be found, once each, in the order of the lists.
 * @returns with the order in each collection whose list was read in full
 */
export async function allSpaces<T extends { id: string }>(
  reading: Reading,
  keep: (space: Space) => T,
): Promise<Listed<T> & { orders: Order[] }> {
  const { sources, unread } = await sourcesOf(reading);
  const listed = await spacesOf(reading, sources, keep);
  const found = new Map(listed.flatMap(({ spaces }) => spaces).map((space) => [space.id, space]));
  unread.push(...listed.flatMap((one) => one.unread));
  const orders = sources.flatMap(({ kind, id: collection }, index): Order[] => {
    const { spaces, unread: missed } = listed[index] as Listed<T>;
    if (kind !== 'collection' || missed.length > 0) return [];
    return [{ collection, items: [...new Set(spaces.map(({ id }) => id))] }];
  });
  return { spaces: [...found.values()], unread, orders };
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
        found.unread.push(...(page.hidden ?? []).map((one) => hidden(one, source)));
      }
    } catch (cause) {
      found.unread.push(unreadOf(cause, reading.signal, source));
    }
    return found;
  });
}

/** The platform tells no id of such a space: the site and the site space are what can be looked up. */
export function hidden({ id, title }: { id: string; title: string }, site: SpaceSource): Unread {
  const message = `Site ${site.title ?? site.id} (${site.id}) lists a space that this token cannot see.`;
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
 * @throws DocsError if nothing is found where a list of lists could not be read
 */
export async function spacesOfScope<T extends { id: string }>(
  reading: Reading,
  scope: Scope,
  keep: (space: Space) => T,
): Promise<Listed<T | { id: string }>> {
  if (isWhole(scope)) return allSpaces(reading, keep).then(unlessUnlisted);
  const sources: SpaceSource[] = [
    ...scope.collections.map((id) => ({ kind: 'collection' as const, id })),
    ...scope.sites.map((id) => ({ kind: 'site' as const, id })),
  ];
  const listed = await spacesOf(reading, sources, keep);
  const found = new Map<string, T | { id: string }>(scope.spaces.map((id) => [id, { id }]));
  for (const space of listed.flatMap(({ spaces }) => spaces)) found.set(space.id, space);
  return { spaces: [...found.values()], unread: listed.flatMap(({ unread }) => unread) };
}

function unlessUnlisted<T>(listed: Listed<T>): Listed<T> {
  orUnlisted(listed.spaces.length, listed.unread);
  return listed;
}

/** @throws DocsError why a list of lists could not be read, where no space was found */
export function orUnlisted(spaces: number, unread: readonly Unread[]): void {
  const unlisted = unread.find(({ kind }) => kind in sourceLists);
  if (spaces === 0 && unlisted !== undefined) throw unlisted.error;
}
