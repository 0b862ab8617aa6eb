import { createHash } from 'node:crypto';
import type { Row, Tables } from './rows.js';

/**
 * A state of the platform in a form in which two are equal where nothing but chance tells them apart: ids of what
 * was made, times, and the texts of positions, of which only the order counts.
 */

/** The columns by which things with a position are siblings. */
const siblings: Readonly<Record<string, readonly string[]>> = {
  collections: ['org_id', 'parent_id'],
  spaces: ['org_id', 'parent_id'],
  section_groups: ['site_id'],
  sections: ['site_id', 'group_id'],
  site_spaces: ['site_id', 'section_id'],
};

const isTime = (column: string) => column.endsWith('_at');
/** Made by the platform with each site, and shown to nobody. */
const byChance = new Set(['share_key', 'revision_id']);

/** @param before the state that both came from: what has its ids keeps them */
export function canonical(state: string, before: string): Record<string, string[]> {
  const tables = ranked(tablesOf(state));
  const known = idsOf(tablesOf(before));
  let names = new Map([...idsOf(tables)].filter((id) => !known.has(id)).map((id) => [id, 'new']));
  // A name tells more with each round: what it is, what it is in, and what that is in.
  for (let round = 0; round < 4; round += 1) names = renamed(tables, names);
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => [table, rows.map((row) => textOf(row, names)).sort()]),
  );
}

function tablesOf(state: string): Tables {
  const { tables } = JSON.parse(state) as { tables: Tables };
  const { state: _, revisions: __, openapi_specs = [], ...rest } = tables;
  // How far a source is read is a matter of time.
  const specs = openapi_specs.map(({ state: ___, ...row }) => row);
  return { ...rest, openapi_specs: specs };
}

function idsOf(tables: Tables): Set<string> {
  return new Set(Object.values(tables).flatMap((rows) => rows.flatMap(({ id }) => (id ? [String(id)] : []))));
}

/** Positions as places among siblings. */
function ranked(tables: Tables): Tables {
  return Object.fromEntries(
    Object.entries(tables).map(([table, rows]) => {
      const by = siblings[table];
      if (by === undefined) return [table, rows];
      const keyOf = (row: Row) => by.map((column) => row[column]).join(' ');
      const place = (row: Row) =>
        rows.filter((other) => keyOf(other) === keyOf(row) && String(other.position) < String(row.position))
          .length;
      return [table, rows.map((row) => ({ ...row, position: place(row) }))];
    }),
  );
}

function renamed(tables: Tables, names: ReadonlyMap<string, string>): Map<string, string> {
  const next = new Map(names);
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const id = String(row.id);
      if (names.has(id)) next.set(id, hash(`${table} ${textOf(row, names)}`));
    }
  }
  return next;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 12);

function textOf(row: Row, names: ReadonlyMap<string, string>): string {
  const shown = Object.entries(row).filter(([column]) => !isTime(column) && !byChance.has(column));
  return JSON.stringify(
    Object.fromEntries(shown.map(([column, value]) => [column, names.get(String(value)) ?? value])),
  );
}
