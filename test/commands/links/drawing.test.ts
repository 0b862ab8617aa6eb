import { describe, expect, test } from 'vitest';
import type { GraphNode, ReadGraph } from '../../../src/access/links/graph-builder.js';
import { linkDiagram } from '../../../src/commands/links/graph.js';
import { renderDot, renderMermaid } from '../../../src/document/diagram.js';

/** Drawings of graphs whose titles try to be syntax. */

const dot = (graph: ReadGraph) => renderDot(linkDiagram(graph));
const mermaid = (graph: ReadGraph) => renderMermaid(linkDiagram(graph));

const hostile = [
  '"]; evil [label="x',
  'end',
  'a\\',
  'two\nlines\r\n\tof text',
  '<script>alert(1)</script>',
  '`**md**` #35; &amp; %%{init: {}}%%',
  '] --> n2["x',
  '}\n subgraph x { y -> z }',
  '\u001b[31mred\u202egnitser',
  'click n1 "javascript:alert(1)"',
  '\\N\\G\\l',
  ' ',
  '日本語 🧭',
  'x'.repeat(300),
];

const space = (title: string, index: number): GraphNode => ({
  ...{ id: `space:s"${index}\\`, kind: 'space', title, space: `s${index}`, state: 'read' },
  links: { total: 3, broken: 2, within: 1 },
});

function graphOf(by: 'space' | 'page'): ReadGraph {
  const nodes = hostile.map(space);
  const pages = hostile.map(
    (title, index): GraphNode => ({
      id: `page:s${index}/p`,
      kind: 'page',
      title,
      space: `s${index}`,
      state: 'missing',
    }),
  );
  const all = by === 'page' ? [...nodes, ...pages] : nodes;
  const edges = all.slice(1).map(({ id }, index) => ({
    ...{ from: all[index]?.id ?? '', to: id, kind: 'link' as const, count: index },
    ...(index % 2 === 0 ? { status: 'broken' as const } : { via: 'app-address' as const }),
  }));
  const contains = { from: all[0]?.id ?? '', to: all[1]?.id ?? '', kind: 'contains' as const };
  return { by, nodes: all, edges: [...edges, contains, { ...contains, kind: 'publishes' }], unread: [] };
}

const text = '"(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const dotLine = new RegExp(
  `^\\s*(?:${text}(?: -> ${text})?(?: \\[(?:\\w+=(?:\\w+|${text})(?:, )?)+\\])?;|label=${text};|subgraph cluster_\\d+ \\{|\\}|digraph links \\{|rankdir=LR;|(?:node|edge) \\[.*\\];)$`,
);
const coded = '"(?:[\\p{L}\\p{N}\\p{S}\\p{M} …]|[^\\x00-\\x7f]|#\\d{2,3};|<br/>)*"';
const mermaidLine = new RegExp(
  `^\\s*(?:flowchart LR|n\\d+(?:\\[${coded}\\]|\\(\\[${coded}\\]\\)|>${coded}\\])|subgraph g\\d+\\[${coded}\\]|end|n\\d+ (?:-->|-\\.->|==>|-\\.-)(?:\\|${coded}\\|)? n\\d+|classDef \\w+ stroke:\\w+,color:\\w+|class [n\\d,]+ \\w+|linkStyle [\\d,]+ stroke:red)$`,
  'u',
);

describe.each(['space', 'page'] as const)('hostile titles, by %s', (by) => {
  const graph = graphOf(by);

  test.each([
    ['dot', dot, dotLine],
    ['mermaid', mermaid, mermaidLine],
  ] as const)('are text alone in %s', (_, draw, line) => {
    const drawn = [...draw(graph)].join('');
    const lines = drawn.split('\n').slice(0, -1);
    expect(lines.filter((one) => !line.test(one))).toEqual([]);
    expect(drawn).not.toMatch(/[\u001b\u202e\r\t]/);
    expect(
      lines.filter((one) => /(?:->|-->|-\.->|==>|-\.-)/.test(one.replaceAll(new RegExp(text, 'g'), ''))),
    ).toHaveLength(graph.edges.length);
  });
});

test('broken and unknown are marked, links are counted, sites stand out', () => {
  const graph: ReadGraph = {
    by: 'space',
    nodes: [
      { id: 'space:a', kind: 'space', title: 'A', space: 'a', state: 'read', isolated: true },
      { id: 'space:b', kind: 'space', space: 'b', state: 'unknown' },
      { id: 'site:w', kind: 'site', title: 'W', site: 'w', state: 'read' },
    ],
    edges: [
      { from: 'space:a', to: 'space:b', kind: 'link', status: 'broken', via: 'reference', count: 3 },
      { from: 'site:w', to: 'space:a', kind: 'publishes' },
    ],
    unread: [],
  };
  expect([...dot(graph)].join('')).toBe(`digraph links {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="sans-serif"];
  edge [fontname="sans-serif", fontsize=10];
  "space:a" [label="A\\nisolated"];
  "space:b" [label="b\\nunknown", color=orange, fontcolor=orange];
  "site:w" [label="Site: W", shape=house, style=solid];
  "space:a" -> "space:b" [label="3 broken", color=red, fontcolor=red, style=dashed];
  "site:w" -> "space:a" [style=dotted, arrowhead=empty];
}
`);
  expect([...mermaid(graph)].join('')).toBe(`flowchart LR
  n1["A<br/>isolated"]
  n2["b<br/>unknown"]
  n3(["Site#58; W"])
  n1 -.->|"3 broken"| n2
  n3 ==> n1
  classDef unknown stroke:orange,color:orange
  class n2 unknown
  linkStyle 0 stroke:red
`);
});
