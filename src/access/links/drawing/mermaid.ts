import { mermaidText } from '../../../output/diagram-text.js';
import type { GraphEdge, GraphNode } from '../graph-shapes.js';
import type { ReadGraph } from '../graph-state.js';
import { clustersOf, edgeLabel, nodeLines } from './labels.js';

/** A graph as a Mermaid flowchart. Ids are generated. */
export function* mermaid(graph: ReadGraph): Generator<string> {
  const ids = new Map(graph.nodes.map(({ id }, index) => [id, `n${index + 1}`]));
  yield 'flowchart LR\n';
  const { alone, clusters } = clustersOf(graph);
  for (const node of alone) yield `  ${nodeOf(node, ids)}\n`;
  let number = 0;
  for (const [space, nodes] of clusters) {
    number += 1;
    const around = nodes.find(({ kind }) => kind === 'space');
    yield `  subgraph g${number}[${mermaidText(around === undefined ? [space] : nodeLines(around).slice(0, 1))}]\n`;
    for (const node of nodes) yield `    ${nodeOf(node, ids)}\n`;
    yield '  end\n';
  }
  for (const edge of graph.edges) yield `  ${edgeOf(edge, ids)}\n`;
  yield* styles(graph, ids);
}

function nodeOf(node: GraphNode, ids: ReadonlyMap<string, string>): string {
  const label = mermaidText(nodeLines(node));
  const [open, close] =
    node.kind === 'site' ? ['([', '])'] : node.kind === 'anchor' ? ['>', ']'] : ['[', ']'];
  return `${ids.get(node.id)}${open}${label}${close}`;
}

function edgeOf(edge: GraphEdge, ids: ReadonlyMap<string, string>): string {
  const arrow =
    edge.kind === 'contains'
      ? '-.-'
      : edge.status === 'broken'
        ? '-.->'
        : edge.kind === 'link'
          ? '-->'
          : '==>';
  const label = edgeLabel(edge);
  return `${ids.get(edge.from)} ${arrow}${label === '' ? '' : `|${mermaidText([label])}|`} ${ids.get(edge.to)}`;
}

const colours = { missing: 'red', unknown: 'orange', outside: 'gray' } as const;

function* styles({ nodes, edges }: ReadGraph, ids: ReadonlyMap<string, string>): Generator<string> {
  for (const [state, colour] of Object.entries(colours)) {
    const those = nodes.filter((node) => node.state === state).flatMap(({ id }) => ids.get(id) ?? []);
    if (those.length === 0) continue;
    yield `  classDef ${state} stroke:${colour},color:${colour}\n  class ${those.join(',')} ${state}\n`;
  }
  const broken = edges.flatMap(({ status }, index) => (status === 'broken' ? [index] : []));
  if (broken.length > 0) yield `  linkStyle ${broken.join(',')} stroke:red\n`;
}
