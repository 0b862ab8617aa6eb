import type { Cell, TablePart } from '../../../document/document.js';
import { el, newId } from '../dom.js';
import { tableView } from '../table/view.js';
import type { HeatModel } from './model.js';
import type { Place } from './painter.js';

/** Shows a row as a table: every column with its level and why. */
export function rowTable(model: HeatModel, place: Place, madeAt: number, close: () => void): Node[] {
  const row = model.rows[place.row] ?? 0;
  const cells = model.part.columns.map(({ label, detail }, column) =>
    cellsOf(model, label, detail, row, column),
  );
  return shown(model.part.rows[row]?.label ?? '', model.part.axes[1], cells, madeAt, close);
}

/** Shows a column as a table: every row with its level and why. */
export function columnTable(model: HeatModel, place: Place, madeAt: number, close: () => void): Node[] {
  const column = model.columns[place.column] ?? 0;
  const cells = model.part.rows.map(({ label, detail }, row) => cellsOf(model, label, detail, row, column));
  return shown(model.part.columns[column]?.label ?? '', model.part.axes[0], cells, madeAt, close);
}

function cellsOf(
  model: HeatModel,
  label: string,
  detail: string | undefined,
  row: number,
  column: number,
): Cell[] {
  const level = model.part.levels[model.level(row, column)] ?? '';
  return [label, detail ?? null, level, model.reason(row, column)];
}

function shown(
  title: string,
  axis: string,
  cells: readonly Cell[][],
  madeAt: number,
  close: () => void,
): Node[] {
  const heading = newId();
  const hasDetail = cells.some(([, detail]) => detail !== null);
  const labels: TablePart['columns'] = [
    { label: axis, as: 'text' },
    ...(hasDetail ? [{ label: 'Detail', as: 'text' } as const] : []),
    { label: 'Level', as: 'role' },
    { label: 'Why', as: 'text' },
  ];
  const rows = hasDetail ? cells : cells.map(([label = null, , ...rest]) => [label, ...rest]);
  const button = el('button', { type: 'button', class: 'act' }, 'Close');
  button.addEventListener('click', close);
  const head = el('h3', { id: heading, tabindex: -1 }, el('bdi', {}, title));
  requestAnimationFrame(() => head.focus());
  const part: TablePart = { kind: 'table', title, columns: labels, rows, empty: '' };
  return [el('div', { class: 'detail-head' }, head, button), ...tableView(part, heading, madeAt)];
}
