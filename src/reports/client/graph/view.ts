import type { Cell, GraphPart, TablePart } from '../../../document/document.js';
import { counted, grouped } from '../../../output/counted.js';
import { el } from '../dom.js';
import { tableView } from '../table/view.js';
import { Drawing } from './drawing.js';

/** A graph as a drawing, and its edges as a table. @param heading id of the element that names it */
export function graphView(part: GraphPart, heading: string, madeAt: number): Node[] {
  if (part.nodes.length === 0) return [el('p', { class: 'empty' }, 'There is nothing to draw.')];
  const broken = part.edges.filter((edge) => edge.broken > 0);
  const label = `${counted(part.nodes.length, 'node')}, ${counted(part.edges.length, 'edge')}, ${broken.length} of them broken. The table below lists them.`;
  const drawing = new Drawing(part, label);
  const cut =
    drawing.left === 0
      ? undefined
      : `The drawing leaves out ${counted(drawing.left, 'node')} of ${grouped(part.nodes.length)}; the table has all.`;
  return [
    el('div', { class: 'tools' }, brokenOnly(drawing, broken.length), el('p', { class: 'status' }, label)),
    drawing.legend(),
    drawing.node,
    cut === undefined ? undefined : el('p', { class: 'note' }, cut),
    ...tableView(edgesOf(part), heading, madeAt),
  ].filter((node) => node !== undefined);
}

function brokenOnly(drawing: Drawing, count: number): HTMLElement {
  const box = el('input', { type: 'checkbox', disabled: count === 0 });
  box.addEventListener('change', () => drawing.showBroken(box.checked));
  return el('label', { class: 'tool check' }, box, ' Broken only');
}

/** The edges as rows, the broken ones first. */
function edgesOf({ title, nodes, edges }: GraphPart): TablePart {
  const hasDetail = edges.some(({ detail }) => detail !== undefined);
  const ranked = [...edges].sort((one, other) => other.broken - one.broken || other.count - one.count);
  const rows = ranked.map(({ from, to, count, broken, detail }): Cell[] => [
    nodes[from]?.label ?? '',
    nodes[to]?.label ?? '',
    count,
    broken,
    ...(hasDetail ? [detail ?? null] : []),
  ]);
  const columns: TablePart['columns'] = [
    { label: 'From', as: 'text' },
    { label: 'To', as: 'text' },
    { label: 'Links', as: 'count' },
    { label: 'Broken', as: 'count' },
    ...(hasDetail ? [{ label: 'Detail', as: 'text' } as const] : []),
  ];
  return { kind: 'table', title, columns, rows, empty: 'Nothing points at anything.' };
}
