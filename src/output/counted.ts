import { grouped } from './cells.js';

/** `1 member`, `1,234 members`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
