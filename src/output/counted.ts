/** A number with its noun: `1 page`, `12,500 pages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** A number with its thousands apart: `12,500`. */
export function grouped(value: number): string {
  return String(value).replace(/^-?\d+/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ','));
}
