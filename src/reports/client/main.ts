import type { HeatAxes } from '../packed.js';
import { addCopies } from './copy.js';
import { addDecisions } from './decide.js';
import { el } from './dom.js';
import { type Heat, lookupOf, readHeats } from './lookup.js';
import { Rows } from './rows.js';
import { change, readState, target } from './state.js';

/** The script of a page: search, chips, orders, copies and keys. Without it the page is whole, and shows everything. */

const report = document.getElementById('report');
if (report !== null) begin(report);

function begin(report: HTMLElement): void {
  const parts = [...report.querySelectorAll<HTMLElement>('[data-part]')].map((part) => new Rows(part));
  for (const part of report.querySelectorAll<HTMLElement>('[data-part]')) addDecisions(part);
  const box = searchBox();
  const show = () => {
    const state = readState();
    if (document.activeElement !== box) box.value = state.get('q') ?? '';
    for (const part of parts) part.show(state);
    reveal(target());
  };
  box.addEventListener('input', () => {
    change('q', box.value, false);
    show();
  });
  for (const event of ['hashchange', 'popstate', 'docs-state']) window.addEventListener(event, show);
  document.addEventListener('keydown', (event) => onKey(event, box));
  addCopies(document);
  addLookups(report);
  show();
  report.dataset.ready = '';
}

function searchBox(): HTMLInputElement {
  const box = el('input', {
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-keyshortcuts': '/',
  });
  document
    .getElementById('top')
    ?.prepend(
      el(
        'div',
        { class: 'search', role: 'search' },
        el('label', {}, 'Search ', box),
        el('kbd', { 'aria-hidden': 'true' }, '/'),
      ),
    );
  return box;
}

/** Opens what is around a part or a row, and scrolls to it. */
function reveal(id: string): void {
  const place = id === '' ? null : document.getElementById(id);
  if (place === null) return;
  for (let around: Element | null = place; around !== null; around = around.parentElement)
    if (around instanceof HTMLDetailsElement) around.open = true;
  place.scrollIntoView({ block: place.matches('[data-row]') ? 'center' : 'start' });
}

function onKey(event: KeyboardEvent, box: HTMLInputElement): void {
  const { target: at } = event;
  const isTyping = at instanceof HTMLElement && at.matches('input, textarea, select');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === '/' && !isTyping) {
    box.focus();
    event.preventDefault();
  } else if (event.key === 'Escape' && at === box) {
    box.blur();
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && (at === box || !isTyping)) {
    if (moveRow(event.key === 'ArrowDown' ? 1 : -1)) event.preventDefault();
  }
}

/** From row to row: to the one after that which has the focus, or to the first. @returns whether there is one */
function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) =>
    row.checkVisibility(),
  );
  const now = document.activeElement?.closest('[data-row]');
  const at = now === null || now === undefined ? -1 : rows.indexOf(now as HTMLElement);
  const next = rows[at === -1 && step === -1 ? rows.length - 1 : at + step];
  if (next === undefined) return false;
  const focusable = next.querySelector<HTMLElement>(':scope > summary, :scope > details > summary') ?? next;
  if (focusable === next) next.tabIndex = -1;
  focusable.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** A place for each map of the page, in the order in which they are packed. */
function addLookups(report: HTMLElement): void {
  let maps: Promise<Heat[]> | undefined;
  for (const [at, place] of report.querySelectorAll<HTMLElement>('[data-heat]').entries()) {
    const heat = async () => {
      maps ??= readHeats(document.getElementById('data')?.textContent ?? '');
      const map = (await maps)[at];
      if (map === undefined) throw new Error('the page is not whole');
      return map;
    };
    place.append(...lookupOf(JSON.parse(place.dataset.heat ?? '') as HeatAxes, heat));
  }
}
