import { defined } from '../../base/values.js';
import type { GraphEdge, GraphFilter, GraphGrain, GraphNode } from './graph-shapes.js';
import type { LinkTarget, LinkVia } from './link-target.js';
import type { FoundPage, FoundSpace, LinkStatus, Told } from './reference.js';

/** A link on one page, to be drawn. */
export interface DrawnLink {
  space: string;
  /** The page that has it, where the platform tells. */
  page: FoundPage | undefined;
  to: LinkTarget;
  via: LinkVia | undefined;
  status: LinkStatus;
  /** What the reference tells of the page or file it leads to. */
  told: Told;
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

  #page(space: string, page: string, { title, path, url }: Told, state: GraphNode['state']): GraphNode {
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
