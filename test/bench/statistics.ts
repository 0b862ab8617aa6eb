/** The arithmetic of the benchmarks. */

/**
 * The value below which a share of the values lies, between two values in proportion.
 * @param share 0 to 1
 * @throws RangeError where there is no value
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  const high = sorted[Math.ceil(place)];
  if (low === undefined || high === undefined)
    throw new RangeError('There is nothing to take a quantile of.');
  return low + (high - low) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Two things measured in turns: by how much the first is more than the second. */
export interface Comparison {
  /** Of the medians. */
  ratio: number;
  /** The quartiles of the ratios of the pairs: half of all pairs lie between. */
  spread: readonly [low: number, high: number];
}

/**
 * Compares what was measured in turns.
 * @param ours and `theirs` have the same length; what stands at the same place was measured one after the other
 */
export function compare(ours: readonly number[], theirs: readonly number[]): Comparison {
  if (ours.length !== theirs.length) throw new RangeError('Only pairs can be compared.');
  const ratios = ours.map((value, index) => value / (theirs[index] as number));
  return {
    ratio: median(ours) / median(theirs),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}
