import type { HeatAxes, PackedHeat } from '../packed.js';
import { button, el, wordsOf } from './dom.js';

/** Who has what, and why: every pair of a map of levels, of which the page shows groups. */

export interface Heat extends PackedHeat {
  cells: Uint8Array;
  low: Uint8Array;
  high: Uint8Array;
}

/** So many matches are offered. */
const mostOffered = 20;

/** Reads what `packHeats` packed. @throws where the browser cannot, or the bytes are not what it made */
export async function readHeats(base64: string): Promise<Heat[]> {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  // Millions of characters: a function for each takes longer than all else.
  for (let at = 0; at < text.length; at += 1) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const heats = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as readonly PackedHeat[];
  let at = 4 + length;
  return heats.map((heat) => {
    const count = heat.rows.length * heat.columns.length;
    const take = (piece: number) => bytes.subarray(at + piece * count, at + (piece + 1) * count);
    const whole = { ...heat, cells: take(0), low: take(1), high: take(2) };
    at += 3 * count;
    return whole;
  });
}

/**
 * A box for a name, what it could mean, and all pairs of the one that is chosen.
 * @param heat reads the map, at the first name: with millions of pairs the page would open late
 */
export function lookupOf([row, column]: HeatAxes, heat: () => Promise<Heat>): Node[] {
  const found = el('ul', { class: 'chips' });
  const shown = el('div', { 'aria-live': 'polite' });
  const input = el('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' });
  const offer = (map: Heat) => found.replaceChildren(...offersOf(map, wordsOf(input.value), shown));
  input.addEventListener('input', () => {
    heat().then(offer, (error: unknown) =>
      found.replaceChildren(el('li', { role: 'alert' }, `Single pairs cannot be shown: ${String(error)}`)),
    );
  });
  const label = el('label', {}, `Look up a ${row.toLowerCase()} or a ${column.toLowerCase()} `, input);
  return [label, found, shown];
}

/** Buttons for the lines of a map that have all the words; each puts its pairs into `shown`. */
function offersOf(heat: Heat, words: readonly string[], shown: HTMLElement): HTMLElement[] {
  if (words.length === 0) return [];
  const hits = [
    ...heat.rows.map((line, at) => ({ ...line, at, isRow: true })),
    ...heat.columns.map((line, at) => ({ ...line, at, isRow: false })),
  ].filter(({ label, detail = '' }) => {
    const text = `${label} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const offers = hits.slice(0, mostOffered).map(({ label, detail, at, isRow }) => {
    const choose = () => shown.replaceChildren(pairsOf(heat, { at, isRow }));
    return el(
      'li',
      {},
      button(detail === undefined ? label : `${label} (${detail})`, choose, { class: 'chip', dir: 'auto' }),
    );
  });
  const more = hits.length - offers.length;
  return more > 0 ? [...offers, el('li', { class: 'soft' }, `and ${more} more`)] : offers;
}

function pairsOf(heat: Heat, { at, isRow }: { at: number; isRow: boolean }): HTMLElement {
  const { rows, columns, levels, reasons, cells, low, high, axes } = heat;
  const own = (isRow ? rows : columns)[at]?.label ?? '';
  const others = isRow ? columns : rows;
  const lines = others.map(({ label }, other) => {
    const cell = isRow ? at * columns.length + other : other * columns.length + at;
    const why = reasons[(low[cell] ?? 0) + (high[cell] ?? 0) * 256] ?? '';
    const [name, level, reason] = [label, levels[cells[cell] ?? 0] ?? '', why];
    return el(
      'tr',
      {},
      el('th', { scope: 'row', dir: 'auto' }, name),
      el('td', {}, level),
      el('td', { dir: 'auto' }, reason),
    );
  });
  const heads = [axes[isRow ? 1 : 0], 'Level', 'Why'].map((head) => el('th', { scope: 'col' }, head));
  return el(
    'table',
    { class: 'pairs' },
    el('caption', { dir: 'auto' }, own),
    el('thead', {}, el('tr', {}, ...heads)),
    el('tbody', {}, ...lines),
  );
}
