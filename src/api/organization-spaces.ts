import type { Client } from './client.js';
import { listCollectionSpaces, listCollections } from './resources/collections.js';
import { listMemberSpaces } from './resources/members.js';
import { listSiteSpaces } from './resources/site-spaces.js';
import { listSites } from './resources/sites.js';
import type { Space } from './resources/spaces.js';

/**
 * The spaces of an organization. The platform has no such list, so this is a view over others:
 * collections, nested ones included, and sites (command-tree, "Notes").
 */

export interface SpaceSource {
  kind: 'collection' | 'site' | 'member';
  id: string;
  title?: string;
}

export interface SpacePage {
  items: Space[];
  /** Spaces of a site that the token cannot see. */
  hidden?: { id: string; title: string }[];
  next?: string;
}

type Query = { limit?: number };

/** Lists that are asked for at once; more would only wait for each other. */
const listsAhead = 4;

/** All spaces, each once. */
export async function* organizationSpaces(client: Client, organizationId: string): AsyncGenerator<Space> {
  for await (const page of once(spacePagesOf(client, organizationId))) yield* page.items;
}

/** The pages of all lists that hold spaces, one list after the other; a space may come several times. */
export async function* spacePagesOf(
  client: Client,
  organizationId: string,
  query: Query = {},
): AsyncGenerator<SpacePage> {
  yield* inTurn(allSources(client, organizationId, query), (source) =>
    spacesIn(client, organizationId, source, query),
  );
}

/** Every collection, nested ones included, then every site. */
export async function* allSources(
  client: Client,
  organizationId: string,
  query: Query = {},
): AsyncGenerator<SpaceSource> {
  const path = { organizationId };
  for await (const { id, title } of client.call(listCollections, { path, query: { ...query, nested: true } }))
    yield { kind: 'collection', id, title };
  for await (const { id, title } of client.call(listSites, { path, query }))
    yield { kind: 'site', id, title };
}

/** The pages of one source. */
export async function* spacesIn(
  client: Client,
  organizationId: string,
  { kind, id }: SpaceSource,
  query: Query = {},
): AsyncGenerator<SpacePage> {
  if (kind === 'collection')
    return yield* client.call(listCollectionSpaces, { path: { collectionId: id }, query }).pages();
  if (kind === 'member') {
    const path = { organizationId, userId: id };
    for await (const { items } of client.call(listMemberSpaces, { path, query }).pages())
      yield { items: items.map(({ space }) => space) };
    return;
  }
  const path = { organizationId, siteId: id };
  for await (const { items } of client.call(listSiteSpaces, { path, query }).pages()) {
    const hidden = items.filter(({ space }) => space === undefined);
    yield { items: items.flatMap(({ space }) => space ?? []), hidden };
  }
}

/** The pages of each source in its turn, while the first pages of the next few are on their way. */
async function* inTurn(
  sources: AsyncGenerator<SpaceSource>,
  open: (source: SpaceSource) => AsyncGenerator<SpacePage>,
): AsyncGenerator<SpacePage> {
  const started: { pages: AsyncGenerator<SpacePage>; first: Promise<IteratorResult<SpacePage>> }[] = [];
  for (;;) {
    while (started.length < listsAhead) {
      const next = await sources.next();
      if (next.done) break;
      const pages = open(next.value);
      const first = pages.next();
      first.catch(() => {}); // Awaited below in its turn, unless nobody wants the rest.
      started.push({ pages, first });
    }
    const current = started.shift();
    if (current === undefined) return;
    for (let page = await current.first; !page.done; page = await current.pages.next()) yield page.value;
  }
}

/**
 * Each space once, and no more than asked for. Where more are left, the last page says so by `next`;
 * to know that, one more page with a new space may be read.
 */
export async function* once(
  pages: AsyncIterable<SpacePage>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<SpacePage> {
  const seen = new Set<string>();
  let held: Space[] | undefined;
  for await (const { items } of pages) {
    const fresh = items.filter(({ id }) => !seen.has(id) && seen.add(id));
    if (fresh.length === 0) continue;
    if (held !== undefined) {
      yield { items: held, next: 'more' };
      return;
    }
    const before = seen.size - fresh.length;
    if (seen.size > most) {
      yield { items: fresh.slice(0, most - before), next: 'more' };
      return;
    }
    if (seen.size === most) held = fresh;
    else yield { items: fresh };
  }
  if (held !== undefined) yield { items: held };
}
