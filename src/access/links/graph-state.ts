import type { Scope } from '../../snapshot/spaces.js';
import type { Reading, Unread } from '../../snapshot/unread.js';
import type { AddressBook } from './addresses.js';
import type { GraphBuilder } from './graph-builder.js';
import type { GraphEdge, GraphFilter, GraphGrain, GraphNode } from './graph-shapes.js';
import { pagesOf } from './read-links.js';
import type { FoundPage } from './reference.js';

export interface GraphQuestion {
  /** The spaces whose links are read; those of `filter.from` where it is given. */
  scope: Scope;
  by: GraphGrain;
  filter: GraphFilter;
}

export interface ReadGraph {
  by: GraphGrain;
  nodes: GraphNode[];
  edges: GraphEdge[];
  unread: Unread[];
}

/** What a graph is made of while it is read. */
export interface GraphState extends Omit<GraphQuestion, 'scope'> {
  reading: Reading;
  builder: GraphBuilder;
  book: AddressBook;
  unread: Unread[];
  /** Whether the spaces of the whole organization are read. */
  whole: boolean;
  pages: KnownPages;
}

/** The pages of spaces, read when they are needed, once. */
export class KnownPages {
  readonly #reading: Reading;
  readonly #bySpace = new Map<string, Promise<ReadonlyMap<string, FoundPage>>>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** By id; empty if they cannot be read. */
  of(space: string): Promise<ReadonlyMap<string, FoundPage>> {
    const pages = this.#bySpace.get(space) ?? pagesOf(this.#reading, space);
    this.#bySpace.set(space, pages);
    return pages;
  }

  async at(space: string, path: string): Promise<FoundPage | undefined> {
    const pages = await this.of(space);
    return [...pages.values()].find((page) => page.path === path);
  }
}
