import { defined } from '../../defined.js';
import type { Database } from './database.js';

/** The resources that commands use by default. */
export interface Defaults {
  org: string;
  space?: string;
  site?: string;
}

/** The oldest organization, the first space at its top level, and its oldest site. */
export function findDefaults(db: Database): Defaults {
  const first = (table: string, by: string, ...values: string[]) =>
    db.get<{ id: string }>(`SELECT id FROM ${table} ORDER BY ${by}, id LIMIT 1`, ...values)?.id;
  const org = first('organizations', 'created_at') ?? '';
  const top = 'parent_id IS NOT NULL, position';
  const space = first('spaces WHERE org_id = ? AND deleted_at IS NULL', top, org);
  return defined({ org, space, site: first('sites WHERE org_id = ?', 'created_at', org) });
}
