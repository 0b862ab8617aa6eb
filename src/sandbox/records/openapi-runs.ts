import type { PendingWork } from '../handle.js';
import type { Database } from '../store/database.js';
import { insert, nextId } from '../store/rows.js';

export type LoadedSpec =
  | { file: string; document: string }
  | { error: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR' };

/*
 * The source of a spec is read when it is set; its state follows the sandbox's clock: pending, after 1 second
 * in progress, after 3 seconds complete. A document then becomes the next version, even if it equals the last
 * one (platform-facts: "adding a version on completion"); a failure sets the error code.
 */
const progressAfterMs = 1000;
const completeAfterMs = 3000;

/** Starts processing again and abandons a run under way. */
export function startRun(db: Database, specId: string, found: LoadedSpec, now: number): void {
  db.run("UPDATE openapi_specs SET state = 'pending' WHERE id = ?", specId);
  db.run('DELETE FROM openapi_runs WHERE spec_id = ?', specId);
  insert(db, 'openapi_runs', { spec_id: specId, started_at: now, ...found });
}

export const openApiRuns: PendingWork = {
  due: `SELECT min(r.started_at + CASE s.state WHEN 'pending' THEN ${progressAfterMs} ELSE ${completeAfterMs} END)
    FROM openapi_runs r JOIN openapi_specs s ON s.id = r.spec_id`,
  tables: ['openapi_runs', 'openapi_specs'],
  finish(db, now) {
    db.run(
      `UPDATE openapi_specs SET state = 'progress' WHERE state = 'pending'
       AND id IN (SELECT spec_id FROM openapi_runs WHERE started_at <= ?)`,
      now - progressAfterMs,
    );
    const sql = 'SELECT * FROM openapi_runs WHERE started_at <= ? ORDER BY started_at, spec_id';
    for (const run of db.all<RunRow>(sql, now - completeAfterMs)) complete(db, run);
  },
};

interface RunRow {
  spec_id: string;
  started_at: number;
  file: string | null;
  document: string | null;
  error: string | null;
}

function complete(db: Database, run: RunRow): void {
  const at = run.started_at + completeAfterMs;
  const sql = "UPDATE openapi_specs SET state = 'complete', processed_at = ?, error = ? WHERE id = ?";
  db.run(sql, at, run.error, run.spec_id);
  if (run.file !== null && run.document !== null) addVersion(db, run.spec_id, run.file, run.document, at);
  db.run('DELETE FROM openapi_runs WHERE spec_id = ?', run.spec_id);
}

function addVersion(db: Database, specId: string, file: string, document: string, at: number): void {
  db.run(
    `INSERT INTO openapi_versions (id, spec_id, number, file, document, created_at)
     VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM openapi_versions WHERE spec_id = ?2), ?3, ?4, ?5)`,
    ...[nextId(db), specId, file, document, at],
  );
}
