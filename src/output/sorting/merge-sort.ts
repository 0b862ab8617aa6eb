/** Places written between two looks at whether the run was interrupted. */
const atOnce = 20_000;

/**
 * Sorts places 0 to `length`, equal ones in their order. Others get their turn meanwhile.
 * @throws the reason of the signal
 */
export async function sortedPlaces(
  length: number,
  compare: (one: number, other: number) => number,
  signal: AbortSignal,
): Promise<Uint32Array> {
  let from = Uint32Array.from({ length }, (_, place) => place);
  let to = new Uint32Array(length);
  let sinceLook = 0;
  for (let width = 1; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const end = Math.min(start + 2 * width, length);
      merge(from, to, [start, Math.min(start + width, length), end], compare);
      sinceLook += end - start;
      if (sinceLook < atOnce) continue;
      sinceLook = 0;
      signal.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two sorted neighbours of `from` into `to`. */
function merge(
  from: Uint32Array,
  to: Uint32Array,
  [start, middle, end]: readonly [number, number, number],
  compare: (one: number, other: number) => number,
): void {
  const at = (place: number) => from[place] ?? 0;
  if (middle >= end || compare(at(middle - 1), at(middle)) <= 0) {
    to.set(from.subarray(start, end), start);
    return;
  }
  let [left, right] = [start, middle];
  for (let place = start; place < end; place += 1) {
    const takesLeft = right >= end || (left < middle && compare(at(left), at(right)) <= 0);
    to[place] = takesLeft ? at(left) : at(right);
    if (takesLeft) left += 1;
    else right += 1;
  }
}
