import { fieldPaths } from '../../output/printed-shapes.js';
import type { View } from '../../output/printer.js';
import { PlannedSpace } from '../../workflows/backup/report.js';

/** Of `--dry-run` where a backup is written. */
export const planView: View = {
  columns: ['state', 'title', 'id'].map((path) => ({ path })),
  ...fieldPaths(PlannedSpace),
  empty: 'No spaces.',
};
