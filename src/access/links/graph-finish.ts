import { defined } from '../../base/values.js';
import { readAll } from '../../jobs/in-order.js';
import type { GraphEdge, GraphNode } from './graph-shapes.js';
import type { GraphState, ReadGraph } from './graph-state.js';

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
