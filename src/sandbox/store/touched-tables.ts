import { everyTable } from './memory.js';

interface Reader {
  all<Row>(sql: string, ...values: string[]): Row[];
}

/** The table that a statement changes; undefined for a read, `everyTable` if unknown. */
export function tableChangedBy(sql: string): string | undefined {
  const change =
    /^\s*(?:(?:INSERT(?:\s+OR\s+\w+)?|REPLACE)\s+INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)/i;
  const table = change.exec(sql)?.[1];
  if (table !== undefined) return table;
  const reads =
    /^\s*(?:SELECT|EXPLAIN|PRAGMA|WITH)\b/i.test(sql) && !/\b(?:INSERT|UPDATE|DELETE)\b/i.test(sql);
  return reads ? undefined : everyTable;
}

/**
 * For each table, the tables that a change of it may change: itself, those whose references cascade, and
 * those its triggers write to, transitively.
 */
export function tablesChangedWith(db: Reader): Map<string, ReadonlySet<string>> {
  const names = db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const next = new Map<string, string[]>(names.map(({ name }) => [name, [name]]));
  for (const { name } of names) {
    const keys = db.all<{ table: string }>('SELECT "table" FROM pragma_foreign_key_list(?)', name);
    for (const { table } of keys) next.get(table)?.push(name);
  }
  const triggers = db.all<{ tbl_name: string; sql: string }>(
    "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'",
  );
  for (const { tbl_name: table, sql } of triggers) next.get(table)?.push(...tablesNamedAsChanged(sql));
  return new Map(names.map(({ name }) => [name, reachable(name, next)]));
}

function tablesNamedAsChanged(trigger: string): string[] {
  const change = /\b(?:INTO|UPDATE(?:\s+OR\s+\w+)?|FROM)\s+(\w+)/gi;
  return [...trigger.matchAll(change)].map((match) => match[1] ?? everyTable);
}

function reachable(start: string, next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>([start]);
  for (const name of seen) {
    for (const further of next.get(name) ?? []) seen.add(further);
  }
  return seen;
}
