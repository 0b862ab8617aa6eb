import { array, assert, constantFrom, oneof, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Collection } from '../../src/api/resources/collections.js';
import type { Space } from '../../src/api/resources/spaces.js';
import { DocsError } from '../../src/base/errors.js';
import { mapDiagram } from '../../src/commands/orgs/map-report.js';
import { factWords, mapOf, rowsOf } from '../../src/commands/orgs/map-tree.js';
import { type MapRow, mapKinds } from '../../src/commands/orgs/shapes.js';
import { renderDot, renderMermaid } from '../../src/document/diagram.js';
import { mapParts, nothingRead, type OrganizationParts } from '../../src/snapshot/parts.js';
import { anyText } from '../any-text.js';

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

/** The tree that is made of what was read. */

const spaceOf = (id: string, more: Partial<Space> = {}): Space =>
  ({
    ...{ id, title: id.toUpperCase(), visibility: 'private', changeRequestsOpen: 0 },
    ...{ updatedAt: '2026-01-01T00:00:00Z', ...more },
  }) as Space;
const collectionOf = (id: string, parent?: string): Collection =>
  ({ id, title: `Collection ${id}`, ...(parent !== undefined && { parent }) }) as Collection;

function foundOf(
  collections: Collection[],
  spaces: Space[],
  lists: Record<string, string[]> = {},
): OrganizationParts {
  const byId = <T extends { id: string }>(items: T[]) => new Map(items.map((item) => [item.id, item]));
  const found = nothingRead('o1');
  return Object.assign(found, {
    collections: byId(collections),
    spaces: byId(spaces),
    inCollections: new Map(Object.entries(lists)),
  });
}

/** `id` of each node, two spaces per level. */
function outline(found: OrganizationParts): string[] {
  const rows = [...rowsOf(mapOf(found, new Set(['spaces'])))];
  return rows.map(({ depth, id }) => '  '.repeat(depth) + id);
}

describe('spaces', () => {
  test('stand in their collections in the order of the platform, others by title', () => {
    const inside = [
      spaceOf('b', { parent: 'c3' }),
      spaceOf('a', { parent: 'c3' }),
      spaceOf('k', { parent: 'c2' }),
    ];
    const found = foundOf(
      [collectionOf('c2'), collectionOf('c1'), collectionOf('c3', 'c2')],
      [spaceOf('z'), ...inside, spaceOf('m')],
      { c3: ['b', 'a'], c2: ['k'] },
    );
    expect(outline(found)).toEqual([
      ...['o1', '  spaces', '    c2', '      c3', '        b', '        a', '      k'],
      ...['    c1', '    m', '    z'],
    ]);
  });

  test('are counted and dated in every collection around them', () => {
    const found = foundOf(
      [collectionOf('c1'), collectionOf('c2', 'c1')],
      [
        spaceOf('a', { parent: 'c2', updatedAt: '2026-03-01T00:00:00Z' }),
        spaceOf('b', { parent: 'c1', updatedAt: 'soon' }),
      ],
    );
    const rows = [...rowsOf(mapOf(found, new Set(['spaces'])))];
    expect(rows.filter(({ kind }) => kind === 'collection')).toMatchObject([
      { id: 'c1', spaces: 2, updatedAt: '2026-03-01T00:00:00Z' },
      { id: 'c2', spaces: 1, updatedAt: '2026-03-01T00:00:00Z', parent: 'c1' },
    ]);
  });

  test('of a collection that no list has stand below its id', () => {
    const found = foundOf([], [spaceOf('a', { parent: 'secret' })]);
    expect(outline(found)).toEqual(['o1', '  spaces', '    secret', '      a']);
  });

  test('and collections that stand in each other are all there, once', () => {
    const found = foundOf(
      [collectionOf('c1', 'c2'), collectionOf('c2', 'c1'), collectionOf('c3', 'c3')],
      [spaceOf('a', { parent: 'c2' })],
    );
    expect(outline(found)).toEqual(['o1', '  spaces', '    c1', '      c2', '        a', '    c3']);
  });

  test('may be nested deeper than the call stack', () => {
    const deep = Array.from({ length: 20_000 }, (_, index) =>
      collectionOf(`c${index}`, index === 0 ? undefined : `c${index - 1}`),
    );
    const rows = [...rowsOf(mapOf(foundOf(deep, [spaceOf('a', { parent: 'c19999' })]), new Set(['spaces'])))];
    expect(rows).toHaveLength(20_003);
    expect(rows[2]).toMatchObject({ id: 'c0', spaces: 1 });
  });
});

test('what could not be read is marked, and of nothing found no total is claimed', () => {
  const found = foundOf([collectionOf('c1')], [spaceOf('a', { parent: 'c1' })]);
  const unread = { kind: 'collection', id: 'c1', error: new DocsError('forbidden', 'forbidden', 'No.') };
  found.missing.push({ parts: ['spaces'], node: 'c1', unread }, { parts: ['teams'], unread });
  const rows = [...rowsOf(mapOf(found, new Set(mapParts)), 2)];
  expect(rows.find(({ id }) => id === 'sites')).toMatchObject({ total: 0 });
  expect(rows.filter((row) => row.unread).map(({ id, total }) => [id, total])).toEqual([
    ['o1', undefined],
    ['spaces', 1],
    ['c1', undefined],
    ['teams', undefined],
  ]);
});

test.each([
  [{ published: false }, ['not published']],
  [{ published: true, path: 'docs', default: true }, ['/docs', 'default']],
  [{ visibility: 'public' as const, members: 1, openChangeRequests: 2 }, ['public', '1 person', '2 open']],
  [{ total: 1200, unread: true as const }, ['at least 1,200']],
])('a map says of what has %j', (facts, words) => {
  expect(factWords({ kind: 'site', id: 'w1', title: 'Docs', depth: 1, ...facts })).toEqual(words);
});
