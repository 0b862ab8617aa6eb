import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../src/io.js';
import { assignTokens } from '../../src/sandbox/server/tokens.js';
import { startClock } from '../../src/sandbox/store/clock.js';
import type { Database } from '../../src/sandbox/store/database.js';
import { openFilled } from '../../src/sandbox/store/fill.js';
import { exportedTables, openStore, refill } from '../../src/sandbox/store/store.js';

/** The databases that seeds make, planted once and then copied: planting `acme` takes a second, a copy milliseconds. */

const planted = new Map<string, Promise<Uint8Array>>();

async function plant(seed: string): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-planted-'));
  const file = join(folder, 'sandbox.db');
  const { db } = await openFilled(':memory:', seed, { now: Date.now });
  db.exec(`VACUUM INTO '${file}'`);
  db.close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/**
 * Makes the database of a seed, with tokens of its own and a clock that starts now.
 * @param change what is different in it
 */
export async function copyPlanted(
  seed: 'tiny' | 'acme',
  file: string,
  io: Pick<Io, 'now'>,
  change: (db: Database) => void = () => {},
): Promise<void> {
  const coming = planted.get(seed) ?? plant(seed);
  planted.set(seed, coming);
  writeFileSync(file, await coming, { mode: 0o600 });
  const { db } = await openStore(file, io);
  db.write(() => {
    db.run('DELETE FROM local_tokens');
    assignTokens(db);
    startClock(db, io.now());
    change(db);
  });
  db.close();
}

/** Replaces all data of an open database by those of a copy of a seed, as a reset does. Keeps tokens. */
export function replant(db: Database, seed: string, copy: string, { now }: Pick<Io, 'now'>): void {
  db.exec(`ATTACH '${copy}' AS planted`);
  const fill = () => {
    for (const table of exportedTables(db))
      db.run(`INSERT INTO main.${table} SELECT * FROM planted.${table}`);
  };
  refill(db, { source: seed, nowMs: now(), fill });
  db.exec('DETACH planted');
}

/**
 * Empties the pages that lead out of no space and that no change request edits, but for those of some spaces. Links
 * repeat whole revisions: all of `acme` are 290 MB for each question of what breaks.
 * @param spaces titles or ids
 */
export function leaveTexts(db: Database, spaces: readonly string[]): void {
  const given = spaces.map(() => '?').join(', ');
  const others = `SELECT id FROM spaces WHERE title NOT IN (${given}) AND id NOT IN (${given})`;
  const unedited = 'SELECT page_id FROM page_versions GROUP BY space_id, page_id HAVING count(*) = 1';
  db.run(
    `UPDATE page_versions SET markdown = '' WHERE space_id IN (${others}) AND page_id IN (${unedited})
       AND markdown NOT LIKE '%](/%' AND markdown NOT LIKE '%](http%'`,
    ...spaces,
    ...spaces,
  );
}
