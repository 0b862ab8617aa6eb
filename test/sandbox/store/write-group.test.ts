import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Database, isBusy, openDatabase } from '../../../src/sandbox/store/database.js';
import { type Connection, loadDriver } from '../../../src/sandbox/store/driver.js';
import { WriteGroup } from '../../../src/sandbox/store/write-group.js';

/** Changes that wait at the same moment, as another program sees them, which reads the same file. */

let folder: string;
let db: Database;
let other: Database;
let group: WriteGroup;
/** The scripts that the connection ran since the test began. */
let scripts: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-sandbox-'));
  const file = join(folder, 'test.db');
  other = openDatabase(file);
  other.exec(`CREATE TABLE owners (id INTEGER PRIMARY KEY);
    CREATE TABLE items (id INTEGER PRIMARY KEY, owner INTEGER REFERENCES owners (id) DEFERRABLE INITIALLY DEFERRED);
    INSERT INTO owners VALUES (1)`);
  db = new Database(recorded(loadDriver().open(file)), true);
  db.exec('PRAGMA foreign_keys = ON');
  group = new WriteGroup(db);
  scripts = [];
});
afterEach(() => {
  for (const each of [db, other]) each.close();
  rmSync(folder, { recursive: true, force: true });
});

function recorded(connection: Connection): Connection {
  return {
    get inTransaction() {
      return connection.inTransaction;
    },
    exec(script) {
      scripts?.push(script);
      connection.exec(script);
    },
    prepare: (sql) => connection.prepare(sql),
    close: () => connection.close(),
  };
}

const ids = () => other.all<{ id: number }>('SELECT id FROM items ORDER BY id').map(({ id }) => id);
const add = (id: number, owner = 1) => db.run('INSERT INTO items VALUES (?, ?)', id, owner);
const outcomes = (works: (() => unknown)[]) =>
  Promise.allSettled(works.map((work) => group.write(work))).then((all) =>
    all.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason))),
  );

test('share one transaction, and each is told once the other program can read it', async () => {
  const seen = await Promise.all([1, 2, 3].map((id) => group.write(() => add(id)).then(ids)));
  expect(seen).toEqual([1, 2, 3].map(() => [1, 2, 3]));
  expect(scripts).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
  await group.write(() => add(4));
  expect(ids()).toEqual([1, 2, 3, 4]);
});

test('one that is refused before it writes leaves the others alone', async () => {
  const refuse = () => {
    throw new Error('refused');
  };
  expect(await outcomes([() => add(1), refuse, () => add(2)])).toEqual([1, 'Error: refused', 1]);
  expect(ids()).toEqual([1, 2]);
  expect(scripts).toEqual(['BEGIN IMMEDIATE', 'COMMIT']);
});

test('of one that fails after it has written nothing stays, and all of the others', async () => {
  const fail = () => {
    add(7);
    throw new Error('half way');
  };
  expect(await outcomes([() => add(1), fail, () => add(2)])).toEqual([1, 'Error: half way', 1]);
  expect(ids()).toEqual([1, 2]);
});

test('one that cannot be committed fails alone', async () => {
  const told = await outcomes([() => add(1), () => add(2, 99), () => add(3)]);
  expect(told).toEqual([1, expect.stringContaining('FOREIGN KEY'), 1]);
  expect(ids()).toEqual([1, 3]);
});

test('what was put in memory for a change that is rolled back is put back', async () => {
  const undone: string[] = [];
  const noted = (id: number, owner?: number) => () => {
    db.ifUndone(() => undone.push(`${id} undone`));
    return add(id, owner);
  };
  await outcomes([noted(1), noted(2, 99)]);
  expect(undone).toEqual(['1 undone', '2 undone', '2 undone']);
  expect(ids()).toEqual([1]);
});

test('while another program writes, all of them find the database locked', async () => {
  db.exec('PRAGMA busy_timeout = 0');
  const told = await other.writeSlowly(() =>
    Promise.allSettled([1, 2].map((id) => group.write(() => add(id)))),
  );
  expect(told.map((each) => each.status === 'rejected' && isBusy(each.reason))).toEqual([true, true]);
  expect(scripts.filter((script) => script === 'BEGIN IMMEDIATE')).toHaveLength(1);
  expect(ids()).toEqual([]);
});

test('each sees what another program changed before it', async () => {
  const count = () => db.remember('count', () => db.all('SELECT 1 FROM items').length, ['items']);
  await group.write(() => undefined);
  expect(count()).toBe(0);
  const write = group.write(count);
  other.write(() => other.run('INSERT INTO items VALUES (1, 1)'));
  expect(await write).toBe(1);
});
