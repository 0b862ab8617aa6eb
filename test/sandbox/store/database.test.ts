import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase, type SqlValue } from '../../../src/sandbox/store/database.js';
import { tableChangedBy } from '../../../src/sandbox/store/memory.js';

let folder: string;
let db: Database;

const structure = `
CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) ON DELETE CASCADE);
CREATE TABLE toys (id INTEGER PRIMARY KEY, child INTEGER REFERENCES children (id) ON DELETE CASCADE);
CREATE TABLE counts (name TEXT PRIMARY KEY, n INTEGER);
CREATE TABLE others (id INTEGER PRIMARY KEY);
INSERT INTO counts VALUES ('children', 0);
CREATE TRIGGER children_added AFTER INSERT ON children BEGIN
  UPDATE counts SET n = (SELECT count(*) FROM children) WHERE name = 'children';
END;
CREATE TRIGGER parents_moved AFTER UPDATE OF id ON parents BEGIN
  DELETE FROM others;
END;`;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'docs-sandbox-'));
  db = await openDatabase(join(folder, 'test.db'));
  db.exec(structure);
  db.write(() => db.run("INSERT INTO parents VALUES (1, 'Ada')"));
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a transaction', () => {
  const names = () =>
    db.all<{ name: string }>('SELECT name FROM parents ORDER BY id').map(({ name }) => name);

  test('commits all of its work or none', () => {
    const fail = () =>
      db.write(() => {
        db.run("INSERT INTO parents VALUES (2, 'Bob')");
        db.write(() => db.run("INSERT INTO parents VALUES (3, 'Cid')"));
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    expect(names()).toEqual(['Ada']);
    const twice = () =>
      db.write(() => [4, 5].map((id) => db.run("INSERT INTO parents VALUES (?, 'Dan')", id)));
    expect(twice).toThrow('UNIQUE');
    db.write(() => db.run("INSERT INTO parents VALUES (2, 'Bob')"));
    expect(names()).toEqual(['Ada', 'Bob']);
  });

  test('of a read cannot write', () => {
    expect(() => db.read(() => db.write(() => 1))).toThrow('Cannot write within a read');
  });

  test('sees one snapshot, whatever others write meanwhile', async () => {
    const other = await openDatabase(join(folder, 'test.db'));
    db.read(() => {
      expect(names()).toEqual(['Ada']);
      other.write(() => other.run("INSERT INTO parents VALUES (2, 'Bob')"));
      expect(names()).toEqual(['Ada']);
    });
    expect(names()).toEqual(['Ada', 'Bob']);
    other.close();
  });
});

describe('a value', () => {
  test('is read as it was written', () => {
    const row = db.get<{ a: string; b: number; c: null; d: number }>(
      'SELECT ? AS a, ? AS b, ? AS c, ? AS d',
      ...['ä\n', 1.5, null, 2 ** 53 - 1],
    );
    expect(row).toEqual({ a: 'ä\n', b: 1.5, c: null, d: 2 ** 53 - 1 });
  });

  test('that is a text ends at its first NUL', () => {
    db.write(() => db.run('INSERT INTO parents VALUES (2, ?)', 'Bob\0by'));
    expect(db.get('SELECT name, length(name) AS n FROM parents WHERE id = 2')).toEqual({ name: 'Bob', n: 3 });
  });

  test.each([true, undefined, {}, 1n])('%s is refused before it reaches SQLite', (value) => {
    expect(() => db.get('SELECT ?', value as unknown as SqlValue)).toThrow('SQLite cannot store');
  });
});

describe('what is remembered', () => {
  let computed: string[];
  const remember = (tables: string[] | undefined) => {
    const key = tables?.join() ?? 'all';
    db.remember(key, () => computed.push(key), tables);
  };
  /** Which of these had to be computed again. */
  const again = (...keys: (string[] | undefined)[]) => {
    computed = [];
    for (const tables of keys) remember(tables);
    return computed;
  };
  const everything = [undefined, ['parents'], ['children'], ['toys'], ['counts'], ['others']];

  beforeEach(() => {
    db.refresh();
    again(...everything);
  });

  test('is kept while nothing changes', () => {
    db.read(() => db.all('SELECT * FROM parents'));
    db.refresh();
    expect(again(...everything)).toEqual([]);
  });

  test('is forgotten when its tables change, also through references and triggers', () => {
    db.write(() => db.run('INSERT INTO others VALUES (1)'));
    expect(again(...everything)).toEqual(['all', 'others']);
    db.write(() => db.run('INSERT INTO children VALUES (1, 1)'));
    expect(again(...everything)).toEqual(['all', 'children', 'toys', 'counts']);
    db.write(() => db.get('DELETE FROM parents WHERE id = 1 RETURNING id'));
    expect(again(...everything)).toEqual(['all', 'parents', 'children', 'toys', 'counts', 'others']);
  });

  test('of an update only its own table is forgotten, unless a trigger waits for its columns', () => {
    const update = (columns: string) => db.write(() => db.run(`UPDATE parents SET ${columns}`));
    update("name = 'Eve'");
    expect(again(...everything)).toEqual(['all', 'parents']);
    update('id = id');
    expect(again(...everything)).toContain('others');
    db.exec(`CREATE TRIGGER parents_named AFTER UPDATE OF name ON parents BEGIN
      INSERT OR REPLACE INTO counts VALUES ('named', 1);
    END`);
    db.write(() => undefined);
    again(...everything);
    update("name = 'Fay'");
    expect(again(...everything)).toContain('counts');
  });

  test('of one column is forgotten when that column or whole rows change', () => {
    const columns = [['parents.name'], ['counts.n']];
    const write = (sql: string) => db.write(() => db.run(sql));
    again(...columns);
    write("UPDATE counts SET name = 'sons'");
    expect(again(...columns)).toEqual([]);
    write("UPDATE parents SET name = 'Eve'");
    expect(again(...columns)).toEqual(['parents.name']);
    write('UPDATE parents SET "name" = name'); // Quoted, so it is not told which.
    expect(again(...columns)).toContain('parents.name');
    write('INSERT INTO children VALUES (1, 1)'); // A trigger counts them.
    expect(again(...columns)).toEqual(['counts.n']);
    write('DELETE FROM parents');
    expect(again(...columns)).toContain('parents.name');
  });

  test('is forgotten entirely if the changed tables are unknown', () => {
    db.exec('DELETE FROM others');
    db.write(() => db.run('INSERT INTO others VALUES (2)'));
    expect(again(...everything)).toHaveLength(6);
  });

  test('is forgotten entirely after another program has written', async () => {
    const other = await openDatabase(join(folder, 'test.db'));
    other.write(() => other.run('INSERT INTO others VALUES (1)'));
    expect(again(...everything)).toEqual([]);
    db.refresh();
    expect(again(...everything)).toHaveLength(6);
    other.close();
  });

  test('is neither used nor stored by a transaction that has written', () => {
    const count = () => db.remember('n', () => db.all('SELECT 1 FROM others').length, ['others']);
    expect(count()).toBe(0);
    const attempt = () =>
      db.write(() => {
        expect(count()).toBe(0);
        db.run('INSERT INTO others VALUES (1)');
        expect(count()).toBe(1);
        throw new Error('undone');
      });
    expect(attempt).toThrow('undone');
    expect(count()).toBe(0);
  });

  describe('of what a write has changed', () => {
    const name = () =>
      db.remember('name', () => db.get<{ name: string }>('SELECT name FROM parents')?.name, ['parents']);
    const rename = (to: string) => {
      db.run('UPDATE parents SET name = ?', to);
      db.keep('name', `${to}, kept`, ['parents']);
    };

    test('is what the write keeps, in it and afterwards', () => {
      db.write(() => {
        rename('Bob');
        expect(name()).toBe('Bob, kept');
      });
      expect(name()).toBe('Bob, kept');
      db.write(() => db.run("UPDATE parents SET name = 'Cid'"));
      expect(name()).toBe('Cid');
    });

    test('is read anew after a further statement', () => {
      db.write(() => {
        rename('Bob');
        db.run("UPDATE parents SET name = 'Cid'");
        expect(name()).toBe('Cid');
      });
      expect(name()).toBe('Cid');
      db.write(() => {
        rename('Dan');
        db.exec("UPDATE parents SET name = 'Eve'");
        expect(name()).toBe('Eve');
      });
    });

    test('is read anew after a rollback', () => {
      const fail = () =>
        db.write(() => {
          rename('Bob');
          throw new Error('undone');
        });
      expect(fail).toThrow('undone');
      expect(name()).toBe('Ada');
    });

    test('is not kept where triggers may have changed more', () => {
      db.write(() => {
        db.run('UPDATE parents SET id = id');
        rename('Bob');
        expect(name()).toBe('Bob');
      });
      expect(name()).toBe('Bob');
    });
  });

  test('notes keep remembered values', () => {
    const before = db.generation;
    db.note(() => db.run('INSERT INTO others VALUES (1)'));
    expect(again(...everything)).toEqual([]);
    expect(db.generation).toBe(before);
  });
});

test.each([
  ['SELECT * FROM parents', undefined],
  ['WITH a AS (SELECT 1) SELECT * FROM a', undefined],
  ['PRAGMA data_version', undefined],
  ['INSERT INTO parents VALUES (1)', 'parents'],
  ['INSERT OR REPLACE INTO parents VALUES (1)', 'parents'],
  ['  UPDATE parents SET name = 1', 'parents'],
  ['update or ignore parents set name = 1', 'parents'],
  ['DELETE FROM parents', 'parents'],
  ['REPLACE INTO parents VALUES (1)', 'parents'],
  ['WITH a AS (SELECT 1) DELETE FROM parents', '*'],
  ['CREATE TABLE x (y)', '*'],
])('%s changes %s', (sql, table) => {
  expect(tableChangedBy(sql)).toBe(table);
});
