import { writeFileSync } from 'node:fs';
import type { Io } from '../../src/base/io.js';
import { assignTokens } from '../../src/sandbox/server/tokens.js';
import type { Database } from '../../src/sandbox/store/database.js';
import { startClock } from '../../src/sandbox/store/rows.js';
import { openStore } from '../../src/sandbox/store/store.js';
import { plant } from '../sandbox/planted.js';

/** The databases that seeds make, planted once and then copied: planting `acme` takes a second, a copy milliseconds. */

const planted = new Map<string, Promise<Uint8Array>>();

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
  const coming = planted.get(seed) ?? plant(seed, { now: Date.now });
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
