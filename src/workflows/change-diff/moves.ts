/** Which of the pages beside each other were moved, where any order can be made from any other. */

/**
 * The fewest ids that must move for one order to become the other: all but those of a longest run that keeps its
 * order.
 * @param before the same ids as `after`, each once
 */
export function movedIds(before: readonly string[], after: readonly string[]): Set<string> {
  const place = new Map(before.map((id, index) => [id, index]));
  const sequence = after.map((id) => place.get(id) ?? 0);
  /** By length: where the smallest end of a rising run of that length is. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, value] of sequence.entries()) {
    const at = firstNotBelow(ends, sequence, value);
    previous.push(at === 0 ? -1 : (ends[at - 1] ?? -1));
    ends[at] = index;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) kept.add(index);
  return new Set(after.filter((_, index) => !kept.has(index)));
}

function firstNotBelow(ends: readonly number[], sequence: readonly number[], value: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sequence[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
