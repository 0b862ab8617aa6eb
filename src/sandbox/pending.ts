import type { PendingWork } from './handle.js';
import { openApiRuns } from './records/openapi-runs.js';

const restoreWindowMs = 7 * 86_400_000;

/** A deleted space can be restored for seven days (spec B, "States and transitions"). */
const restores: PendingWork = {
  due: `SELECT min(deleted_at) + ${restoreWindowMs} FROM spaces WHERE deleted_at IS NOT NULL`,
  tables: ['spaces.deleted_at'],
  finish: (db, now) => {
    db.run('DELETE FROM spaces WHERE deleted_at <= ?', now - restoreWindowMs);
  },
};

/** What falls due by the clock. It is looked for before every request, so it needs no declarations. */
export const pendingWork: readonly PendingWork[] = [openApiRuns, restores];
