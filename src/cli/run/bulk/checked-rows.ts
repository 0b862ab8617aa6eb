import type { Mistake } from '../../../jobs/rows.js';
import type { ManualInput } from '../../declare/command.js';
import type { PlannedCall } from '../assemble.js';
import type { LeftOut } from '../job-results.js';

/** The rows of a file as requests, and what is wrong with the others. */
export interface CheckedRows {
  calls: PlannedCall[];
  inputs: ManualInput[];
  /** The index of the row of each call. */
  indexes: number[];
  mistakes: Mistake[];
  /** The rows with mistakes. */
  leftOut: LeftOut[];
  /** The rows that say what an earlier one says. */
  repeats: Mistake[];
}
