import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/sandbox/store/database.js';
import { exportState } from '../../../src/sandbox/store/export.js';
import { fillFrom, fillFromExport } from '../../../src/sandbox/store/fill.js';
import { prepareTables } from '../../../src/sandbox/store/tables.js';
import { openPlatform } from '../in-process.js';

const io = { now: () => 0 };

async function planted(seed: string): Promise<Database> {
  const db = await openDatabase(':memory:');
  prepareTables(db);
  await fillFrom(db, seed, io);
  return db;
}

const count = (db: Database, sql: string) =>
  db.get<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)?.count;

/** The pages of the current revisions of an organization. */
const pages = (title: string) => `organizations o JOIN spaces s ON s.org_id = o.id
  JOIN revisions r ON r.id = s.revision_id, json_tree(r.pages) t
  WHERE o.title = '${title}' AND t.key = 'version'`;

describe('the seed acme', () => {
  let db: Database;
  beforeAll(async () => {
    db = await planted('acme');
  });
  afterAll(() => db.close());

  test('has 3,000 pages in 60 spaces and 120 change requests, each with all it names', async () => {
    const org = 'Acme Docs';
    expect(count(db, pages(org))).toBe(3000);
    expect(count(db, `organizations o JOIN spaces s ON s.org_id = o.id WHERE o.title = '${org}'`)).toBe(60);
    expect(count(db, 'change_requests')).toBe(120);
    expect(count(db, "change_requests WHERE status = 'open'")).toBeGreaterThan(20);
    expect(
      count(
        db,
        "revisions r, json_tree(r.pages) t WHERE t.key = 'version' AND t.value NOT IN (SELECT id FROM page_versions)",
      ),
    ).toBe(0);
    expect(
      count(
        db,
        "revisions r, json_tree(r.files) t WHERE t.key = 'version' AND t.value NOT IN (SELECT id FROM file_versions)",
      ),
    ).toBe(0);
    for (const column of ['revision_id', 'revision_initial', 'revision_merged']) {
      const sql = `change_requests WHERE ${column} IS NOT NULL AND ${column} NOT IN (SELECT id FROM revisions)`;
      expect(count(db, sql)).toBe(0);
    }
  });

  test('stores a page once, however many revisions contain it', async () => {
    const held = count(db, "revisions r, json_tree(r.pages) t WHERE t.key = 'version'") ?? 0;
    expect(held).toBeGreaterThan(10_000);
    expect(count(db, 'page_versions')).toBeLessThan(3200);
  });

  test('is restored completely from an export, counters and index included', async () => {
    const before = exportState(db);
    const folder = mkdtempSync(join(tmpdir(), 'docs-seed-'));
    const file = join(folder, 'state.json');
    writeFileSync(file, before);
    const found = (of: Database) => count(of, 'page_search WHERE page_search MATCH \'"budget"*\'');
    const counts = (of: Database) =>
      of.all('SELECT id, change_requests, change_requests_open FROM spaces ORDER BY id');
    const copy = await openDatabase(':memory:');
    prepareTables(copy);
    await fillFromExport(copy, file, io);
    rmSync(folder, { recursive: true });
    expect(exportState(copy)).toBe(before);
    expect(counts(copy)).toEqual(counts(db));
    expect(found(copy)).toBe(found(db));
    expect(found(copy)).toBeGreaterThan(0);
    await fillFrom(copy, 'tiny', io);
    expect(found(copy)).toBe(1);
    copy.close();
  });

  test('has comments whose third reply alone was edited', () => {
    const replies = 'comment_replies r JOIN comments c ON c.id = r.comment_id WHERE r.edited_at';
    expect(count(db, `${replies} IS NOT NULL`)).toBeGreaterThan(20);
    expect(count(db, `${replies} IS NULL`)).toBeGreaterThan(20);
    expect(
      count(
        db,
        '(SELECT 1 FROM comment_replies WHERE edited_at IS NOT NULL GROUP BY comment_id HAVING count(*) > 1)',
      ),
    ).toBe(0);
  });

  test('is the same every time, on any day', async () => {
    // Planted in 2030, perhaps for other files.
    const other = await openPlatform({ seed: 'acme' });
    expect(other.beside(exportState) === exportState(db)).toBe(true);
  });
});
