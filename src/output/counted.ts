import { grouped } from './cells.js';

/** `1 page`, `3,000 pages`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
