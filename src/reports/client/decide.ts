import { safeCell } from '../../base/formula.js';
import type { Decisions } from '../../document/document.js';
import { grouped } from '../../output/text.js';
import { button, el } from './dom.js';
import { change, readState } from './state.js';

/** Decisions on rows: chosen by mouse or key, counted, and kept in the address until the browser saves them as a file. */

/** Asks for a decision on each row of a part that has them. */
export function addDecisions(part: HTMLElement): void {
  const place = part.querySelector<HTMLElement>('[data-decisions]');
  if (place === null) return;
  const decisions = JSON.parse(place.dataset.decisions ?? '') as Decisions;
  const rows = [...part.querySelectorAll<HTMLTableRowElement>('tr[data-row]')];
  const told = el('span', { role: 'status' });
  const count = () => {
    const decided = rows.filter((row) => choiceOf(row).value !== '');
    told.textContent = `${grouped(decided.length)} of ${grouped(rows.length)} decided`;
    const kept = decided.map((row) => `${row.id}:${decisions.choices.indexOf(choiceOf(row).value)}`);
    change(stateKey, kept.join('~'), false);
  };
  for (const row of rows) row.querySelector('th')?.append(chooser(row, decisions, count));
  const save = button(`Save ${decisions.file}`, () => download(decisions.file, csvOf(part, rows, decisions)));
  place.append(told, save, el('code', { class: 'cmd' }, decisions.command));
  restore(decisions);
  part.addEventListener('keydown', (event) => onKey(event, decisions, count));
  count();
}

const stateKey = 'decided';

/** Takes the decisions of the address, as it was reloaded or sent on. */
function restore({ choices }: Decisions): void {
  for (const kept of (readState().get(stateKey) ?? '').split('~')) {
    const [id = '', choice = ''] = kept.split(':');
    const row = document.getElementById(id);
    const value = choices[Number(choice)];
    if (row === null || value === undefined || row.querySelector('select.choice') === null) continue;
    choiceOf(row).value = value;
    row.dataset.decision = value;
  }
}

function chooser(row: HTMLTableRowElement, { choices }: Decisions, count: () => void): HTMLElement {
  const name = row.querySelector('th')?.textContent ?? '';
  const options = ['', ...choices].map((choice) => el('option', { value: choice }, choice || 'undecided'));
  const select = el('select', { class: 'choice', 'aria-label': `Decision on ${name}` }, ...options);
  select.addEventListener('change', () => {
    row.dataset.decision = select.value;
    count();
  });
  return select;
}

function choiceOf(row: HTMLElement): HTMLSelectElement {
  return row.querySelector('select.choice') as HTMLSelectElement;
}

/** The first letter of a choice takes it; `c`, for a change, goes to the next of those that are left. */
function onKey(event: KeyboardEvent, { choices }: Decisions, count: () => void): void {
  const { target } = event;
  if (
    !(target instanceof HTMLElement) ||
    target.matches('input, select') ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey
  )
    return;
  const row = target.closest<HTMLElement>('tr[data-row]');
  if (row === null) return;
  const [first = '', ...others] = choices;
  const last = others.pop() ?? '';
  const select = choiceOf(row);
  const next = others[(others.indexOf(select.value) + 1) % others.length] ?? '';
  const taken: Readonly<Record<string, string>> = { k: first, c: next, r: last, u: '' };
  const choice = taken[event.key.toLowerCase()];
  if (choice === undefined) return;
  select.value = choice;
  row.dataset.decision = choice;
  count();
  event.preventDefault();
}

/** Rows with a decision, as RFC 4180 has it; a cell that a spreadsheet would take for a formula is guarded as in `-o csv`. */
function csvOf(part: HTMLElement, rows: readonly HTMLTableRowElement[], { columns }: Decisions): string {
  const heads = [...part.querySelectorAll<HTMLElement>('th[data-as]')].map(
    ({ textContent }) => textContent ?? '',
  );
  const at = columns.map(([label]) => heads.indexOf(label));
  const lines = rows.flatMap((row) => {
    const { value } = choiceOf(row);
    return value === ''
      ? []
      : [[...at.map((index) => row.children[index]?.getAttribute('data-t') ?? textIn(row, index)), value]];
  });
  const all = [[...columns.map(([, name]) => name), 'decision'], ...lines];
  return all.map((line) => `${line.map(quoted).join(',')}\r\n`).join('');
}

/** The text of a cell without its chooser. */
function textIn(row: HTMLTableRowElement, index: number): string {
  const nodes = [...(row.children[index]?.childNodes ?? [])];
  return nodes.map((node) => (node instanceof HTMLSelectElement ? '' : (node.textContent ?? ''))).join('');
}

function quoted(text: string): string {
  const cell = safeCell(text);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
