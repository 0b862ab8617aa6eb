import { defined } from '../../base/values.js';
import type { Reading, Unread } from '../../snapshot/unread.js';
import { AddressBook } from './addresses.js';
import { addSpace, drawnOf } from './graph.js';
import { GraphBuilder } from './graph-builder.js';
import { finished } from './graph-finish.js';
import type { GraphGrain } from './graph-shapes.js';
import { readSites } from './graph-sites.js';
import type { GraphSpace } from './graph-space.js';
import { type GraphState, KnownPages, type ReadGraph } from './graph-state.js';
import { type FoundPage, type FoundSpace, type Link, toldOf } from './reference.js';
import { targetOf } from './target.js';

/** A graph with more nodes than this is drawn by space. */
const mostNodes = 100;

/**
 * A graph of the links that something else reads. It reads nothing itself but the sites, whose addresses tell where
 * links lead, and pages that have to be named.
 */
export class DrawnBeside {
  /** By space, and by page while these are few. */
  #states: GraphState[] = [];

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
    if (bySpace !== undefined && reading.organizationId !== '') await readSites(bySpace);
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
    const told = toldOf(reference?.page ?? reference?.file);
    return [{ space, page, ...targetOf(link, space, state.book), status, told }];
  }

  /** @param unread what could not be read: nothing is claimed about it */
  async finish(unread: readonly Unread[]): Promise<ReadGraph> {
    const state = this.#states.at(-1);
    if (state === undefined) return { by: 'space', nodes: [], edges: [], unread: [...unread] };
    for (const { kind, id } of unread) if (kind === 'space') state.builder.space({ id }, 'unknown');
    const known = new Set(unread.map(({ kind, id }) => `${kind} ${id}`));
    // Parts of a check name pages as long as their own graph is small: they may lack some that the whole leaves out.
    const isLeftOut = (code: string) => state.by === 'space' && code === 'not_in_parts';
    const own = state.unread.filter(
      ({ kind, id, error }) => !known.has(`${kind} ${id}`) && !isLeftOut(error.code),
    );
    return finished({ ...state, unread: [...unread, ...own] });
  }
}
