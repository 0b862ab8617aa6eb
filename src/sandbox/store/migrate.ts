import { DocsError } from '../../errors.js';
import type { Database } from './database.js';
import { downloadSecret } from './migrations/020-content.js';
import { migrations } from './migrations/index.js';
import { structure } from './migrations/structure.js';

/** Applies the pending migrations. @throws DocsError `configuration` for a newer program's database */
export function migrate(db: Database): void {
  if (pending(db).length === 0) return;
  db.write(() => {
    if (isNew(db)) create(db);
    else applyEach(db);
  });
}

/** Applies the pending migrations one by one. Call within a write. */
export function applyEach(db: Database): void {
  db.exec('CREATE TABLE IF NOT EXISTS local_migrations (name TEXT PRIMARY KEY) WITHOUT ROWID');
  for (const [name, sql] of pending(db)) {
    db.exec(sql);
    record(db, name);
  }
}

/** Makes at once what all migrations give. Each change of a table by itself takes most of the time of a new database. */
function create(db: Database): void {
  db.exec(`${structure.join(';\n')};\n${downloadSecret}`);
  for (const name of Object.keys(migrations)) record(db, name);
}

function record(db: Database, name: string): void {
  db.run('INSERT INTO local_migrations (name) VALUES (?)', name);
}

function isNew(db: Database): boolean {
  return db.get('SELECT 1 FROM sqlite_schema') === undefined;
}

function pending(db: Database): [name: string, sql: string][] {
  const exists = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'local_migrations'") !== undefined;
  const rows = exists ? db.all<{ name: string }>('SELECT name FROM local_migrations') : [];
  const applied = rows.map(({ name }) => name);
  const foreign = applied.find((name) => !Object.hasOwn(migrations, name));
  if (foreign !== undefined) {
    const message = `A newer version of docs created the sandbox's database (it has migration ${foreign}).`;
    throw new DocsError('configuration', 'newer_database', message, { hint: 'docs --version' });
  }
  return Object.entries(migrations).filter(([name]) => !applied.includes(name));
}
