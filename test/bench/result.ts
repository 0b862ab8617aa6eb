/** A ratio is to be at most this, or at least. */
export type Goal = { most: number } | { least: number };

export type Unit = 'ms' | 'MB' | 'requests' | 'requests/s';

/** What is compared with what; the names are those of the table. */
export interface Subjects {
  what: string;
  against: string;
  goal: Goal;
}

/** One line of the table. */
export interface Result extends Subjects {
  /** The row's script. */
  row: string;
  ratio: number;
  spread: readonly [low: number, high: number];
  /** Medians. */
  ours: number;
  theirs: number;
  unit: Unit;
  /** Pairs measured, beside one that warms up. */
  runs: number;
  /** Medians of the peak memory of the processes, in MB, where it was measured. */
  memory?: { ours: number; theirs: number };
  /** The ratio of the processor times, where they were measured; the goal holds for both. */
  processor?: number;
  met: boolean;
}

/** What a row's script measures: each in turns with what it is measured against. */
export interface Measured extends Subjects {
  unit: Unit;
  ours: readonly number[];
  theirs: readonly number[];
  memory?: { ours: readonly number[]; theirs: readonly number[] };
  processor?: { ours: readonly number[]; theirs: readonly number[] };
}

/** The line of the table for what was measured. */
export function resultOf(
  row: string,
  { unit, ours, theirs, memory, processor, ...subjects }: Measured,
): Result {
  const { ratio, spread } = compare(ours, theirs);
  const ofProcessor = processor && compare(processor.ours, processor.theirs).ratio;
  return {
    row,
    ...subjects,
    ...{ ratio, spread, unit, runs: ours.length },
    ...{ ours: median(ours), theirs: median(theirs) },
    ...(memory && { memory: { ours: median(memory.ours), theirs: median(memory.theirs) } }),
    ...(ofProcessor !== undefined && { processor: ofProcessor }),
    met: meets(ratio, subjects.goal) && (ofProcessor === undefined || meets(ofProcessor, subjects.goal)),
  };
}

/** As the table shows it: a goal is met to two places. */
function meets(ratio: number, goal: Goal): boolean {
  const shown = Number(ratio.toFixed(2));
  return 'most' in goal ? shown <= goal.most : shown >= goal.least;
}

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
interface Comparison {
  /** The median of the ratios of the pairs: a machine that gets slower or faster meanwhile changes both of a pair. */
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
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}
