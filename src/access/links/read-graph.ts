import type { Site } from '../../api/resources/sites.js';
import type { Space } from '../../api/resources/spaces.js';
import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/sequence.js';
import { organization } from '../../snapshot/organization.js';
import { isWhole, spacesOfScope } from '../../snapshot/spaces.js';
import { type Reading, readPartly, type Unread, unreadOf } from '../../snapshot/unread.js';
import {
  type DrawnLink,
  finished,
  GraphBuilder,
  type GraphGrain,
  type GraphQuestion,
  type GraphState,
  KnownPages,
  type ReadGraph,
} from './graph-builder.js';
import { pagesOn } from './inbound.js';
import { inWindows, linkPages, titled } from './read-links.js';
import {
  AddressBook,
  type FoundPage,
  type FoundSpace,
  idsOf,
  type Link,
  resourceNames,
  targetOf,
} from './reference.js';

/** What links to what: spaces, sites, pages, files and anchors. */

type OnSpace = (read: number, of: number) => void;

/**
 * Reads the links of every space in the scope, once, and the sites of the organization.
 * @param onSpace called after each space, with the number read and of all
 * @throws DocsError if no space can be listed, a space of `filter.to` cannot be read, the token is refused, or
 *   the run is interrupted
 */
export async function readGraph(
  reading: Reading,
  { scope, by, filter }: GraphQuestion,
  onSpace: OnSpace = () => {},
): Promise<ReadGraph> {
  const whole = isWhole(scope) && filter.from === undefined;
  const asked = filter.from === undefined ? scope : { spaces: [...filter.from], collections: [], sites: [] };
  const { spaces, unread } = await spacesOfScope<GraphSpace>(reading, asked, graphSpace);
  const state: GraphState = {
    ...{ reading, by, filter, whole, unread: [...unread] },
    builder: new GraphBuilder(by, filter),
    book: new AddressBook(),
    pages: new KnownPages(reading),
  };
  for (const space of spaces) addSpace(state, space);
  // Nothing leads to a space that is not there; its id may be mistyped.
  for (const id of filter.to ?? [])
    if (state.builder.spaceNode(id) === undefined)
      state.builder.space(await titled(reading, { id }), 'outside');
  await readSites(state);
  await readLinksOf(state, spaces, onSpace);
  if (whole) await readFurther(state);
  return finished(state);
}

function addSpace(
  { builder, book }: Pick<GraphState, 'builder' | 'book'>,
  { id, title, app, addresses = [] }: GraphSpace,
): void {
  builder.space(defined({ id, title }), 'read');
  book.addSpace(id, app);
  for (const address of addresses) book.addPublished(address, { kind: 'space', space: id });
}

/** A space that fails half way is unknown; its links until then are drawn. */
async function readLinksOf(
  state: GraphState,
  spaces: readonly FoundSpace[],
  onSpace: OnSpace,
): Promise<void> {
  const { reading, builder, unread } = state;
  let read = 0;
  const look = async ({ id, title }: FoundSpace): Promise<Unread | undefined> => {
    let space = defined({ id, title });
    try {
      space = await titled(reading, space);
      builder.space(space, 'read');
      for await (const { items } of linkPages(reading, id))
        for (const link of items) for (const drawn of await drawnOf(state, id, link)) builder.add(drawn);
      return undefined;
    } catch (cause) {
      return unreadOf(cause, reading.signal, { kind: 'space', ...space });
    }
  };
  for await (const failed of inWindows(reading, spaces, look)) {
    read += 1;
    if (failed !== undefined) {
      unread.push(failed);
      builder.space({ id: failed.id }, 'unknown');
    }
    onSpace(read, spaces.length);
  }
}

/** A link as often as pages have it. */
async function drawnOf(state: GraphState, space: string, link: Link): Promise<DrawnLink[]> {
  const { by, book, builder, pages } = state;
  const { status, targetReference: reference } = link;
  const { to, via } = targetOf(link, space, book);
  const { title } = resourceNames(reference?.space);
  const named = idsOf(reference).space;
  if (named !== undefined && title !== undefined) builder.name(named, title);
  let told = resourceNames(reference?.page ?? reference?.file);
  if (by === 'page' && to.page === undefined && to.path !== undefined && to.space !== undefined) {
    const page = await pages.at(to.space, to.path);
    if (page !== undefined) {
      to.page = page.id;
      told = page;
    }
  }
  return pagesOn(link).map((page) => ({ space, page, to, via, status, told }));
}

/** Spaces that no list has and that links lead to: they exist, so their links count. */
async function readFurther(state: GraphState): Promise<void> {
  const seen = new Set<string>();
  for (;;) {
    const further = [...state.builder.nodes.values()].flatMap(({ kind, state: is, space, title }) =>
      kind === 'space' && is === 'outside' && space !== undefined && !seen.has(space)
        ? defined({ id: space, title })
        : [],
    );
    if (further.length === 0) return;
    for (const { id } of further) seen.add(id);
    await readLinksOf(state, further, () => {});
  }
}

/** Reads which spaces the sites of the organization publish, and at which addresses. */
async function readSites(state: GraphState): Promise<void> {
  const { reading, builder, book } = state;
  const what = { kind: 'sites', id: reading.organizationId };
  const { items: sites, unread } = await readPartly(organization(reading).sites(), reading, what);
  addUnread(state, unread);
  for (const { id, title, urls } of sites) {
    builder.site({ id, title, url: urls?.published });
    if (urls?.published !== undefined) book.addPublished(urls.published, { kind: 'site', site: id });
  }
  await readAll(reading, sites, (site) => readSiteSpaces(state, site));
}

async function readSiteSpaces(state: GraphState, { id: siteId, title }: Site): Promise<void> {
  const { reading, builder, book, whole } = state;
  const what = { kind: 'site', id: siteId, title };
  const list = organization(reading).site(siteId).siteSpaces();
  const { items, unread } = await readPartly(list, reading, what);
  for (const siteSpace of items) {
    const { id, space, urls } = siteSpace;
    if (space === undefined) {
      // The lists of the whole organization have reported it.
      if (whole) builder.publishesHidden(siteId, siteSpace);
      continue;
    }
    builder.name(space.id, space.title);
    book.addSpace(space.id, space.urls?.app);
    if (urls?.published !== undefined) book.addPublished(urls.published, { kind: 'space', space: space.id });
    if (builder.spaceNode(space.id) !== undefined) builder.publishes(siteId, space.id, id);
  }
  addUnread(state, unread);
}

/** The same list may have failed before. */
function addUnread({ unread }: GraphState, more: readonly Unread[]): void {
  for (const one of more)
    if (!unread.some(({ kind, id }) => kind === one.kind && id === one.id)) unread.push(one);
}

/** What is kept of a space to draw it. */
export interface GraphSpace extends FoundSpace {
  /** The collection that it is in. */
  parent?: string;
  app?: string;
  /** Of its readers. */
  addresses?: readonly string[];
}

export function graphSpace({ id, title, urls, parent }: Space): GraphSpace {
  const addresses = [urls?.published, urls?.public].filter((url) => url !== undefined);
  return defined({ id, title, app: urls?.app, addresses, parent });
}

/** A graph with more nodes than this is drawn by space. */
const mostNodes = 100;

/**
 * A graph of the links that something else reads. It reads nothing itself but the sites, whose addresses tell where
 * links lead, the collections, and pages that have to be named.
 */
export class DrawnBeside {
  /** By space, and by page while these are few. */
  #states: GraphState[] = [];
  /** Titles of the outermost collections, by the ids of the spaces in them; only the picture needs them. */
  #groups: ReadonlyMap<string, string> = new Map();

  /** @param whole whether the spaces are all of the organization @throws DocsError if the token is refused */
  async begin(reading: Reading, spaces: readonly GraphSpace[], whole: boolean): Promise<void> {
    const [book, pages, unread] = [new AddressBook(), new KnownPages(reading), [] as Unread[]];
    const state = (by: GraphGrain): GraphState => ({
      ...{ reading, by, filter: {}, whole, unread, book, pages },
      builder: new GraphBuilder(by, {}),
    });
    this.#states = [state('space'), state('page')];
    for (const one of this.#states) for (const space of spaces) addSpace(one, space);
    const [bySpace] = this.#states;
    if (bySpace !== undefined && reading.organizationId !== '') {
      await readSites(bySpace);
      this.#groups = await readGroups(reading, spaces);
    }
    for (const { kind, site, title = '', url } of bySpace?.builder.nodes.values() ?? [])
      if (kind === 'site' && site !== undefined)
        for (const { builder } of this.#states) builder.site({ id: site, title, url });
  }

  /**
   * Draws what was read of a space.
   * @param page that all of these links are on; else their references tell it
   */
  async add({ id, title }: FoundSpace, links: readonly Link[], page?: FoundPage): Promise<void> {
    for (const { builder } of this.#states) builder.space(defined({ id, title }), 'read');
    for (const link of links) {
      const [bySpace, byPage] = this.#states;
      if (bySpace === undefined) return;
      for (const drawn of await this.#drawn(byPage ?? bySpace, id, link, page))
        for (const { builder } of this.#states) builder.add(drawn);
      if (byPage !== undefined && byPage.builder.nodes.size > mostNodes) this.#states = [bySpace];
    }
  }

  async #drawn(state: GraphState, space: string, link: Link, page: FoundPage | undefined) {
    if (page === undefined) return drawnOf(state, space, link);
    const { status, targetReference: reference } = link;
    const told = resourceNames(reference?.page ?? reference?.file);
    return [{ space, page, ...targetOf(link, space, state.book), status, told }];
  }

  /** @param unread what could not be read: nothing is claimed about it */
  async finish(unread: readonly Unread[]): Promise<GroupedGraph> {
    const groups = this.#groups;
    const state = this.#states.at(-1);
    if (state === undefined) return { by: 'space', nodes: [], edges: [], unread: [...unread], groups };
    for (const { kind, id } of unread) if (kind === 'space') state.builder.space({ id }, 'unknown');
    const known = new Set(unread.map(({ kind, id }) => `${kind} ${id}`));
    // Parts of a check name pages as long as their own graph is small: they may lack some that the whole leaves out.
    const isLeftOut = (code: string) => state.by === 'space' && code === 'not_in_parts';
    const own = state.unread.filter(
      ({ kind, id, error }) => !known.has(`${kind} ${id}`) && !isLeftOut(error.code),
    );
    return { ...(await finished({ ...state, unread: [...unread, ...own] })), groups };
  }
}

/** A graph with what its spaces are in. */
export interface GroupedGraph extends ReadGraph {
  /** Title of the outermost collection of a space, by the id of the space. */
  groups?: ReadonlyMap<string, string>;
}

async function readGroups(
  reading: Reading,
  spaces: readonly GraphSpace[],
): Promise<ReadonlyMap<string, string>> {
  const what = { kind: 'collections', id: reading.organizationId };
  const { items } = await readPartly(organization(reading).collections(), reading, what);
  const known = new Map(items.map((one) => [one.id, one]));
  const outermost = (id: string | undefined, depth = 0): string | undefined => {
    const one = depth > known.size || id === undefined ? undefined : known.get(id);
    return one && (outermost(one.parent, depth + 1) ?? one.title);
  };
  return new Map(
    spaces.flatMap(({ id, parent }) => {
      const title = outermost(parent);
      return title === undefined ? [] : [[id, title] as const];
    }),
  );
}
