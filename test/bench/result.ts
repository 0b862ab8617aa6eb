import { compare, median } from './statistics.js';

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
