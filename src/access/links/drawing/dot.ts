import { dotText } from '../../../output/diagram-text.js';
import type { GraphEdge, GraphNode } from '../graph-shapes.js';
import type { ReadGraph } from '../graph-state.js';
import { clustersOf, edgeLabel, nodeLines } from './labels.js';

/** A graph for Graphviz. */
export function* dot(graph: ReadGraph): Generator<string> {
  yield 'digraph links {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname="sans-serif"];\n';
  yield '  edge [fontname="sans-serif", fontsize=10];\n';
  const { alone, clusters } = clustersOf(graph);
  for (const node of alone) yield `  ${nodeOf(node)}\n`;
  let number = 0;
  for (const [space, nodes] of clusters) {
    number += 1;
    const around = nodes.find(({ kind }) => kind === 'space');
    const label = around === undefined ? dotText([space]) : dotText(nodeLines(around).slice(0, 1));
    yield `  subgraph cluster_${number} {\n    label=${label};\n`;
    for (const node of nodes) yield `    ${nodeOf(node)}\n`;
    yield '  }\n';
  }
  for (const edge of graph.edges) yield `  ${edgeOf(edge)}\n`;
  yield '}\n';
}

const shapes: Partial<Record<GraphNode['kind'], string>> = {
  site: 'house',
  file: 'note',
  anchor: 'cds',
  address: 'plaintext',
};

function nodeOf(node: GraphNode): string {
  const shape = shapes[node.kind];
  const colour = { missing: 'red', unknown: 'orange', outside: 'gray', read: undefined }[node.state];
  const attributes = [
    `label=${dotText(nodeLines(node))}`,
    ...(shape === undefined ? [] : [`shape=${shape}, style=solid`]),
    ...(colour === undefined ? [] : [`color=${colour}, fontcolor=${colour}`]),
  ];
  return `${dotText([node.id])} [${attributes.join(', ')}];`;
}

function edgeOf(edge: GraphEdge): string {
  const label = edgeLabel(edge);
  const attributes = [
    ...(label === '' ? [] : [`label=${dotText([label])}`]),
    ...(edge.status === 'broken' ? ['color=red, fontcolor=red, style=dashed'] : []),
    ...(edge.kind === 'link' ? [] : ['style=dotted, arrowhead=empty']),
  ];
  const list = attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
  return `${dotText([edge.from])} -> ${dotText([edge.to])}${list};`;
}
