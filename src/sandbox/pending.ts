import type { Database } from './store/database.js';

const mostRounds = 100;

/** Work that falls due by the clock, such as the end of a restore window. */
export interface PendingWork {
  /** SQL for the time in milliseconds at which the next piece is due; null if there is none. */
  due: string;
  tables: readonly string[];
  /** Finishes everything due at `now`, in the open transaction. */
  finish(db: Database, now: number): void;
}

/** Finishes work that is due, before every request; repeats if that makes further work due at once. */
export function finishPending(db: Database, works: readonly PendingWork[], now: number): void {
  for (let round = 0; dueAt(db, works) <= now; round += 1) {
    if (round === mostRounds) throw new Error('Pending work stays due after it was finished.');
    db.write(() => {
      for (const work of works) work.finish(db, now);
    });
  }
}

function dueAt(db: Database, works: readonly PendingWork[]): number {
  const tables = works.flatMap((work) => work.tables);
  const compute = () => {
    const all = works.map(({ due }) => `SELECT (${due}) AS due`).join(' UNION ALL ');
    const row = db.get<{ due: number | null }>(`SELECT min(due) AS due FROM (${all})`);
    return row?.due ?? Number.POSITIVE_INFINITY;
  };
  return db.remember('due', compute, tables);
}
