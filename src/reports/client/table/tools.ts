import type { TablePart } from '../../../document/document.js';
import { el, newId } from '../dom.js';
import type { TableModel } from './model.js';

/** Columns of these kinds with at most so many values can be narrowed to one of them. */
const chosen = ['role', 'state', 'yesno'];
const mostValues = 12;

/** A box to filter by text, which tells each change. */
export function filterBox(label: string, onChange: (text: string) => void): HTMLElement {
  const id = newId();
  const input = el('input', { id, type: 'search', autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('input', () => onChange(input.value));
  return el('span', { class: 'tool' }, el('label', { for: id }, label), input);
}

/** A choice of one of some values; the first stands for all. */
export function selectBox(
  label: string,
  values: readonly string[],
  onChange: (index: number) => void,
): HTMLElement {
  const id = newId();
  const options = values.map((value, at) => el('option', { value: at }, value));
  const select = el('select', { id }, ...options);
  select.addEventListener('change', () => onChange(select.selectedIndex));
  return el('span', { class: 'tool' }, el('label', { for: id, dir: 'auto' }, label), select);
}

/** The filters of a table: one for any text, and one for each column with few values. */
export function filtersOf(part: TablePart, model: TableModel, onChange: () => void): HTMLElement[] {
  const box = filterBox('Filter', (text) => {
    model.seek(text);
    onChange();
  });
  const selects = part.columns.flatMap(({ label, as }, column) => {
    if (!chosen.includes(as)) return [];
    const values = [...new Set(part.rows.map((row) => model.text(row, column)))].sort();
    if (values.length < 2 || values.length > mostValues) return [];
    const names = ['All', ...values.map((value) => value || '(empty)')];
    return selectBox(label, names, (at) => {
      model.only(column, at === 0 ? undefined : values[at - 1]);
      onChange();
    });
  });
  return [box, ...selects];
}
