import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { GraphPart, TablePart } from '../../src/document/document.js';
import { FakeElement, pageGlobals } from './fake-document.js';
import { linkGraph, membersTable } from './samples.js';

/** The elements that the script of a report makes; browser.long.test.ts opens whole pages in a browser. */

for (const [name, value] of Object.entries(pageGlobals)) vi.stubGlobal(name, value);
afterAll(() => vi.unstubAllGlobals());

/** Not a literal: the script is checked with the types of a page (src/reports/client/tsconfig.json). */
const load = (path: string) => import(path);
const { tableView } = (await load('../../src/reports/client/table.js')) as {
  tableView(part: TablePart, heading: string, madeAt: number): FakeElement[];
};
const { Drawing } = (await load('../../src/reports/client/graph.js')) as {
  Drawing: new (part: GraphPart, label: string) => { node: FakeElement; left: number };
};

/** What is made, below one element. */
function page(nodes: readonly FakeElement[]): FakeElement {
  const main = new FakeElement('main');
  main.replaceChildren(...nodes);
  return main;
}

const table = (rows = 20) => page(tableView(membersTable(rows), 'h1', 0));
const status = (of: FakeElement) =>
  of
    .all('p', 'class', 'status')
    .map(({ attributes, textContent }) => `${attributes.get('role')}: ${textContent}`);
const cellsOf = (row: FakeElement) =>
  row.children.flatMap((cell) => (typeof cell === 'string' ? [] : [cell.textContent]));

describe('a table', () => {
  it('says in its status how many rows it shows, and in what order', () => {
    const made = table();
    expect(status(made)).toEqual(['status: 20 rows']);
    made.all('button')[0]?.does('click');
    expect(status(made)).toEqual(['status: 20 rows, by Name, ascending']);
  });

  it('can be filtered by columns of roles, states and yes or no, and by no others', () => {
    const made = table();
    const selects = made.all('select');
    expect(made.all('label').map(({ textContent }) => textContent)).toEqual(['Filter', 'Role', 'SSO']);
    expect(made.all('div', 'class', 'tools')[0]?.children).toHaveLength(4);
    const choices = selects.map((select) => select.all('option').map(({ textContent }) => textContent));
    expect(choices[1]).toEqual(['All', 'no', 'yes']);
    const [role] = selects;
    if (role === undefined) throw new Error('no choice of roles');
    role.selectedIndex = 1;
    role.does('change');
    const roles = made.all('tbody').flatMap((body) => body.all('tr').map((row) => cellsOf(row)[2]));
    expect(new Set(roles)).toEqual(new Set([choices[0]?.[1]]));
    expect(status(made)[0]).toMatch(/^status: \d+ of 20 rows$/);
  });

  it('shows times as times, with their age', () => {
    const seen = membersTable(20).rows.flatMap((row) => (row[5] === null ? [] : [row[5]]));
    expect(
      table()
        .all('time')
        .map(({ attributes }) => attributes.get('datetime')),
    ).toEqual(seen);
  });

  it('shows a list line by line', () => {
    const lists = table().all('ul', 'class', 'lines');
    expect(lists).toHaveLength(20);
    expect(lists.some((list) => list.children.length > 1)).toBe(true);
    const style = readFileSync('src/reports/client/style.css', 'utf8');
    expect(style).toMatch(/^\.lines \{[^}]*list-style: none;/m);
  });
});

describe('a graph', () => {
  it('is a picture with a name, a circle for each node and a path for each edge', () => {
    const part = linkGraph(12);
    const { node, left } = new Drawing(part, 'Links between spaces');
    expect(left).toBe(0);
    expect(node.all('svg', 'role', 'img').map(({ attributes }) => attributes.get('aria-label'))).toEqual([
      'Links between spaces',
    ]);
    expect(node.all('circle')).toHaveLength(part.nodes.length);
    const paths = node.all('path').map(({ attributes }) => attributes.get('class'));
    const edges = part.edges.map(({ broken }) => (broken > 0 ? 'edge broken' : 'edge'));
    expect(paths).toEqual(['arrow', 'arrow broken', ...edges]);
    // The shorter an edge is, the less it bends.
    for (const edge of node.all('path', 'class', 'edge')) {
      const [x = 0, y = 0, middleX = 0, middleY = 0, endX = 0, endY = 0] = (edge.attributes.get('d') ?? '')
        .replaceAll(/[A-Z]/g, '')
        .split(' ')
        .map(Number);
      const length = Math.hypot(endX - x, endY - y);
      const bend = Math.abs((endX - x) * (middleY - y) - (endY - y) * (middleX - x)) / length;
      expect(bend).toBeLessThan((length + 30) / 8);
    }
    expect(node.all('title').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(part.nodes.map(({ as, label }) => expect.stringContaining(`${as} ${label}`))),
    );
    expect(node.all('button').map(({ attributes }) => attributes.get('aria-label'))).toEqual([
      'Zoom in',
      'Zoom out',
      'Show all',
    ]);
  });
});
