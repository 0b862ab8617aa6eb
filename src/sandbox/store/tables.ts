import type { Database } from './database.js';
import { newer, older } from './opening-errors.js';
import { schema } from './schema.js';
import { schemaVersion, versionOf } from './schema-version.js';

/**
 * Makes the tables of a new database.
 * @throws DocsError `configuration` for a database that a version of docs with another schema created
 */
export function prepareTables(db: Database, file = ':memory:'): void {
  db.write(() => {
    const version = versionOf(db); // Another program may have made them meanwhile.
    if (version > schemaVersion) throw newer(version);
    const isNew = db.get('SELECT 1 FROM sqlite_schema') === undefined;
    if (version < schemaVersion && !isNew) throw older(file);
    if (isNew) db.exec(schema);
  });
}
