import { type Static, Type } from '../../api/type.js';
import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/sequence.js';
import { closed, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';
import type { Scope } from '../../snapshot/spaces.js';
import type { Reading, Unread } from '../../snapshot/unread.js';
import { pagesOf } from './read-links.js';
import {
  type AddressBook,
  type FoundPage,
  type FoundSpace,
  type LinkStatus,
  type LinkTarget,
  type LinkVia,
  linkStatuses,
  type ResourceNames,
} from './reference.js';

/** What a link graph is made of. */

/** Which links are drawn: by the spaces that they come from and lead to. Links within a space are not. */
interface GraphFilter {
  from?: ReadonlySet<string>;
  to?: ReadonlySet<string>;
}

export const graphGrains = ['space', 'page'] as const;
export type GraphGrain = (typeof graphGrains)[number];

const nodeStates = ['read', 'outside', 'unknown', 'missing'] as const;

export const GraphNode = closed({
  id: Type.String({ description: 'Kind and ids: space:s1, page:s1/p1, anchor:s1/p1#limits' }),
  kind: oneOf('space', 'site', 'page', 'file', 'anchor', 'address'),
  title: maybe,
  state: Type.Unsafe<(typeof nodeStates)[number]>({
    enum: nodeStates,
    description:
      'read: its links are in the graph; outside: not asked for; unknown: could not be read; missing: not there',
  }),
  space: Type.Optional(Type.String({ description: 'Space that it is or is in, by id' })),
  spaceTitle: maybe,
  site: maybe,
  page: maybe,
  file: maybe,
  anchor: maybe,
  path: maybe,
  url: maybe,
  links: Type.Optional(closed({ total: Type.Integer(), broken: Type.Integer(), within: Type.Integer() })),
  isolated: Type.Optional(
    Type.Boolean({ description: 'A space that no link joins to another, and no site publishes' }),
  ),
});
export type GraphNode = Static<typeof GraphNode>;

export const GraphEdge = closed({
  from: text,
  to: text,
  kind: Type.Unsafe<'link' | 'publishes' | 'contains'>({
    enum: ['link', 'publishes', 'contains'],
    description: 'link; publishes: a site and a space on it; contains: a page and an anchor in it',
  }),
  status: Type.Optional(stateOf(...linkStatuses)),
  via: Type.Optional(oneOf('reference', 'app-address', 'published-address')),
  count: Type.Optional(Type.Integer({ description: 'Links in this edge' })),
  siteSpaces: Type.Optional(Type.Array(text)),
});
export type GraphEdge = Static<typeof GraphEdge>;

/** What was not read: nothing is claimed about its links. */
const GraphUnread = closed({ kind: text, id: text, title: maybe, space: maybe, error: Type.Object({}) });

export const LinkGraph = closed({
  by: oneOf(...graphGrains),
  nodes: Type.Array(GraphNode),
  edges: Type.Array(GraphEdge),
  unread: Type.Array(GraphUnread),
});

/** Puts a graph of links together while they are read, and finishes it once all are. */

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

/** Once all links are read: names pages, tells what is missing or isolated, leaves out what was not asked for. */
export async function finished(state: GraphState): Promise<ReadGraph> {
  const { builder, by, filter, unread } = state;
  if (by === 'page') await namePages(state);
  settle(state);
  const all = inOrder([...builder.nodes.values()]);
  const edges = edgesInOrder([...builder.edges.values()], all);
  markIsolated(state, edges);
  const isFiltered = filter.from !== undefined || filter.to !== undefined;
  const asked = new Set([...(filter.from ?? []), ...(filter.to ?? [])]);
  const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const holding = new Set([...ends].map((id) => builder.nodes.get(id)?.space));
  const nodes = all.filter((node) => {
    if (ends.has(node.id)) return true;
    // The space around a page that is drawn.
    if (node.kind === 'space') return !isFiltered || asked.has(node.space ?? '') || holding.has(node.space);
    return node.kind === 'site' && state.whole && !isFiltered;
  });
  return { by, nodes, edges, unread };
}

const kinds: readonly GraphNode['kind'][] = ['site', 'space', 'page', 'anchor', 'file', 'address'];

/** Spaces are read at once, so links come in any order: what they add is ordered by kind, space and path. */
function inOrder(nodes: readonly GraphNode[]): GraphNode[] {
  const keyOf = ({ kind, space = '', path = '', id }: GraphNode) =>
    [space, path, kinds.indexOf(kind), id].join('\n');
  const isListed = ({ kind, state }: GraphNode) =>
    kind === 'site' || (kind === 'space' && state !== 'missing');
  const others = nodes.filter((node) => !isListed(node)).map((node) => ({ node, key: keyOf(node) }));
  others.sort((a, b) => (a.key < b.key ? -1 : 1));
  return [...nodes.filter(isListed), ...others.map(({ node }) => node)];
}

/** Links, then the rest, each from and to the nodes in their order. */
function edgesInOrder(edges: readonly GraphEdge[], nodes: readonly GraphNode[]): GraphEdge[] {
  const place = new Map(nodes.map(({ id }, index) => [id, String(index).padStart(9, '0')]));
  const keyOf = ({ kind, from, to, status, via }: GraphEdge) =>
    [kind === 'link' ? 0 : 1, place.get(from), place.get(to), kind, status, via].join('\n');
  const keyed = edges.map((edge) => ({ edge, key: keyOf(edge) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ edge }) => edge);
}

/** Reads the pages of spaces where references gave ids alone. */
async function namePages({ reading, builder, pages }: GraphState): Promise<void> {
  const nameless = [...builder.nodes.values()].filter(
    ({ kind, title, state }) => kind === 'page' && title === undefined && state !== 'missing',
  );
  const spaces = [...new Set(nameless.flatMap(({ space }) => space ?? []))];
  const isRead = (id: string) => builder.spaceNode(id)?.state === 'read';
  await readAll(reading, spaces.filter(isRead), (space) => pages.of(space));
  for (const node of nameless) {
    const page = isRead(node.space ?? '')
      ? (await pages.of(node.space ?? '')).get(node.page ?? '')
      : undefined;
    if (page !== undefined)
      Object.assign(node, defined({ title: page.title, path: page.path, url: page.url }));
  }
}

/** What is in a space is known as the space is; a space that no complete list has is missing. */
function settle({ builder, whole, unread }: GraphState): void {
  const isComplete = whole && unread.length === 0;
  for (const node of builder.nodes.values())
    if (node.kind === 'space' && node.state === 'missing' && !isComplete) node.state = 'unknown';
  for (const node of builder.nodes.values()) {
    const around = node.space === undefined ? undefined : builder.spaceNode(node.space);
    if (node.kind === 'space' || around === undefined) continue;
    if (around.title !== undefined) node.spaceTitle = around.title;
    if (node.kind !== 'address' && node.state !== 'missing') node.state = around.state;
  }
}

/** Marks the spaces that nothing joins to another one. Where links were not read, that is not known. */
function markIsolated({ builder, filter, whole, unread }: GraphState, edges: readonly GraphEdge[]): void {
  if (!whole || unread.length > 0 || filter.to !== undefined) return;
  const joined = new Set<string | undefined>();
  for (const { from, to, kind } of edges) {
    const [one, other]: (GraphNode | undefined)[] = [builder.nodes.get(from), builder.nodes.get(to)];
    if (kind !== 'publishes' && one?.space === other?.space) continue;
    joined.add(one?.space);
    joined.add(other?.space);
  }
  for (const node of builder.nodes.values())
    if (node.kind === 'space' && node.state === 'read' && !joined.has(node.space)) node.isolated = true;
}

/** A link on one page, to be drawn. */
export interface DrawnLink {
  space: string;
  /** The page that has it, where the platform tells. */
  page: FoundPage | undefined;
  to: LinkTarget;
  via: LinkVia | undefined;
  status: LinkStatus;
  /** What the reference tells of the page or file it leads to. */
  told: ResourceNames;
}

/** Puts nodes and edges together while links are read; keeps no link, only counts. */
export class GraphBuilder {
  readonly nodes = new Map<string, GraphNode>();
  readonly edges = new Map<string, GraphEdge>();
  readonly #by: GraphGrain;
  readonly #filter: GraphFilter;
  /** Of spaces that may be drawn later. */
  readonly #titles = new Map<string, string>();

  constructor(by: GraphGrain, filter: GraphFilter) {
    this.#by = by;
    this.#filter = filter;
  }

  /** Draws a space, or changes what is known of it. */
  space({ id, title }: FoundSpace, state: GraphNode['state']): GraphNode {
    if (title !== undefined) this.name(id, title);
    const name = this.#titles.get(id);
    const node = this.#node(
      defined({ id: `space:${id}`, kind: 'space' as const, title: name, space: id, state }),
    );
    return Object.assign(node, { state });
  }

  spaceNode(id: string): GraphNode | undefined {
    return this.nodes.get(`space:${id}`);
  }

  /** Keeps the title of a space, whether it is drawn or not. */
  name(id: string, title: string): void {
    this.#titles.set(id, title);
    const node = this.spaceNode(id);
    if (node !== undefined) node.title = title;
  }

  site({ id, title, url }: { id: string; title: string; url: string | undefined }): void {
    this.#node(
      defined({ id: `site:${id}`, kind: 'site' as const, title, site: id, url, state: 'read' as const }),
    );
  }

  /** A site shows a space. */
  publishes(site: string, space: string, siteSpace: string): void {
    const { from, to } = this.#filter;
    if (from === undefined && (to === undefined || to.has(space)))
      this.#publishes(site, `space:${space}`, siteSpace);
  }

  /** A site shows a space that the token cannot see; the site space stands for it. */
  publishesHidden(site: string, { id, title }: { id: string; title: string }): void {
    if (this.#filter.from !== undefined || this.#filter.to !== undefined) return;
    const node = this.#node({ id: `site-space:${id}`, kind: 'space', title, state: 'unknown' });
    this.#publishes(site, node.id, id);
  }

  #publishes(site: string, to: string, siteSpace: string): void {
    const edge = this.#edge({ from: `site:${site}`, to, kind: 'publishes' });
    edge.siteSpaces = [...(edge.siteSpaces ?? []), siteSpace];
  }

  /** Counts a link, and draws it where what it leads to is known, or where it leads nowhere. */
  add(link: DrawnLink): void {
    const { space, to, status, via } = link;
    this.#count(link);
    if (!this.#isAsked(space, to)) return;
    const target = this.#target(link);
    if (target === undefined) return;
    const source = this.#source(link);
    if (source.id === target.id) return;
    const edge = this.#edge(defined({ from: source.id, to: target.id, kind: 'link' as const, status, via }));
    edge.count = (edge.count ?? 0) + 1;
  }

  #count({ space, to, status }: DrawnLink): void {
    const node = this.spaceNode(space) ?? this.space({ id: space }, 'read');
    node.links ??= { total: 0, broken: 0, within: 0 };
    node.links.total += 1;
    if (status === 'broken') node.links.broken += 1;
    if (to.space === space) node.links.within += 1;
  }

  #isAsked(space: string, { space: target, site }: LinkTarget): boolean {
    const { from, to } = this.#filter;
    if (from === undefined && to === undefined) return true;
    if (space === target || (from !== undefined && !from.has(space))) return false;
    return to === undefined ? target !== undefined || site !== undefined : to.has(target ?? '');
  }

  #source({ space, page }: DrawnLink): GraphNode {
    const node = this.spaceNode(space) ?? this.space({ id: space }, 'read');
    return this.#by === 'space' || page === undefined ? node : this.#page(space, page.id, page, 'read');
  }

  /** Undefined for what is elsewhere on the web, or not known. */
  #target({ space: from, to, status, told }: DrawnLink): GraphNode | undefined {
    const { space, site, page, file, anchor, path = '', url } = to;
    if (site !== undefined) return this.nodes.get(`site:${site}`);
    if (space === undefined) return status === 'broken' ? this.#nowhere(from, url) : undefined;
    const inSpace = this.#linkedSpace(space, status);
    if (this.#by === 'space' || to.kind === 'space') return inSpace;
    const state = status === 'broken' ? 'missing' : inSpace.state;
    if (file !== undefined) {
      const id = `file:${space}/${file}`;
      return this.#node(defined({ id, kind: 'file' as const, title: told.name, space, file, state }));
    }
    // An address whose path matched a known page would carry the page's id.
    const placed =
      page === undefined
        ? this.#node({ id: `address:${space}/${path}`, kind: 'address', space, path, state: 'unknown' })
        : this.#page(space, page, told, state);
    return anchor === undefined ? placed : this.#anchor(placed, anchor);
  }

  /** The space that a link leads to. Whether one is missing is known once all lists are read. */
  #linkedSpace(id: string, status: LinkStatus): GraphNode {
    const known = this.spaceNode(id);
    if (known === undefined) return this.space({ id }, status === 'broken' ? 'missing' : 'outside');
    if (known.state === 'missing' && status !== 'broken') known.state = 'outside';
    return known;
  }

  #page(
    space: string,
    page: string,
    { title, path, url }: ResourceNames,
    state: GraphNode['state'],
  ): GraphNode {
    const node = this.#node({ id: `page:${space}/${page}`, kind: 'page', space, page, state });
    const news = { title: node.title ?? title, path: node.path ?? path, url: node.url ?? url };
    return Object.assign(node, defined(news));
  }

  #anchor({ id: inPage, space = '', page, path, state }: GraphNode, anchor: string): GraphNode {
    const id = `anchor:${space}/${page ?? path ?? ''}#${anchor}`;
    const node = this.#node(
      defined({ id, kind: 'anchor' as const, title: `#${anchor}`, space, page, anchor, state }),
    );
    this.#edge({ from: inPage, to: id, kind: 'contains' });
    return node;
  }

  /** The target of a broken link that is known only by how the link is written. */
  #nowhere(space: string, url: string | undefined): GraphNode | undefined {
    if (this.#by === 'space') return undefined;
    const id = `address:${space}/${url ?? ''}`;
    return this.#node(
      defined({ id, kind: 'address' as const, title: url, space, url, state: 'missing' as const }),
    );
  }

  #node(node: GraphNode): GraphNode {
    const known = this.nodes.get(node.id);
    if (known === undefined) this.nodes.set(node.id, node);
    return known ?? node;
  }

  #edge(edge: GraphEdge): GraphEdge {
    const { from, to, kind, status, via } = edge;
    const key = JSON.stringify([from, to, kind, status, via]);
    const known = this.edges.get(key);
    if (known === undefined) this.edges.set(key, edge);
    return known ?? edge;
  }
}
