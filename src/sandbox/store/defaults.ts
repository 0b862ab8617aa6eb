import type { Database } from './database.js';

/** The resources that commands use by default. */
export interface Defaults {
  org: string;
  space?: string;
  site?: string;
}

/** The oldest organization, the first space at its top level, and its oldest site. */
export function findDefaults(db: Database): Defaults {
  const org =
    db.get<{ id: string }>('SELECT id FROM organizations ORDER BY created_at, id LIMIT 1')?.id ?? '';
  const sql = `SELECT id FROM spaces WHERE org_id = ? AND deleted_at IS NULL
    ORDER BY parent_id IS NOT NULL, position, id LIMIT 1`;
  const space = db.get<{ id: string }>(sql, org)?.id;
  const oldest = 'SELECT id FROM sites WHERE org_id = ? ORDER BY created_at, id LIMIT 1';
  const site = db.get<{ id: string }>(oldest, org)?.id;
  return { org, ...(space !== undefined && { space }), ...(site !== undefined && { site }) };
}
