import type { Database, SqlValue } from '../store/database.js';
import { insert } from '../store/rows.js';
import acme from './acme.json' with { type: 'json' };
import { addFurtherComments, addNamedComments } from './comments.js';
import { addChangeRequests, addContents, addFurtherContents, addFurtherRequests } from './content.js';
import type { SeedName } from './names.js';
import { addPeople, drawTeams } from './people.js';
import { type Seeding, seedingOf } from './seeding.js';
import tiny from './tiny.json' with { type: 'json' };

/**
 * `tiny` is what its file has; `acme` and `huge` have that, too. `acme` adds the rows of a file and, by random numbers,
 * 393 people, the members of its teams, 3,000 pages, change requests and comments; `huge` 99,993 people.
 */
export function plant(db: Database, seed: SeedName): void {
  db.run("INSERT OR REPLACE INTO state (key, value) VALUES ('seed', ?), ('ids', 0)", seed);
  const part = (name: string) => seedingOf(db, seed, name);
  const isLarge = seed === 'acme';
  addRows(part('rows'), tiny.rows);
  if (isLarge) addRows(part('rows'), acme);
  if (seed !== 'tiny') addPeople(part('members'), isLarge ? 393 : 99_993);
  if (isLarge) drawTeams(part('teams'));
  const count = addContents(part('content'), tiny.pages);
  if (isLarge) addFurtherContents(part('content'), count);
  addChangeRequests(part('change-requests'), tiny.changeRequests);
  if (isLarge) addFurtherRequests(part('change-requests'), tiny.changeRequests.length);
  const seqs = addNamedComments(part('comments'), tiny.comments);
  if (isLarge) addFurtherComments(part('comments'), seqs);
}

/**
 * Adds rows by table, in place of those with the same key. `@name` stands for the id of that name, a time for its
 * milliseconds; objects and lists become JSON.
 */
function addRows({ db, named }: Seeding, tables: Readonly<Record<string, readonly object[]>>): void {
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const columns = Object.entries(named(row)).map(([name, value]) => [name, columnOf(value)]);
      insert(db, table, Object.fromEntries(columns), 'INSERT OR REPLACE');
    }
  }
}

function columnOf(value: SqlValue | object): SqlValue {
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
}
