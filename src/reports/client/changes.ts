import type { Cell, ChangedItem, ChangesPart } from '../../document/document.js';
import { counted, grouped } from '../../output/text.js';
import { el, onPrint } from './dom.js';
import { filterBox, selectBox, textOf } from './table.js';

/** Items that are drawn at first, and with each step further. */
const step = 100;

/** What is changed, item by item: before and after. @param heading id of the element that names it */
export function changesView(part: ChangesPart, heading: string): Node[] {
  if (part.items.length === 0) return [el('p', { class: 'empty' }, part.empty)];
  return new ChangesView(part, heading).nodes;
}

class ChangesView {
  readonly nodes: Node[];
  readonly #items: readonly ChangedItem[];
  readonly #texts: readonly string[];
  readonly #list: HTMLElement;
  readonly #more = el('button', { type: 'button', class: 'act' });
  readonly #status = el('p', { class: 'status', role: 'status' });
  #words: readonly string[] = [];
  #action: string | undefined;
  #shown = step;

  constructor({ items }: ChangesPart, heading: string) {
    this.#items = items;
    this.#texts = items.map(soughtText);
    this.#list = el('ol', { class: 'changed', 'aria-labelledby': heading });
    this.#more.addEventListener('click', () => this.#draw(this.#shown + step));
    this.nodes = [el('div', { class: 'tools' }, ...this.#tools(), this.#status), this.#list, this.#more];
    this.#draw(step);
    let before = step;
    onPrint(
      () => {
        before = this.#shown;
        this.#draw(items.length);
      },
      () => this.#draw(before),
    );
  }

  #tools(): HTMLElement[] {
    const actions = [...new Set(this.#items.map(({ action }) => action))];
    const filter = filterBox('Filter', (text) => {
      this.#words = text.toLowerCase().split(/\s+/).filter(Boolean);
      this.#draw(step);
    });
    if (actions.length < 2) return [filter];
    const counts = actions.map(
      (action) => `${action} (${grouped(this.#items.filter((item) => item.action === action).length)})`,
    );
    const select = selectBox('Action', ['All', ...counts], (at) => {
      this.#action = actions[at - 1];
      this.#draw(step);
    });
    return [filter, select];
  }

  #draw(most: number): void {
    const found = this.#items.filter((item, at) => this.#isFound(item, this.#texts[at] ?? ''));
    this.#shown = most;
    this.#list.replaceChildren(...found.slice(0, most).map(itemOf));
    const left = found.length - most;
    this.#more.hidden = left <= 0;
    this.#more.textContent = `Show ${grouped(Math.min(step, left))} more`;
    const all = counted(this.#items.length, 'change');
    const counts = found.length === this.#items.length ? all : `${grouped(found.length)} of ${all}`;
    this.#status.textContent = left > 0 ? `${counts}, the first ${grouped(most)} shown` : counts;
  }

  #isFound({ action }: ChangedItem, text: string): boolean {
    if (this.#action !== undefined && action !== this.#action) return false;
    return this.#words.every((word) => text.includes(word));
  }
}

/** How the colour of an action reads: as that of a change in a terminal. */
const tones: Readonly<Record<string, string>> = { create: 'good', delete: 'bad', remove: 'bad', add: 'good' };

function itemOf({ action, as, title, id, notes = [], fields }: ChangedItem): HTMLElement {
  return el(
    'li',
    {},
    el(
      'h3',
      {},
      el('span', { class: `badge ${tones[action] ?? 'busy'}` }, action),
      ` ${as} `,
      el('bdi', {}, title),
      ...(id === undefined ? [] : [' ', el('code', {}, id)]),
    ),
    ...notes.map((note) => el('p', { class: 'note', dir: 'auto' }, note)),
    fields.length === 0 ? undefined : fieldsOf(fields),
  );
}

function fieldsOf(fields: ChangedItem['fields']): HTMLElement {
  const head = ['Field', 'Before', 'After'].map((label) => el('th', { scope: 'col' }, label));
  const rows = fields.map(({ name, before, after }) =>
    el('tr', {}, el('th', { scope: 'row', dir: 'auto' }, name), side(before, 'del'), side(after, 'ins')),
  );
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...rows));
  return el('div', { class: 'fields' }, table);
}

function side(value: Cell, name: 'del' | 'ins'): HTMLElement {
  const text = textOf(value, 'text');
  if (text === '') return el('td', {}, el('span', { class: 'nothing' }, 'nothing'));
  const lines = text.split('\n').map((line) => el('div', { dir: 'auto' }, line));
  return el('td', {}, el(name, {}, ...lines));
}

function soughtText({ action, as, title, id = '', notes = [], fields }: ChangedItem): string {
  const values = fields.flatMap(({ name, before, after }) => [
    name,
    textOf(before, 'text'),
    textOf(after, 'text'),
  ]);
  return [action, as, title, id, ...notes, ...values].join('\n').toLowerCase();
}
