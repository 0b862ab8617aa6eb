import type { Client } from '../../api/client.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../errors.js';
import { runInOrder } from '../../jobs/in-order.js';
import type { FoundSpace } from './finding.js';
import { type Unread, unreadOf } from './looked.js';

/**
 * The spaces to look at. Unlike the list of spaces, a collection or site that cannot be read does not
 * end the walk: it is told, and the rest is looked at.
 */

/** What was asked for; nothing at all is the whole organization. */
export interface Scope {
  spaces: readonly string[];
  collections: readonly string[];
  sites: readonly string[];
}

/** How to read: the client, the organization where one is needed, and how much at once. */
export interface Reading {
  client: Client;
  organization: string;
  concurrency: number;
  signal: AbortSignal;
}

/** Where spaces are listed. */
interface Source {
  kind: 'collection' | 'site';
  id: string;
  title?: string;
}

interface Listed {
  spaces: FoundSpace[];
  unread: Unread[];
}

/** A space as a list shows it, or the id that was named. */
export type ListedSpace = { id: string } | Space;

export function isWhole({ spaces, collections, sites }: Scope): boolean {
  return spaces.length + collections.length + sites.length === 0;
}

/** The same as `listSpaces`, each with no more than its name. */
export async function spacesToCheck(reading: Reading, scope: Scope): Promise<Listed> {
  const { spaces, unread } = await listSpaces(reading, scope);
  return { spaces: spaces.map((space) => ('title' in space ? named(space) : space)), unread };
}

/** Every space of the scope once: those named, then those of collections, then those of sites. */
export async function listSpaces(
  reading: Reading,
  scope: Scope,
): Promise<{ spaces: ListedSpace[]; unread: Unread[] }> {
  const sources = isWhole(scope) ? await allSources(reading) : namedSources(scope);
  const seen = new Map<string, ListedSpace>(scope.spaces.map((id) => [id, { id }]));
  const unread: Unread[] = [];
  const list = (index: number) => spacesOf(reading, sources[index] as Source);
  for await (const listed of runInOrder(sources.length, list, reading)) {
    for (const space of listed.spaces) {
      const known = seen.get(space.id);
      if (known === undefined || !('title' in known)) seen.set(space.id, space);
    }
    unread.push(...listed.unread);
  }
  return { spaces: [...seen.values()], unread };
}

function namedSources({ collections, sites }: Scope): Source[] {
  return [
    ...collections.map((id) => ({ kind: 'collection' as const, id })),
    ...sites.map((id) => ({ kind: 'site' as const, id })),
  ];
}

/** Every collection, nested ones included, and every site of the organization. */
async function allSources({ client, organization }: Reading): Promise<Source[]> {
  const path = { organizationId: organization };
  const sources: Source[] = [];
  for await (const { id, title } of client.call(listCollections, { path, query: { nested: true } }))
    sources.push({ kind: 'collection', id, title });
  for await (const { id, title } of client.call(listSites, { path }))
    sources.push({ kind: 'site', id, title });
  return sources;
}

/** What one source lists. */
interface SourceSpaces {
  spaces: Space[];
  unread: Unread[];
}

async function spacesOf(reading: Reading, source: Source): Promise<SourceSpaces> {
  const found: SourceSpaces = { spaces: [], unread: [] };
  try {
    if (source.kind === 'collection') await readCollection(reading, source.id, found);
    else await readSite(reading, source.id, found);
  } catch (cause) {
    found.unread.push(unreadOf(cause, reading.signal, source));
  }
  return found;
}

async function readCollection({ client }: Reading, id: string, { spaces }: SourceSpaces): Promise<void> {
  const path = { collectionId: id };
  for await (const space of client.call(listCollectionSpaces, { path })) spaces.push(space);
}

async function readSite({ client, organization }: Reading, id: string, found: SourceSpaces): Promise<void> {
  const path = { organizationId: organization, siteId: id };
  for await (const item of client.call(listSiteSpaces, { path })) {
    if (item.space !== undefined) found.spaces.push(item.space);
    else found.unread.push(hidden(item));
  }
}

function named({ id, title }: { id: string; title: string }): FoundSpace {
  return { id, title };
}

/** A site names a space without showing it: it may hold links that nobody looked at. */
function hidden({ id, title }: { id: string; title: string }): Unread {
  const error = new DocsError('forbidden', 'hidden_space', 'The site does not show which space it is.');
  return { kind: 'site-space', id, title, error };
}
