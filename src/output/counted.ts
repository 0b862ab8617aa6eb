/** A number with its noun: `1 page`, `12,500 pages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `3 of 5 items are done`. */
export function doneOf(done: number, total: number): string {
  return `${done} of ${total} ${total === 1 ? 'item is' : 'items are'} done`;
}

/** A number with its thousands apart: `12,500`. */
export function grouped(value: number): string {
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}
