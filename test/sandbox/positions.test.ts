import { expect, test } from 'vitest';
import { lastPosition, positionAt, positionBetween, positionFrom } from '../../src/sandbox/positions.js';
import { createRandom } from '../../src/sandbox/seeds/seed.js';
import { type Database, openDatabase } from '../../src/sandbox/store/database.js';
import { migrate } from '../../src/sandbox/store/migrate.js';
import { migrations } from '../../src/sandbox/store/migrations/index.js';

test('insertions, deletions and groups that dissolve keep every position and the order', () => {
  const random = createRandom('positions');
  let list: string[] = [];
  for (let step = 0; step < 3000; step += 1) {
    const at = random.below(list.length + 1);
    const choice = random.below(10);
    const here = list[at];
    if (choice < 6) list.splice(at, 0, positionBetween(list[at - 1], here));
    else if (choice < 7) list.push(lastPosition(list.map((position) => ({ position }))));
    else if (here !== undefined && choice < 9) list = list.filter((position) => position !== here);
    else if (here !== undefined) {
      const inner = [positionAt(0), positionAt(1), positionBetween(positionAt(0), positionAt(1))].sort();
      list.splice(at, 1, ...inner.map((position) => positionFrom(here, position)));
    }
    if (step % 100 !== 0) continue;
    expect([...new Set(list)].sort()).toEqual(list);
    const nested = list.filter((position, index) => list[index + 1]?.startsWith(`${position}/`));
    expect(nested, 'what a group holds sorts before all that follow the group').toEqual([]);
  }
});

test.each([
  ['before the same item', (list: string[]) => positionBetween(list.at(-1), positionAt(9))],
  ['after the same item', (list: string[]) => positionBetween(positionAt(0), list.at(-1))],
  ['at the start', (list: string[]) => positionBetween(undefined, list.at(-1))],
  ['at the end', (list: string[]) => positionBetween(list.at(-1), undefined)],
])('a thousand insertions %s stay short', (_, next) => {
  const list: string[] = [];
  for (let count = 0; count < 1000; count += 1) list.push(next(list.length === 0 ? [positionAt(5)] : list));
  expect(new Set(list).size).toBe(1000);
  expect(Math.max(...list.map(({ length }) => length))).toBeLessThan(250);
});

test('a database of an earlier version keeps its order; equal numbers are told apart', async () => {
  const old = await openDatabase(':memory:');
  old.exec('CREATE TABLE local_migrations (name TEXT PRIMARY KEY) WITHOUT ROWID');
  for (const [name, sql] of Object.entries(migrations).filter(([key]) => key < '032')) {
    old.exec(sql);
    old.run('INSERT INTO local_migrations (name) VALUES (?)', name);
  }
  addOldRows(old);
  migrate(old);
  const sql = `SELECT id FROM (SELECT id, position FROM spaces UNION ALL SELECT id, position FROM collections)
    ORDER BY position`;
  expect(old.all<{ id: string }>(sql).map(({ id }) => id)).toEqual(['s1', 's3', 'c2', 's10']);
  const groups = old.all<{ id: string }>('SELECT id FROM section_groups ORDER BY position');
  expect(groups.map(({ id }) => id)).toEqual(['before', 'first', 'second']);
  old.close();
});

function addOldRows(db: Database): void {
  db.run("INSERT INTO organizations (id, title, created_at) VALUES ('o', 'O', 0)");
  const space = `INSERT INTO spaces (id, org_id, title, revision_id, position, created_at, updated_at)
    VALUES (?, 'o', 'S', 'r', ?, 0, 0)`;
  for (const [id, position] of [
    ['s10', 10],
    ['s1', 1],
    ['s3', 2],
  ] as const)
    db.run(space, id, position);
  const collection =
    'INSERT INTO collections (id, org_id, title, position, created_at) VALUES (?, ?, ?, 9, 0)';
  db.run(collection, 'c2', 'o', 'C');
  db.run(
    `INSERT INTO sites (id, org_id, title, folded, share_key, created_at) VALUES ('w', 'o', 'W', 'w', 'k', 0)`,
  );
  const group = "INSERT INTO section_groups (id, site_id, title, position) VALUES (?, 'w', 'G', ?)";
  for (const [id, position] of [
    ['second', 2097152],
    ['before', -1048576],
    ['first', 1048576],
  ] as const) {
    db.run(group, id, position);
  }
}
