/** Patience sorting, n log n. @returns indexes of a longest run of increasing values */
export function longestIncreasing(values: readonly (number | undefined)[]): Set<number> {
  /** By length − 1, the index of the least last value of a run of that length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, index) => {
    if (value === undefined) return;
    const length = firstNotBelow(value, ends.length, (at) => values[ends[at] as number] as number);
    previous[index] = ends[length - 1];
    ends[length] = index;
  });
  const found = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) found.add(at);
  return found;
}

/** The first place in a sorted list whose value is not below another. */
export function firstNotBelow(value: number, length: number, valueAt: (at: number) => number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
