import type { GraphPart, TablePart } from '../document/document.js';
import { type Html, type HtmlPart, html } from '../document/html.js';
import { counted, grouped } from '../output/text.js';
import { type DrawnPart, type Moment, short } from './markup.js';
import { tableHtml } from './rows.js';

/** What points at what: a matrix of groups that stands in a slide, and every edge as a row. */

/** So many groups have a row and a column of their own. */
const mostGroups = 16;
const [label, cell] = [190, 34];

interface Sums {
  count: number;
  broken: number;
}

export function graphHtml(part: GraphPart, id: string, moment: Moment): DrawnPart {
  const { nodes, edges } = part;
  if (edges.length === 0) return { body: html`<p class="empty">Nothing links to anything else.</p>` };
  const { body, css } = tableHtml(edgesOf(part), id, moment);
  return {
    body: html`${matrixHtml(part)}<details class="edges"><summary>${counted(edges.length, 'edge')} as rows</summary>${body}</details>`,
    count: `${counted(nodes.length, 'node')}, ${counted(edges.length, 'edge')}`,
    ...(css !== undefined && { css }),
  };
}

function edgesOf({ title, nodes, edges }: GraphPart): TablePart {
  const about = (at: number) => nodes[at]?.label ?? '';
  const rows = edges.map(({ from, to, count, broken, detail }) => [
    about(from),
    about(to),
    count,
    broken,
    detail ?? nodes[to]?.detail ?? null,
  ]);
  const columns = [
    { label: 'From', as: 'text' },
    { label: 'To', as: 'text' },
    { label: 'Links', as: 'count' },
    { label: 'Broken', as: 'count' },
    { label: 'About', as: 'text' },
  ] as const;
  return { kind: 'table', title, columns, rows, empty: '' };
}

/** Rows link to columns. What is missing is the last column. */
function matrixHtml({ nodes, edges }: GraphPart): HtmlPart {
  const groupOf = ({ as, group, label: own }: GraphPart['nodes'][number]) =>
    as === 'missing' ? 'Not found' : (group ?? own);
  const sizes = new Map<string, number>();
  for (const { from, to, count } of edges)
    for (const at of [from, to]) {
      const node = nodes[at];
      if (node !== undefined) sizes.set(groupOf(node), (sizes.get(groupOf(node)) ?? 0) + count);
    }
  const most = [...sizes].filter(([name]) => name !== 'Not found').sort((one, other) => other[1] - one[1]);
  const kept = most.slice(0, most.length > mostGroups ? mostGroups - 1 : mostGroups).map(([name]) => name);
  const names = [
    ...kept,
    ...(most.length > kept.length ? ['Others'] : []),
    ...(sizes.has('Not found') ? ['Not found'] : []),
  ];
  const placeOf = (at: number) => {
    const own = groupOf(nodes[at] ?? { label: '', as: '' });
    const place = names.indexOf(own);
    return place === -1 ? names.indexOf('Others') : place;
  };
  const sums = new Map<number, Sums>();
  for (const { from, to, count, broken } of edges) {
    const key = placeOf(from) * names.length + placeOf(to);
    const known = sums.get(key) ?? { count: 0, broken: 0 };
    sums.set(key, { count: known.count + count, broken: known.broken + broken });
  }
  const froms = names.filter((name) => name !== 'Not found');
  const size = { width: label + names.length * cell + 60, height: label * 0.6 + froms.length * cell };
  return html`<figure class="matrix"><svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="Links from rows to columns; red: broken">
${names.map((name, at) => columnHead(name, at))}${froms.map((name, row) => rowOf({ name, row, names }, sums))}</svg>
<figcaption>Rows link to columns. Red: broken links.</figcaption></figure>`;
}

function columnHead(name: string, at: number): Html {
  const [x, y] = [label + at * cell + cell / 2, label * 0.6 - 6];
  return html`<text transform="translate(${x} ${y}) rotate(-40)">${short(name, 16)}</text>`;
}

function rowOf(
  { name, row, names }: { name: string; row: number; names: readonly string[] },
  sums: ReadonlyMap<number, Sums>,
): Html {
  const y = label * 0.6 + row * cell;
  const cells = names.map((to, column) => {
    const { count, broken } = sums.get(row * names.length + column) ?? { count: 0, broken: 0 };
    const tone = broken > 0 ? 'bad' : count === 0 ? 'r0' : count > 20 ? 'r3' : count > 5 ? 'r2' : 'r1';
    const text = broken > 0 ? broken : count;
    const words = `${name} to ${to}: ${counted(count, 'link')}, ${grouped(broken)} broken`;
    return html`<g><title>${words}</title><rect x="${label + column * cell}" y="${y}" width="${cell - 2}" height="${cell - 2}" rx="3" class="${tone}"/>${text > 0 && html`<text class="mid" x="${label + column * cell + cell / 2 - 1}" y="${y + cell / 2 + 4}">${grouped(text)}</text>`}</g>`;
  });
  return html`<text class="end" x="${label - 8}" y="${y + cell / 2 + 4}">${short(name, 26)}</text>${cells}`;
}
