import { array, assert, constantFrom, oneof, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderDot, renderMermaid } from '../../../src/document/diagram.js';
import { mapDiagram } from '../../../src/commands/orgs/map-report.js';
import { type MapRow, mapKinds } from '../../../src/commands/orgs/map-nodes.js';
import { anyText } from '../../any-text.js';

/** Drawings of organizations whose titles and ids try to be syntax. */

const dot = (rows: MapRow[]) => renderDot(mapDiagram(rows));
const mermaid = (rows: MapRow[]) => renderMermaid(mapDiagram(rows));

const hostile = [
  ...['"]; evil [label="x', 'end', 'subgraph', 'a\\', 'two\nlines\r\n\tof text', '\\N\\G\\l', ' ', ''],
  ...['<script>alert(1)</script>', '`**md**` #35; &amp; %%{init: {}}%%', '] --> n2["x', '}\n x { y -> z }'],
  ...[
    '\u001b[31mred\u202egnitser',
    'click n1 "javascript:alert(1)"',
    'שלום עולם',
    '日本語 🧭',
    'x'.repeat(300),
  ],
];
const text = oneof(constantFrom(...hostile), anyText({ maxLength: 400 }));

const quotedDot = '"(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const dotName = '[a-z]+_\\w*';
const dotLine = new RegExp(
  `^  (?:${dotName} \\[label=${quotedDot}(?:, shape=\\w+, style=solid)?\\];|${dotName} -> ${dotName};|rankdir=LR;|node \\[.*\\];)$`,
  'u',
);
const coded = '"(?:[A-Za-z0-9 ]|[^\\x00-\\x7f]|#\\d{2,3};|<br/>)*"';
const shape = `(?:\\[${coded}\\]|\\[\\[${coded}\\]\\]|\\(${coded}\\)|\\(\\[${coded}\\]\\))`;
const mermaidLine = new RegExp(`^  (?:${dotName} --> )?${dotName}${shape}$`, 'u');

/** A tree of rows: each stands in the one before it, or beside it. */
function rowsFrom(titles: readonly string[], ids: readonly string[]): MapRow[] {
  const root: MapRow = { kind: 'organization', depth: 0, title: titles[0] ?? 'Acme', id: 'o1' };
  const rest = titles.map((title, index): MapRow => {
    const kind = mapKinds[1 + (index % (mapKinds.length - 1))] ?? 'space';
    const id = `${index}${ids[index % Math.max(1, ids.length)] ?? ''}`;
    return { kind, depth: 1 + (index % 3), title, id, path: title, members: index, updatedAt: '2026-01-01' };
  });
  return [root, ...rest];
}

const drawings = [
  ['dot', dot, dotLine],
  ['mermaid', mermaid, mermaidLine],
] as const;

describe.each(drawings)('%s', (name, draw, line) => {
  const check = (rows: MapRow[]) => {
    const drawn = [...draw(rows)].join('');
    const lines = drawn.trimEnd().split('\n');
    const inner = name === 'dot' ? lines.slice(1, -1) : lines.slice(1);
    expect(inner.filter((one) => !line.test(one))).toEqual([]);
    expect(drawn).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    const edges = inner.filter((one) => /^ {2}\w+ (?:->|-->) /.test(one));
    expect(edges).toHaveLength(rows.length - 1);
  };

  test('takes every title and id as text', () => {
    check(rowsFrom(hostile, hostile));
    assert(
      property(array(text, { maxLength: 12 }), array(text, { maxLength: 4 }), (titles, ids) =>
        check(rowsFrom(titles, ids)),
      ),
    );
  });

  test('names two nodes alike only where kind and id are the same', () => {
    const drawn = (id: string) => [...draw([{ kind: 'space', depth: 0, title: 'x', id }])].join('');
    assert(
      property(text, text, (one, other) => {
        expect(drawn(one) === drawn(other)).toBe(one === other);
      }),
    );
  });

  test('leaves out times and what daily work changes', () => {
    const space: MapRow = { kind: 'space', depth: 0, title: 'Guide', id: 's1', visibility: 'public' };
    const busy = { ...space, pages: 7, openChangeRequests: 3, updatedAt: '2026-01-01T00:00:00Z' };
    expect([...draw([busy])]).toEqual([...draw([space])]);
  });
});

test('a title that names a character for Graphviz stays what it is', () => {
  const [, line] = [...dot([{ kind: 'space', depth: 0, title: 'A & B &lt; &#39;', id: 's' }])];
  expect(line).toBe('  space_s [label="A & B &amp;lt; &amp;#39;"];\n');
});

test('a small organization, drawn', () => {
  const rows: MapRow[] = [
    { kind: 'organization', depth: 0, title: 'Acme', id: 'o-1' },
    { kind: 'part', depth: 1, title: 'Sites', id: 'sites', total: 1 },
    { kind: 'site', depth: 2, title: 'Docs', id: 'w1', visibility: 'public', published: true },
    { kind: 'section', depth: 3, title: 'API', id: 'x1', path: 'api', default: true },
    { kind: 'part', depth: 1, title: 'People', id: 'people', unread: true },
    { kind: 'role', depth: 2, title: 'admin', id: 'admin', members: 2 },
  ];
  expect([...mermaid(rows)].join('')).toBe(`flowchart LR
  organization_o_2d_1[["Acme"]]
  organization_o_2d_1 --> part_sites("Sites")
  part_sites --> site_w1(["Docs<br/>public"])
  site_w1 --> section_x1["API<br/>#47;api#44; default"]
  organization_o_2d_1 --> part_people("People<br/>not read in full")
  part_people --> role_admin["admin<br/>2 people"]
`);
  expect([...dot(rows)].join('')).toBe(`digraph organization {
  rankdir=LR;
  node [shape=box, style=rounded, fontname="sans-serif"];
  organization_o_2d_1 [label="Acme", shape=box3d, style=solid];
  part_sites [label="Sites", shape=plaintext, style=solid];
  organization_o_2d_1 -> part_sites;
  site_w1 [label="Docs\\npublic", shape=house, style=solid];
  part_sites -> site_w1;
  section_x1 [label="API\\n/api, default"];
  site_w1 -> section_x1;
  part_people [label="People\\nnot read in full", shape=plaintext, style=solid];
  organization_o_2d_1 -> part_people;
  role_admin [label="admin\\n2 people"];
  part_people -> role_admin;
}
`);
});
