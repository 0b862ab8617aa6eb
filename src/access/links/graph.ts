import { defined } from '../../base/values.js';
import { isWhole, spacesOfScope } from '../../snapshot/spaces.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import { AddressBook } from './addresses.js';
import { type DrawnLink, GraphBuilder } from './graph-builder.js';
import { finished } from './graph-finish.js';
import { readSites } from './graph-sites.js';
import { type GraphSpace, graphSpace } from './graph-space.js';
import { type GraphQuestion, type GraphState, KnownPages, type ReadGraph } from './graph-state.js';
import { pagesOn } from './inbound.js';
import { inWindows, linkPages, titled } from './read-links.js';
import { type FoundSpace, idsOf, type Link, toldOf } from './reference.js';
import { targetOf } from './target.js';

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

export function addSpace(
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
export async function drawnOf(state: GraphState, space: string, link: Link): Promise<DrawnLink[]> {
  const { by, book, builder, pages } = state;
  const { status, targetReference: reference } = link;
  const { to, via } = targetOf(link, space, book);
  const { title } = toldOf(reference?.space);
  const named = idsOf(reference).space;
  if (named !== undefined && title !== undefined) builder.name(named, title);
  let told = toldOf(reference?.page ?? reference?.file);
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
