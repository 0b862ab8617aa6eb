import { age } from '../../output/age.js';
import { el } from './dom.js';

/** A moment to the minute, with its age where the pointer rests; other text as it is. */
export function timeOf(moment: string, madeAt: number): HTMLElement {
  const ms = Date.parse(moment);
  if (Number.isNaN(ms)) return el('span', { dir: 'auto' }, moment);
  const text = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  return el('time', { datetime: moment, title: `${age(moment, madeAt)}, ${moment}` }, text);
}

/** The age of a moment, with the moment itself where the pointer rests. */
export function ageOf(moment: string, madeAt: number): HTMLElement {
  return el('time', { datetime: moment, title: moment }, age(moment, madeAt));
}
