import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/sandbox/store/database.js';
import { applyEach, migrate } from '../../../src/sandbox/store/migrate.js';

/**
 * A new database is made at once, by what the migrations give together. After another migration, DOCS_RECORD=1
 * writes that anew.
 */

const file = 'src/sandbox/store/migrations/structure.ts';

interface Entry {
  type: string;
  name: string;
  sql: string | null;
}

const entries = (db: Database) => db.all<Entry>('SELECT type, name, sql FROM sqlite_schema ORDER BY rowid');

/** What makes the entries; those that SQLite makes by itself are left out. */
function statements(all: readonly Entry[]): string[] {
  const indexes = all.filter(({ sql }) => sql?.startsWith('CREATE VIRTUAL')).map(({ name }) => name);
  const isOwn = ({ type, name }: Entry) =>
    !name.startsWith('sqlite_') &&
    !(type === 'table' && indexes.some((index) => name.startsWith(`${index}_`)));
  return all.filter(isOwn).flatMap(({ sql }) => sql ?? []);
}

/** All rows of all tables; of what is random, only its length. */
function rowsOf(db: Database): unknown {
  const tables = entries(db).filter(({ type, name }) => type === 'table' && !name.startsWith('page_search'));
  return tables.map(({ name }) => [
    name,
    db
      .all<Record<string, unknown>>(`SELECT * FROM "${name}"`)
      .map((row) => (row.key === 'download_secret' ? { ...row, value: String(row.value).length } : row)),
  ]);
}

test('a new database is what its migrations make one by one', () => {
  const [migrated, made] = [openDatabase(':memory:'), openDatabase(':memory:')];
  migrated.write(() => applyEach(migrated));
  if (process.env.DOCS_RECORD === '1') {
    const start = readFileSync(file, 'utf8').split('= [')[0];
    const lines = statements(entries(migrated)).map((sql) => `  ${JSON.stringify(sql)},\n`);
    writeFileSync(file, `${start}= [\n${lines.join('')}];\n`);
    return;
  }
  migrate(made);
  expect(entries(made), 'DOCS_RECORD=1 writes it anew').toEqual(entries(migrated));
  expect(rowsOf(made)).toEqual(rowsOf(migrated));
  for (const db of [migrated, made]) db.close();
});
