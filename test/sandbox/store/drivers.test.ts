import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BuiltinModules,
  type Connection,
  type Driver,
  firstDriver,
  libsqlDriver,
  nodeDriver,
  SqliteError,
  type SqlValue,
  targetOf,
} from '../../../src/sandbox/store/driver.js';

// Every driver that the runtime has runs the same cases. Node 20 has libsql alone, Bun only its own.
const drivers = [nodeDriver(), libsqlDriver()].filter((driver) => driver !== undefined);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-driver-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tables = `
CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, age INTEGER CHECK (age > 0)) STRICT;
CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id)) STRICT;
INSERT INTO parents VALUES (1, 'Ada', 36), (2, 'Bob', 40);
PRAGMA foreign_keys = ON;`;

test('there is a driver', () => expect(drivers).not.toEqual([]));

describe.each(drivers)('$name', (driver: Driver) => {
  let db: Connection;
  let file: string;
  const one = (sql: string, ...values: SqlValue[]) => db.prepare(sql).get(values);
  const run = (sql: string, ...values: SqlValue[]) => db.prepare(sql).run(values);

  beforeEach(() => {
    file = join(folder, 'test.db');
    db = driver.open(file);
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(tables);
  });
  afterEach(() => db.close());

  describe('values', () => {
    test.each<[SqlValue, string, unknown]>([
      ['ä\n€ 😀', 'text', 'ä\n€ 😀'],
      ['', 'text', ''],
      ['lone \ud800', 'text', 'lone \ufffd'],
      [1, 'real', 1],
      [1.5, 'real', 1.5],
      [-7, 'real', -7],
      [2 ** 53 - 1, 'real', 2 ** 53 - 1],
      [Number.POSITIVE_INFINITY, 'real', Number.POSITIVE_INFINITY],
      [Number.NaN, 'null', null],
      [null, 'null', null],
    ])('%j is stored as %s', (value, type, read) => {
      expect(one('SELECT typeof(?), ?', value, value)).toEqual([type, read]);
    });

    test.each<[Uint8Array, string]>([
      [new Uint8Array([0, 1, 255]), '0001ff'],
      [Buffer.from('abc').subarray(1), '6263'],
      [new Uint8Array(), ''],
    ])('bytes %# come back as bytes', (bytes, hex) => {
      const [type, read] = one('SELECT typeof(?), ?', bytes, bytes) ?? [];
      expect(type).toBe('blob');
      expect(read).toBeInstanceOf(Uint8Array);
      expect(Buffer.from(read as Uint8Array).toString('hex')).toBe(hex);
    });

    test('a column of integers makes integers of numbers', () => {
      run("INSERT INTO parents VALUES (3, 'Cid', ?)", 1e12);
      expect(one('SELECT typeof(age), age FROM parents WHERE id = 3')).toEqual(['integer', 1e12]);
    });

    test('integers beyond those of JavaScript are rounded, in reads and in changes', () => {
      expect(one('SELECT 9007199254740993, -9223372036854775808, 5')).toEqual([2 ** 53, -(2 ** 63), 5]);
      const add = "INSERT INTO parents VALUES (3, 'Cid', 9007199254740993) RETURNING age, id, name";
      expect(one(add)).toEqual([2 ** 53, 3, 'Cid']);
      expect(db.prepare('SELECT age FROM parents ORDER BY id').all([])).toEqual([[36], [40], [2 ** 53]]);
      expect(one('SELECT count(*) FROM parents')).toEqual([3]);
    });
  });

  describe('statements', () => {
    test('name the columns of their rows', () => {
      expect(db.prepare('SELECT id, name AS x, count(*), x.id FROM parents x').columns).toEqual([
        ...['id', 'x', 'count(*)', 'id'],
      ]);
      expect(db.prepare('PRAGMA data_version').columns).toEqual(['data_version']);
      expect(db.prepare('DELETE FROM parents RETURNING age').columns).toEqual(['age']);
      expect(db.prepare('DELETE FROM parents').columns).toEqual([]);
    });

    test('give all rows, the first, or none', () => {
      const numbers =
        'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT ?';
      const all = db.prepare(numbers);
      for (const count of [0, 1, 99, 100, 101, 1000]) expect(all.all([count])).toHaveLength(count);
      expect(all.all([250]).at(-1)).toEqual([250]);
      expect(all.get([3])).toEqual([1]);
      expect(all.get([0])).toBeUndefined();
      expect(all.get([2])).toEqual([1]);
    });

    test('count the rows they change, and only those', () => {
      expect(run('UPDATE parents SET age = age + 1')).toBe(2);
      expect(run('UPDATE parents SET age = 1 WHERE id = 9')).toBe(0);
      expect(run("INSERT INTO parents VALUES (3, 'Cid', 1), (4, 'Dan', 1)")).toBe(2);
      expect(run('PRAGMA cache_size = -100')).toBe(0);
      expect(run('DELETE FROM parents')).toBe(4);
      expect(run('SELECT 1')).toBe(0);
    });

    test('find words in an index of texts', () => {
      db.exec("CREATE VIRTUAL TABLE found USING fts5(text); INSERT INTO found VALUES ('red fox'), ('blue')");
      expect(db.prepare('SELECT rowid FROM found WHERE found MATCH ?').all(['fox'])).toEqual([[1]]);
    });
  });

  describe('errors', () => {
    const refused = (call: () => unknown) => {
      try {
        call();
      } catch (error) {
        if (!(error instanceof SqliteError)) throw error;
        return [error.code, error.resultCode, error.message];
      }
      throw new Error('It was accepted.');
    };

    test.each<[string, string, number, string]>([
      [
        "INSERT INTO parents VALUES (3, 'Ada', 1)",
        'CONSTRAINT',
        2067,
        'UNIQUE constraint failed: parents.name',
      ],
      [
        "INSERT INTO parents VALUES (1, 'Cid', 1)",
        'CONSTRAINT',
        1555,
        'UNIQUE constraint failed: parents.id',
      ],
      [
        'INSERT INTO parents VALUES (3, NULL, 1)',
        'CONSTRAINT',
        1299,
        'NOT NULL constraint failed: parents.name',
      ],
      ["INSERT INTO parents VALUES (3, 'Cid', 0)", 'CONSTRAINT', 275, 'CHECK constraint failed: age > 0'],
      ['INSERT INTO children VALUES (1, 9)', 'CONSTRAINT', 787, 'FOREIGN KEY constraint failed'],
      [
        "INSERT INTO parents VALUES (3, 'Cid', 'old')",
        ...['CONSTRAINT', 3091, 'cannot store TEXT value in INTEGER column parents.age'],
      ] as [string, string, number, string],
      ['SELECT nix FROM parents', 'ERROR', 1, 'no such column: nix'],
      ['SELECT * FROM nowhere', 'ERROR', 1, 'no such table: nowhere'],
      ['SELEC 1', 'ERROR', 1, 'near "SELEC": syntax error'],
    ])('%s', (sql, code, resultCode, message) => {
      const expected = [`SQLITE_${code}`, resultCode, message];
      expect(refused(() => db.prepare(sql).all([]))).toEqual(expected);
      expect(refused(() => db.exec(sql))).toEqual(expected);
      expect(one('SELECT count(*) FROM parents')).toEqual([2]);
    });

    test('busy: another connection writes, or wrote since this one read', () => {
      const other = driver.open(file);
      other.exec('PRAGMA busy_timeout = 20');
      db.exec('BEGIN IMMEDIATE');
      expect(refused(() => other.exec('BEGIN IMMEDIATE'))).toEqual(['SQLITE_BUSY', 5, 'database is locked']);
      expect(other.inTransaction).toBe(false);
      db.exec('COMMIT');
      other.exec('BEGIN');
      other.prepare('SELECT * FROM parents').all([]);
      run('UPDATE parents SET age = 1');
      const write = () => other.prepare('UPDATE parents SET age = 2').run([]);
      expect(refused(write)).toEqual(['SQLITE_BUSY', 517, 'database is locked']);
      other.exec('ROLLBACK');
      other.close();
    });

    test('full: SQLite has rolled back', () => {
      db.exec('PRAGMA max_page_count = 10');
      db.exec('BEGIN IMMEDIATE');
      expect(db.inTransaction).toBe(true);
      const fill = () => {
        for (let id = 3; id < 100; id += 1)
          run('INSERT INTO parents VALUES (?, ?, 1)', id, `${id}`.repeat(4000));
      };
      expect(refused(fill)).toEqual(['SQLITE_FULL', 13, 'database or disk is full']);
      expect(db.inTransaction).toBe(false);
      expect(one('SELECT count(*) FROM parents')).toEqual([2]);
    });

    test('not a database, a corrupt one, a folder, no folder', () => {
      const text = join(folder, 'text.db');
      writeFileSync(text, 'These are words, and no database. '.repeat(20));
      const opening = (path: string) => () => driver.open(path).exec('PRAGMA journal_mode = WAL');
      expect(refused(opening(text))).toEqual(['SQLITE_NOTADB', 26, 'file is not a database']);
      const cannot = ['SQLITE_CANTOPEN', 14, 'unable to open database file'];
      expect(refused(opening(folder))).toEqual(cannot);
      expect(refused(opening(join(folder, 'none', 'x.db')))).toEqual(cannot);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(7, 100));
      db = driver.open(file);
      const read = refused(() => one('SELECT * FROM parents'));
      expect(read).toEqual(['SQLITE_CORRUPT', expect.any(Number), expect.stringMatching(/malformed/)]);
    });

    test('a statement that failed can be run again', () => {
      const add = db.prepare('INSERT INTO parents VALUES (?, ?, 1)');
      expect(() => add.run([3, 'Ada'])).toThrow('UNIQUE');
      expect(add.run([3, 'Cid'])).toBe(1);
    });

    const ways = ['get', 'all', 'run', 'change'] as const;
    test.each(ways.flatMap((before) => ways.map((then) => [before, then] as const)))(
      'takes its own values: %s, then %s, and after a failure',
      (before, then) => {
        const sql = 'UPDATE parents SET age = ? WHERE id = ? RETURNING age';
        const ageOf = (id: number) => one('SELECT age FROM parents WHERE id = ?', id);
        const update = db.prepare(sql);
        update[before]([37, 1]);
        update[then]([41, 2]);
        expect([ageOf(1), ageOf(2)]).toEqual([[37], [41]]);
        const other = db.prepare(sql);
        expect(() => other[before]([0, 1])).toThrow('CHECK');
        other[then]([42, 2]);
        expect([ageOf(1), ageOf(2)]).toEqual([[37], [42]]);
      },
    );

    test('a change that failed can be made again', () => {
      const add = db.prepare('INSERT INTO parents VALUES (?, ?, 1)');
      db.exec('BEGIN');
      add.change([3, 'Cid']);
      add.change([4, 'Dan']);
      for (const _ of [1, 2]) expect(() => add.change([5, 'Ada'])).toThrow('UNIQUE');
      db.exec('COMMIT');
      add.change([5, 'Eve']);
      expect(() => add.run([6, 'Ada'])).toThrow('UNIQUE');
      add.change([6, 'Fay']);
      db.prepare('DELETE FROM parents WHERE id = ? RETURNING id').change([4]);
      const names = db.prepare('SELECT name FROM parents WHERE id > 2 ORDER BY id').all([]);
      expect(names).toEqual([['Cid'], ['Eve'], ['Fay']]);
    });

    test('a closed connection takes no statements; closing again is fine', () => {
      db.close();
      db.close();
      expect(() => db.exec('SELECT 1')).toThrow(/not open/);
    });
  });

  describe('files', () => {
    test('beside the database have its mode, and hold what the next connection reads', () => {
      const path = join(folder, 'private.db');
      writeFileSync(path, '', { mode: 0o600 });
      const first = driver.open(path);
      first.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
      const second = driver.open(path);
      second.prepare('SELECT * FROM t').all([]);
      const beside = () => readdirSync(folder).filter((name) => name.startsWith('private'));
      expect(beside()).toEqual(['private.db', 'private.db-shm', 'private.db-wal']);
      for (const name of beside()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      first.exec('INSERT INTO t VALUES (1)');
      first.close();
      second.close();
      const third = driver.open(path);
      expect(third.prepare('SELECT a FROM t').all([])).toEqual([[1]]);
      third.close();
    });

    test('are opened with the settings given', () => {
      const settings = { busy_timeout: 5000, synchronous: 1, wal_autocheckpoint: 4000, cache_size: -65536 };
      for (const [name, value] of Object.entries(settings)) {
        db.exec(`PRAGMA ${name} = ${value}`);
        expect([name, ...(one(`PRAGMA ${name}`) ?? [])]).toEqual([name, value]);
      }
      expect(one('PRAGMA journal_mode')).toEqual(['wal']);
      expect(one('PRAGMA foreign_keys')).toEqual([1]);
    });
  });
});

test('one driver reads and writes what another one wrote', () => {
  const file = join(folder, 'shared.db');
  const open = drivers.map((driver) => driver.open(file));
  open[0]?.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER, b TEXT, c)`);
  for (const db of open) db.prepare('INSERT INTO t VALUES (?, ?, ?)').run([1, 'ä', 1.5]);
  for (const db of open) {
    expect(db.prepare('SELECT a, b, c FROM t').all([])).toEqual(open.map(() => [1, 'ä', 1.5]));
    db.close();
  }
});

describe('finding a driver', () => {
  test('without one, says what to install', () => {
    expect(() => firstDriver([() => undefined])).toThrow(
      expect.objectContaining({
        kind: 'configuration',
        code: 'no_sqlite',
        message: expect.stringMatching(/needs SQLite.*nothing was changed.*Node 22\.16 or newer/),
      }),
    );
  });

  const module = (columns: boolean, works = true) => ({
    DatabaseSync: class {
      isTransaction = false;
      exec(): void {
        if (!works) throw new Error('no such module: fts5');
      }
      prepare() {
        return { setReturnArrays: () => undefined, ...(columns && { columns: () => [] }) };
      }
      close(): void {}
    },
  });

  test('takes that of the runtime only if it has what is used', () => {
    const found = (sqlite: object | undefined) =>
      nodeDriver({ emitWarning: () => undefined, getBuiltinModule: () => sqlite })?.name;
    expect(found(module(true))).toBe('node:sqlite');
    expect(found(module(false))).toBeUndefined();
    expect(found(module(true, false))).toBeUndefined();
    expect(found(undefined)).toBeUndefined();
    expect(nodeDriver({ emitWarning: () => undefined })).toBeUndefined();
  });

  test('keeps the warning of Node 22 about its SQLite to itself, and no other one', () => {
    const told: unknown[][] = [];
    const runtime: BuiltinModules = {
      emitWarning: (...warning: unknown[]) => void told.push(warning),
      getBuiltinModule: () => {
        runtime.emitWarning('SQLite is an experimental feature and might change', 'ExperimentalWarning');
        runtime.emitWarning('Something else is experimental', 'ExperimentalWarning');
        runtime.emitWarning('SQLite is slow today', 'Warning');
        return module(true);
      },
    };
    const { emitWarning } = runtime;
    expect(nodeDriver(runtime)).toBeDefined();
    expect(told.map(([text]) => text)).toEqual(['Something else is experimental', 'SQLite is slow today']);
    expect(runtime.emitWarning).toBe(emitWarning);
  });

  test('finds no libsql where the package is not installed', () => {
    expect(libsqlDriver(createRequire(join(folder, 'x.js')))).toBeUndefined();
  });

  test('names the build of libsql for the platform, by the C library the runtime was built for', () => {
    const named = (platform: string, arch: string, loader = '') => {
      const execPath = join(folder, 'node');
      writeFileSync(execPath, `\x7fELF${'\0'.repeat(600)}${loader}\0`);
      return targetOf({ platform, arch, execPath });
    };
    expect(named('linux', 'x64', '/lib64/ld-linux-x86-64.so.2')).toBe('linux-x64-gnu');
    expect(named('linux', 'arm64', '/lib/ld-musl-aarch64.so.1')).toBe('linux-arm64-musl');
    expect(named('linux', 'arm', '/lib/ld-linux-armhf.so.3')).toBe('linux-arm-gnueabihf');
    expect(named('linux', 'arm', '/lib/ld-musl-armhf.so.1')).toBe('linux-arm-musleabihf');
    expect(named('darwin', 'arm64')).toBe('darwin-arm64');
    expect(named('win32', 'x64')).toBe('win32-x64-msvc');
  });
});
