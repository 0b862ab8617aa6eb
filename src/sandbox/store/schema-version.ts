import type { Database } from './database.js';

/** A database has the version of the schema it was made with. There are no migrations (decision 048): count this up. */
export const schemaVersion = 2;

/** The version that a database was made with; 0 for an empty one. */
export function versionOf(db: Database): number {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}
