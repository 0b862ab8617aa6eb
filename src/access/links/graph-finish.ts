import { defined } from '../../defined.js';
import { readAll } from '../../jobs/in-order.js';
import type { GraphEdge, GraphNode } from './graph-shapes.js';
import type { GraphState, ReadGraph } from './graph-state.js';

/** Once all links are read: names pages, tells what is missing or isolated, leaves out what was not asked for. */
export async function finished(state: GraphState): Promise<ReadGraph> {
  const { builder, by, filter, unread } = state;
  if (by === 'page') await namePages(state);
  settle(state);
  const edges = [...builder.edges.values()];
  markIsolated(state, edges);
  const isFiltered = filter.from !== undefined || filter.to !== undefined;
  const asked = new Set([...(filter.from ?? []), ...(filter.to ?? [])]);
  const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const holding = new Set([...ends].map((id) => builder.nodes.get(id)?.space));
  const nodes = [...builder.nodes.values()].filter((node) => {
    if (ends.has(node.id)) return true;
    // The space around a page that is drawn.
    if (node.kind === 'space') return !isFiltered || asked.has(node.space ?? '') || holding.has(node.space);
    return node.kind === 'site' && state.whole && !isFiltered;
  });
  return { by, nodes, edges, unread };
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
    if (node.kind !== 'space' && node.kind !== 'address' && node.state !== 'missing' && around !== undefined)
      node.state = around.state;
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
