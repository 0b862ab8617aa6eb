import type { Client } from '../api/client.js';
import { listCollectionSpaces, listCollections } from '../api/resources/collections.js';
import { listMemberSpaces } from '../api/resources/members.js';
import { listSiteSpaces } from '../api/resources/site-spaces.js';
import { listSites } from '../api/resources/sites.js';
import type { Space } from '../api/resources/spaces.js';
import { DocsError } from '../errors.js';
import { type Unread, unreadOf } from './unread.js';

/** The lists that spaces appear in. One that cannot be read is reported; the others are read. */

export interface Reading {
  client: Client;
  organization: string;
  concurrency: number;
  signal: AbortSignal;
}

export interface SpaceSource {
  kind: 'collection' | 'site' | 'member';
  id: string;
  title?: string;
}

/** The spaces of a source, reduced to what the caller keeps. */
export interface Listed<T> {
  spaces: T[];
  unread: Unread<SpaceSource['kind'] | 'site-space'>[];
}

/**
 * Every collection, nested ones included, and every site of the organization.
 * @throws DocsError where either cannot be listed
 */
export async function allSources({ client, organization }: Reading): Promise<SpaceSource[]> {
  const path = { organizationId: organization };
  const sources: SpaceSource[] = [];
  for await (const { id, title } of client.call(listCollections, { path, query: { nested: true } }))
    sources.push({ kind: 'collection', id, title });
  for await (const { id, title } of client.call(listSites, { path }))
    sources.push({ kind: 'site', id, title });
  return sources;
}

/** The spaces of one source. @param keep what is kept of a space */
export async function spacesOf<T>(
  reading: Reading,
  source: SpaceSource,
  keep: (space: Space) => T,
): Promise<Listed<T>> {
  const found: Listed<T> = { spaces: [], unread: [] };
  try {
    for await (const space of listed(reading, source, found)) found.spaces.push(keep(space));
  } catch (cause) {
    found.unread.push(unreadOf(cause, reading.signal, source));
  }
  return found;
}

async function* listed(
  { client, organization }: Reading,
  { kind, id }: SpaceSource,
  { unread }: Pick<Listed<unknown>, 'unread'>,
): AsyncGenerator<Space> {
  if (kind === 'collection') return yield* client.call(listCollectionSpaces, { path: { collectionId: id } });
  const path = { organizationId: organization };
  if (kind === 'member') {
    const spaces = client.call(listMemberSpaces, { path: { ...path, userId: id } });
    for await (const { space } of spaces) yield space;
    return;
  }
  for await (const item of client.call(listSiteSpaces, { path: { ...path, siteId: id } })) {
    if (item.space !== undefined) yield item.space;
    else unread.push(hidden(item));
  }
}

/** A site lists a space that the token may not see. */
function hidden({ id, title }: { id: string; title: string }): Unread<'site-space'> {
  const error = new DocsError(
    'forbidden',
    'hidden_space',
    'The site lists a space that this token cannot see.',
  );
  return { kind: 'site-space', id, title, error };
}
