import type { Cell, ColumnKind } from '../../../document/document.js';
import { byteSize } from '../../../output/byte-size.js';
import { grouped } from '../../../output/counted.js';
import { toneOf } from '../../../output/tones.js';
import { el } from '../dom.js';
import { timeOf } from '../time.js';

/** Kinds whose values are numbers. */
export function isNumeric(as: ColumnKind): boolean {
  return as === 'count' || as === 'bytes';
}

/** A value as it is read, sought and measured. */
export function textOf(value: Cell | undefined, as: ColumnKind): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return as === 'bytes' ? byteSize(value) : grouped(value);
  return typeof value === 'string' ? value : value.join('\n');
}

/** Shows a value; a list line by line. Ages are counted from `madeAt`. */
export function cellOf(value: Cell | undefined, as: ColumnKind, madeAt: number): Node {
  if (as === 'time' && typeof value === 'string') return timeOf(value, madeAt);
  const text = textOf(value, as);
  if (as === 'role' || as === 'state') return text === '' ? el('span') : badge(text, as);
  if (as === 'id') return el('code', {}, text);
  if (value !== null && typeof value === 'object')
    return el('ul', { class: 'lines' }, ...value.map((line) => el('li', { dir: 'auto' }, line)));
  return el('span', { dir: 'auto' }, text);
}

/** A word with the colour that it has in a terminal. */
export function badge(word: string, as: 'role' | 'state'): HTMLElement {
  return el('span', { class: `badge ${toneOf(as, word) ?? 'plain'}`, dir: 'auto' }, word);
}
