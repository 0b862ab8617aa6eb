import { DocsError } from '../base/errors.js';
import { isObject } from '../base/values.js';
import type { Client } from './client.js';
import { listCollectionSpaces, listCollections } from './resources/collections.js';
import { listMemberSpaces, listMembers } from './resources/members.js';
import { listSiteSpaces } from './resources/site-spaces.js';
import { listSites } from './resources/sites.js';
import type { Space } from './resources/spaces.js';

/**
 * The spaces of an organization. The platform has no such list, so this is a view over others: collections,
 * nested ones included, sites, and what some administrators can access (command-tree, "Notes").
 */

export interface SpaceSource {
  kind: 'collection' | 'site' | 'member';
  id: string;
  title?: string;
}

/** What the token may not see: a space of a site, or a list that spaces in no other list would be in. */
export interface Missed {
  kind: 'site-space' | 'administrators' | 'member';
  id: string;
  title?: string;
}

export interface SpacePage {
  items: Space[];
  /** Spaces of a site that the token cannot see. */
  hidden?: { id: string; title: string }[];
  next?: string;
}

/** What reading the spaces of an organization sends, for the declarations of commands that do. */
export const spaceListOperations = [
  listCollections,
  listCollectionSpaces,
  listSites,
  listSiteSpaces,
  listMembers,
  listMemberSpaces,
];

type Query = { limit?: number };

/** Lists that are asked for at once; more would only wait for each other. */
const listsAhead = 4;

/** How many administrators are asked for their spaces; one would do if each sees all. */
const mostAdmins = 3;

/** All spaces, each once. */
export async function* organizationSpaces(client: Client, organizationId: string): AsyncGenerator<Space> {
  for await (const page of once(spacePagesOf(client, organizationId))) yield* page.items;
}

/**
 * The pages of all lists that hold spaces, one list after the other; a space may come several times.
 * @param onMissed called with what the token may not see
 */
export async function* spacePagesOf(
  client: Client,
  organizationId: string,
  query: Query = {},
  onMissed: (missed: Missed) => void = () => {},
): AsyncGenerator<SpacePage> {
  const pagesIn = async function* (source: SpaceSource): AsyncGenerator<SpacePage> {
    const pages = spacesIn(client, organizationId, source, query);
    const { kind } = source;
    if (kind === 'member') {
      const missed = () => onMissed({ ...source, kind });
      for await (const { items } of unlessRefused(pages, missed))
        yield { items: items.map(withoutPermissions) };
      return;
    }
    for await (const page of pages) {
      for (const space of page.hidden ?? []) onMissed({ kind: 'site-space', ...space });
      yield page;
    }
  };
  const refused = () => onMissed({ kind: 'administrators', id: organizationId });
  yield* inTurn(allSources(client, organizationId, query, refused), pagesIn);
}

/** In the list of a member, permissions are those of the member, not of the caller. */
export function withoutPermissions({ permissions: _, ...space }: Space): Space {
  return space;
}

/** The lists of lists that hold spaces. Collections include nested ones. */
export const sourceLists = {
  async *collections(client: Client, organizationId: string, query: Query = {}): AsyncGenerator<SpaceSource> {
    const input = { path: { organizationId }, query: { ...query, nested: true } };
    for await (const { id, title } of client.call(listCollections, input))
      yield { kind: 'collection', id, title };
  },
  async *sites(client: Client, organizationId: string, query: Query = {}): AsyncGenerator<SpaceSource> {
    for await (const { id, title } of client.call(listSites, { path: { organizationId }, query }))
      yield { kind: 'site', id, title };
  },
  /** Some administrators: their lists hold the spaces that are in no collection and no site. */
  async *administrators(client: Client, organizationId: string): AsyncGenerator<SpaceSource> {
    const input = { path: { organizationId }, query: { role: 'admin' as const } };
    let left = mostAdmins;
    for await (const { id, role, user } of client.call(listMembers, input)) {
      if (role !== 'admin') continue; // The platform may ignore the filter.
      yield { kind: 'member', id, title: user.displayName };
      left -= 1;
      if (left === 0) return;
    }
  },
} as const;

/** Every collection, then every site, then some administrators, if the token may see them. */
async function* allSources(
  client: Client,
  organizationId: string,
  query: Query,
  onRefused: () => void,
): AsyncGenerator<SpaceSource> {
  yield* sourceLists.collections(client, organizationId, query);
  yield* sourceLists.sites(client, organizationId, query);
  yield* unlessRefused(sourceLists.administrators(client, organizationId), onRefused);
}

/** Ends where the token may not read further. @throws every other failure */
async function* unlessRefused<T>(items: AsyncIterable<T>, onRefused: () => void): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (cause) {
    if (!(cause instanceof DocsError) || !['forbidden', 'not-found'].includes(cause.kind)) throw cause;
    onRefused();
  }
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
      yield { items: items.map((item) => inItem(item, 'space').space) };
    return;
  }
  const path = { organizationId, siteId: id };
  for await (const { items } of client.call(listSiteSpaces, { path, query }).pages()) {
    const hidden = items.filter((item) => inItem(item, 'site space').space === undefined);
    yield { items: items.flatMap(({ space }) => space ?? []), hidden };
  }
}

/** @throws DocsError bad-response where what the platform listed cannot hold a space */
function inItem<T extends object>(item: T, noun: string): T {
  if (isObject(item)) return item;
  const message = `the platform listed a ${noun} that is not an object`;
  throw new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done', hint: 'docs doctor' });
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
