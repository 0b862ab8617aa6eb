import { counted, grouped } from '../../output/text.js';
import { button, el, wordsOf } from './dom.js';
import { change, readState, type State } from './state.js';

/** Filters, chips and orders of the rows of a part. The rows are in the page; here some are hidden, or put in another order. */

interface Row {
  element: HTMLElement;
  /** Its evidence, which moves and hides with it. */
  more: HTMLElement | undefined;
  /** In lower case, once something is sought. */
  text: string | undefined;
}

/** Rows of a table that the browser lays out together, once they come into sight. */
interface Group {
  element: HTMLElement;
  size: number;
}

/** A value by which rows are chosen. */
interface Chip {
  label: string;
  value: string;
  at: number;
  element: HTMLButtonElement;
}

/** As the style sheet guesses it, in pixels. */
const rowHeight = 34;

/** Columns of these kinds with at most so many values have chips. */
const chosen = ['role', 'state', 'yesno', 'flags'];
const mostValues = 12;

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows of one part of the page. */
export class Rows {
  readonly #part: HTMLElement;
  readonly #rows: readonly Row[];
  readonly #groups: readonly Group[];
  /** The rows as they stand. */
  #ordered: readonly Row[];
  readonly #heads: HTMLTableCellElement[];
  /** How many rows are shown, beside the title. */
  readonly #status: HTMLElement;
  readonly #chips: Chip[] = [];
  /** What is beside the title where all is shown. */
  readonly #whole: string;
  #order = '';
  /** Whether nothing is hidden, as when the page opens. */
  #isAll = true;

  constructor(part: HTMLElement) {
    this.#part = part;
    this.#rows = [...part.querySelectorAll<HTMLElement>('[data-row]')].map((element) => ({
      element,
      more: moreOf(element),
      text: undefined,
    }));
    this.#ordered = this.#rows;
    this.#groups = [...part.querySelectorAll<HTMLElement>('.rows > tbody')].map((element) => ({
      element,
      size: element.querySelectorAll('[data-row]').length,
    }));
    this.#heads = [...part.querySelectorAll<HTMLTableCellElement>('th[data-as]')];
    for (const head of this.#heads) this.#makeSortable(head);
    const chips = this.#heads.flatMap((head, at) => this.#chipsOf(head, at));
    const title = part.querySelector('h2');
    this.#status = title?.querySelector<HTMLElement>('.count') ?? el('span', { class: 'count' });
    this.#status.setAttribute('role', 'status');
    this.#whole = this.#status.textContent ?? '';
    if (chips.length > 0) title?.after(el('div', { class: 'tools' }, ...chips));
  }

  /** Shows what the state says. */
  show(state: State): void {
    const words = wordsOf(state.get('q') ?? '');
    const wanted = this.#chips.filter(({ label, value }) => state.get(label) === value);
    for (const { element, label, value } of this.#chips)
      element.setAttribute('aria-pressed', String(state.get(label) === value));
    const all = this.#rows.length;
    const isAll = words.length === 0 && wanted.length === 0;
    const shown = isAll && this.#isAll ? all : this.#choose(words, wanted);
    if (words.length > 0) this.#openAround();
    this.#sort(state.get(`sort.${this.#part.id}`) ?? '');
    if (!isAll || !this.#isAll) this.#fitGroups();
    this.#isAll = isAll;
    const order =
      this.#order === ''
        ? ''
        : `, by ${this.#order.replace(/^-/, '')}${this.#order.startsWith('-') ? ', descending' : ''}`;
    this.#status.textContent = `${shown === all ? this.#whole : `${grouped(shown)} of ${counted(all, 'row')}`}${order}`;
  }

  /** Hides the rows that are not sought. @returns how many are shown */
  #choose(words: readonly string[], wanted: readonly Chip[]): number {
    let shown = 0;
    for (const row of this.#rows) {
      const isShown =
        this.#has(row, words) && wanted.every(({ at, value }) => valuesOf(row.element, at).includes(value));
      row.element.hidden = !isShown;
      if (row.more !== undefined) row.more.hidden = !isShown;
      if (isShown) shown += 1;
    }
    return shown;
  }

  /** A node of a tree is found by what is in it, and a fold by its lines. */
  #has(row: Row, words: readonly string[]): boolean {
    if (words.length === 0) return true;
    row.text ??= `${row.element.textContent}\n${row.more?.textContent ?? ''}`.toLowerCase();
    const { text } = row;
    return words.every((word) => text.includes(word));
  }

  /** What is found within something closed is opened. */
  #openAround(): void {
    for (const { element } of this.#rows) {
      const around = element.parentElement?.closest('details');
      if (!element.hidden && around != null) around.open = true;
    }
  }

  #makeSortable(head: HTMLTableCellElement): void {
    const label = head.textContent ?? '';
    const name = `sort.${this.#part.id}`;
    const next = () => {
      const now = readState().get(name);
      const order = now === label ? `-${label}` : now === `-${label}` ? undefined : label;
      change(name, order, true);
      this.show(readState());
    };
    // A form control in it would keep browsers from repeating the head on each page of paper.
    const sorter = el('span', { role: 'button', tabindex: 0, dir: 'auto' }, label);
    sorter.addEventListener('click', next);
    sorter.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      next();
      event.preventDefault();
    });
    head.replaceChildren(sorter);
  }

  #sort(order: string): void {
    if (order === this.#order) return;
    this.#order = order;
    const at = this.#heads.findIndex(({ textContent }) => textContent === order.replace(/^-/, ''));
    for (const [index, head] of this.#heads.entries())
      if (index === at) head.setAttribute('aria-sort', order.startsWith('-') ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    const sign = order.startsWith('-') ? -1 : 1;
    const keyed = this.#rows.map((row) => ({ row, key: at === -1 ? '' : keyOf(row.element, at) }));
    if (at !== -1) keyed.sort((one, other) => compare(one.key, other.key, sign));
    this.#ordered = keyed.map(({ row }) => row);
    for (const [{ element: group }, rows] of this.#grouped())
      group.replaceChildren(
        ...rows.flatMap(({ element, more }) => (more === undefined ? [element] : [element, more])),
      );
  }

  /** The groups with the rows that belong in them. */
  #grouped(): [Group, readonly Row[]][] {
    let end = 0;
    return this.#groups.map((group) => {
      end += group.size;
      return [group, this.#ordered.slice(end - group.size, end)];
    });
  }

  /** A group out of sight is as high as is guessed: without the rows that are hidden. */
  #fitGroups(): void {
    for (const [{ element: group, size }, rows] of this.#grouped()) {
      const shown = rows.filter(({ element }) => !element.hidden).length;
      group.hidden = shown === 0;
      group.style.containIntrinsicHeight = shown === size ? '' : `${shown * rowHeight}px`;
    }
  }

  #chipsOf(head: HTMLTableCellElement, at: number): HTMLElement[] {
    const label = head.textContent ?? '';
    if (!chosen.includes(head.dataset.as ?? '')) return [];
    const counts = new Map<string, number>();
    for (const { element } of this.#rows) {
      for (const value of valuesOf(element, at)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    if (counts.size < 2 || counts.size > mostValues || counts.size === this.#rows.length) return [];
    const chips = [...counts]
      .sort(([one], [other]) => collator.compare(one, other))
      .map(([value, count]) => {
        const toggle = () => {
          change(label, readState().get(label) === value ? undefined : value, true);
          window.dispatchEvent(new Event('docs-state'));
        };
        const element = button(value || '(empty)', toggle, { class: 'chip', 'aria-pressed': 'false' });
        element.append(' ', el('span', { class: 'count' }, grouped(count)));
        this.#chips.push({ label, value, at, element });
        return element;
      });
    return [
      el(
        'span',
        { class: 'chips', role: 'group', 'aria-label': label },
        el('span', { class: 'soft' }, label),
        ...chips,
      ),
    ];
  }
}

function moreOf(element: HTMLElement): HTMLElement | undefined {
  const next = element.nextElementSibling;
  return next instanceof HTMLElement && next.matches('tr.more') ? next : undefined;
}

/** The values of a cell by which rows are chosen: its badges, or all of its text. */
function valuesOf(row: HTMLElement, at: number): string[] {
  const cell = row.children[at];
  const badges = [...(cell?.querySelectorAll('.b') ?? [])].map(({ textContent }) => textContent ?? '');
  return badges.length > 0 ? badges : [cell?.textContent ?? ''];
}

function keyOf(row: HTMLElement, at: number): string | number {
  const cell = row.children[at];
  if (cell instanceof HTMLElement && cell.dataset.v !== undefined) return Number(cell.dataset.v);
  return cell?.textContent ?? '';
}

/** What is empty stands last in either order. */
function compare(one: string | number, other: string | number, sign: number): number {
  if (one === '' || other === '') return Number(one === '') - Number(other === '');
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  return sign * collator.compare(String(one), String(other));
}
