import { defined } from '../../base/values.js';
import { type Diagram, type DiagramEdge, type DiagramNode, shortTitle } from '../../document/diagram.js';
import { counted } from '../../output/text.js';
import type { GraphEdge, GraphNode } from './graph-shapes.js';
import type { ReadGraph } from './graph-state.js';

/** A link graph as a diagram: where pages are drawn, those of a space stand together. */
export function linkDiagram({ by, nodes, edges }: ReadGraph): Diagram {
  const clusterOf = ({ kind, space }: GraphNode) => (by === 'space' || kind === 'site' ? undefined : space);
  const spaces = nodes.filter(({ kind }) => kind === 'space');
  return {
    name: 'links',
    nodes: nodes.map((node): DiagramNode => {
      const { id, kind, state } = node;
      const colour = state === 'read' ? undefined : state;
      const lines = linesOf(node);
      return defined({
        id,
        lines,
        shape: shapes[kind],
        brackets: brackets[kind],
        colour,
        cluster: clusterOf(node),
      });
    }),
    edges: edges.map((edge): DiagramEdge => {
      const { from, to, kind, status } = edge;
      return { from, to, kind, label: labelOf(edge), isBroken: status === 'broken' };
    }),
    clusters: new Map(spaces.toReversed().map((node) => [node.space ?? '', linesOf(node).slice(0, 1)])),
  };
}

const shapes: Partial<Record<GraphNode['kind'], string>> = {
  site: 'house',
  file: 'note',
  anchor: 'cds',
  address: 'plaintext',
};

const brackets: Partial<Record<GraphNode['kind'], readonly [string, string]>> = {
  site: ['([', '])'],
  anchor: ['>', ']'],
};

/** The lines of a node: its title, and what is to be known of it. */
function linesOf({
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
function labelOf({ kind, count = 1, status, via }: GraphEdge): string {
  if (kind !== 'link') return '';
  const about = status === 'broken' ? 'broken' : via === 'reference' ? '' : 'by address';
  return [count > 1 ? String(count) : '', about].filter(Boolean).join(' ');
}
