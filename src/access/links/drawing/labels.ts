import { counted } from '../../../output/counted.js';
import { shortTitle } from '../../../output/diagram-text.js';
import type { GraphEdge, GraphNode } from '../graph-shapes.js';
import type { ReadGraph } from '../graph-state.js';

/** What drawings of a graph say; each escapes it for its format. */

/** The lines of a node: its title, and what is to be known of it. */
export function nodeLines({
  kind,
  title,
  space,
  file,
  page,
  path,
  url,
  id,
  state,
  links,
  isolated,
}: GraphNode): string[] {
  const name = title || path || url || page || file || space || id;
  const lines = [shortTitle(kind === 'site' ? `Site: ${name}` : name)];
  if (state === 'missing') lines.push('not found');
  if (state === 'unknown') lines.push('unknown');
  if (links !== undefined && links.broken > 0) lines.push(counted(links.broken, 'broken link'));
  if (isolated === true) lines.push('isolated');
  return lines;
}

/** What stands at an edge: how many links, where they are more than one, and what is wrong with them. */
export function edgeLabel({ kind, count = 1, status, via }: GraphEdge): string {
  if (kind !== 'link') return '';
  const about = status === 'broken' ? 'broken' : via === 'reference' ? '' : 'by address';
  return [count > 1 ? String(count) : '', about].filter(Boolean).join(' ');
}

/** The nodes in each space, where pages are drawn; those of no space, and the spaces themselves, beside them. */
export function clustersOf({ by, nodes }: ReadGraph): {
  alone: GraphNode[];
  clusters: Map<string, GraphNode[]>;
} {
  const clusters = new Map<string, GraphNode[]>();
  if (by === 'space') return { alone: nodes, clusters };
  const alone: GraphNode[] = [];
  for (const node of nodes) {
    if (node.kind === 'site' || node.space === undefined) alone.push(node);
    else clusters.set(node.space, [...(clusters.get(node.space) ?? []), node]);
  }
  return { alone, clusters };
}
