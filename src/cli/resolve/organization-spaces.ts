import type { Client } from '../../api/client.js';
import { listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';

/**
 * The spaces of an organization. The platform has no such list, so this is a view over others:
 * collections, nested ones included, and sites (command-tree, "Notes").
 */

export type SpacePages = AsyncIterable<SpacePage & { next?: string }>;
type SpacePage = { items: Space[] };
type Limit = { limit?: number };

/** Lists that are asked for at once; more would only wait for each other. */
const listsAhead = 4;

/** All spaces, each once. */
export async function* organizationSpaces(client: Client, organizationId: string): AsyncGenerator<Space> {
  for await (const page of once(spacePagesOf(client, organizationId, {}))) yield* page.items;
}

/** The pages of all lists that hold spaces, one list after the other; a space may come several times. */
export function spacePagesOf(
  client: Client,
  organizationId: string,
  query: Limit,
): AsyncGenerator<SpacePage> {
  return inTurn(listsOfSpaces(client, organizationId, query));
}

async function* listsOfSpaces(
  client: Client,
  organizationId: string,
  query: Limit,
): AsyncGenerator<AsyncIterable<SpacePage>> {
  const path = { organizationId };
  for await (const { id } of client.call(listCollections, { path, query: { ...query, nested: true } })) {
    yield client.call(listCollectionSpaces, { path: { collectionId: id }, query }).pages();
  }
  for await (const { id } of client.call(listSites, { path, query })) {
    yield siteSpaces(client.call(listSiteSpaces, { path: { ...path, siteId: id }, query }).pages());
  }
}

async function* siteSpaces(pages: AsyncIterable<{ items: { space?: Space }[] }>): AsyncGenerator<SpacePage> {
  for await (const { items } of pages) {
    yield { items: items.flatMap(({ space }) => (space === undefined ? [] : [space])) };
  }
}

/** Everything of each list in its turn, while the first pages of the next few lists are on their way. */
async function* inTurn<T>(lists: AsyncGenerator<AsyncIterable<T>>): AsyncGenerator<T> {
  const started: { list: AsyncIterator<T>; first: Promise<IteratorResult<T>> }[] = [];
  for (;;) {
    while (started.length < listsAhead) {
      const next = await lists.next();
      if (next.done) break;
      const list = next.value[Symbol.asyncIterator]();
      const first = list.next();
      first.catch(() => {}); // Awaited below in its turn, unless nobody wants the rest.
      started.push({ list, first });
    }
    const current = started.shift();
    if (current === undefined) return;
    for (let page = await current.first; !page.done; page = await current.list.next()) yield page.value;
  }
}

/**
 * Each space once, and no more than asked for. Where more are left, the last page says so by `next`;
 * to know that, one more page with a new space may be read.
 */
export async function* once(
  pages: AsyncIterable<SpacePage>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<SpacePage & { next?: string }> {
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
