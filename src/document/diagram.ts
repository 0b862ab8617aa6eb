import { grouped, safeLine } from '../output/text.js';

/** Diagrams for Mermaid and Graphviz: whatever comes from the platform stands in quotes, and stays text. */

export interface Diagram {
  /** A word, by which Graphviz names it. */
  name: string;
  nodes: readonly DiagramNode[];
  edges: readonly DiagramEdge[];
  /** Labels by cluster, for nodes that name one. */
  clusters?: ReadonlyMap<string, readonly string[]>;
}

export interface DiagramNode {
  /** Stays as it is where it is lower-case letters, `_`, and letters, digits and `_`. */
  id: string;
  /** Its label, line by line. */
  lines: readonly string[];
  /** For Graphviz; default: a box with round corners. */
  shape?: string;
  /** For Mermaid, what stands around the label; default: a box. */
  brackets?: readonly [open: string, close: string];
  colour?: DiagramColour;
  cluster?: string;
  /** The node that it stands in: an edge that is drawn with it. */
  parent?: string;
}

/** Classes of nodes by the colour of their line. */
const colours = { missing: 'red', unknown: 'orange', outside: 'gray' } as const;
type DiagramColour = keyof typeof colours;

export interface DiagramEdge {
  from: string;
  to: string;
  label: string;
  isBroken: boolean;
  /** What it stands for. */
  kind: 'link' | 'contains' | 'publishes';
}

/** Longer titles are cut, in characters. */
const longest = 80;

/** Edges that Mermaid draws where it is not configured otherwise (`maxEdges`). */
const mostMermaidEdges = 500;

/** What to know of a drawing that has more edges than Mermaid draws; undefined of others. */
export function tooManyEdges(noun: string, edges: number): string | undefined {
  if (edges <= mostMermaidEdges) return undefined;
  return `The ${noun} has ${grouped(edges)} edges; Mermaid draws ${mostMermaidEdges} unless its maxEdges is raised.`;
}

/** A title on one line, cut where it is long. */
export function shortTitle(title: string): string {
  const characters = [...safeLine(title)];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}

/** For Mermaid, as a flowchart. */
export function* renderMermaid(diagram: Diagram): Generator<string> {
  const { nodes, edges } = diagram;
  const names = new Map(nodes.map(({ id }, index) => [id, isName(id) ? id : `n${index + 1}`]));
  yield 'flowchart LR\n';
  for (const [number, { label, own }] of clustersOf(diagram).entries()) {
    if (label !== undefined) yield `  subgraph g${number}[${mermaidText(label)}]\n`;
    for (const { id, lines, brackets: [open, close] = ['[', ']'], parent } of own) {
      const edge = parent === undefined ? '' : `${names.get(parent)} --> `;
      yield `${label === undefined ? '' : '  '}  ${edge}${names.get(id)}${open}${mermaidText(lines)}${close}\n`;
    }
    if (label !== undefined) yield '  end\n';
  }
  for (const edge of edges) {
    const label = edge.label === '' ? '' : `|${mermaidText([edge.label])}|`;
    yield `  ${names.get(edge.from)} ${arrowOf(edge)}${label} ${names.get(edge.to)}\n`;
  }
  for (const [colour, name] of Object.entries(colours)) {
    const those = nodes.filter((node) => node.colour === colour).flatMap(({ id }) => names.get(id) ?? []);
    if (those.length === 0) continue;
    yield `  classDef ${colour} stroke:${name},color:${name}\n  class ${those.join(',')} ${colour}\n`;
  }
  const broken = edges.flatMap(({ isBroken }, index) => (isBroken ? [index] : []));
  if (broken.length > 0) yield `  linkStyle ${broken.join(',')} stroke:red\n`;
}

function arrowOf({ kind, isBroken }: DiagramEdge): string {
  if (kind === 'contains') return '-.-';
  if (isBroken) return '-.->';
  return kind === 'link' ? '-->' : '==>';
}

/** For Graphviz. */
export function* renderDot(diagram: Diagram): Generator<string> {
  const { name, edges, clusters } = diagram;
  yield `digraph ${name} {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname="sans-serif"];\n`;
  if (edges.length > 0 || clusters !== undefined) yield '  edge [fontname="sans-serif", fontsize=10];\n';
  for (const [number, { label, own }] of clustersOf(diagram).entries()) {
    if (label !== undefined) yield `  subgraph cluster_${number} {\n    label=${dotText(label)};\n`;
    for (const node of own) yield* dotNode(node, label === undefined ? '  ' : '    ');
    if (label !== undefined) yield '  }\n';
  }
  for (const { from, to, label, isBroken, kind } of edges) {
    const attributes = [
      ...(label === '' ? [] : [`label=${dotText([label])}`]),
      ...(isBroken ? ['color=red, fontcolor=red, style=dashed'] : []),
      ...(kind === 'link' ? [] : ['style=dotted, arrowhead=empty']),
    ];
    const list = attributes.length === 0 ? '' : ` [${attributes.join(', ')}]`;
    yield `  ${dotName(from)} -> ${dotName(to)}${list};\n`;
  }
  yield '}\n';
}

function* dotNode({ id, lines, shape, colour, parent }: DiagramNode, indent: string): Generator<string> {
  const attributes = [
    `label=${dotText(lines)}`,
    ...(shape === undefined ? [] : [`shape=${shape}, style=solid`]),
    ...(colour === undefined ? [] : [`color=${colours[colour]}, fontcolor=${colours[colour]}`]),
  ];
  yield `${indent}${dotName(id)} [${attributes.join(', ')}];\n`;
  if (parent !== undefined) yield `${indent}${dotName(parent)} -> ${dotName(id)};\n`;
}

function dotName(id: string): string {
  return isName(id) ? id : dotText([id]);
}

/** Whether an id is a word in both languages, and a keyword of none. */
function isName(id: string): boolean {
  return /^[a-z]+_\w*$/.test(id);
}

/** The nodes of no cluster, then those of each with its label, in the order of the first of each. */
function clustersOf({ nodes, clusters }: Diagram): { label?: readonly string[]; own: DiagramNode[] }[] {
  const groups = new Map<string | undefined, DiagramNode[]>([[undefined, []]]);
  for (const node of nodes) {
    const own = groups.get(node.cluster) ?? [];
    own.push(node);
    groups.set(node.cluster, own);
  }
  return [...groups].map(([name, own]) =>
    name === undefined ? { own } : { own, label: clusters?.get(name) ?? [name] },
  );
}

/**
 * Lines as a label of Mermaid, with its quotes. Every ASCII character but letters, digits and spaces is a character
 * code, so that it is neither syntax, Markdown nor HTML.
 */
function mermaidText(lines: readonly string[]): string {
  return `"${lines.map(coded).join('<br/>')}"`;
}

function coded(line: string): string {
  return safeLine(line).replaceAll(/[!-/:-@[-`{-~]/g, (character) => `#${character.charCodeAt(0)};`);
}

/**
 * Lines as a text of Graphviz, with its quotes: `"` and `\` are escaped, so that they are neither syntax nor an escape
 * of Graphviz (`\N`, `\l`); and `&` where it would begin the name of a character.
 */
function dotText(lines: readonly string[]): string {
  return `"${lines.map(dotLine).join('\\n')}"`;
}

function dotLine(line: string): string {
  return safeLine(line)
    .replaceAll(/[\\"]/g, '\\$&')
    .replaceAll(/&(?=#?\w+;)/g, '&amp;');
}
